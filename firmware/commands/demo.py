"""`magister demo`: a whole match that plays itself in the terminal."""

from __future__ import annotations

import argparse
from random import Random

from engine.core import COLOURS
from engine.match import Match
from engine.registry import find_game
from firmware.commands import Commands
from firmware.commands.play import outcome_sentence
from firmware.table_args import add_language, dealt, whole_number


def register(commands: Commands) -> None:
    parser = commands.add_parser("demo", help="a match that plays itself")
    parser.add_argument("--game", metavar="G", default="memento-tuos", help="the game (default memento-tuos)")
    parser.add_argument("--players", metavar="N", type=whole_number, default=2, help="number of players (default 2)")
    parser.add_argument("--seed", metavar="S", type=int, default=1, help="where chance comes from (default 1)")
    parser.add_argument("--plies", metavar="K", type=whole_number, default=200, help="actions at most (default 200)")
    add_language(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    rules = find_game(args.game).configure()
    dice = Random(args.seed)
    match = Match.begin(rules, args.players, dealt(rules, args.players, dice))
    while match.position.outcome is None and match.ply < args.plies:
        action = dice.choice(sorted(match.position.legal(), key=str))
        print(f"{match.ply + 1}. {COLOURS[match.position.seat or 0]} {action}")
        match = match.play(action)
    print(f"\n{match.position.draw()}\n")
    if match.position.outcome is None:
        print(f"No winner after {match.ply} actions.")
    else:
        print(outcome_sentence(match, args.lang))
    return 0
