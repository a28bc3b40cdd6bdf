"""How the actions of Nine Fields are pointed out: at a field."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import Action, Fact, Position
from engine.targets import Spelling

from .rules import Place

SIGNS: tuple[str, ...] = ()


def spell(position: Position, action: Action) -> Spelling:
    return (frozenset({str(action).removeprefix("+")}),)


def attempt(position: Position, picks: Sequence[str]) -> Action | None:
    return Place(picks[0]) if len(picks) == 1 else None


def label(pick: str) -> tuple[str, dict[str, Fact]] | None:
    return None


def suppose(position: Position, picks: Sequence[str], viewer: int | None) -> Sequence[Position]:
    return (position,)
