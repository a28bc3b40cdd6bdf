"""Who comes in, and who lets them in: accounts, invitations, tables, settings, and what was done."""

from __future__ import annotations

from datetime import UTC, datetime

import segno
from flask import Blueprint, current_app, redirect, render_template, request, session, url_for
from flask_babel import gettext as _
from markupsafe import Markup
from werkzeug.wrappers import Response

from engine.core import Json
from webui.access.safety import RefusedError, check_origin
from webui.api.bodies import read_body
from webui.api.schemas import record, text
from webui.hub.guard import WRONG, check, check_tries, club, may, me, note, remember
from webui.hub.house import BadAccountError
from webui.words.texts import N_, spoken

blueprint = Blueprint("hub_people", __name__)

ROLES = {"spectator": N_("Spectator"), "arbiter": N_("Arbiter"), "director": N_("Director")}
SECRET: Json = {"type": "string", "minLength": 1, "maxLength": 200}
LOG_IN = record({"name": text(40), "password": text(200)})
ACCEPT = record({"token": text(60), "name": text(40), "password": text(200)})
INVITE = record({"role": {"type": "string", "enum": list(ROLES)}})
NAMED = record({"name": text(40)})
SETTLE = record({"delay": {"type": "integer", "minimum": 0, "maximum": 900}, "open": {"type": "boolean"}})
NO_INVITATION = N_("This invitation is no longer valid: ask for another one.")
LAST_DIRECTOR = N_("The last director cannot be removed.")
TEXTS = {
    "gone": N_("Removed."),
    "saved": N_("Saved."),
    "really": N_("Really remove {name}?"),
}


@blueprint.get("/login")
def login() -> str | Response:
    if me() is not None:
        return redirect("/")
    return render_template("hub_login.html")


@blueprint.post("/api/v1/login")
def log_in() -> dict[str, object]:
    body = read_body(LOG_IN)
    check_origin()
    guesses = check_tries()
    member = club().log_in(body["name"], body["password"])
    if member is None:
        guesses.wrong(request.remote_addr or "")
        club().note(body["name"], "wrong password", "", request.remote_addr or "")
        raise RefusedError(403, "wrong", WRONG)
    remember(member)
    note(member, "log in", "")
    return {"name": member.name}


@blueprint.post("/api/v1/logout")
def log_out() -> dict[str, object]:
    check("spectator")
    session.clear()
    return {}


@blueprint.get("/join/<token>")
def join(token: str) -> str | tuple[str, int]:
    guesses = check_tries()
    role = club().role_of(token)
    if role is None:
        guesses.wrong(request.remote_addr or "")
        return render_template("hub_join.html", role=None), 404
    return render_template("hub_join.html", role=_(ROLES[role]), invitation=token)


@blueprint.post("/api/v1/join")
def accept() -> dict[str, object]:
    body = read_body(ACCEPT)
    check_origin()
    guesses = check_tries()
    try:
        member = club().accept(body["token"], body["name"], body["password"])
    except BadAccountError as error:
        raise RefusedError(409, "bad-account", str(error)) from error
    if member is None:
        guesses.wrong(request.remote_addr or "")
        raise RefusedError(403, "no-invitation", NO_INVITATION)
    remember(member)
    note(member, "join", member.role)
    return {"name": member.name}


@blueprint.get("/people")
def people() -> str | tuple[str, int] | Response:
    if me() is None:
        return redirect(url_for("hub_people.login", next=request.path))
    if not may("director"):
        return render_template("missing.html"), 403
    notes = [each | {"at": _moment(each["at"])} for each in club().notes()]
    return render_template(
        "hub_people.html",
        members=club().members(),
        tables=club().known_tables(),
        roles={name: _(title) for name, title in ROLES.items()},
        notes=notes,
        delay=round(club().delay()),
        is_open=club().is_open(),
        own_broker=current_app.config["OWN_BROKER"],
        script_texts=spoken(TEXTS),
    )


@blueprint.post("/api/v1/invitations")
def invite() -> dict[str, object]:
    body = read_body(INVITE)
    member = check("director")
    address = url_for("hub_people.join", token=club().invite(body["role"]), _external=True)
    note(member, "invite", body["role"])
    return {"address": address, "qr": qr(address)}


@blueprint.post("/api/v1/tables")
def invite_table() -> dict[str, object]:
    body = read_body(NAMED)
    member = check("director")
    try:
        command = club().invite_table(body["name"])
    except BadAccountError as error:
        raise RefusedError(409, "bad-name", str(error)) from error
    note(member, "invite table", body["name"])
    return {"command": command}


@blueprint.post("/api/v1/tables/remove")
def remove_table() -> dict[str, object]:
    body = read_body(NAMED)
    member = check("director")
    club().remove_table(body["name"])
    note(member, "remove table", body["name"])
    return {}


@blueprint.post("/api/v1/people/remove")
def remove_member() -> dict[str, object]:
    body = read_body(record({"id": text(16)}))
    member = check("director")
    name = club().remove_member(body["id"])
    if name is None:
        raise RefusedError(409, "last-director", LAST_DIRECTOR)
    note(member, "remove", name)
    return {}


@blueprint.post("/api/v1/settings")
def settle() -> dict[str, object]:
    body = read_body(SETTLE)
    member = check("director")
    club().settle(body["delay"], body["open"])
    note(member, "settings", f"delay {body['delay']} s, {'open' if body['open'] else 'closed'}")
    return {}


def qr(address: str) -> str:
    """A code for a phone, as SVG."""
    return str(Markup(segno.make(address, error="m", micro=False).svg_inline(scale=5, border=2, light="#fff")))  # noqa: S704 - drawn from bits


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).astimezone().strftime("%Y-%m-%d %H:%M:%S")
