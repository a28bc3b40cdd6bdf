"""`magister tell`: tells the running referee what it got wrong or cannot see, through the page's API."""

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
from firmware.log.disk.place import default_log
from firmware.machine.errors import UsageError
from firmware.machine.files import read_first_object
from firmware.page.keys import Keys
from firmware.settings.arguments import log_file, whole_number

SECONDS = 10.0


def register(commands: Commands) -> None:
    parser = commands.add_parser("tell", help="correct the running referee: take back, answer, set the position")
    what = parser.add_subparsers(dest="what", required=True, metavar="WHAT")
    what.add_parser("take-back", help="the last action did not happen (or the match is not over)")
    answer = what.add_parser("answer", help="say which action was played when it was unclear or cannot be seen")
    answer.add_argument("action", metavar="ACTION", help="for example T> or +T1,L3; -- is a pass")
    call = what.add_parser("call", help="say which number the player to move has called for a figure")
    call.add_argument("site", metavar="SITE", help="where the figure stands: g1")
    call.add_argument("number", metavar="NUMBER", type=int, choices=range(1, 7), help="1 to 6")
    what.add_parser("none", help="none of the actions the referee asks about was played")
    position = what.add_parser("position", help="set the position and play on from there")
    position.add_argument("file", metavar="FILE", type=Path, help='JSON: {"sites": {"T1": "red2"}, "seat": 0}')
    resign = what.add_parser("resign", help="a player resigns")
    resign.add_argument("colour", metavar="COLOUR", choices=COLOURS, help=f"the player's colour: {', '.join(COLOURS)}")
    what.add_parser("draw", help="the players agree on a draw")
    names = what.add_parser("names", help="set the names of the players")
    names.add_argument("names", metavar="NAME", nargs="+", help="the players' names in seat order")
    what.add_parser("again", help="put this match aside and set up another one with the same players")
    resume = what.add_parser("resume", help="resume a match from the log that was not played to its end")
    resume.add_argument("match", metavar="ID", type=whole_number, help="its number, as `magister log list` shows it")
    clock = what.add_parser("clock", help="stop the clock for a while, or let it go on")
    clock.add_argument("do", metavar="DO", choices=("pause", "go"), help="pause or go")
    what.add_parser("begin", help="the table is ready: begin the match chosen on the page")
    for each in what.choices.values():
        each.add_argument(
            "--page", metavar="URL", default="http://127.0.0.1:8000/", help="address of the page (default %(default)s)"
        )
        each.add_argument("--pin", help="the table's PIN (default: read from beside the log on this machine)")
        each.add_argument("--log", metavar="FILE", type=log_file, help="match log next to which the PIN is stored")
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
        case "call":
            return {"site": args.site, "number": args.number}
        case "position":
            return read_first_object(args.file)
        case "resume":
            return {"match": args.match}
        case "names":
            return {"names": args.names}
        case "clock":
            return {"paused": args.do == "pause"}
        case "resign":
            players = _colours(args.page)
            if args.colour not in players:
                raise UsageError(f"nobody plays {args.colour}; the players are: {', '.join(players) or 'none yet'}")
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
    """Send a request to the page; with a `body` it is a POST."""
    if not _is_address(page):
        raise UsageError(f"{page} is not a web address: use one such as http://127.0.0.1:8000/ with --page")
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
            f"no page at {page} ({reason}): is `magister run` running? set its address with --page"
        ) from error
    except RecursionError as error:
        raise _no_page_of_ours(page) from error
    if not isinstance(told, dict):
        raise _no_page_of_ours(page)
    return told


def _is_address(page: str) -> bool:
    try:
        parts = urlsplit(page)
        # Reading the port raises an error if it is not a number.
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _no_page_of_ours(page: str) -> UsageError:
    return UsageError(f"another program answers at {page}: set the address of `magister run` with --page")


def _message(error: HTTPError) -> str:
    try:
        return str(json.load(error)["message"])
    except (OSError, HTTPException, ValueError, KeyError, TypeError, RecursionError):
        return f"the page refused the request: {error.code}"
