"""Finding round coloured things in the flat picture: markers and pawns, wherever they are.

In the flat picture a horizontal disc stays a circle. A thing of some thickness is such a circle drawn out away from the
camera, so its shape is known, and things that partly hide each other can still be told apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log, pi, sqrt

import cv2
import numpy as np
import numpy.typing as npt

from vision.flatten.colour import FROM_CODE, added, chroma
from vision.flatten.flat_view import FlatView, circle, looks_printed
from vision.frame import Floats, Image, Map, Mask
from vision.readers.palette import is_skin
from vision.readers.settings import BLOBS

Contour = npt.NDArray[np.int32]

_SPOTS = np.concatenate([share * circle(16) for share in (0.2, 0.4, 0.6, 0.8)])
"""Where a thing is looked at, as shares of its radius."""


@dataclass(frozen=True, slots=True)
class Blob:
    """A coloured thing: the label of its colour, where its middle appears on the plane of the sheets (millimetres), and
    the share of it that shows its colour."""

    label: int
    at: tuple[float, float]
    seen: float
    larger: float | None = None
    """Log of how much larger than its true size it looks; None if it is not seen whole, or something touches it."""
    shaped: bool = False
    """Whether its outline is that of the thing all the way round."""


@dataclass(frozen=True, slots=True)
class PieceShape:
    """The shape that is looked for: an upright cylinder, millimetres, whose foot may be as high as `lift`."""

    diameter: float
    height: float
    lift: float = 0.0


def find_blobs(
    labels: Image, colours: Floats, view: FlatView, solid: PieceShape, near: Image, rough: bool = False
) -> list[Blob]:
    """All things of this shape in any of the colours; a rough look is worse at things that are partly covered.

    Patches of colour that are nowhere `near` (see `near_sites`) are left out.
    """
    kernel, every = np.ones((3, 3), np.uint8), BLOBS.rough if rough else 1
    smallest = BLOBS.smallest * pi * (solid.diameter / 2 * view.plane.px_per_mm) ** 2
    about = _grown(cv2.boundingRect(near), round(BLOBS.around * solid.diameter * view.plane.px_per_mm))
    blobs: list[Blob] = []
    for label, colour in enumerate(colours, 1):
        mask = np.zeros_like(labels)
        mask[about] = cv2.inRange(labels[about], np.array(label), np.array(label))
        if not cv2.countNonZero(cv2.bitwise_and(mask[about], near[about])):
            continue
        part = _grown(cv2.boundingRect(mask), 2)
        mask[part] = cv2.morphologyEx(cv2.morphologyEx(mask[part], cv2.MORPH_OPEN, kernel), cv2.MORPH_CLOSE, kernel)
        corner = part[1].start, part[0].start
        patches, _ = cv2.findContours(mask[part], cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE, offset=corner)
        for patch in patches:
            if cv2.contourArea(patch) >= smallest and near[patch[:, 0, 1], patch[:, 0, 0]].any():
                found = _things(np.asarray(patch, np.int32), mask, label, view, solid, every)
                blobs += [blob for blob in found if not _is_finger(blob, mask, colour, view, solid)]
    return blobs


def _grown(rectangle: Sequence[int], by: int) -> tuple[slice, slice]:
    """Rows and columns of a rectangle and its surroundings."""
    x, y, wide, high = rectangle
    return slice(max(0, y - by), y + high + by), slice(max(0, x - by), x + wide + by)


def near_sites(view: FlatView, wide: float, low: float, high: float, where: Mask | slice = slice(None)) -> Image:
    """Where (255) things of this width can be seen on the sites, or on some of them, from `low` to `high` above the
    sheets; millimetres."""
    mask = np.zeros(view.codes.shape[:2], np.uint8)
    ends = (view.plane.to_flat(view.appear(view.sites[where], view.plane.level + z)) for z in (low, high))
    for one, other in zip(*(np.rint(end).astype(int).tolist() for end in ends), strict=True):
        cv2.line(mask, one, other, 255, round(wide * view.plane.px_per_mm))
    return mask


def _things(patch: Contour, mask: Image, label: int, view: FlatView, solid: PieceShape, every: int) -> list[Blob]:
    area, hull = cv2.contourArea(patch), cv2.convexHull(patch)
    moments = cv2.moments(hull)
    if moments["m00"] <= 0:
        return []
    middle = np.array([moments["m10"], moments["m01"]]) / moments["m00"]
    radius, drawn_out = _shape(middle, view, solid)
    expected = pi * radius**2 + 2 * radius * float(np.linalg.norm(drawn_out))
    share = moments["m00"] / expected
    if area < BLOBS.smallest * expected:
        return []
    if share > BLOBS.largest:
        return [] if every > 1 else _touching(patch, mask, label, view, solid)
    is_round = min(cv2.minAreaRect(hull)[1]) + 1 >= BLOBS.slim * 2 * radius * sqrt(share)
    if BLOBS.whole[0] <= share <= BLOBS.whole[1] and area >= BLOBS.solid * moments["m00"] and is_round:
        at = view.plane.to_board(middle)
        # A contour runs through the middles of its outermost pixels: half of each, and a corner's worth, lie outside.
        filled = moments["m00"] + cv2.arcLength(hull, True) / 2 + 1
        true = pi * (solid.diameter / 2) ** 2 + solid.diameter * float(view.lean(at)) * solid.height
        larger = log(filled / (true * view.plane.px_per_mm**2)) / 2
        return [Blob(label, (float(at[0]), float(at[1])), min(1.0, area / expected), larger, True)]
    if area + len(patch) / 2 + 1 < BLOBS.clearest * expected:
        return []
    return _search(patch, mask, label, view, radius, drawn_out, every)


def _is_finger(blob: Blob, mask: Image, colour: Floats, view: FlatView, solid: PieceShape) -> bool:
    """Whether what shows this colour, where the mask is, is more like a hand's."""
    spots = np.asarray(blob.at) + solid.diameter / 2 * _SPOTS
    own = mask[view.pixels(spots)] > 0
    return bool(own.any()) and is_skin(view.looks(spots[own]), colour)


def _touching(patch: Contour, mask: Image, label: int, view: FlatView, solid: PieceShape) -> list[Blob]:
    """Whole things that touch a cup or a sleeve of their colour: what is left of the patch without its narrow parts, or
    of its lighter or darker pixels if it is made up of two things with different paint."""
    x, y, wide, high = cv2.boundingRect(patch)
    own = np.zeros((high, wide), np.uint8)
    cv2.drawContours(own, [patch], -1, 255, -1, offset=(-x, -y))
    own &= mask[y : y + high, x : x + wide]
    tones = view.codes[y : y + high, x : x + wide].max(axis=2)
    least, most = np.percentile(tones[own > 0], (2, 98))
    for tone in (255.0, *np.linspace(most, least, BLOBS.tones + 2)[1:-1]):
        lighter = own & np.where(tones > tone, np.uint8(255), np.uint8(0))
        for part in (lighter, own ^ lighter):
            blobs = _round_parts(part, (x, y), label, view, solid)
            if found := [blob for blob, shape in blobs if _stands_out(tones, own > 0, shape)]:
                return found
    return []


def _stands_out(tones: Image, own: Mask, shape: Mask) -> bool:
    """Whether just beside this shape, all round, there is no more of the patch, or only of another tone; shading is no
    such step."""
    beside = (cv2.dilate(shape.astype(np.uint8), np.ones((BLOBS.beside, BLOBS.beside), np.uint8)) > 0) & ~shape
    tone, about = float(np.median(tones[shape & own])), tones[beside].astype(float)
    other = ~own[beside] | (np.maximum(tone, about) > BLOBS.unlike * np.minimum(tone, about))
    return bool(other.mean() > BLOBS.all_round)


def _round_parts(
    own: Image, first: tuple[int, int], label: int, view: FlatView, solid: PieceShape
) -> Iterator[tuple[Blob, Mask]]:
    """Things, and their shapes, in what is left of a patch without its narrow parts; `first`: its first pixel."""
    narrow = BLOBS.narrow * solid.diameter / 2 * view.plane.px_per_mm
    deep = cv2.distanceTransform(cv2.copyMakeBorder(own, 1, 1, 1, 1, cv2.BORDER_CONSTANT), cv2.DIST_L2, 5)[1:-1, 1:-1]
    count, cores = cv2.connectedComponents((deep > narrow).astype(np.uint8))
    for core in (cores == number for number in range(1, count)):
        away = cv2.distanceTransform((~core).astype(np.uint8), cv2.DIST_L2, 5)
        part = (own > 0) & (away <= narrow + 0.5)
        row, column = np.argwhere(part).mean(axis=0)
        middle = np.array([first[0] + column, first[1] + row])
        radius, drawn_out = _shape(middle, view, solid)
        shape = _away((column, row), drawn_out, part.shape) < radius
        seen = float((part & shape).sum() / (part | shape).sum())
        if seen > BLOBS.round:
            at = view.plane.to_board(middle)
            yield Blob(label, (float(at[0]), float(at[1])), seen, shaped=True), shape


def _shape(middle: Floats, view: FlatView, solid: PieceShape) -> tuple[float, Floats]:
    """Pixels: the radius of a thing seen here, and the vector from its lower to its upper face."""
    by = float(view.magnify(view.plane.level + solid.lift + solid.height / 2)) * view.plane.px_per_mm
    return solid.diameter / 2 * by, view.leaning(view.plane.to_board(middle)) * solid.height * by


def _search(
    patch: Contour, mask: Image, label: int, view: FlatView, radius: float, drawn_out: Floats, every: int
) -> list[Blob]:
    """Things that make up a patch of another shape: some behind others, some half covered.

    `every`: the step between pixels that are looked at, in each direction.
    """
    x, y, wide, high = cv2.boundingRect(patch)
    border = int(BLOBS.wide[1] * radius + np.abs(drawn_out).max() / 2) + 2
    left, top = max(0, x - border), max(0, y - border)
    right, bottom = min(mask.shape[1], x + wide + border), min(mask.shape[0], y + high + border)
    own = np.zeros((bottom - top, right - left), np.uint8)
    cv2.drawContours(own, [patch], -1, 1, -1, offset=(-left, -top))
    own &= mask[top:bottom, left:right] > 0
    own = np.ascontiguousarray(own[::every, ::every])
    window = (slice(top, bottom, every), slice(left, right, every))
    radius, drawn_out = radius / every, drawn_out / every
    shape, around = _kernels(radius, drawn_out)
    colour, bonus = own.astype(np.float32), shape - BLOBS.around_costs * around
    scores, peak = _under(bonus, colour), float(shape.max())
    if float(scores.max()) < BLOBS.clearest:
        return []
    looks = FROM_CODE.take(view.codes[window])
    costs = BLOBS.ground_costs * _printed(looks, view.expected[window], own == 0)
    found: list[Blob] = []
    for _ in range(BLOBS.most):
        scores = scores - _under(shape, costs)
        row, column = _top(scores, radius / 2)
        away = _away((column, row), drawn_out, own.shape)
        share = float((colour * np.clip(radius + 0.5 - away, 0.0, 1.0)).sum()) * peak
        if float(scores.max()) < BLOBS.clearest or share < BLOBS.least_seen:
            break
        if not _goes_on(looks, away, own > 0, radius):
            at = view.plane.to_board(np.array([column * every + left, row * every + top]))
            found.append(Blob(label, (float(at[0]), float(at[1])), min(1.0, share)))
        covered = away < BLOBS.covers * radius
        colour[covered], costs[covered] = 0.0, 0.0
        if float(colour.sum()) * peak < BLOBS.clearest:
            break
        scores = _under(bonus, colour)
    return found


def _under(kernel: Map, values: Map) -> Map:
    """What a kernel laid over each pixel covers."""
    return np.asarray(cv2.filter2D(values, -1, kernel, borderType=cv2.BORDER_CONSTANT), np.float32)


def _printed(looks: Map, expected: Map, where: Mask) -> Map:
    """1 where the board's print is seen among the pixels `where`; 0 elsewhere."""
    return (looks_printed(looks, expected) & where).astype(np.float32)


def _top(scores: Map, near: float) -> tuple[float, float]:
    """Row and column of the best score: the middle of those as good near it, as another thing may score the same."""
    rows, columns = np.nonzero(scores >= scores.max() - BLOBS.as_good)
    row, column = np.unravel_index(int(scores.argmax()), scores.shape)
    same = np.hypot(rows - row, columns - column) <= near
    return float(rows[same].mean()), float(columns[same].mean())


def _goes_on(looks: Map, away: Map, own: Mask, radius: float) -> bool:
    """Whether the colour within `radius` goes on beyond it, so that it is not a thing of that size."""
    inside, beyond = own & (away < radius), (away > BLOBS.wide[0] * radius) & (away < BLOBS.wide[1] * radius)
    colour = np.median(chroma(looks[inside]), axis=0)
    return bool((added((chroma(looks[beyond]) - colour) ** 2) < BLOBS.alike**2).mean() > BLOBS.most_around)


def _away(middle: tuple[float, float], drawn_out: Floats, shape: tuple[int, ...]) -> Map:
    """For every pixel, its distance from the line along which a thing's circle is drawn out."""
    x = np.arange(shape[1], dtype=np.float32) - np.float32(middle[0])
    y = np.arange(shape[0], dtype=np.float32)[:, None] - np.float32(middle[1])
    across, down = (float(part) for part in drawn_out)
    along = np.clip((x * across + y * down) / max(across**2 + down**2, 1e-9), -0.5, 0.5)
    return np.asarray(np.hypot(x - along * across, y - along * down))


def _kernels(radius: float, drawn_out: Floats) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """A thing's shape, adding up to 1, and the ring of about a fifth of its radius round it."""
    reach = int(np.ceil(radius * 1.25 + np.abs(drawn_out).max() / 2))
    away = _away((reach, reach), drawn_out, (2 * reach + 1, 2 * reach + 1))
    shape = np.clip(radius + 0.5 - away, 0.0, 1.0)
    around = (away > radius + 1.5) & (away <= radius * 1.22 + 1)
    total = float(shape.sum())
    return (shape / total).astype(np.float32), (around / total).astype(np.float32)
