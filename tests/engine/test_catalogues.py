"""The catalogues: every text the engine can say is in every language, and nothing else is."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

import engine
from engine.core import Refusal, Word
from engine.registry import all_games, find_game
from engine.words import LANGUAGES, say, sentence

ROOT = Path(engine.__file__).parent
TRANSLATED = [language for language in LANGUAGES if language != "en"]


def texts_in_source() -> set[str]:
    keywords = {"_": None, "Word": None}
    found = extract_from_dir(str(ROOT), keywords=keywords, method_map=[("**.py", "python")])
    return {text for _, _, text, _, _ in found if isinstance(text, str)}


def catalogue(language: str) -> Catalog:
    with (ROOT / "locale" / language / "LC_MESSAGES" / "engine.po").open("rb") as file:
        return read_po(file, locale=language)


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_translation_is_missing_or_stale(language: str) -> None:
    known = {message.id: message.string for message in catalogue(language) if message.id}
    assert known.keys() == texts_in_source(), "run `make catalogues` and translate what is new"
    assert not [text for text, spoken in known.items() if not spoken]
    assert not [message.id for message in catalogue(language) if message.fuzzy and message.id]


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_compiled_catalogue_is_the_written_one(language: str) -> None:
    compiled = read_mo(BytesIO((ROOT / "locale" / language / "LC_MESSAGES" / "engine.mo").read_bytes()))
    written = {message.id: message.string for message in catalogue(language) if message.id}
    assert {message.id: message.string for message in compiled if message.id} == written, "run `make catalogues`"


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_uses_the_same_facts(language: str) -> None:
    def facts(text: object) -> set[str]:
        return set(re.findall(r"\{(\w+)\}", str(text)))

    for message in catalogue(language):
        assert facts(message.string) <= facts(message.id), message.id


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_sentence_of_a_game_is_in_the_catalogues(game: object) -> None:
    texts = texts_in_source()
    offered = find_game(game.name)  # type: ignore[attr-defined]
    assert set(offered.sentences.values()) <= texts
    assert set(offered.brief) <= texts
    assert {option.meaning for option in offered.options} <= texts


def test_a_sentence_is_said_in_german_with_the_rulebooks_words() -> None:
    game = find_game("memento-tuos")
    refusal = Refusal("move.too-far", ("T1", "T4"), {"figure": Word("Single"), "sites": "T1, T4"})
    assert "Einer" in sentence(game, refusal, "de")
    assert say("red", "de") == "rot"
    assert say("red", "la") == "red"
