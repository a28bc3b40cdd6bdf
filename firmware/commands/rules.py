"""`magister rules`: the rules in brief, with the options in force."""

from __future__ import annotations

import argparse
import textwrap

from engine.words import say
from firmware.commands import Commands
from firmware.table_args import add_language, add_rules, chosen_rules

WIDTH = 88


def register(commands: Commands) -> None:
    parser = commands.add_parser("rules", help="the rules in brief, with the options in force")
    add_rules(parser)
    add_language(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    rules = chosen_rules(args)
    game = rules.game
    print(f"{game.title} ({rules.variant})" if rules.variant else game.title)
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
