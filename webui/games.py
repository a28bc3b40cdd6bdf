"""The games that can be played, for the page's form and the API: variants, house rules with their sentences."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core import Game, Json, Option, Value
from engine.registry import all_games
from engine.words import say


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
        "words": [say(option.called.get(str(value), str(value)), language) for value in option.values],
    }


def house_rules(game: Game, variant: str | None, options: Mapping[str, Value], language: str) -> list[Json]:
    """The options in force, each with its sentence and whether it is the game's own reading."""
    defaults = game.defaults(variant)
    return [
        _option(option, language)
        | {"value": options[option.name], "usual": options[option.name] == defaults[option.name]}
        for option in game.options
    ]
