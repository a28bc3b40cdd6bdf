"""Random mistakes as people make them at a table, to test the referee with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random

from engine.core import Position
from engine.face import Face, Faces


@dataclass(frozen=True)
class Slip:
    """What the table shows after a mistake, and the rule codes that name it, the most telling first."""

    rules: tuple[str, ...]
    faces: Faces
    turns: Mapping[str, int] = field(default_factory=dict)
    """Sheets that were turned, by so many positions clockwise."""


Maker = Callable[[Position, Random], Slip | None]


def slips(position: Position, random: Random) -> Iterator[Slip]:
    """One mistake of every kind that is possible here, in random order."""
    makers = list(makers_of(position))
    random.shuffle(makers)
    for make in makers:
        slip = make(position, random)
        if slip is not None:
            yield slip


def makers_of(position: Position) -> tuple[Maker, ...]:
    """Found in the game's folder as the `MAKERS` of its module `slips`; a game without one has none."""
    module = position.rules.game.module("slips")
    makers: tuple[Maker, ...] = module.MAKERS if module else ()
    return makers


def changed(faces: Faces, changes: Mapping[str, Face | None]) -> dict[str, Face]:
    """The same faces but for these sites; None empties one."""
    return {site: face for site, face in {**faces, **changes}.items() if face is not None}
