"""`magister doctor`: checks camera, pins, lights, disk, clock and calibration, and says what to do about each."""

from __future__ import annotations

import argparse
from pathlib import Path

from firmware.commands import Commands
from firmware.machine.errors import UsageError
from firmware.settings.arguments import whole_number

PORT = 8000


def register(commands: Commands) -> None:
    parser = commands.add_parser("doctor", help="check this machine: camera, pins, lights, disk, clock, calibration")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--game", metavar="G", help="whose board lies there (default: the one that is seen)")
    parser.add_argument(
        "--camera", metavar="C", help="picamera2, usb:0, frames:DIR or sim (default: what this machine has)"
    )
    parser.add_argument("--lens", metavar="FILE", type=Path, help="the lens, as `calibrate lens` wrote it")
    parser.add_argument("--log", metavar="FILE", type=Path, help="the log of matches (default: as `magister log`)")
    parser.add_argument("--port", metavar="P", type=whole_number, default=PORT, help=f"of the page (default {PORT})")
    parser.add_argument("--config", metavar="FILE", type=Path, help="the settings file (default: the installed one)")
    parser.add_argument("--try", dest="trial", action="store_true", help="try lights and buttons one by one, with you")
    before = parser.add_argument_group("before anything is built")
    before.add_argument("--camera-plan", action="store_true", help="where to hang the camera, and what it will see")
    before.add_argument("--wiring", action="store_true", help="which wire goes where, as the settings have it")
    before.add_argument("--drawing", metavar="OUT.svg", type=Path, help="draw the plan or the wiring, too")
    before.add_argument("--players", metavar="N", type=whole_number, help="plan: how many play (default: all seats)")
    before.add_argument(
        "--hfov", metavar="D", type=float, default=66.0, help="plan: the lens, degrees wide (default 66)"
    )
    before.add_argument("--tilt", metavar="D", type=float, default=25.0, help="plan: off straight down (default 25)")
    before.add_argument("--height", metavar="MM", type=float, help="plan: from the table up to the lens")
    before.add_argument("--distance", metavar="MM", type=float, help="plan: from the board's centre to the lens")
    before.add_argument(
        "--direction",
        metavar="D",
        type=float,
        default=180.0,
        help="plan: where the camera stands, 180 is south (default)",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    if args.camera_plan and args.wiring:
        raise UsageError("ask for one at a time: --camera-plan or --wiring")
    if args.drawing is not None and not (args.camera_plan or args.wiring):
        raise UsageError("--drawing goes with --camera-plan or --wiring")
    if args.trial and args.json:
        raise UsageError("--try talks with you: it does not go with --json")
    if args.camera_plan or args.wiring:
        from firmware.doctor.plan import camera_plan, wiring

        return camera_plan(args) if args.camera_plan else wiring(args)
    from firmware.doctor.visit import visit

    return visit(args)
