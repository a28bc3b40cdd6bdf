"""Arguments shared by the commands: which game, which rules, which set-up."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from random import Random

from engine.clock import TimeControl
from engine.core import Game, GameError, Json, Position, Rules
from engine.registry import all_games, find_game
from engine.words import LANGUAGES
from firmware.machine.files import read_first_object
from firmware.settings.config import Config

USUAL_GAME = "memento-tuos"
"""Where a game must be shown and nobody says which."""
LONGEST_HOST = 253
"""Letters of a name in the DNS."""


def whole_number(text: str) -> int:
    """A number that counts something: 0 or more."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number (0 or more)")
    return int(text)


def add_rules(parser: argparse.ArgumentParser) -> None:
    """GAME, --variant, --option and --config."""
    *others, last = (game.name for game in all_games())
    parser.add_argument("game", metavar="GAME", help=f"{', '.join(others)} or {last}")
    add_house_rules(parser)


def add_house_rules(parser: argparse.ArgumentParser) -> None:
    """--variant, --option and --config."""
    parser.add_argument("--variant", metavar="V", help="variant of the game")
    parser.add_argument(
        "--option", metavar="NAME=VALUE", action="append", default=[], help="set a house rule; can be repeated"
    )
    parser.add_argument("--config", metavar="FILE", type=Path, help="settings file to take the house rules from")


def add_start(parser: argparse.ArgumentParser) -> None:
    """--players, --seed and --setup."""
    parser.add_argument("--players", metavar="N", type=whole_number, default=2, help="number of players (default 2)")
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="random seed (default 0)")
    parser.add_argument("--setup", metavar="FILE", type=Path, help="start from this set-up (JSON or a trace)")


def add_page(parser: argparse.ArgumentParser) -> None:
    """--port and --host."""
    parser.add_argument(
        "--port", metavar="P", type=port_number, help="port of the web page (default 8000, or the next free one)"
    )
    parser.add_argument(
        "--host",
        metavar="H",
        type=host_name,
        help="address to serve the page on; 0.0.0.0 opens it to the home network (default 127.0.0.1)",
    )


def add_clock(parser: argparse.ArgumentParser) -> None:
    """--clock."""
    parser.add_argument(
        "--clock",
        metavar="T",
        type=time_control,
        help="a clock that nobody presses: 10 (minutes each), 10+5 (and five seconds more after every turn), 10d5 (the "
        "first five seconds of a turn are free), 10+5,ends (whoever runs out of time loses) or none (default: as in "
        "the settings)",
    )


def time_control(text: str) -> TimeControl | str:
    """A clock, or "none"."""
    if text == "none":
        return text
    try:
        return TimeControl.parse(text)
    except GameError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def chosen_clock(given: TimeControl | str | None, config: Config) -> TimeControl | None:
    """The clock of the command line, else that of the settings."""
    if isinstance(given, str):
        return None
    return given or config.clock.control


def port_number(text: str) -> int:
    """A port; 0 takes any that is free."""
    if not text.isdecimal() or not 0 <= int(text) < 65536:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port number (0 to 65535)")
    return int(text)


def host_name(text: str) -> str:
    """An address to listen at; whether it is this machine's is found out when it listens."""
    if not 0 < len(text) <= LONGEST_HOST or not text.isprintable() or " " in text:
        raise argparse.ArgumentTypeError(f"{text[:40]!a} is not an address: use one such as 0.0.0.0")
    return text


def log_file(text: str) -> Path:
    """The file of a log; other files are named after it and stored next to it."""
    path = Path(text)
    if not path.name:
        raise argparse.ArgumentTypeError(f"{text!r} is not a file name: use one such as matches.sqlite")
    return path


def add_language(parser: argparse.ArgumentParser) -> None:
    """--lang, by default the language of the environment."""
    wanted = os.environ.get("LANG", "en")[:2]
    default = wanted if wanted in LANGUAGES else "en"
    parser.add_argument("--lang", choices=LANGUAGES, default=default, help=f"language (default {default})")


def chosen_rules(args: argparse.Namespace) -> Rules:
    """The rules from the command line, else from the settings file, else the defaults."""
    game: Game = find_game(args.game)
    house = Config.load(args.config).for_game(game.name)
    given = dict(game.read_option(text) for text in args.option)
    return game.configure(args.variant or house.variant, {**house.options, **given})


def chosen_setup(args: argparse.Namespace, rules: Rules) -> Json:
    """The set-up in the file given, or one dealt from the seed."""
    if args.setup is None:
        return dealt(rules, args.players, Random(args.seed))
    return read_setup(args.setup)


def read_setup(path: Path) -> Json:
    """The set-up in a file that holds one, or a trace."""
    setup = read_first_object(path)
    return dict(setup["setup"]) if "game" in setup and isinstance(setup.get("setup"), dict) else setup


def dealt(rules: Rules, players: int, random: Random) -> Json:
    """A random set-up, for a number of players the game allows."""
    if players not in rules.game.seats:
        rules.start(players, {})
    return rules.deal(players, random)


def chosen_start(args: argparse.Namespace) -> Position:
    rules = chosen_rules(args)
    return rules.start(args.players, chosen_setup(args, rules))
