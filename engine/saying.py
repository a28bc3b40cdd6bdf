"""Actions told in words: "Ada moved from R1 and took R6."; a game tells its own in `saying.py` of its folder."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Protocol, cast

from engine.core import Action, Fact, Game, InvalidActionError, Pass
from engine.registry import find_game
from engine.words import say

Telling = tuple[str, Mapping[str, Fact]]
"""A text of the catalogues about `{name}`, who acted, and its other facts."""


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


PASSED = _("{name} passed.")
PLAYED = _("{name} played {action}.")


class Saying(Protocol):
    """What `saying.py` in a game's folder offers."""

    def tell(self, action: Action) -> Telling:
        """What somebody did, whatever the position was."""


def told_action(game: Game, action: str, name: str, language: str) -> str:
    """What somebody of this name did, in words; its notation where nobody can say more."""
    text, facts = _telling(game.name, action)
    return say(text, language, name=name, **facts)


@lru_cache(maxsize=512)
def _telling(name: str, text: str) -> Telling:
    game = find_game(name)
    try:
        action = game.configure().parse(text)
    except InvalidActionError:
        return PLAYED, {"action": text}
    if isinstance(action, Pass):
        return PASSED, {}
    told = cast("Saying | None", game.module("saying"))
    return told.tell(action) if told is not None else (PLAYED, {"action": text})
