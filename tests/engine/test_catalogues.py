"""The catalogues: every text the engine can say is in every language, and nothing else is."""

from __future__ import annotations

import gettext
import re

import pytest
from catalogues import TRANSLATED, folder, texts_in_source, written

from engine.core import Game, Refusal, Word
from engine.registry import all_games, find_game
from engine.words import DOMAIN, say, sentence


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_translation_is_missing_or_stale(language: str) -> None:
    known = written(language)
    assert known.keys() == set(texts_in_source()), "run `make catalogues` and translate what is new"
    assert not [text for text, spoken in known.items() if not spoken]


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_compiled_catalogue_is_the_written_one(language: str) -> None:
    with (folder(language) / f"{DOMAIN}.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for text, spoken in written(language).items():
        assert compiled.gettext(text) == spoken, "run `make catalogues`"


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_uses_the_same_facts(language: str) -> None:
    def facts(text: object) -> set[str]:
        return set(re.findall(r"\{(\w+)\}", str(text)))

    for text, spoken in written(language).items():
        assert facts(spoken) <= facts(text)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_sentence_of_a_game_is_in_the_catalogues(game: Game) -> None:
    texts = set(texts_in_source())
    assert set(game.sentences.values()) <= texts
    assert set(game.brief) <= texts
    assert {option.meaning for option in game.options} <= texts


def test_a_sentence_is_said_in_german_with_the_rulebooks_words() -> None:
    game = find_game("memento-tuos")
    refusal = Refusal("move.too-far", ("T1", "T4"), {"figure": Word("Single"), "sites": "T1, T4"})
    assert "Einer" in sentence(game, refusal, "de")
    assert say("red", "de") == "rot"
    assert say("red", "la") == "red"
