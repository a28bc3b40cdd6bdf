"""What stands alone: ground that is in sight all round a site tells the light there, and leaves no room for a hand.

Glare makes a red pawn as pale as a finger, and in deep shade a colour is hardly one; beside its own ground it still is.
"""

from __future__ import annotations

import numpy as np

from vision.colours import Palette, strange
from vision.discs import Solid
from vision.frame import Floats
from vision.light import FLOOR, chroma
from vision.overhead import Overhead
from vision.readers.rings import ground_about

OPEN = 0.5
"""Share of the ground about a site that must be in sight, in one light."""
TINT = 0.1
"""How far from grey, in shares of blue, green and red, that light may be."""
LIGHTEST, DARKEST = 1.5, 0.02
"""How bright it may be, of the light on the whole board."""
LEAST, CLEAR, OTHERS = 0.3, 0.15, 0.25
"""Of the outline of a piece: how much must have its colour, how much such that no hand has, and how much of the first
any other colour may have."""
LEVELS = (0.25, 0.5, 0.75, 1.0)
WITHIN = 0.8
"""Of a piece's radius: it may stand a little off its site."""

_turns = np.arange(12) * np.pi / 6
_AROUND = np.stack([np.cos(_turns), np.sin(_turns)], axis=-1)
_SPOTS = np.concatenate([[(0.0, 0.0)], 0.5 * _AROUND[::2], _AROUND])


def lone_colours(at: Floats, solid: Solid, palette: Palette, view: Overhead) -> list[int | None]:
    """For each site (n, 2) the number of the colour of what stands there; None if no such piece is clear to see."""
    return [_colour(place, light, solid, palette, view) for place, light in zip(at, _lights(at, view), strict=True)]


def _lights(at: Floats, view: Overhead) -> Floats:
    """The light (n, 3) by which the ground about each site looks as printed; nan where it does in none."""
    seen, printed, use = ground_about(at, view)
    use &= printed.sum(axis=-1) > 0.1
    lights = np.full((len(at), 3), np.nan)
    for number in np.flatnonzero(use.any(axis=(1, 2))):
        looks, print_ = seen[number][use[number]], printed[number][use[number]]
        light = np.median((looks + FLOOR) / (print_ + FLOOR), axis=0)
        ratio = (looks.sum(axis=-1) + 3 * FLOOR) / ((print_ * light).sum(axis=-1) + 3 * FLOOR)
        tint = np.linalg.norm(chroma(looks) - chroma(print_ * light), axis=-1)
        alike = (tint < TINT) & (np.abs(np.log(ratio)) < np.log(LIGHTEST))
        grey = np.linalg.norm(light / light.sum() - 1 / 3) < TINT
        if alike.mean() >= OPEN and grey and DARKEST < light.mean() < LIGHTEST:
            lights[number] = light
    return lights


def _colour(place: Floats, light: Floats, solid: Solid, palette: Palette, view: Overhead) -> int | None:
    if np.isnan(light).any():
        return None
    spots = place + WITHIN * solid.diameter / 2 * _SPOTS
    outline = np.concatenate([view.appear(spots, view.scenery.level + part * solid.height) for part in LEVELS])
    looks = view.looks(outline)
    fits = palette.fits(looks / light)
    labels = np.where(fits.max(axis=1) > 0, fits.argmax(axis=1), -1)
    shares = (labels[:, None] == np.arange(len(palette.names))).mean(axis=0)
    best = int(shares.argmax())
    clear = ((labels == best) & ~strange(looks) & ~strange(looks / light)).mean()
    others = float(np.delete(shares, best).max(initial=0.0))
    return best if shares[best] >= LEAST and clear >= CLEAR and others <= OTHERS * shares[best] else None
