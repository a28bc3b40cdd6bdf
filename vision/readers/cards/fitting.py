"""Cards tried at many places and angles: how well each goes with what is seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.flatten.flat_view import FlatView
from vision.frame import Floats, Numbers
from vision.readers.cards.card_print import EVERY, SOME, CardPrint, Shown, placed

PLACES, FACES = 4, 16
"""Of those that a first glance tries: how many of the likeliest are looked at closely."""


@dataclass(frozen=True, eq=False)
class Fit:
    """Every face at the place that suits it best of those that were tried."""

    worth: Floats
    """Of every face, for a point on average."""
    at: Floats
    """Where the best of all was tried (2) …"""
    angle: float
    """… and how far the card was turned there."""
    best: int
    """Its number."""
    shown: Shown
    """How much of it is in sight."""


def fit(
    print_: CardPrint,
    view: FlatView,
    poses: tuple[Floats, Floats, Floats],
    fine: tuple[Floats, Floats],
    faces: Numbers | None = None,
) -> Fit:
    """The best fit of these faces (or all). `poses`: places, angles and what each costs; `fine`: steps aside and turns
    that are tried about the best of them."""
    at, angles, costs = poses
    first = print_.glance(_scores(print_, view, at, angles, SOME)) - costs[:, None]
    allowed = np.arange(first.shape[1]) if faces is None else faces
    # The cheapest place is always among them: side by side cards of one colour look like another between them.
    places = np.append(np.argsort(first[:, allowed].max(axis=1))[-PLACES:], costs.argmin())
    likely = allowed[np.argsort(first[:, allowed].max(axis=0))[-FACES:]]
    aside, turns = fine
    around = (at[places][:, None] + aside).reshape(-1, 2)
    angles, costs = (angles[places][:, None] + turns).ravel(), np.repeat(costs[places], len(turns))
    scores = _scores(print_, view, around, angles, EVERY)
    worth = print_.likelihoods(scores, likely) - costs[:, None]
    where, which = np.unravel_index(int(worth.argmax()), worth.shape)
    best = int(likely[which])
    every = np.full(first.shape[1], -np.inf)
    every[likely] = worth.max(axis=0)
    return Fit(every, around[where], float(angles[where]), best, print_.shown(scores[where], best))


def _scores(print_: CardPrint, view: FlatView, at: Floats, angles: Floats, points: slice) -> np.ndarray:
    seen = view.appear(placed(print_.points[points], at, angles), view.plane.level + print_.height)
    return print_.inks.scores(view.codes.reshape(-1, 3).take(view.plane.numbers(seen), axis=0))


def grid(reach: float, step: float, turn: float, turn_step: float) -> tuple[Floats, Floats]:
    """Steps aside (n, 2) up to a reach, each with turns (n) up to an angle."""
    along = np.arange(-reach, reach + step / 2, step)
    x, y, angle = (
        axis.ravel() for axis in np.meshgrid(along, along, np.arange(-turn, turn + turn_step / 2, turn_step))
    )
    inside = np.hypot(x, y) <= reach + step / 4
    return np.stack([x, y], axis=-1)[inside], angle[inside]
