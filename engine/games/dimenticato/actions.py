"""What a player can do in Dimenticato, and how it is written."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.core import Action, InvalidActionError, Pass

# Sites are texts here, because an action is read without knowing the plan: `g1`, or `@4` for an own start field.


@dataclass(frozen=True, slots=True)
class Open(Action):
    """A figure leaves home; if it lands on another player's figure, it captures that one and sets it back."""

    origin: str
    target: str
    set_back: str | None = None

    @property
    def sites(self) -> tuple[str, ...]:
        return (self.origin, self.target) if self.set_back is None else (self.origin, self.target, self.set_back)

    def __str__(self) -> str:
        return f"{self.origin}{_onto(self.target, self.set_back)}"


@dataclass(frozen=True, slots=True)
class Move(Action):
    """The right number called and the figure moved, along the track or into the goal."""

    origin: str
    number: int
    target: str
    set_back: str | None = None

    @property
    def sites(self) -> tuple[str, ...]:
        return (self.origin, self.target) if self.set_back is None else (self.origin, self.target, self.set_back)

    def __str__(self) -> str:
        return f"{self.origin}:{self.number}{_onto(self.target, self.set_back)}"


@dataclass(frozen=True, slots=True)
class WrongCall(Action):
    """A wrong number called: the figure stays."""

    origin: str

    @property
    def sites(self) -> tuple[str, ...]:
        return (self.origin,)

    def __str__(self) -> str:
        return f"{self.origin}:?"


@dataclass(frozen=True, slots=True)
class Shift(Action):
    """A figure in the goal put on another start field."""

    origin: str
    target: str

    @property
    def sites(self) -> tuple[str, ...]:
        return (self.origin, self.target)

    def __str__(self) -> str:
        return f"{self.origin}-{self.target}"


def _onto(target: str, set_back: str | None) -> str:
    return f"-{target}" if set_back is None else f"x{target}>{set_back}"


PASS = Pass()

_FIELD = "[a-z][1-9][0-9]?"
_START = "@[1-4]"
_LANDING = rf"(?:-({_FIELD})|x({_FIELD})>({_FIELD}))"
_OPEN = re.compile(rf"({_START}){_LANDING}")
_MOVE = re.compile(rf"({_FIELD}):([1-6]){_LANDING}")
_GOAL = re.compile(rf"({_FIELD}):([1-6])-({_START})")
_WRONG = re.compile(rf"({_FIELD}):\?")
_SHIFT = re.compile(rf"({_START})-({_START})")


def parse(text: str) -> Action:
    """Parse an action: exactly the texts that `str` of an action produces."""
    if text == "--":
        return PASS
    if found := _OPEN.fullmatch(text):
        origin, quiet, beaten, set_back = found.groups()
        return Open(origin, quiet or beaten, set_back)
    if found := _MOVE.fullmatch(text):
        origin, number, quiet, beaten, set_back = found.groups()
        return Move(origin, int(number), quiet or beaten, set_back)
    if found := _GOAL.fullmatch(text):
        return Move(found[1], int(found[2]), found[3])
    if found := _WRONG.fullmatch(text):
        return WrongCall(found[1])
    if found := _SHIFT.fullmatch(text):
        return Shift(found[1], found[2])
    raise InvalidActionError(
        f"{text!r} is not an action of Dimenticato "
        "(such as @4-g1  @4xg1>e2  g1:4-j2  g1:4xj2>h1  e2:2-@2  g1:?  @1-@2  --)"
    )
