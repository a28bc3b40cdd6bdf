"""`magister print`: everything to make a game's board, true to scale."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from urllib.parse import urlsplit

from firmware.commands import Commands
from firmware.machine.errors import UsageError
from firmware.settings.arguments import add_language, add_rules, add_start, chosen_rules, chosen_setup

PAPERS = ("a4", "a3", "letter")
ADDRESS = "http://magister.local:8000/"
LONGEST = 120
"""Characters of an address: a longer code is hard to read from paper."""


def register(commands: Commands) -> None:
    parser = commands.add_parser("print", help="make the board to print: PDF true to scale, pictures, board.json")
    add_rules(parser)
    add_start(parser)
    add_language(parser)
    parser.add_argument("--out", metavar="DIR", type=folder, required=True, help="folder to write to")
    parser.add_argument("--paper", type=str.lower, choices=PAPERS, default="a4", help="paper size (default a4)")
    parser.add_argument(
        "--backlit", action="store_true", help="for lights under the board: rings of bare paper round the sites"
    )
    parser.add_argument(
        "--address",
        metavar="URL",
        type=web_address,
        default=ADDRESS,
        help=f"the table's page, printed on the cover as a code for phones (default {ADDRESS}; none: no code)",
    )
    parser.set_defaults(run=run)


def folder(text: str) -> Path:
    """A folder, possibly the current one, but not an empty name."""
    if not text:
        raise argparse.ArgumentTypeError("it is empty: name a folder (. is the current one)")
    return Path(text)


def web_address(text: str) -> str:
    """An address that a phone opens, or nothing for `none`."""
    if text == "none":
        return ""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.netloc or not text.isascii() or len(text) > LONGEST:
        raise argparse.ArgumentTypeError(f"must be an address such as {ADDRESS}, or none")
    return text


def run(args: argparse.Namespace) -> int:
    # Drawing libraries are large: the other commands start without them.
    from firmware.settings.eyes import can_follow, refereed
    from hardware.printing.backlit import takes_lights
    from hardware.printing.cover import CoverText
    from hardware.printing.pack import write_pack

    rules = chosen_rules(args)
    setup = chosen_setup(args, rules)
    rules.start(args.players, setup)
    board = rules.game.board(args.players, setup)
    if args.backlit and not takes_lights(board):
        raise UsageError(f"--backlit: no light comes through the cards of {rules.game.name}; print it without")
    can = can_follow(rules.game)
    notes = CoverText(can, args.address if can else "", args.backlit)
    try:
        written = write_pack(board, rules.game.title, args.out, args.paper, args.lang, notes)
    except OSError as error:
        raise UsageError(
            f"cannot write to {args.out}: {error.strerror or error}; choose another folder with --out"
        ) from error
    print("\n".join(map(str, written)))
    if not can:
        print(
            f"{rules.game.name} cannot be refereed by camera yet; these can: {', '.join(refereed())}", file=sys.stderr
        )
    return 0
