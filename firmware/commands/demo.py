"""`magister demo`: the whole loop on a simulated table. It needs no hardware."""

from __future__ import annotations

import argparse

from firmware.commands import Commands
from firmware.settings.arguments import USUAL_GAME, add_page, log_file, whole_number


def register(commands: Commands) -> None:
    parser = commands.add_parser("demo", help="watch matches on a simulated table; needs no hardware")
    parser.add_argument("--game", metavar="G", default=USUAL_GAME, help=f"which game to play (default {USUAL_GAME})")
    parser.add_argument("--players", metavar="N", type=whole_number, default=2, help="number of players (default 2)")
    parser.add_argument("--seed", metavar="S", type=whole_number, default=1, help="random seed (default 1)")
    parser.add_argument(
        "--actions",
        metavar="K",
        type=whole_number,
        help="end after this many actions (default: match after match until Ctrl-C; with --fast 12)",
    )
    add_page(parser)
    parser.add_argument("--log", metavar="FILE", type=log_file, help="save the match to this log (default: not saved)")
    parser.add_argument("--fast", action="store_true", help="run as fast as possible instead of in real time")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from firmware.table.demonstration import demonstrate

    return demonstrate(args)
