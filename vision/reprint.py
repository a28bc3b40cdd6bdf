"""Another print in which a board comes: told from the usual one by light rings where the usual print is dark."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vision.flatten.colour import TO_LINEAR

if TYPE_CHECKING:
    from vision.frame import Floats
    from vision.look import Eye, Look


@dataclass(frozen=True, kw_only=True)
class ReprintSettings:
    """Light is linear, white paper in even light is 1."""

    around: int = 48
    """Places on each ring. By hand."""
    beyond: float = 2.6
    """Millimetres from a ring to the plain print beside it. By hand: a ring's width and the blur of a poor camera."""
    dark: float = 0.4
    """Light of the usual print below which a light ring is told from it. By hand."""
    lighter: float = 0.12
    """How much lighter rings are than what is beside them, beyond what the usual print says. Fitted to 19 even scenes:
    0.06 to 0.08 in the usual print (its lines are drawn sharper than they are seen), 0.16 and more in the other one."""


REPRINT = ReprintSettings()


@dataclass(frozen=True, eq=False)
class Reprint:
    """The other print: the radius of its rings round the sites in millimetres, and how to make an eye for it."""

    radius: float
    make: Callable[[], Eye]
    settings: ReprintSettings = REPRINT

    def is_seen(self, eye: Eye, look: Look) -> bool:
        """Whether there are light rings in a look with an eye that expects none."""
        settings = self.settings
        on, usual = self._excess(eye, look, self.radius)
        beside, _ = self._excess(eye, look, self.radius + settings.beyond)
        telling = usual < settings.dark
        return bool(telling.any()) and float((on - beside)[telling].mean()) > settings.lighter

    def _excess(self, eye: Eye, look: Look, radius: float) -> tuple[Floats, Floats]:
        """At places this far round every site: how much lighter the picture is than the usual print, and that print."""
        angles = np.linspace(0, 2 * np.pi, self.settings.around, endpoint=False)
        ring = radius * np.column_stack([np.cos(angles), np.sin(angles)])
        numbers = eye.plane.numbers((look.sites[:, None, :] + ring).reshape(-1, 2))
        usual = eye.view(look).expected.reshape(-1, 3)[numbers].mean(axis=1)
        seen = TO_LINEAR[look.flat.codes.reshape(-1, 3)[numbers]].mean(axis=1)
        return np.asarray(seen - usual, float), np.asarray(usual, float)
