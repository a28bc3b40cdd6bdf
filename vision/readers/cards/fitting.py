"""Cards tried at many places and angles: how well each matches what is seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vision.flatten.flat_view import FlatView
from vision.frame import Floats, Mask, Numbers
from vision.readers.cards.card_print import EVERY, NOTHING_SHOWN, SOME, CardPrint, Shown
from vision.readers.cards.settings import FIT


@dataclass(frozen=True, eq=False)
class Fit:
    """Every face at the place that suits it best of those that were tried."""

    worth: Floats
    """Of every face, for a point on average."""
    at: Floats
    """Where it lies, millimetres (2) …"""
    angle: float
    """… and how far it is turned, degrees clockwise."""
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
    closely: int = FIT.places,
    lifted: float = 0.0,
    barred: Callable[[Floats, Floats], Mask] | None = None,
    least: float = 0.0,
) -> Fit:
    """The best fit of these faces (or all). `poses`: places, angles and what each costs; `fine`: steps aside and turns
    that are tried about so many of the best of them; `lifted`: how far above the mat a card is held, millimetres;
    `barred`: which places and angles are out of the question; `least`: how much of a card must be clear of hands at one
    of the poses, for it to be worth a closer look."""
    at, angles, costs = poses
    if barred is not None:
        costs = costs + FIT.never * barred(at, angles)
    z = view.plane.level + lifted + print_.height
    seen = view.packed.take(view.showing(print_.points[SOME], at, angles, z))
    if least and print_.inks.are_no_hand(seen).mean(axis=1).max() < least:
        return Fit(np.zeros(len(print_.faces)), at[0], float(angles[0]), 0, NOTHING_SHOWN)
    first = print_.glance(print_.inks.scores(seen)) - costs[:, None]
    allowed = np.arange(first.shape[1]) if faces is None else faces
    # The cheapest place is always among them: side by side cards of one colour look like another between them.
    places = np.append(np.argsort(first[:, allowed].max(axis=1))[-closely:], costs.argmin())
    aside, turns = fine
    around = (at[places][:, None] + aside).reshape(-1, 2)
    angles, costs = (angles[places][:, None] + turns).ravel(), np.repeat(costs[places], len(turns))
    if barred is not None:
        costs = costs + FIT.never * barred(around, angles)
    numbers = view.showing(print_.points[EVERY], around, angles, z)
    packed = view.packed.take(numbers)
    scores = print_.inks.scores(packed)
    worth = print_.likelihoods(scores, allowed) - costs[:, None]
    # Within the ink nothing tells one place from another, and shadow is as dark as a joker: there the pattern tells.
    codes = view.codes.reshape(-1, 3).take(numbers, axis=0)
    patterns, looks = print_.alike(packed, codes)
    worth += FIT.alike * patterns[:, allowed] + FIT.soft * looks[:, allowed]
    every = np.full(first.shape[1], -np.inf)
    every[allowed] = worth.max(axis=0)
    best = int(every.argmax())
    going = worth[:, int(np.flatnonzero(allowed == best)[0])]
    where = int(going.argmax())
    # The middle of all places that go well is nearer than the best.
    shares = np.exp(FIT.told * (going - going.max()))
    shares /= shares.sum()
    shown = print_.shown(scores[where], packed[where], codes[where], float(patterns[where, best]), best)
    return Fit(every, shares @ around, float(shares @ angles), best, shown)


def fit_unevenly(
    print_: CardPrint,
    view: FlatView,
    poses: tuple[Floats, Floats, Floats],
    fine: tuple[Floats, Floats],
    barred: Callable[[Floats, Floats], Mask] | None = None,
) -> Fit:
    """The same for a card that a shadow may end on, and none of which is under a hand."""
    at, angles, costs = poses
    if barred is not None:
        costs = costs + FIT.never * barred(at, angles)
    z = view.plane.level + print_.height
    codes = view.codes.reshape(-1, 3).take(view.showing(print_.points[EVERY], at, angles, z), axis=0)
    allowed = np.arange(len(print_.faces))
    patterns, looks, _ = print_.unevenly_lit(codes, allowed)
    worth = FIT.alike * patterns + FIT.soft * looks - costs[:, None]
    few = np.argsort(worth.max(axis=0))[-FIT.few_faces :]
    spots = np.argsort(worth[:, few].max(axis=1))[-FIT.places :]
    aside, turns = fine
    around = (at[spots][:, None] + aside).reshape(-1, 2)
    angles, costs = (angles[spots][:, None] + turns).ravel(), np.repeat(costs[spots], len(turns))
    if barred is not None:
        costs = costs + FIT.never * barred(around, angles)
    numbers = view.showing(print_.points[EVERY], around, angles, z)
    codes = view.codes.reshape(-1, 3).take(numbers, axis=0)
    patterns, looks, light = print_.unevenly_lit(codes, few)
    # Without the inks these count for them, too.
    worth = 2 * (FIT.alike * patterns + FIT.soft * looks) - costs[:, None]
    every = np.full(len(allowed), -np.inf)
    every[few] = worth.max(axis=0)
    where, column = np.unravel_index(int(worth.argmax()), worth.shape)
    best = int(few[column])
    shares = np.exp(FIT.told * (worth[:, column] - worth[:, column].max()))
    shares /= shares.sum()
    packed, pattern = view.packed.take(numbers[where]), float(patterns[where, column])
    shown = print_.shown_unevenly(packed, codes[where], light[:, :, where, column], pattern, best)
    return Fit(every, shares @ around, float(shares @ angles), best, shown)


def grid(reach: float, step: float, turn: float, turn_step: float) -> tuple[Floats, Floats]:
    """Steps aside (n, 2) up to a reach, each with turns (n) up to an angle."""
    along = np.arange(-reach, reach + step / 2, step)
    x, y, angle = (
        axis.ravel() for axis in np.meshgrid(along, along, np.arange(-turn, turn + turn_step / 2, turn_step))
    )
    inside = np.hypot(x, y) <= reach + step / 4
    return np.stack([x, y], axis=-1)[inside], angle[inside]
