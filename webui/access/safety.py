"""Safe on a home network: anyone may watch, but changes need the table's PIN.

A change must come from this very page (its token, and a browser that says so), on a device that gave the PIN.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import compare_digest, new
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, current_app, jsonify, render_template, request, session
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from webui.access.names import is_answered, own_names, plain_names
from webui.house import Access, HouseClosedError, NoSuchMatchError, WishRefusedError
from webui.words.languages import language
from webui.words.telling import refused
from webui.words.texts import N_, tell

POLICY = "; ".join(
    (
        "default-src 'none'",
        *(f"{kind}-src 'self'" for kind in ("script", "style", "img", "connect", "font", "manifest")),
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
TOKEN = "X-Magister-Token"  # noqa: S105 - a header, not a password
"""The header that proves that a change comes from this page."""
PIN = "X-Magister-Pin"
"""The header in which other programs send the PIN; a browser has a cookie instead."""

WRONG_PIN = N_("That is not the table’s PIN. You will find it on the screen where the program runs.")
TOO_MANY = N_("Too many wrong PINs: please wait %(seconds)s seconds.")
PIN_WANTED = N_("You need the table’s PIN to change anything.")
FOREIGN = N_("Changes can only be made from this page.")
OUT_OF_DATE = N_("The page is out of date: please reload it.")
OTHER_NAME = N_(
    "This table does not answer to that name. Open the page by the machine’s own name or address, or add the name to "
    "“names” under [page] in the settings."
)


class RefusedError(Exception):
    """A refused request: a status and a sentence, whose facts are filled in when it is shown."""

    def __init__(self, status: int, code: str, message: str, **facts: object) -> None:
        super().__init__(message % facts if facts else message)
        self.status, self.code, self.text, self.facts = status, code, message, facts


@dataclass
class Guesses:
    """Recent wrong PINs, by address and in total: each one makes the next attempt wait."""

    window: float = 60.0
    each: int = 5
    together: int = 30
    clock: Callable[[], float] = time.monotonic
    tries: list[tuple[float, str]] = field(default_factory=list)

    def wait(self, address: str) -> float:
        """Seconds until this address may try again."""
        now = self.clock()
        self.tries = [(at, who) for at, who in self.tries if now - at < self.window]
        own = [at for at, who in self.tries if who == address]
        over = [own[-self.each]] if len(own) >= self.each else []
        over += [self.tries[-self.together][0]] if len(self.tries) >= self.together else []
        return max((at + self.window - now for at in over), default=0.0)

    def wrong(self, address: str) -> None:
        self.tries.append((self.clock(), address))


def prepare_safety(app: Flask, further_names: frozenset[str], may_change: Callable[[], bool] | None = None) -> None:
    """The page answers to the machine's own names and `further_names`. `may_change` tells whether this device may; by
    default, whether it has given the PIN."""
    app.extensions["guesses"] = Guesses()
    names = own_names() | plain_names(further_names)

    @app.before_request
    def _is_for_us() -> None:
        if not is_answered(request.host, names):
            raise RefusedError(403, "other-name", OTHER_NAME)

    @app.after_request
    def _with_headers(answer: Response) -> Response:
        for name, value in HEADERS.items():
            answer.headers.setdefault(name, value)
        if request.path.startswith("/static/fonts/") and answer.status_code == 200:
            # Their content never changes under one name, so they can be cached.
            answer.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return answer

    @app.context_processor
    def _tokens() -> dict[str, Any]:
        return {"token": token(), "may_change": (may_change or is_let_in)()}

    @app.errorhandler(RefusedError)
    def _refused(error: RefusedError) -> tuple[Response, int]:
        said = tell(error.text, language(), **error.facts)
        if error.code == "other-name" and not _is_for_programs():
            return Response(said, mimetype="text/plain"), error.status
        return jsonify(error=error.code, message=said), error.status

    @app.errorhandler(WishRefusedError)
    def _unwished(error: WishRefusedError) -> tuple[Response, int]:
        return jsonify(error="refused", message=refused(str(error), error.told, language())), 409

    @app.errorhandler(HouseClosedError)
    def _closed(error: HouseClosedError) -> tuple[Response, int]:
        return jsonify(error="closed", message=tell(str(error), language())), 503

    @app.errorhandler(NoSuchMatchError)
    def _no_match(error: NoSuchMatchError) -> tuple[Response | str, int]:
        if not _is_for_programs():
            return render_template("missing.html"), 404
        return jsonify(error="no-match", message=tell(str(error), language())), 404

    @app.errorhandler(HTTPException)
    def _other(error: HTTPException) -> HTTPException | Response | tuple[str, int]:
        if not _is_for_programs():
            is_page = error.code == 404 and not request.path.startswith("/static/")
            return (render_template("missing.html"), 404) if is_page else error
        answer = error.get_response()
        told = {"error": error.name.lower().replace(" ", "-"), "message": error.description}
        answer.set_data(json.dumps(told))
        answer.content_type = "application/json"
        return answer


def _is_for_programs() -> bool:
    return request.path.startswith("/api/")


def token() -> str:
    """The token of this page on this device."""
    if "token" not in session:
        session["token"] = secrets.token_urlsafe(24)
        session.permanent = True
    return str(session["token"])


def is_let_in() -> bool:
    """Whether this device has entered the current PIN."""
    return compare_digest(str(session.get("let_in", "")), _remembered())


def may_look() -> bool:
    """Whether this request may see what is kept from players: it shows the PIN, or comes from a device that gave it."""
    if PIN in request.headers:
        check_pin(request.headers[PIN])
        return True
    return is_let_in()


def _remembered() -> str:
    access: Access = current_app.config["ACCESS"]
    return new(access.secret, access.pin.encode(), sha256).hexdigest()


def check_pin(pin: str) -> None:
    """Raise unless this is the PIN."""
    guesses: Guesses = current_app.extensions["guesses"]
    address = request.remote_addr or ""
    if wait := guesses.wait(address):
        raise RefusedError(429, "too-many-tries", TOO_MANY, seconds=round(wait) + 1)
    if not compare_digest(pin.encode(), current_app.config["ACCESS"].pin.encode()):
        guesses.wrong(address)
        raise RefusedError(403, "wrong-pin", WRONG_PIN)


def let_in(pin: str) -> None:
    """Remember that this device knows the PIN."""
    check_pin(pin)
    session["let_in"] = _remembered()
    session.permanent = True


def check_origin() -> None:
    """A change must come from this page: browsers send the origin, and the page sends its token."""
    origin = request.headers.get("Origin")
    if origin is not None and _host_of(origin) != request.host:
        raise RefusedError(403, "foreign-page", FOREIGN)
    if request.headers.get("Sec-Fetch-Site") not in (None, "same-origin", "none"):
        raise RefusedError(403, "foreign-page", FOREIGN)
    if not compare_digest(request.headers.get(TOKEN, "").encode(), token().encode()):
        raise RefusedError(403, "no-token", OUT_OF_DATE)


def _host_of(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def check_change() -> None:
    """Raise unless this request may change something."""
    # Another page can make a browser send cookies, but no custom header: whoever sends the PIN header is not a browser.
    if PIN in request.headers:
        check_pin(request.headers[PIN])
        return
    if not is_let_in():
        raise RefusedError(401, "pin-wanted", PIN_WANTED)
    check_origin()
