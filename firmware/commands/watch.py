"""`magister watch`: referee a recording into a match log."""

from __future__ import annotations

import argparse
from pathlib import Path

from firmware.commands import Commands
from firmware.settings.arguments import add_house_rules, chosen_rules, log_file, whole_number


def register(commands: Commands) -> None:
    parser = commands.add_parser("watch", help="referee a recording: events as they are seen")
    parser.add_argument("source", metavar="SOURCE", help="frames:DIR or video:FILE")
    parser.add_argument("--game", metavar="G", required=True, help="the game that is played")
    add_house_rules(parser)
    parser.add_argument("--players", metavar="N", type=whole_number, required=True, help="number of players")
    parser.add_argument("--fps", metavar="F", type=float, help="frames a second (default 10, or what a video says)")
    parser.add_argument("--json", action="store_true", help="events as JSON Lines instead of words")
    parser.add_argument("--lens", metavar="FILE", type=Path, help="the lens, as `calibrate lens` wrote it")
    parser.add_argument(
        "--colours", metavar="FILE", type=Path, help="the pieces' colours, as `calibrate colours` wrote them"
    )
    parser.add_argument("--log", metavar="FILE", type=log_file, help="write the match into this log, too")
    parser.add_argument("--bundle", metavar="OUT.zip", type=Path, help="store frames, board and readings for a report")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from firmware.table.recordings import watch

    return watch(
        chosen_rules(args),
        args.source,
        args.players,
        fps=args.fps,
        as_json=args.json,
        lens=args.lens,
        colours=args.colours,
        bundle=args.bundle,
        log=args.log,
        settings=args.config,
    )
