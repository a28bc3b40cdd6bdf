"""`magister hub`: many tables on one page."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from engine.registry import find_game
from firmware.commands import Commands
from firmware.machine.errors import UsageError
from firmware.settings.arguments import host_name, port_number

MOST_SHOWN = 20


def register(commands: Commands) -> None:
    parser = commands.add_parser("hub", help="show many tables on one page")
    parser.add_argument(
        "what",
        metavar="simulate",
        nargs="?",
        choices=("simulate",),
        help="play a whole tournament without boards, each table a process of its own",
    )
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
        "--invite", metavar="WHO", help="print an invitation and exit: director, arbiter, spectator or table=NAME"
    )
    alone = parser.add_argument_group("simulate")
    alone.add_argument("--tables", metavar="N", type=counted(1, 200), default=8, help="how many tables (default 8)")
    alone.add_argument(
        "--players", metavar="N", type=counted(2, 400), help="how many players (default: enough to fill all tables)"
    )
    alone.add_argument("--game", metavar="G", default="rings", help="which game they play (default rings)")
    alone.add_argument(
        "--system", choices=("swiss", "round-robin"), default="swiss", help="pairing system (default swiss)"
    )
    alone.add_argument("--seats", metavar="N", type=counted(2, 4), default=2, help="players at a table (default 2)")
    alone.add_argument(
        "--rounds", metavar="N", type=counted(0, 100), default=0, help="how many rounds (default: as many as needed)"
    )
    alone.add_argument("--pause", metavar="S", type=float, default=0.2, help="seconds per action (default 0.2)")
    alone.add_argument("--seed", metavar="N", type=int, default=1, help="random seed (default 1)")
    parser.set_defaults(run=run)


def counted(least: int, most: int) -> Callable[[str], int]:
    """A whole number within bounds, for argparse."""

    def read(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number from {least} to {most}")
        return int(text)

    return read


def run(args: argparse.Namespace) -> int:
    from firmware.hub.extra import check_extra

    check_extra()
    from firmware.hub.serving import invite, serve

    if args.what == "simulate":
        return _simulate(args)
    return invite(args) if args.invite else serve(args)


def _simulate(args: argparse.Namespace) -> int:
    from firmware.hub.simulation import TournamentPlan, simulate

    game = find_game(args.game)
    if args.seats not in game.seats or not 0 <= args.pause <= 60:
        raise UsageError(f"{game.title} is for {', '.join(map(str, game.seats))} players; --pause is 0 to 60 seconds")
    players = args.players or args.seats * args.tables
    plan = TournamentPlan(args.tables, players, game.name, args.system, args.seats, args.rounds, args.seed, args.pause)
    told = simulate(plan, lambda text: print(text, flush=True))
    for row in told.standings[:MOST_SHOWN]:
        print(f"{row['rank']:>3}  {row['name']:<20} {row['points']:g}")
    print(
        f"{told.rounds} rounds, {told.matches} matches, {told.events} actions: {told.lost} lost on the way to the hub"
    )
    return 1 if told.lost else 0
