"""Ratings over time: Elo's formula, for any number of players. `docs/hub.md` explains it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

FIRST = 1500.0
"""What everybody begins with."""
SCALE = 400.0
"""With so many points more somebody is expected to win ten times as often as to lose."""
STEP = 32.0
"""The most points that change hands in a match of two."""


@dataclass(frozen=True)
class RatedMatch:
    """A match that counts: who played, and what share each has won."""

    at: float
    match: str
    names: Sequence[str]
    scores: Sequence[float]
    """1 for the winner, 0 for who lost; shared by those who won together, 0.5 each in a draw of two."""


@dataclass(frozen=True)
class Point:
    at: float
    match: str
    rating: float


def rate(matches: Iterable[RatedMatch]) -> dict[str, list[Point]]:
    """Everybody's rating after each match, in the order in which they were played."""
    course: dict[str, list[Point]] = {}
    for played in matches:
        before = [course[name][-1].rating if name in course else FIRST for name in played.names]
        for name, after in zip(played.names, _after(before, played.scores), strict=True):
            course.setdefault(name, []).append(Point(played.at, played.match, after))
    return course


def _after(before: Sequence[float], scores: Sequence[float]) -> list[float]:
    """Every two players have played against each other: who has the larger share has won against the other."""
    after = []
    for one, rating in enumerate(before):
        change = 0.0
        for other, against in enumerate(before):
            if other == one:
                continue
            won = 0.5 if scores[one] == scores[other] else float(scores[one] > scores[other])
            change += won - 1 / (1 + 10 ** ((against - rating) / SCALE))
        after.append(rating + STEP * change / (len(before) - 1))
    return after
