"""`magister cameras`: the cameras that there are, and what they can do."""

from __future__ import annotations

import argparse
from pathlib import Path

from firmware.commands import Commands


def register(commands: Commands) -> None:
    parser = commands.add_parser("cameras", help="list the cameras that are plugged in, and what they can do")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--pictures", metavar="DIR", type=Path, help="write a picture of each webcam into this folder")
    parser.add_argument("--config", metavar="FILE", type=Path, help="settings file with the size and rate to ask for")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from firmware.table.cameras.listing import list_cameras

    return list_cameras(args.config, args.json, args.pictures)
