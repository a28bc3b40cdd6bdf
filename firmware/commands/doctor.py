"""`magister doctor`: checks camera, pins, lights, disk, clock and calibration, and says what to do about each."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from firmware.commands import Commands
from firmware.machine.errors import UsageError
from firmware.settings.arguments import add_language, whole_number

PORT = 8000
CAMERA = Path()
"""Look through the camera, not at a photo."""


def register(commands: Commands) -> None:
    parser = commands.add_parser("doctor", help="check this machine: camera, pins, lights, disk, clock, calibration")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--game", metavar="G", help="which game's board is under the camera (default: recognise it)")
    parser.add_argument(
        "--camera", metavar="C", help="picamera2, usb:0, frames:DIR or sim (default: what this machine has)"
    )
    parser.add_argument("--lens", metavar="FILE", type=Path, help="lens file written by `calibrate lens`")
    parser.add_argument("--log", metavar="FILE", type=Path, help="match log (default: the same as `magister log`)")
    parser.add_argument(
        "--port", metavar="P", type=whole_number, default=PORT, help=f"port of the web page (default {PORT})"
    )
    parser.add_argument("--config", metavar="FILE", type=Path, help="settings file (default: the installed one)")
    parser.add_argument(
        "--try", dest="trial", action="store_true", help="test lights and buttons one by one, with your help"
    )
    parser.add_argument(
        "--look",
        metavar="PHOTO",
        nargs="?",
        type=Path,
        const=CAMERA,
        help="check only what can be seen: light, focus and colours, in this photo or in the camera's picture",
    )
    add_language(parser)
    parser.add_argument("--pin", action="store_true", help="show the page's address and PIN, and both as a QR code")
    before = parser.add_argument_group("before you build anything")
    before.add_argument(
        "--camera-plan", action="store_true", help="show where to mount the camera and what it will see"
    )
    before.add_argument("--wiring", action="store_true", help="show which wire goes where, according to the settings")
    before.add_argument("--drawing", metavar="OUT.svg", type=Path, help="also draw the plan or the wiring")
    before.add_argument(
        "--players", metavar="N", type=whole_number, help="plan: number of players (default: all seats)"
    )
    before.add_argument(
        "--module",
        metavar="M",
        default="3",
        help="plan: which camera: 2, 3, 3-wide, hq-6mm or c920 (default 3: Camera Module 3)",
    )
    before.add_argument(
        "--hfov", metavar="D", type=float, help="plan: horizontal field of view in degrees (default: that camera's)"
    )
    before.add_argument(
        "--tilt", metavar="D", type=float, default=25.0, help="plan: degrees away from straight down (default 25)"
    )
    before.add_argument("--height", metavar="MM", type=float, help="plan: height of the lens above the table")
    before.add_argument(
        "--distance", metavar="MM", type=float, help="plan: distance from the board's centre to the lens"
    )
    before.add_argument(
        "--direction",
        metavar="D",
        type=float,
        default=180.0,
        help="plan: side the camera stands on, in degrees; 180 is south (default)",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    _check(args)
    if args.pin:
        from firmware.log.disk.place import default_log
        from firmware.page.greeting import greeting, reachable
        from firmware.page.keys import Keys

        keys = Keys.read((args.log or default_log()).with_name("page.json"))
        print(greeting(reachable(f"http://0.0.0.0:{args.port}/", "0.0.0.0"), keys.pin, sys.stdout))  # noqa: S104 - not bound
        return 0
    if args.look is not None:
        from firmware.doctor.visit import look

        return look(args, None if args.look == CAMERA else args.look)
    if args.camera_plan or args.wiring:
        from firmware.doctor.plan import camera_plan, wiring

        return camera_plan(args) if args.camera_plan else wiring(args)
    from firmware.doctor.visit import visit

    return visit(args)


def _check(args: argparse.Namespace) -> None:
    """Refuse what cannot be asked for at once."""
    plans = args.camera_plan or args.wiring
    if args.camera_plan and args.wiring:
        raise UsageError("use either --camera-plan or --wiring, not both")
    if args.drawing is not None and not plans:
        raise UsageError("--drawing needs --camera-plan or --wiring")
    if args.pin:
        return
    if args.trial and args.json:
        raise UsageError("--try asks questions, so it cannot be used with --json")
    if args.look is not None and (plans or args.trial):
        raise UsageError("--look is a check of its own: use it without --camera-plan, --wiring and --try")
