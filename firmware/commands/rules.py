"""`magister rules`: the rules in brief, with the options in force."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator

from engine.core import Rules, spoken
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
    for told in _house_rules(rules, args.lang):
        print()
        print(textwrap.fill(told, WIDTH, initial_indent="* ", subsequent_indent="  "))
    return 0


def _house_rules(rules: Rules, language: str) -> Iterator[str]:
    """What is in force, and in brackets what else there is."""
    if rules.variant is not None:
        others = ", ".join(each for each in rules.game.variants if each != rules.variant)
        yield f"variant = {rules.variant} ({others})"
    for option in rules.game.options:
        value = rules.options[option.name]
        others = ", ".join(spoken(each) for each in option.values if each != value)
        yield f"{option.name} = {spoken(value)} ({others}): {say(option.meaning, language)}"


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
