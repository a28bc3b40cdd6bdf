"""`magister calibrate`: the lens, from photos of the chart, which it can take itself; the colours, from photos too."""

from __future__ import annotations

import argparse
from pathlib import Path

from firmware.commands import Commands


def register(commands: Commands) -> None:
    parser = commands.add_parser("calibrate", help="calibrate the camera's lens, or the colours of the pieces")
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="KIND")
    lens = kinds.add_parser("lens", help="calibrate the lens from photos of the printed chart")
    lens.add_argument("photos", metavar="PHOTO", nargs="+", type=Path, help="photos of the chart from different angles")
    lens.add_argument(
        "--out", metavar="FILE", type=Path, default=Path("lens.json"), help="file to write (default lens.json)"
    )
    lens.set_defaults(run=run_lens)
    shoot = kinds.add_parser(
        "shoot",
        help="photograph the printed chart with the table's camera, and calibrate the lens",
        description="Hold the chart (the last page of the pack, on something flat) under the camera. Photos are "
        "taken automatically, with the same settings that `magister run` uses; the program says how to hold the chart.",
    )
    shoot.add_argument(
        "--camera", metavar="C", default="picamera2", help="picamera2 (default), usb:0, url:ADDRESS or frames:DIR"
    )
    shoot.add_argument("--config", metavar="FILE", type=Path, help="settings file with the size and rate to ask for")
    shoot.add_argument(
        "--photos",
        metavar="DIR",
        type=Path,
        default=Path("lens-photos"),
        help="where the photos go (default lens-photos)",
    )
    shoot.add_argument(
        "--out", metavar="FILE", type=Path, default=Path("lens.json"), help="file to write (default lens.json)"
    )
    shoot.set_defaults(run=run_shoot)
    colours = kinds.add_parser(
        "colours",
        help="calibrate the colours from photos of the pieces on the printed spots",
        description="Lay one piece of each colour on a printed spot of its colour beside the board and take a photo or "
        "two from where the camera hangs. Or put pieces on the board and say with --faces what stands where.",
    )
    colours.add_argument("photos", metavar="PHOTO", nargs="+", type=Path, help="photos of the board")
    colours.add_argument("--game", metavar="G", required=True, help="which game's board it is")
    colours.add_argument(
        "--faces",
        metavar="SITE=FACE,…",
        help="what stands on which site of the board, if the spots are not used",
    )
    colours.add_argument("--lens", metavar="FILE", type=Path, help="lens file written by `calibrate lens`")
    colours.add_argument(
        "--out", metavar="FILE", type=Path, default=Path("colours.json"), help="file to write (default colours.json)"
    )
    colours.set_defaults(run=run_colours)


def run_lens(args: argparse.Namespace) -> int:
    from firmware.photos.calibrating import calibrate_from

    return calibrate_from(args.photos, args.out)


def run_shoot(args: argparse.Namespace) -> int:
    from firmware.photos.shooting import shoot

    return shoot(args.camera, args.config, args.photos, args.out)


def run_colours(args: argparse.Namespace) -> int:
    from firmware.photos.calibrating import colours_from

    return colours_from(args.photos, args.game, args.faces, args.lens, args.out)
