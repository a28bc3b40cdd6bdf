"""Reasons for people at the table: a text of the catalogues, or a rule's code, with its facts, said in every language.

The facts travel and are kept as JSON; a fact that is a word to translate is `{"word": "red"}` there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core import Fact, Game, GameError, InvalidSetupError, Json, Refusal, Word
from engine.words import sentence


class SpokenError(GameError):
    """Something cannot be done; `SpokenError("{name} is missing", name="T1")` marks its text for the catalogues."""

    def __init__(self, text: str, /, **facts: Fact) -> None:
        self.text, self.facts = text, facts
        super().__init__(text.format_map(facts) if facts else text)


class UnplayableError(SpokenError, InvalidSetupError):
    """A position that somebody may set by hand and that cannot be played: said in the language of whoever set it."""


def facts_record(facts: Mapping[str, Fact]) -> Json:
    """Facts as JSON."""
    return {name: {"word": str(fact)} if isinstance(fact, Word) else fact for name, fact in facts.items()}


def read_facts(record: Mapping[str, Any]) -> dict[str, Fact]:
    """The facts that such JSON holds."""
    return {name: _fact(value) for name, value in record.items()}


def _fact(value: Any) -> Fact:  # noqa: ANN401 - plain JSON
    if isinstance(value, dict):
        word = value["word"]
        return Word(word)
    return value if isinstance(value, int) else str(value)


def refusal_record(refusal: Refusal) -> Json:
    """A broken rule as JSON."""
    return {"rule": refusal.rule, "sites": list(refusal.sites), "facts": facts_record(refusal.facts)}


def reasons(game: Game, records: Sequence[Mapping[str, Any]], language: str = "en") -> str:
    """Why something is not allowed, in the words of the broken rules."""
    return " ".join(sentence(game, read_refusal(each), language) for each in records)


def read_refusal(record: Mapping[str, Any]) -> Refusal:
    """The broken rule that such JSON holds."""
    return Refusal(record["rule"], tuple(record["sites"]), read_facts(record["facts"]))
