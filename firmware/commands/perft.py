"""`magister perft`: how many action sequences of a given length there are."""

from __future__ import annotations

import argparse

from engine.core import Position
from engine.perft import perft
from firmware.commands import Commands
from firmware.machine.errors import UsageError
from firmware.settings.arguments import add_rules, add_start, chosen_start, whole_number

DEEPEST = 100
"""Counting longer sequences would take forever."""


def register(commands: Commands) -> None:
    parser = commands.add_parser("perft", help="count the legal action sequences of a given length")
    add_rules(parser)
    add_start(parser)
    parser.add_argument("--depth", metavar="D", type=whole_number, required=True, help="length of the sequences")
    parser.add_argument("--after", metavar="ACTIONS", default="", help="play these actions first, separated by spaces")
    parser.add_argument("--divide", action="store_true", help="also print the count for each first action")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    if args.depth > DEEPEST:
        raise UsageError(f"--depth must be {DEEPEST} or less, not {args.depth}")
    position = chosen_start(args)
    for text in args.after.split():
        position = position.play(position.rules.parse(text))
    if args.divide and args.depth > 0:
        _divide(position, args.depth)
    print(perft(position, args.depth))
    return 0


def _divide(position: Position, depth: int) -> None:
    for action in sorted(position.legal(), key=str):
        print(f"{action} {perft(position.after(action), depth - 1)}")
