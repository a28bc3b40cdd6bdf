"""The shadows of stacks: higher stacks throw longer ones, and one lamp throws them all.

Nobody says where the lamp is. Every place where it could be is tried: each gives the shadow that each stack would throw
at each height, and the print tells where it is really darker. The lamp that explains all stacks together counts most.
From straight above, where nothing else shows a height, this is the best witness. Without a clear shadow it is silent.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import cv2
import numpy as np
import numpy.typing as npt

from engine.board import Piece
from vision.flatten.board_plane import BoardPlane
from vision.flatten.colour import BRIGHTEST, FLOOR, FROM_CODE
from vision.flatten.flat_view import FlatView, circle
from vision.flatten.settings import FLAT
from vision.frame import Floats, Image, Map, Mask
from vision.readers.stacks.settings import SHADOWS

_ALONG = np.arange(*SHADOWS.along, SHADOWS.step)
"""Millimetres from a stack's middle at which the ground is looked at …"""
_ACROSS = np.array(SHADOWS.across)
"""… and beside that line."""
_DEPTHS = np.array(SHADOWS.depths)
UNSEEN = 255
"""Steps from the darkest shade: what is so bright is no plain print."""
BRIGHTNESS: Map = FROM_CODE + np.float32(FLOOR)
"""Brightness of the 256 codes; never 0."""

_AWAY = circle(SHADOWS.azimuths)
_BESIDE = np.stack([-_AWAY[:, 1], _AWAY[:, 0]], axis=-1)
_EVERY = np.array([*_ACROSS, -SHADOWS.beside, SHADOWS.beside])
_LOOKS = np.rint(
    FLAT.px_per_mm
    * (_ALONG[None, :, None, None] * _AWAY[:, None, None] + _EVERY[None, None, :, None] * _BESIDE[:, None, None])
).astype(np.int32)
"""(azimuths, along, across, 2): where the ground is looked at: pixels of the flat picture from a stack's middle."""
_shades = np.arange(-SHADOWS.darkest, SHADOWS.lightest + 1) / SHADOWS.finest
_ODDS = np.log1p((_shades / SHADOWS.spread) ** 2) - np.log1p(((_shades - _DEPTHS[:, None]) / SHADOWS.spread) ** 2)
_ODDS = np.concatenate([_ODDS * SHADOWS.witness * SHADOWS.step, np.zeros((len(_DEPTHS), 1))], axis=1).astype(np.float32)
"""(depths, shades): log-odds of shadow against light; the last shade stands for what cannot be seen."""


def _lamps(bearings: int, distances: tuple[float, ...], heights: tuple[float, ...]) -> Floats:
    turns = np.arange(bearings) * 2 * np.pi / bearings
    return np.array(
        [(far * np.cos(turn), far * np.sin(turn), height) for height in heights for far in distances for turn in turns]
    )


_COARSE = _lamps(SHADOWS.bearings, SHADOWS.distances, SHADOWS.heights)
_FINE = np.array([(x, y, z) for x in (-1.0, 0.0, 1.0) for y in (-1.0, 0.0, 1.0) for z in (-1.0, 0.0, 1.0)])
"""Round a lamp that fits: sideways, farther, higher, in steps of about a third of the way to the next."""


@dataclass(frozen=True)
class Body:
    """What throws the shadow: stones of all heights (millimetres), and the marker on top."""

    tall: Floats
    stone: Piece
    marker: Piece


@dataclass(frozen=True, eq=False)
class PrintedShades:
    """The brightness of the printed board (see `_grey`), where its shade can be told, and where it is black."""

    codes: Image
    even: Mask
    black: npt.NDArray[np.intp]
    """Pixels counted row by row."""

    @classmethod
    def of(cls, plane: BoardPlane, turns: tuple[int, ...]) -> PrintedShades:
        """The print with the turnable sheets in these positions."""
        x, y, wide, high = cv2.boundingRect(plane.known.astype(np.uint8))
        board = (slice(y, y + high), slice(x, x + wide))
        roots = cv2.sqrt(plane.expected(turns)[board])
        codes, even = np.zeros(plane.known.shape, np.uint8), np.zeros(plane.known.shape, bool)
        codes[board] = grey = _grey(np.asarray(cv2.convertScaleAbs(roots, alpha=255 / sqrt(BRIGHTEST)), np.uint8))
        near, edges = np.ones((3, 3), np.uint8), np.ones((5, 5), np.uint8)
        logs = np.log(BRIGHTNESS)
        even[board] = cv2.LUT(cv2.dilate(grey, near), logs) - cv2.LUT(cv2.erode(grey, near), logs) < SHADOWS.even
        raised = plane.raised.astype(np.uint8)
        even &= (cv2.dilate(raised, edges) == cv2.erode(raised, edges)) & plane.known
        black = cv2.LUT(codes, (SHADOWS.black > BRIGHTNESS - FLOOR).astype(np.uint8)) > 0
        return cls(codes, even, np.flatnonzero(plane.known & black)[::7])


def _grey(codes: Image) -> Image:
    """Brightness of a flat picture of coded reflectances, coded too, over a few pixels."""
    return np.asarray(cv2.blur(cv2.cvtColor(codes, cv2.COLOR_BGR2GRAY), (3, 3)), dtype=np.uint8)


def with_shadows(
    values: Floats, feet: Floats, body: Body, view: FlatView, fronts: Image, board: PrintedShades
) -> Floats:
    """Log-likelihoods (stacks, heights) with what the shadows say, for stacks that stand there (stacks, 2)."""
    if not len(feet):
        return values
    level = view.plane.level
    coarse = _said(_COARSE, _sums(feet, view, fronts, board), feet, body, level)
    fits = _fit(values, coarse)
    lamp, depth = np.unravel_index(fits.argmax(), fits.shape)
    tall = body.tall[(values + coarse[lamp, :, :, depth]).argmax(axis=1)]
    sums = _sums(feet, view, fronts, board, _cast(_COARSE[lamp], feet, tall, body, view))
    coarse = _said(_COARSE, sums, feet, body, level)
    order = np.argsort(-_fit(values, coarse).max(axis=1))
    said, odds = [coarse[order[: SHADOWS.likely]]], [np.full(SHADOWS.likely, -np.log(len(_COARSE) * len(_DEPTHS)))]
    best = _COARSE[order[0]]
    for step in SHADOWS.finer:
        lamps = _about(best, step)
        said.append(_said(lamps, sums, feet, body, level))
        # A fine lamp stands for a smaller part of the room than a coarse one.
        odds.append(odds[-1][:1].repeat(len(lamps)) - np.log(len(lamps)))
        best = lamps[_fit(values, said[-1]).max(axis=1).argmax()]
    each, mended = explained(values, np.concatenate(said))
    others = mended.sum(axis=1, keepdims=True) - mended + np.concatenate(odds)[:, None, None]
    told = np.logaddexp.reduce(np.moveaxis(each + others[:, :, None], 0, 2).reshape(*values.shape, -1), axis=2)
    # Or no lamp throws shadows.
    change = np.logaddexp(told, values) - values
    change -= np.take_along_axis(change, values.argmax(axis=1)[:, None], axis=1)
    return np.asarray(values + np.clip(change, -SHADOWS.loudest, SHADOWS.loudest))


def _cast(lamp: Floats, feet: Floats, tall: Floats, body: Body, view: FlatView) -> npt.NDArray[np.int32]:
    """For every pixel the stacks, so tall, whose shadows fall there, a bit each."""
    width, height = view.plane.size
    cast, low = np.zeros((height, width), np.int32), _ground(view.plane.level)
    for number, (foot, top) in enumerate(zip(feet, view.plane.level + tall, strict=True)):
        ring = body.stone.diameter / 2 * circle(16)
        by = (lamp[2] - low) / (lamp[2] - top)
        end = lamp[:2] + by * (foot - lamp[:2] + SHADOWS.penumbra * ring)
        hull = cv2.convexHull(np.rint(view.plane.to_flat(np.vstack([foot + ring, end]))).astype(np.int32))
        shadow = cv2.fillConvexPoly(np.zeros((height, width), np.uint8), hull, 1)
        cast |= shadow.astype(np.int32) << number
    return cast


def _sums(
    feet: Floats, view: FlatView, fronts: Image, board: PrintedShades, cast: npt.NDArray[np.int32] | None = None
) -> Map:
    """(stacks, azimuths, along + 1, depths): log-odds of shadow against light, added up along the way; but for where
    another stack's shadow is `cast` (see `_cast`)."""
    middles = np.rint(view.plane.to_flat(feet)).astype(np.int32)[:, None, None, None]
    width, height = view.plane.size
    places = np.clip(middles + _LOOKS, 0, (width - 1, height - 1))
    pixels = places[..., 1] * width + places[..., 0]
    clear = board.even.ravel().take(pixels) & (fronts.ravel().take(pixels) == 0)
    shades = _shaded(pixels, view, board)
    if cast is not None:
        others = ~(np.int32(1) << np.arange(len(feet), dtype=np.int32))
        clear &= cast.ravel().take(pixels) & others[:, None, None, None] == 0
    clear &= shades < UNSEEN
    raised = view.plane.raised.ravel().take(pixels)
    for part in (clear & raised, clear & ~raised):
        shades[part] -= _usual(shades[part])
    for stack, seen in zip(shades, clear, strict=True):
        stack -= _usual(stack[seen])
    beside = np.where(clear[..., len(_ACROSS) :], shades[..., len(_ACROSS) :], SHADOWS.lightest).min(
        axis=-1, keepdims=True
    )
    shades, clear = shades[..., : len(_ACROSS)], clear[..., : len(_ACROSS)]
    clear &= (shades > SHADOWS.dark * SHADOWS.finest) | (shades < beside - SHADOWS.darker * SHADOWS.finest)
    index = np.where(
        clear,
        np.clip(shades, -SHADOWS.darkest, SHADOWS.lightest) + SHADOWS.darkest,
        SHADOWS.darkest + SHADOWS.lightest + 1,
    )
    odds = _ODDS.take(index, axis=1) @ np.ones(len(_ACROSS), np.float32)
    sums = np.zeros((len(_DEPTHS), *odds.shape[1:3], len(_ALONG) + 1), np.float32)
    np.cumsum(odds, axis=3, out=sums[..., 1:])
    return np.ascontiguousarray(np.moveaxis(sums, 0, 3))


def _shaded(pixels: npt.NDArray[np.intp], view: FlatView, board: PrintedShades) -> npt.NDArray[np.int16]:
    """Log brightness of pixels of the flat picture against the print, in steps from the darkest."""
    seen, printed = _grey(view.codes).ravel(), board.codes.ravel()
    gloss = np.median(BRIGHTNESS[seen.take(board.black)] - BRIGHTNESS[printed.take(board.black)])
    lit = np.log(BRIGHTNESS) * SHADOWS.finest + SHADOWS.darkest
    full = np.log(BRIGHTNESS + np.clip(gloss, 0.0, 0.2)) * SHADOWS.finest
    steps = lit.take(seen.take(pixels)) - full.take(printed.take(pixels))
    return np.asarray(np.clip(np.rint(steps), 0, UNSEEN), dtype=np.int16)


def _usual(shades: npt.NDArray[np.int16]) -> int:
    """The shade of ground in full light."""
    return (
        int(np.partition(shades, int(SHADOWS.lit * len(shades)))[int(SHADOWS.lit * len(shades))]) if len(shades) else 0
    )


def _said(lamps: Floats, sums: Map, feet: Floats, body: Body, level: float) -> Map:
    """(lamps, stacks, heights, depths): log-odds of the shadow that each lamp gives each stack, against none."""
    away = feet - lamps[:, None, :2]
    azimuth = (
        np.rint(np.arctan2(away[..., 1], away[..., 0]) / (2 * np.pi) * SHADOWS.azimuths).astype(np.intp)
        % SHADOWS.azimuths
    )
    low = _ground(level)
    ends = np.maximum(
        _reach(lamps, away, level + body.tall, body.stone.diameter / 2, low),
        _reach(lamps, away, level + body.tall + body.marker.height, body.marker.diameter / 2, low),
    )
    place = np.clip((ends - _ALONG[0]) / SHADOWS.step + 0.5, 0.0, len(_ALONG))
    whole = np.minimum(place.astype(np.intp), len(_ALONG) - 1)
    ways = (np.arange(len(feet)) * SHADOWS.azimuths + azimuth)[..., None] * (len(_ALONG) + 1) + whole
    flat = sums.reshape(-1, len(_DEPTHS))
    low, high = flat.take(ways, axis=0), flat.take(ways + 1, axis=0)
    return np.asarray(low + (place - whole).astype(np.float32)[..., None] * (high - low))


def _ground(level: float) -> float:
    """Millimetres: the height of the ground, between that of the tiles and that of the base."""
    return level / 2


def _reach(lamps: Floats, away: Floats, top: Floats, radius: float, low: float) -> Floats:
    """(lamps, stacks, heights): how far from a stack's middle the shadow of a disc at height `top` ends on the ground,
    which is so `low`.

    Its end is round: on the average over the looks across it is a little nearer.
    """
    by = (top - low) / (lamps[:, 2:] - top)
    far = np.linalg.norm(away, axis=-1)[:, :, None] * by[:, None]
    rounded = np.sqrt(np.maximum(((1 + by) * radius)[..., None] ** 2 - _ACROSS**2, 4.0)).mean(axis=-1)
    return np.asarray(far + rounded[:, None])


def explained(values: Floats, said: Map) -> tuple[Floats, Floats]:
    """Log-likelihoods (lamps, stacks, heights, depths) in the light of each lamp, or if what is dark about a stack is
    another thing's shadow, and (lamps, stacks, depths) how much better than with no lamp the best height is."""
    each = values[None, :, :, None] + said
    usual = values.max(axis=1)
    another = values + (each.max(axis=(0, 2, 3)) - usual - SHADOWS.captured)[:, None]
    each = np.logaddexp(each, another[..., None])
    return each, each.max(axis=2) - usual[:, None]


def _fit(values: Floats, said: Map) -> Floats:
    """(lamps, depths): how much better a lamp explains all stacks than no lamp does."""
    return np.asarray(explained(values, said)[1].sum(axis=1))


def _about(lamp: Floats, step: float) -> Floats:
    """Lamps nearer to each other, round one."""
    far = max(float(np.hypot(lamp[0], lamp[1])), 1.0)
    out = lamp[:2] / far
    side = np.array([-out[1], out[0]])
    sideways, outward, up = step * _FINE.T
    spots = lamp[:2] + sideways[:, None] * 0.1 * far * side + outward[:, None] * 0.15 * far * out
    return np.column_stack([spots, lamp[2] * (1 + 0.15 * up)])
