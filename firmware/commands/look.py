"""`magister look`: reads photos: what stands where, how certain it is, and a picture that shows it."""

from __future__ import annotations

import argparse
from pathlib import Path

from firmware.commands import Commands
from firmware.machine.errors import UsageError
from firmware.settings.arguments import whole_number


def register(commands: Commands) -> None:
    parser = commands.add_parser("look", help="read the pieces on a photo of the board")
    parser.add_argument("images", metavar="IMAGE", nargs="+", type=Path, help="photos of the board")
    parser.add_argument("--game", metavar="G", required=True, help="which game's board it is")
    parser.add_argument("--players", metavar="N", type=whole_number, help="number of players (default: any)")
    parser.add_argument("--json", action="store_true", help="print JSON; for several photos one object per line")
    parser.add_argument(
        "--overlay", metavar="OUT.png", type=Path, help="write a copy of the photo with the reading drawn on it"
    )
    parser.add_argument(
        "--explain", metavar="DIR", type=Path, help="write a picture of every stage of the reading to this folder"
    )
    parser.add_argument("--lens", metavar="FILE", type=Path, help="lens file written by `calibrate lens`")
    parser.add_argument("--colours", metavar="FILE", type=Path, help="colour file written by `calibrate colours`")
    parser.add_argument(
        "--bundle", metavar="OUT.zip", type=Path, help="save photos, board and readings for a bug report"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    # OpenCV takes a moment to load: the commands that only know rules start without it.
    from firmware.photos.looking import Outputs, look_at

    if args.overlay is not None and len(args.images) > 1:
        raise UsageError("--overlay takes one photo: run look once for each")
    outputs = Outputs(args.overlay, args.explain, args.bundle)
    return look_at(args.images, args.game, args.players, args.json, args.lens, args.colours, outputs)
