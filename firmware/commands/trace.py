"""`magister trace`: prints a random match as JSON Lines, or replays one and recomputes everything."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

from engine.core import Json
from engine.trace import TraceError, random_trace, replay
from firmware.commands import Commands
from firmware.machine.files import read_text
from firmware.settings.arguments import add_rules, add_start, chosen_rules, chosen_setup, whole_number


def register(commands: Commands) -> None:
    parser = commands.add_parser("trace", help="play a random match as JSON Lines, or replay one")
    add_rules(parser)
    add_start(parser)
    parser.add_argument(
        "--plies", metavar="K", type=whole_number, default=200, help="stop after this many actions (default 200)"
    )
    parser.add_argument("--replay", metavar="FILE", type=Path, help="replay and check this trace instead")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    if args.replay is not None:
        lines = replay(_of_game(args.game, _objects(args.replay)))
    else:
        rules = chosen_rules(args)
        setup = chosen_setup(args, rules)
        lines = random_trace(rules, args.players, setup, Random(args.seed), args.plies)
    for line in lines:
        print(json.dumps(line))
    return 0


def _objects(path: Path) -> Iterator[Json]:
    """The JSON objects of a file, one per line."""
    for number, text in enumerate(read_text(path).splitlines(), start=1):
        if not text.strip():
            continue
        try:
            value = json.loads(text)
        except RecursionError as error:
            raise TraceError(f"{path}, line {number}: JSON nested too deeply to be a trace") from error
        except ValueError as error:
            raise TraceError(f"{path}, line {number}: not JSON; is the file cut off? ({error})") from error
        if not isinstance(value, dict):
            raise TraceError(f"{path}, line {number}: not a JSON object, which every line of a trace must be")
        yield value


def _of_game(game: str, lines: Iterator[Json]) -> Iterator[Json]:
    """The lines of a trace, which must be of this game."""
    first = next(lines, {})
    if first.get("game") != game:
        named = first.get("game", "no game")
        raise TraceError(f"the file is not a trace of {game}: its first line says {named!r}; name that game instead")
    yield first
    yield from lines
