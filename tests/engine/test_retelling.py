"""A sentence of the log can be said again in every language."""

from __future__ import annotations

from random import Random

import pytest

from engine.core import Game, Refusal
from engine.registry import all_games, find_game
from engine.retelling import retold
from engine.words import LANGUAGES, sentence


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_refusal_is_retold_as_it_would_have_been_said(game: Game) -> None:
    dice = Random(2)
    rules = game.configure()
    position, other = (rules.start(2, rules.deal(2, dice)) for _ in range(2))
    met = set()
    for _ in range(40):
        if position.outcome is not None or other.outcome is not None:
            break
        for action in dice.sample(other.legal(), min(6, len(other.legal()))):
            refusals = position.refusals(action)
            told = " ".join(sentence(game, each) for each in refusals)
            for language in LANGUAGES:
                again = retold(game, [each.rule for each in refusals], told, language)
                assert again == " ".join(sentence(game, each, language) for each in refusals)
            met.update(each.rule for each in refusals)
        position, other = position.after(dice.choice(position.legal())), other.after(dice.choice(other.legal()))
    assert len(met) >= 3


def test_what_nobody_could_name_is_retold_too() -> None:
    game = find_game("memento-tuos")
    unknown = Refusal("unknown", ("T1",), {"sites": "T1"})
    assert retold(game, ["unknown"], sentence(game, unknown), "de") == sentence(game, unknown, "de")
    assert retold(game, ["unknown"], sentence(game, unknown), "de") != sentence(game, unknown)


def test_a_text_of_another_origin_stays_as_it_is() -> None:
    game = find_game("rings")
    assert retold(game, ["place.two"], "Somebody sneezed.", "uk") == "Somebody sneezed."
    assert retold(game, ["no.such-rule"], "Somebody sneezed.", "uk") == "Somebody sneezed."
