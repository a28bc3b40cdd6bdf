"""Errors for people at the table: a text from the catalogues and its facts, to be said in any language."""

from __future__ import annotations

from engine.core import Fact, GameError


class SpokenError(GameError):
    """Something cannot be done; `SpokenError("{name} is missing", name="T1")` marks its text for the catalogues."""

    def __init__(self, text: str, /, **facts: Fact) -> None:
        self.text, self.facts = text, facts
        super().__init__(text.format_map(facts) if facts else text)
