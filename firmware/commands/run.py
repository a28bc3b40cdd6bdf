"""`magister run`: referees a match at a real table."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from engine.words import LANGUAGES
from firmware.coaching.computers import add_seats
from firmware.commands import Commands
from firmware.settings.arguments import add_clock, add_house_rules, add_page, chosen_rules, log_file, whole_number
from firmware.settings.config import AS_THE_TABLE


def register(commands: Commands) -> None:
    parser = commands.add_parser("run", help="referee a match at a real table")
    parser.add_argument("--game", metavar="G", help="which game to play (default: choose on the web page)")
    add_house_rules(parser)
    parser.add_argument(
        "--players",
        metavar="P",
        default="2",
        help="number, or colours in seat order: red,blue or red=Ada,blue=Ben",
    )
    add_seats(parser)
    parser.add_argument(
        "--camera",
        metavar="C",
        default="picamera2",
        help="picamera2 (default), usb:0, phone, url:ADDRESS, video:FILE, frames:DIR or sim",
    )
    parser.add_argument(
        "--lights", choices=("gpio", "none"), default="gpio", help="how lights and buttons are connected (default gpio)"
    )
    parser.add_argument("--lens", metavar="FILE", type=Path, help="lens file written by `calibrate lens`")
    parser.add_argument("--colours", metavar="FILE", type=Path, help="colour file written by `calibrate colours`")
    parser.add_argument("--log", metavar="FILE", type=log_file, help="match log (default: the same as `magister log`)")
    parser.add_argument("--new", action="store_true", help="start a new match even if the last one is unfinished")
    parser.add_argument(
        "--match", metavar="ID", type=whole_number, help="resume this match from the log, even if it was abandoned"
    )
    add_clock(parser)
    parser.add_argument(
        "--voice",
        metavar="LANGUAGE",
        choices=(*LANGUAGES, AS_THE_TABLE, "none"),
        help="say what the referee says through the table's loudspeaker, with espeak-ng: en, de, fr, it, uk, table (in "
        "the table's own language) or none (default: as in the settings)",
    )
    parser.add_argument(
        "--certificate",
        metavar="FILE",
        type=Path,
        help="PEM file with certificate and key for --camera phone (default: one is made)",
    )
    add_page(parser)
    parser.add_argument("--open", action="store_true", help="open the page in this machine's browser")
    parser.add_argument("--no-page", action="store_true", help="run without the web page")
    parser.add_argument("--hub", metavar="URL", help="report matches to this hub: mqtt://HOST or mqtts://HOST")
    parser.add_argument("--table", metavar="NAME", help="what the table is called at the hub")
    parser.add_argument("--token", metavar="T", help="join the hub with this token, once; the hub shows it")
    parser.set_defaults(run=run)


def first_start() -> list[str]:
    """What `magister` without a command means: the page, in the browser, and the camera that is plugged in."""
    from firmware.table.cameras.chosen import camera_at_hand

    return ["run", "--open", "--camera", camera_at_hand()]


def run(args: argparse.Namespace) -> int:
    from firmware.table.running import AGAIN, keep_company

    code = keep_company(chosen_rules(args) if args.game is not None else None, args)
    if code == AGAIN:
        # In the same process: whoever watches over it notices nothing.
        os.execv(sys.executable, sys.orig_argv)  # noqa: S606 - as it was called
    return code
