"""`magister tell`: tell a referee that is running what it got wrong or cannot see, by the page's API."""

from __future__ import annotations

import argparse
import json
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from engine.core import COLOURS, Json
from firmware.commands import Commands
from firmware.log.place import default_log
from firmware.machine.errors import UsageError
from firmware.machine.files import read_first_object
from firmware.page.keys import Keys
from firmware.settings.arguments import log_file

SECONDS = 10.0


def register(commands: Commands) -> None:
    parser = commands.add_parser("tell", help="correct a referee that is running: take back, answer, set the position")
    what = parser.add_subparsers(dest="what", required=True, metavar="WHAT")
    what.add_parser("take-back", help="the last action was not what happened (or the match is not over)")
    answer = what.add_parser("answer", help="say which action was played, where it was unclear or cannot be seen")
    answer.add_argument("action", metavar="ACTION", help="such as T> or +T1,L3; -- is a pass")
    what.add_parser("none", help="nothing was played of what the referee asks about")
    position = what.add_parser("position", help="set the position; the match goes on from it")
    position.add_argument("file", metavar="FILE", type=Path, help='JSON: {"sites": {"T1": "red2"}, "seat": 0}')
    resign = what.add_parser("resign", help="a player gives up")
    resign.add_argument("colour", metavar="COLOUR", choices=COLOURS, help=f"his colour: {', '.join(COLOURS)}")
    what.add_parser("draw", help="the players agree on a draw")
    names = what.add_parser("names", help="who plays")
    names.add_argument("names", metavar="NAME", nargs="+", help="the players' names in seat order")
    what.add_parser("begin", help="the table is ready: begin the match that was chosen on the page")
    for each in what.choices.values():
        each.add_argument("--page", metavar="URL", default="http://127.0.0.1:8000/", help="default %(default)s")
        each.add_argument("--pin", help="the table's PIN (default: that of the log on this machine)")
        each.add_argument("--log", metavar="FILE", type=log_file, help="the log that the PIN is kept beside")
        each.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    pin = args.pin or Keys.read((args.log or default_log()).with_name("page.json")).pin
    body = _body(args, pin)
    answer = _ask(f"/match/{args.what}", args.page, pin, body)
    state = answer if "verdict" in answer else _ask("/state", args.page)
    match state:
        case {"verdict": {"text": str(text)}}:
            print(text)
        case _:
            raise _no_page_of_ours(args.page)
    return 0


def _body(args: argparse.Namespace, pin: str) -> Json:
    match args.what:
        case "answer":
            return {"action": args.action}
        case "position":
            return read_first_object(args.file)
        case "names":
            return {"names": args.names}
        case "resign":
            players = _colours(args.page)
            if args.colour not in players:
                raise UsageError(f"nobody plays {args.colour}; there are: {', '.join(players) or 'no players yet'}")
            return {"seat": players.index(args.colour)}
        case _:
            return {}


def _colours(page: str) -> list[str]:
    """The players' colours in seat order."""
    match _ask("/state", page):
        case {"players": [*players]} if all(isinstance(player, dict) and "colour" in player for player in players):
            return [str(player["colour"]) for player in players]
        case {"players": _}:
            raise _no_page_of_ours(page)
        case _:
            return []


def _ask(path: str, page: str, pin: str | None = None, body: Json | None = None) -> Json:
    """A request to the page; `body` makes it a change."""
    if not _is_address(page):
        raise UsageError(f"{page} is no address of a page: give one such as http://127.0.0.1:8000/ with --page")
    request = Request(  # noqa: S310 - checked above
        f"{page.rstrip('/')}/api/v1{path}",
        None if body is None else json.dumps(body).encode(),
        {"Content-Type": "application/json"} | ({"X-Magister-Pin": pin} if pin else {}),
    )
    try:
        with urlopen(request, timeout=SECONDS) as answer:  # noqa: S310
            told = json.load(answer)
    except HTTPError as error:
        with error:
            raise UsageError(_message(error)) from error
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise UsageError(
            f"no page at {page} ({reason}): is `magister run` running? give its address with --page"
        ) from error
    except RecursionError as error:
        raise _no_page_of_ours(page) from error
    if not isinstance(told, dict):
        raise _no_page_of_ours(page)
    return told


def _is_address(page: str) -> bool:
    try:
        parts = urlsplit(page)
        # Where the port is no number, asking for it is an error.
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _no_page_of_ours(page: str) -> UsageError:
    return UsageError(f"what answers at {page} is another program: give the address of `magister run` with --page")


def _message(error: HTTPError) -> str:
    try:
        return str(json.load(error)["message"])
    except (OSError, HTTPException, ValueError, KeyError, TypeError, RecursionError):
        return f"the page refused: {error.code}"
