"""The games that can be played, for the page's form and the API: variants, house rules with their sentences."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core import Game, Json, Option, Value
from engine.registry import all_games
from engine.words import say
from webui.texts import N_, tell

WORDS = {
    "straight": N_("open to a straight slide"),
    "closed": N_("closed"),
    "step": N_("open for one step"),
    "wide": N_("wide open"),
    "first-clockwise": N_("the first clockwise"),
    "first-counterclockwise": N_("the first counterclockwise"),
}
"""What the values of house rules are called; one without a word is shown by its name."""

VARIANTS = {"original": N_("original"), "complex": N_("complex"), "simple": N_("simple")}
"""What variants are called; one without a word is shown by its name."""


def called_variant(variant: str, language: str) -> str:
    return tell(VARIANTS.get(variant, variant), language)


def told_games(language: str) -> list[Json]:
    """Every game, in a language."""
    return [told_game(game, language) for game in all_games()]


def told_game(game: Game, language: str) -> Json:
    return {
        "name": game.name,
        "title": game.title,
        "seats": list(game.seats),
        "variants": list(game.variants),
        "defaults": {variant: game.defaults(variant) for variant in game.variants} or {"": game.defaults(None)},
        "options": [_option(option, language) for option in game.options],
        "opener": say(game.opener, language) if game.opener else "",
    }


def _option(option: Option, language: str) -> Json:
    return {
        "name": option.name,
        "meaning": say(option.meaning, language),
        "values": list(option.values),
        "default": option.default,
        "words": [tell(WORDS.get(str(value), str(value)), language) for value in option.values],
    }


def house_rules(game: Game, variant: str | None, options: Mapping[str, Value], language: str) -> list[Json]:
    """The options in force, each with its sentence and whether it is the game's own reading."""
    defaults = game.defaults(variant)
    return [
        _option(option, language)
        | {"value": options[option.name], "usual": options[option.name] == defaults[option.name]}
        for option in game.options
    ]
