"""A simulated eye that needs no pictures: it knows the truth and adds realistic doubts and blind spots.

It is for trying the referee by the hundred. How well the real eye sees is measured with real pictures.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from engine.board import Board
from engine.referee.reading import EMPTY, Reading
from engine.referee.table import Seen
from hardware.virtual.camera import Camera
from hardware.virtual.reach import arm_spots

if TYPE_CHECKING:
    from hardware.virtual.player import Shot
    from hardware.virtual.scene import Arm

TALLEST = 6
CLEAREST = 7.0
"""What it costs to take one thing for another."""


@dataclass
class TruthfulEye:
    """Sees what stands, but not under hands, and is the less sure of heights the more it looks from above."""

    board: Board
    random: Random
    blur: float
    """How much likelier, in logarithms, a wrong height may look than the true one."""
    _hidden: frozenset[str] = frozenset()
    _arms: object = None
    _in_sight: bool = False
    _over: bool = False
    """Whether an arm was in the picture, and whether it was over the board."""
    _bias: dict[tuple[str, str], dict[str, float]] = field(default_factory=dict)

    def see(self, shot: Shot) -> Seen:
        """The reading of a moment, and whether something moves in the picture."""
        hidden = self._under_hands(shot) | self._turning(shot)
        faces = {site: as_read(face) for site, face in shot.truth.faces.items()}
        sites = {
            site: self._likelihoods(site, faces.get(site, EMPTY)) for site in self.board.sites if site not in hidden
        }
        sheets = {
            sheet.name: tuple(
                0.0 if turn == round(shot.truth.turns.get(sheet.name, 0.0)) % sheet.turns else -CLEAREST
                for turn in range(sheet.turns)
            )
            for sheet in self.board.turnable
        }
        stirs = shot.scene.arms != self._arms
        in_sight = any(_is_seen(arm, shot.scene.camera) for arm in shot.scene.arms)
        restless = stirs and (in_sight or self._in_sight)
        moving = hidden ^ self._hidden
        if stirs and (shot.truth.over or self._over):
            moving |= {""}
        self._hidden, self._arms, self._in_sight, self._over = hidden, shot.scene.arms, in_sight, shot.truth.over
        return Seen(shot.t, Reading(sites, sheets, hidden, bool(hidden), moving), restless)

    def _under_hands(self, shot: Shot) -> frozenset[str]:
        if not shot.scene.arms:
            return frozenset()
        camera: Camera = shot.scene.camera
        names = list(self.board.sites)
        places = camera.near(np.array([(*self.board.sites[name].at, self.board.sites[name].z) for name in names]))
        covered = np.zeros(len(names), dtype=bool)
        for arm in shot.scene.arms:
            spots, reach = arm_spots(arm, camera)
            away = np.linalg.norm(places[:, None] - spots[None], axis=2)
            covered |= np.any(away < reach[None] + 6, axis=1)
        return frozenset(name for name, under in zip(names, covered, strict=True) if under)

    def _turning(self, shot: Shot) -> frozenset[str]:
        between = {name for name, turn in shot.truth.turns.items() if abs(turn - round(turn)) > 1e-3}
        return frozenset(site.name for site in self.board.sites.values() if site.sheet in between)

    def _likelihoods(self, site: str, face: str) -> dict[str, float]:
        """Always the same for the same thing on the same site: light and angle mislead an eye again and again."""
        if (site, face) not in self._bias:
            kinds = ["", *sorted({name.rstrip("0123456789") for name in self.board.stacks})]
            high = any(name[-1].isdigit() for name in self.board.stacks)
            known = (
                {EMPTY} | {f"{kind}{n}" for kind in kinds for n in range(1, TALLEST + 1)} if high else {EMPTY, *kinds}
            )
            told = {other: -CLEAREST - self.random.uniform(0, 5) for other in known} | {face: 0.0}
            kind, height = face.rstrip("0123456789"), face[len(face.rstrip("0123456789")) :]
            for other in (int(height) - 1, int(height) + 1) if height else ():
                if other > 0:
                    told[f"{kind}{other}"] = min(self.blur, self.random.gauss(-CLEAREST + self.blur, 2.0))
            self._bias[site, face] = told
        return self._bias[site, face]


def _is_seen(arm: Arm, camera: Camera) -> bool:
    """Whether any of an arm is in the picture."""
    spots, reach = arm_spots(arm, camera)
    inside = (spots > -reach[:, None]) & (spots < np.array(camera.size) + reach[:, None])
    return bool(np.any(np.all(inside, axis=1)))


def as_read(face: str) -> str:
    """A pile that is no face of the game as an eye would read it: `red4`, or `2` without a marker."""
    if "stone" not in face:
        return face
    pieces = face.split("+")
    top = pieces[-1].removeprefix("marker-") if pieces[-1] != "stone" else ""
    return f"{top}{pieces.count('stone')}"
