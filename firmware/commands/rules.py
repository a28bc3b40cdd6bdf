"""`magister rules`: the rules in brief, with the options in force."""

from __future__ import annotations

import argparse
import textwrap

from engine.core import Rules
from engine.players.balance import balances
from engine.players.words import PLAYERS
from engine.words import say
from firmware.commands import Commands
from firmware.machine.errors import UsageError
from firmware.settings.arguments import add_language, add_rules, chosen_rules

WIDTH = 88


def register(commands: Commands) -> None:
    parser = commands.add_parser("rules", help="print the rules in brief, with the house rules in force")
    add_rules(parser)
    add_language(parser)
    parser.add_argument(
        "--facts", action="store_true", help="print statistics: how fair the game is, how long it lasts, how it ends"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    rules = chosen_rules(args)
    game = rules.game
    print(f"{game.title} ({rules.variant})" if rules.variant else game.title)
    if args.facts:
        return _facts(rules, args.lang)
    for paragraph in game.brief:
        print()
        print(textwrap.fill(say(paragraph, args.lang), WIDTH))
    for option in game.options:
        value = rules.options[option.name]
        spoken = value if isinstance(value, str) else "on" if value else "off"
        print()
        told = f"{option.name} = {spoken}: {say(option.meaning, args.lang)}"
        print(textwrap.fill(told, WIDTH, initial_indent="* ", subsequent_indent="  "))
    return 0


def _facts(rules: Rules, language: str) -> int:
    """Statistics from matches of the program against itself; none for house rules that were not measured."""
    found = list(balances(rules))
    if not found:
        raise UsageError("there are no statistics for these house rules; run it without them")
    for each in found:
        print()
        print(say(PLAYERS, language, number=each.players))
        for fact in each.say(language):
            print(textwrap.fill(fact, WIDTH, initial_indent="* ", subsequent_indent="  "))
    return 0
