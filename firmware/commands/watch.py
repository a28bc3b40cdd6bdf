"""`magister watch`: referee a recording into a match log."""

from __future__ import annotations

import argparse
from pathlib import Path

from firmware.commands import Commands
from firmware.settings.arguments import add_house_rules, chosen_rules, log_file, whole_number


def register(commands: Commands) -> None:
    parser = commands.add_parser("watch", help="referee a recorded match")
    parser.add_argument("source", metavar="SOURCE", help="frames:DIR or video:FILE")
    parser.add_argument("--game", metavar="G", required=True, help="which game is played")
    add_house_rules(parser)
    parser.add_argument("--players", metavar="N", type=whole_number, required=True, help="number of players")
    parser.add_argument(
        "--setup", metavar="FILE", type=Path, help="how the match begins (JSON or a trace), where it is known"
    )
    parser.add_argument("--fps", metavar="F", type=float, help="frames per second (default 10, or as the video says)")
    parser.add_argument("--json", action="store_true", help="print the events as JSON Lines")
    parser.add_argument("--lens", metavar="FILE", type=Path, help="lens file written by `calibrate lens`")
    parser.add_argument("--colours", metavar="FILE", type=Path, help="colour file written by `calibrate colours`")
    parser.add_argument("--log", metavar="FILE", type=log_file, help="also save the match to this log")
    parser.add_argument(
        "--bundle", metavar="OUT.zip", type=Path, help="save frames, board and readings for a bug report"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from firmware.table.recordings import watch

    return watch(
        chosen_rules(args),
        args.source,
        args.players,
        setup=args.setup,
        fps=args.fps,
        as_json=args.json,
        lens=args.lens,
        colours=args.colours,
        bundle=args.bundle,
        log=args.log,
        settings=args.config,
    )
