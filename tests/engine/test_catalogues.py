"""The catalogues: every text the engine can say is in every language, and nothing else is."""

from __future__ import annotations

import gettext
import re
import sys
from pathlib import Path

import pytest
from catalogues import DOMAINS, TRANSLATED, Domain, Text, is_said

from engine.core import Game, Refusal, Word
from engine.registry import all_games, find_game
from engine.words import DOMAIN, say, sentence

every_catalogue = pytest.mark.parametrize(
    ("domain", "language"),
    [(domain, language) for domain in DOMAINS for language in TRANSLATED],
    ids=lambda value: getattr(value, "name", value),
)


@every_catalogue
def test_no_translation_is_missing_or_stale(domain: Domain, language: str) -> None:
    known = domain.written(language)
    assert known.keys() == set(domain.texts()), "run `make catalogues` and translate what is new"
    assert not [text for text, spoken in known.items() if not is_said(spoken)]


@every_catalogue
def test_the_compiled_catalogue_is_the_written_one(domain: Domain, language: str) -> None:
    with (domain.folder(language) / f"{domain.file}.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for text, spoken in domain.written(language).items():
        if isinstance(text, str):
            assert compiled.gettext(text) == spoken, "run `make catalogues`"
        else:
            said = {compiled.ngettext(text[0], text[1], number) for number in range(200)}
            assert said == set(spoken), "run `make catalogues`"


@every_catalogue
def test_a_translation_uses_the_same_facts(domain: Domain, language: str) -> None:
    def facts(text: object) -> set[str]:
        return set(re.findall(r"\{(\w+)\}|%\((\w+)\)", str(text)))

    for text, spoken in domain.written(language).items():
        assert facts(spoken) <= facts(text)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_sentence_of_a_game_is_in_the_catalogues(game: Game) -> None:
    module = sys.modules[game.package]
    texts = set(Domain.of_game(Path(str(module.__file__)).parent).texts())
    assert set(game.sentences.values()) <= texts
    assert set(game.brief) <= texts
    assert game.tap in texts
    assert {option.meaning for option in game.options} <= texts
    assert {word for option in game.options for word in option.called.values()} <= texts
    assert {text for ending in game.endings.values() for text in (ending.sentence, ending.short)} <= texts
    assert {*game.parts, *game.counted.values(), *game.regions.values(), *game.variants} <= texts
    assert set(game.remarks.values()) <= texts
    assert not game.lying or game.lying in texts


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_more_than_one_catalogue_says_all_say_alike(language: str) -> None:
    said: dict[Text, Text] = {}
    for domain in DOMAINS:
        if domain.file == DOMAIN:
            for text, spoken in domain.written(language).items():
                assert said.setdefault(text, spoken) == spoken, domain.name


def test_a_sentence_is_said_in_german_with_the_rulebooks_words() -> None:
    game = find_game("memento-tuos")
    refusal = Refusal("move.too-far", ("T1", "T4"), {"figure": Word("Single"), "sites": "T1, T4"})
    assert "Einer" in sentence(game, refusal, "de")
    assert say("red", "de") == "rot"
    assert say("red", "la") == "red"
