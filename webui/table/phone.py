"""The page that a phone shows while it is the camera. It comes from another server than the other pages, because
browsers give a camera to encrypted pages only; so it brings along all that it needs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, partial
from importlib import resources
from mimetypes import guess_type

from jinja2 import Environment, PackageLoader
from markupsafe import Markup
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header, parse_cookie

from webui.access.safety import HEADERS
from webui.words.languages import COOKIE, chosen
from webui.words.texts import N_, tell

PAGE, FRAMES = "/phone", "/phone/frames"
"""Where the page is, and the socket for its pictures."""
STATIC = ("phone.js", "phone.css", "base.css", "icon.svg", "fonts/SourceSans-Regular.woff2")
POLICY = "; ".join(
    (
        "default-src 'none'",
        *(f"{kind}-src 'self'" for kind in ("script", "style", "img", "font")),
        "connect-src 'self' wss:",
        "media-src 'self' blob: mediastream:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
TEXTS = {
    "connecting": N_("Connecting to the table …"),
    "connected": N_("Connected. The table sees what this phone sees."),
    "again": N_("The table does not answer. Trying again …"),
    "stale": N_("This link has been used already: scan the code on the “Cameras” page again."),
    "replaced": N_("Another phone is the camera now."),
    "starting": N_("Starting the camera …"),
    "permission": N_("The browser may not use the camera: allow it in the settings of this page, then try again."),
    "none": N_("This browser finds no camera."),
    "busy": N_("Another app is using the camera: close it, then try again."),
    "insecure": N_(
        "This browser lets only encrypted pages use the camera: open the link exactly as the code gives it."
    ),
    "idle": N_("Now choose the game on the table’s page: /new"),
    "look": N_("Looking for the board …"),
    "fits": N_("That’s it: leave the phone exactly like this."),
    "board_missing": N_("No board in the picture: point the phone at it."),
    "board_other": N_("This is the board of another game."),
    "board_seats": N_("This board is for a different number of players."),
    "board_twice": N_("There is more than one board in the picture: show only one."),
    "board_lens": N_("The lens file in the settings does not belong to this phone: remove it there."),
    "board_covered": N_("The board is only partly visible: move the phone a little, or clear the board."),
    "distance_near": N_("A little higher: the phone is only {centimetres} cm from the board."),
    "distance_far": N_("A little lower: the phone is {centimetres} cm from the board."),
    "tilt_tilted": N_("Hold it flatter: it looks at the board from the side ({degrees}°)."),
    "light_dark": N_("It is too dark: switch on a lamp."),
    "light_bright": N_("The picture is overexposed: turn the lamp away."),
    "turned": N_("The phone was turned: let it lie still until the board is found again."),
    "sleeps": N_("This phone may go to sleep: switch that off in its settings while you play."),
}


@dataclass(frozen=True)
class PhoneFile:
    """What is sent for an address."""

    body: bytes
    headers: dict[str, str]


def phone_file(path: str, accepted: str = "", cookies: str = "", own: str = "") -> PhoneFile | None:
    """The file at this path, in the language that was chosen on this phone, else in the table's own, else in the best
    of those that are accepted; None where there is none."""
    if path == PAGE:
        language = chosen(parse_cookie(cookies).get(COOKIE), lambda: own, parse_accept_header(accepted, LanguageAccept))
        return PhoneFile(phone_page(language).encode(), _headers("text/html; charset=utf-8"))
    name = path.removeprefix("/static/")
    if name == path or name not in STATIC:
        return None
    kind = guess_type(name)[0] or "application/octet-stream"
    return PhoneFile((resources.files("webui") / "static" / name).read_bytes(), _headers(kind))


@cache
def phone_page(language: str) -> str:
    environment = Environment(loader=PackageLoader("webui"), autoescape=True)
    environment.globals["_"] = partial(tell, language=language)
    texts = {name: tell(text, language) for name, text in TEXTS.items()}
    # Nothing of it may end the element that it stands in.
    told = Markup(json.dumps(texts).replace("<", "\\u003c"))  # noqa: S704 - JSON without any <
    return environment.get_template("phone.html").render(language=language, texts=told)


def _headers(kind: str) -> dict[str, str]:
    return HEADERS | {
        "Content-Type": kind,
        "Content-Security-Policy": POLICY,
        "Permissions-Policy": "camera=(self), microphone=(), geolocation=()",
        "Cache-Control": "no-store",
    }
