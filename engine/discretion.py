"""What may be told of a match while it goes on, in a game in which nobody may look up what pieces cover."""

from __future__ import annotations

from collections.abc import Iterable

from engine.core import InvalidActionError, Json, Position

FORGOTTEN = "…"
"""Stands for what is not told."""


def is_discreet(position: Position) -> bool:
    """Whether anything of this match must not be told yet."""
    return position.rules.game.covers and position.outcome is None


def retold(position: Position, text: str) -> str:
    """An action of this match as it may be told now."""
    if not is_discreet(position):
        return text
    try:
        return position.rules.retold(position, position.rules.parse(text))
    except InvalidActionError:
        return FORGOTTEN


def discreet_setup(position: Position, setup: Json) -> Json:
    """A set-up of this match as it may be told now."""
    return position.rules.discreet(position, setup) if is_discreet(position) else setup


def discreet_events(position: Position, events: Iterable[Json]) -> list[Json]:
    """Events of this match, in order, as they may be told now: nothing in them says what is covered."""
    told = list(events)
    if not is_discreet(position):
        return told
    last = max((place for place, event in enumerate(told) if "action" in event), default=-1)
    return [_discreet(position, event, is_old=place < last) for place, event in enumerate(told)]


def _discreet(position: Position, event: Json, *, is_old: bool) -> Json:
    told = dict(event)
    if isinstance(told.get("setup"), dict):
        told["setup"] = discreet_setup(position, told["setup"])
    if isinstance(told.get("action"), str):
        told["action"] = retold(position, told["action"])
    if isinstance(told.get("actions"), list):
        told["actions"] = [retold(position, str(each)) for each in told["actions"]]
    if is_old and "said" in told:
        told["said"] = FORGOTTEN
    return told
