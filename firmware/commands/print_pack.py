"""`magister print`: everything to make a game's board, true to scale."""

from __future__ import annotations

import argparse
from pathlib import Path

from firmware.commands import Commands
from firmware.machine.errors import UsageError
from firmware.settings.arguments import add_language, add_rules, add_start, chosen_rules, chosen_setup

PAPERS = ("a4", "a3")


def register(commands: Commands) -> None:
    parser = commands.add_parser("print", help="make the board to print: PDF true to scale, pictures, board.json")
    add_rules(parser)
    add_start(parser)
    add_language(parser)
    parser.add_argument("--out", metavar="DIR", type=folder, required=True, help="folder to write to")
    parser.add_argument("--paper", type=str.lower, choices=PAPERS, default="a4", help="paper size (default a4)")
    parser.set_defaults(run=run)


def folder(text: str) -> Path:
    """A folder, possibly the current one, but not an empty name."""
    if not text:
        raise argparse.ArgumentTypeError("it is empty: name a folder (. is the current one)")
    return Path(text)


def run(args: argparse.Namespace) -> int:
    # Drawing libraries are large: the other commands start without them.
    from hardware.printing.pack import write_pack

    rules = chosen_rules(args)
    setup = chosen_setup(args, rules)
    rules.start(args.players, setup)
    board = rules.game.board(args.players, setup)
    try:
        written = write_pack(board, rules.game.title, args.out, args.paper, args.lang)
    except OSError as error:
        raise UsageError(
            f"cannot write to {args.out}: {error.strerror or error}; choose another folder with --out"
        ) from error
    print("\n".join(map(str, written)))
    return 0
