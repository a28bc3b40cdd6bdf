"""Where a figure may go, and why not elsewhere: an action composed of picks.

A person says an action by pointing: first at what acts (a figure, the supply, a card, a sheet that turns), then at
where it goes, then at what else belongs to it (pawns taken, a field to set a figure back to). How the actions of a game
are pointed out is told by `pointing.py` in its own folder; here nothing knows a game.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, cast

from engine.core import Action, Fact, Position, Refusal, Rules
from engine.words import say

Spelling = tuple[frozenset[str], ...]
"""The picks that make up an action, stage by stage; within a stage in any order."""


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


_COMMON = {">": _("clockwise"), "<": _("counter-clockwise"), "--": _("Pass")}
"""Picks used in more than one game."""


class Pointing(Protocol):
    """What `pointing.py` in a game's folder offers."""

    SIGNS: Sequence[str]
    """What can be pointed at beside the sites of the board: stores, sheets, ways to turn, numbers. A figure that can
    act in another way than by moving is pointed at with a stroke behind its site for that (`T7/`)."""

    def spell(self, position: Position, action: Action) -> Spelling:
        """The picks for an action that is legal here."""

    def attempt(self, position: Position, picks: Sequence[str]) -> Action | None:
        """The most natural action for these picks, legal or not; None if they make no sense."""

    def label(self, pick: str) -> tuple[str, dict[str, Fact]] | None:
        """How what is not a site is called: a text of the catalogues with its facts; None for a site's own name."""

    def suppose(self, position: Position, picks: Sequence[str], viewer: int | None) -> Sequence[Position]:
        """What the position may be for all that this viewer knows, as far as it matters to these picks."""


@dataclass(frozen=True)
class Reach:
    """What follows from the picks so far."""

    picks: tuple[str, ...]
    done: tuple[Action, ...]
    """Legal actions for these picks; more than one if picks cannot tell them apart."""
    onward: tuple[str, ...]
    """What may be picked next."""
    refused: Mapping[str, Refusal]
    """For every other possible pick, why it is not allowed."""
    tries: Mapping[str, Action]
    """For each of these, the action it would have meant."""


def can_point(rules: Rules) -> bool:
    """Whether the game defines how its actions are picked."""
    return rules.game.module("pointing") is not None


def spelling(position: Position, action: Action) -> Spelling:
    """The picks for a legal action."""
    return _pointing(position.rules).spell(position, action)


def concerned(pick: str, sites: Collection[str]) -> str | None:
    """The site of a pick; None if it has none."""
    site = pick.removesuffix("/")
    return site if site in sites else None


def named(rules: Rules, pick: str, language: str = "en") -> str:
    """A pick in words."""
    if pick in _COMMON:
        return say(_COMMON[pick], language)
    found = _pointing(rules).label(pick)
    return pick if found is None else say(found[0], language, **found[1])


def reach(position: Position, picks: Sequence[str], sites: Iterable[str], viewer: int | None = None) -> Reach:
    """What is possible after these picks, as far as this viewer (None: a spectator) may know."""
    pointing = _pointing(position.rules)
    picks = tuple(picks)
    supposed = pointing.suppose(position, picks, viewer)
    done: dict[str, Action] = {}
    onward: dict[str, None] = {}
    for guise in supposed:
        for action in guise.legal():
            rest = _rest(pointing.spell(guise, action), picks)
            if rest is None:
                continue
            if not rest:
                done[str(action)] = action
            onward.update(dict.fromkeys(sorted(rest)))
    # Where nothing can be told apart from what the viewer does not know, the first guise is as good as any.
    asked = (place for place in (*sites, *pointing.SIGNS) if place not in onward and place not in picks)
    tries = {place: meant for place in asked if (meant := pointing.attempt(supposed[0], (*picks, place))) is not None}
    refused = {place: refusal for place, action in tries.items() if (refusal := _refusal(supposed[0], action))}
    return Reach(picks, tuple(done.values()), tuple(onward), refused, {place: tries[place] for place in refused})


def _rest(spelling: Spelling, picks: Sequence[str]) -> frozenset[str] | None:
    """What is still to be pointed at in the stage that the picks have come to; None if they say something else."""
    left = list(picks)
    for stage in spelling:
        given = left[: len(stage)]
        if not stage.issuperset(given) or len(set(given)) < len(given):
            return None
        del left[: len(stage)]
        if len(given) < len(stage):
            return stage.difference(given)
    return None if left else frozenset()


def _refusal(position: Position, action: Action) -> Refusal | None:
    """Why not this action, which is known not to be legal: nobody wants to look through all legal ones again."""
    if position.outcome is not None:
        return Refusal("game-over")
    return next(iter(position.objections(action)), None)


def _pointing(rules: Rules) -> Pointing:
    return cast(Pointing, rules.game.module("pointing"))
