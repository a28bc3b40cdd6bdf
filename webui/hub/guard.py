"""Who may do what on the hub's page."""

from __future__ import annotations

from flask import current_app, g, redirect, request, session, url_for
from werkzeug.wrappers import Response

from webui.access.safety import Guesses, RefusedError, check_origin
from webui.hub.house import Club, Member
from webui.words.texts import N_

NOT_ALLOWED = N_("Your account does not allow that.")
LOG_IN = N_("Please log in first.")
TOO_MANY = N_("Too many attempts: please wait %(seconds)s seconds.")
WRONG = N_("Wrong name or password.")


def club() -> Club:
    found: Club = current_app.config["CLUB"]
    return found


def me() -> Member | None:
    """Who is logged in on this device."""
    if "me" not in g:
        member = club().member(str(session.get("member", "")))
        g.me = member if member is not None and session.get("mark") == member.mark else None
    found: Member | None = g.me
    return found


def may(role: str) -> bool:
    member = me()
    return member is not None and member.may(role)


def may_watch() -> bool:
    return may("spectator") or club().is_open()


def delay() -> float:
    """Seconds by which this one sees everything later; an arbiter sees it at once."""
    return 0.0 if may("arbiter") else club().delay()


def remember(member: Member) -> None:
    session.clear()
    session["member"], session["mark"] = member.id, member.mark
    session.permanent = True
    g.pop("me", None)


def check(role: str) -> Member:
    """Raise unless whoever asks for a change has this role, and asks from this page."""
    member = me()
    if member is None:
        raise RefusedError(401, "log-in", LOG_IN)
    check_origin()
    if not member.may(role):
        raise RefusedError(403, "not-allowed", NOT_ALLOWED)
    return member


def check_watching() -> None:
    if not may_watch():
        raise RefusedError(401, "log-in", LOG_IN)


def to_log_in() -> Response | None:
    """Where somebody goes who may not watch."""
    return None if may_watch() else redirect(url_for("hub_people.login", next=request.path))


def check_tries() -> Guesses:
    """Raise where too many have tried to come in from here."""
    guesses: Guesses = current_app.extensions["guesses"]
    if wait := guesses.wait(request.remote_addr or ""):
        raise RefusedError(429, "too-many-tries", TOO_MANY, seconds=round(wait) + 1)
    return guesses


def note(member: Member, deed: str, about: str) -> None:
    club().note(member.name, deed, about, request.remote_addr or "")
