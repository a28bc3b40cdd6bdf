"""`magister calibrate`: the lens, from photos of the chart that `magister print` makes."""

from __future__ import annotations

import argparse
from pathlib import Path

from firmware.commands import Commands


def register(commands: Commands) -> None:
    parser = commands.add_parser("calibrate", help="measure the camera's lens")
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="KIND")
    lens = kinds.add_parser("lens", help="from photos of the printed chart")
    lens.add_argument("photos", metavar="PHOTO", nargs="+", type=Path, help="photos of the chart from several sides")
    lens.add_argument(
        "--out", metavar="FILE", type=Path, default=Path("lens.json"), help="where to (default lens.json)"
    )
    lens.set_defaults(run=run_lens)


def run_lens(args: argparse.Namespace) -> int:
    from firmware.calibrating import calibrate_from

    return calibrate_from(args.photos, args.out)
