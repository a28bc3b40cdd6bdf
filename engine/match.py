"""A match: rules, set-up and the actions so far. It can replay and undo, and keeps every branch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from engine.core import Action, GameError, Position, Rules


@dataclass(frozen=True, slots=True)
class Branch:
    """Actions from this ply on that were taken back."""

    ply: int
    actions: tuple[Action, ...]


@dataclass(frozen=True)
class Match:
    """A match in progress or finished. Immutable: playing and undoing return a new one."""

    rules: Rules
    positions: tuple[Position, ...]
    """From the start to now: one more than actions."""
    actions: tuple[Action, ...] = ()
    undone: tuple[Branch, ...] = ()

    @classmethod
    def begin(cls, rules: Rules, players: int, setup: Mapping[str, Any]) -> Self:
        return cls(rules, (rules.start(players, setup),))

    @classmethod
    def replay(cls, rules: Rules, players: int, setup: Mapping[str, Any], texts: Iterable[str]) -> Self:
        """The match with these actions; raises at the first that is invalid or illegal."""
        match = cls.begin(rules, players, setup)
        for text in texts:
            match = match.play(rules.parse(text))
        return match

    @property
    def position(self) -> Position:
        return self.positions[-1]

    @property
    def ply(self) -> int:
        return len(self.actions)

    def play(self, action: Action) -> Self:
        position = self.position.play(action)
        return replace(self, positions=(*self.positions, position), actions=(*self.actions, action))

    def undo(self, to_ply: int | None = None) -> Self:
        """Go back to an earlier ply (default: one action); what is taken back is kept as a branch."""
        ply = self.ply - 1 if to_ply is None else to_ply
        if not 0 <= ply < self.ply:
            raise GameError(f"cannot go back to ply {ply}: only {self.ply} actions have been played")
        branch = Branch(ply, self.actions[ply:])
        return replace(
            self, positions=self.positions[: ply + 1], actions=self.actions[:ply], undone=(*self.undone, branch)
        )
