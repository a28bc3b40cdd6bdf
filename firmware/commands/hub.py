"""`magister hub`: many tables on one page."""

from __future__ import annotations

import argparse
from pathlib import Path

from firmware.commands import Commands
from firmware.settings.arguments import host_name, port_number


def register(commands: Commands) -> None:
    parser = commands.add_parser("hub", help="show many tables on one page")
    parser.add_argument(
        "--broker", metavar="URL", help="use this MQTT broker: mqtts://NAME:PASSWORD@HOST (default: its own)"
    )
    parser.add_argument("--ca", metavar="FILE", type=Path, help="certificates to trust, for a broker of your own")
    parser.add_argument(
        "--database",
        metavar="URL",
        help="postgresql://NAME:PASSWORD@HOST/NAME (default: SQLite, next to the match log)",
    )
    parser.add_argument(
        "--port", metavar="P", type=port_number, help="port of the page (default 8100, or the next free one)"
    )
    parser.add_argument(
        "--host",
        metavar="H",
        type=host_name,
        help="address to serve page and broker on; 0.0.0.0 for the whole network (default 127.0.0.1)",
    )
    parser.add_argument(
        "--mqtt-port", metavar="P", type=port_number, help="port of its own broker (default 1883; 8883 with TLS)"
    )
    parser.add_argument(
        "--certificate", metavar="FILE", type=Path, help="certificate of its own broker (PEM): tables use mqtts://"
    )
    parser.add_argument("--key", metavar="FILE", type=Path, help="the certificate's private key")
    parser.add_argument(
        "--name",
        metavar="NAME",
        action="append",
        help="also answer to this name, such as club.example; may be given more than once",
    )
    parser.add_argument(
        "--invite", metavar="WHO", help="print an invitation and end: director, arbiter, spectator or table=NAME"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from firmware.hub.extra import check_extra

    check_extra()
    from firmware.hub.serving import invite, serve

    return invite(args) if args.invite else serve(args)
