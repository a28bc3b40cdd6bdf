"""A simulated eye that needs no pictures: it knows the truth and adds realistic doubts and blind spots.

It is for trying the referee by the hundred. How well the real eye sees is measured with real pictures.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from engine.board import Board
from engine.face import EMPTY, Face
from engine.referee.reading import Reading
from engine.referee.table import Seen
from hardware.virtual.acting.reach import arm_spots
from hardware.virtual.camera import Camera

if TYPE_CHECKING:
    from hardware.virtual.acting.player import Shot
    from hardware.virtual.scene import Arm

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
    _bias: dict[tuple[str, Face], dict[Face, float]] = field(default_factory=dict)

    def see(self, shot: Shot) -> Seen:
        """The reading of a moment, and whether something moves in the picture."""
        hidden = self._under_hands(shot) | self._turning(shot)
        faces = {site: as_read(self.board, face) for site, face in shot.truth.faces.items()}
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

    def _likelihoods(self, site: str, face: Face) -> dict[Face, float]:
        """Always the same for the same thing on the same site: light and angle mislead an eye again and again."""
        if (site, face) not in self._bias:
            # No eye takes a card for just any other of the set.
            known = (EMPTY, face) if self.board.cards else (EMPTY, *self.board.faces.values())
            told = {other: -CLEAREST - self.random.uniform(0, 5) for other in known} | {face: 0.0}
            for other in known:
                if other.kind == face.kind and abs(other.level - face.level) == 1:
                    told[other] = min(self.blur, self.random.gauss(-CLEAREST + self.blur, 2.0))
            self._bias[site, face] = told
        return self._bias[site, face]


def _is_seen(arm: Arm, camera: Camera) -> bool:
    """Whether any of an arm is in the picture."""
    spots, reach = arm_spots(arm, camera)
    inside = (spots > -reach[:, None]) & (spots < np.array(camera.size) + reach[:, None])
    return bool(np.any(np.all(inside, axis=1)))


def as_read(board: Board, face: Face) -> Face:
    """A pile that is no face of the game as an eye would read it: by its top, and by how many there are of what is at
    its bottom."""
    if face.name in board.faces:
        return face
    foot, top = face.pieces[0], face.pieces[-1]
    alike = [known for known in board.faces.values() if known.pieces[:1] == (foot,) and known.pieces[-1] == top]
    return min(alike, key=lambda known: abs(known.pieces.count(foot) - face.pieces.count(foot)), default=face)
