"""How high each marked stack is: analysis through synthesis.

Where a marker is seen, each height puts the stack's foot somewhere else. From the marker towards the camera the picture
must show stones as far as the foot and the printed board beyond, the foot must be near a site, higher markers look a
little larger, and higher stacks throw longer shadows. What cannot be told comes out flat.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from engine.board import Piece
from vision.flatten.flat_view import FlatView, circle
from vision.frame import Floats, Image, Mask, Numbers
from vision.readers.blobs import Blob
from vision.readers.stacks.cast_shadows import Body, PrintedShades, with_shadows
from vision.readers.stacks.foreign_objects import find_foreign_objects
from vision.readers.stacks.joint_likelihood import ApparentSizes, over_leans, possible_leans, with_size, with_slip
from vision.readers.stacks.marker_claims import MarkerClaims, trusted
from vision.readers.stacks.marker_rims import Radii, find_rims
from vision.readers.stacks.settings import RULER, TABLE
from vision.readers.stacks.stone_or_print import stone_or_print
from vision.recent import Recent

_ROUND = np.deg2rad(RULER.round)
THING = 255
"""Where what covers the board is no stack (see `StackRuler.fronts`)."""

CIRCLE = circle(16)


@dataclass(frozen=True, eq=False)
class Strips:
    """What is seen from each marker towards the camera, in several rounds and many steps."""

    blobs: Sequence[Blob]
    feet: Floats
    """Of every blob and height: where its stack's foot would be, millimetres."""
    ends: Floats
    """Of every blob, height and round: millimetres along the strip to the foot."""
    step: Floats
    area: Floats
    """Of every blob and round: pixels in one step."""
    says: Floats
    """Of every blob, round and step: log-odds of stone against print."""
    rows: Floats
    columns: Floats


class StackRuler:
    """Measures the stacks under markers."""

    def __init__(self, stone: Piece, marker: Piece, smaller: Floats) -> None:
        """`smaller`: how much smaller (log) each colour of marker looks by its rim."""
        self.stone, self.marker, self.smaller = stone, marker, smaller
        self.tall = np.arange(1.0, RULER.tallest + 1) * float(stone.height)
        self.deepest = RULER.tallest + RULER.below_foot
        self.body = Body(self.tall, stone, marker)
        self._prints: Recent[PrintedShades] = Recent(16)

    def measure(
        self,
        blobs: Sequence[Blob],
        labels: Image,
        view: FlatView,
        rough: bool,
        note: Callable[[str, MarkerClaims], None] | None = None,
    ) -> MarkerClaims:
        """What the markers in the picture, whose colours have these labels, say of the sites; a rough look leaves out
        rims and shadows. `note` takes down what is claimed after each witness."""
        strips = self._strips(blobs, view)
        first = self._claims(strips, view)
        fronts, own = self.fronts(first, view), first.sites[_best(first)] + 1
        note = note or (lambda *_: None)
        claims = self._claims(strips, view, (fronts, own))
        note("stack's side", claims)
        if not rough and not _is_clear(claims):
            things = find_foreign_objects(view, fronts)
            fronts[things] = THING
            moved, rims = self.measure_rims(blobs, labels, view)
            claims = self._claims(self._strips(moved, view), view, (fronts, own), rims)
            note("marker's rim", claims)
            if not _is_clear(claims):
                claims = self.weigh_shadows(claims, view, things)
                note("shadows", claims)
        return trusted(claims)

    def fronts(self, claims: MarkerClaims, view: FlatView) -> Image:
        """For every pixel the nearest stack that covers the board there: its site's number and 1, or 0."""
        fronts = np.zeros(view.codes.shape[:2], np.uint8)
        if not len(claims.blobs):
            return fronts
        shares = claims.shares
        best = shares.argmax(axis=1)
        order = np.argsort(-np.linalg.norm(np.array([blob.at for blob in claims.blobs]) - view.eye[:2], axis=1))
        for piece in order:
            height = int(best[piece])
            site = int(claims.sites[piece, height])
            if shares[piece].sum() < 0.5 or site < 0:
                continue
            self.cover(fronts, site, claims.feet[piece, height], self.tall[height], view)
        return fronts

    def cover(self, fronts: Image, site: int, foot: Floats, tall: float, view: FlatView, marked: bool = True) -> None:
        """Mark what a stack of a site covers, its stones so tall, where its foot is; millimetres."""
        level = view.plane.level
        ring = foot + (self.stone.diameter / 2 + RULER.room) * CIRCLE
        outline = [view.appear(ring, level), view.appear(ring, level + tall)]
        if marked:
            rim = foot + (self.marker.diameter / 2 + RULER.room) * CIRCLE
            outline.append(view.appear(rim, level + tall + self.marker.height))
        hull = cv2.convexHull(view.plane.to_flat(np.vstack(outline)).astype(np.float32))
        cv2.fillConvexPoly(fronts, np.rint(hull).astype(np.int32), site + 1)

    def weigh_shadows(self, claims: MarkerClaims, view: FlatView, things: Mask) -> MarkerClaims:
        standing, best = _standing(claims), _best(claims)
        fronts = self.fronts(claims, view)
        fronts[things] = THING
        before = np.where(claims.sites >= 0, claims.values, -np.inf)[standing].clip(TABLE.stray - 20)
        shadowed = with_shadows(
            before,
            claims.feet[best][standing],
            self.body,
            view,
            fronts,
            self._prints.get((view.plane, view.turns), lambda: PrintedShades.of(view.plane, view.turns)),
        )
        # From there, nothing is seen of the shadow that it would throw on another site.
        here = claims.sites[standing] == claims.sites[best][standing, None]
        covered = np.array([blob.larger is None for blob in claims.blobs])[standing]
        heard = np.where(covered, RULER.beside_hand, 1.0)[:, None] * (shadowed - before)
        told = claims.values.copy()
        told[standing] += np.where(here, heard, 0.0)
        return replace(claims, values=told)

    def _claims(
        self,
        strips: Strips,
        view: FlatView,
        fronts: tuple[Image, Floats] | None = None,
        rims: ApparentSizes | None = None,
    ) -> MarkerClaims:
        """What every marker says of the sites. `fronts`: which stack covers each pixel (see `fronts`), and the number
        of each marker's own; `rims`: see `measure_rims`."""
        away = np.linalg.norm(strips.feet[:, :, None] - view.sites, axis=-1)
        nearest = away.argmin(axis=2)
        offsets = away.min(axis=2)
        says = strips.says
        if fronts is not None:
            covering, own = fronts
            there = covering[strips.rows, strips.columns]
            says = says * ((there == 0) | (there == own[:, None, None]))
        # What speaks for stones above the foot speaks against the height below it: half for, half against.
        until = _until(says, strips.ends, strips.step) - says.sum(axis=2)[:, None] / 2
        stone = strips.area.sum(axis=1) * RULER.steps / self.deepest
        weight = np.minimum(RULER.witness, RULER.witnesses / np.maximum(stone, 1e-9))
        sides = (until * strips.area[:, None]).sum(axis=2) * weight[:, None] + np.array(RULER.rare)
        seen = np.array([blob.at for blob in strips.blobs]).reshape(-1, 1, 2)
        # Below a marker that lies beside the board the table is seen, which may look like anything, and then print.
        printed = says * view.plane.known[strips.rows, strips.columns]
        beside = ~view.plane.known[view.pixels(seen[:, 0])]
        lying = ((says.sum(axis=2) / 2 - printed.sum(axis=2)) * strips.area).sum(axis=1) * weight
        sides = np.column_stack([sides, np.where(beside, lying, 0.0)])
        leans = possible_leans(view.doubt)
        factors = 1 + leans * view.doubt
        feet = seen + (strips.feet - seen) * factors[:, None, None, None]
        blurred = np.array(
            [0.0 if blob.larger is not None else RULER.covered_off * (1 - blob.seen) for blob in strips.blobs]
        )
        slipped = with_slip(sides, np.linalg.norm(feet - view.sites[nearest], axis=-1), blurred, leans)
        foot = np.append(view.plane.level + self.tall, 0.0)
        near = factors[:, None] * np.log(view.magnify(foot + self.marker.height / 2))
        sized = slipped if rims is None else with_size(slipped, rims, near)
        values = over_leans(sized, slipped)
        sites = np.where(offsets < RULER.farthest, nearest, -1)
        return MarkerClaims(strips.blobs, sites, strips.feet, values[:, :-1], values[:, -1], view.lean(seen[:, 0]))

    def _strips(self, blobs: Sequence[Blob], view: FlatView) -> Strips:
        """What is seen from each marker towards the camera."""
        level, radius = view.plane.level, self.stone.diameter / 2
        seen = np.array([blob.at for blob in blobs]).reshape(-1, 2)
        feet = view.stand(seen[:, None], level + self.tall + RULER.middle * self.marker.height)
        towards = view.towards(seen)
        angles = np.arctan2(towards[:, 1], towards[:, 0])[:, None] + _ROUND
        rim = np.stack([np.cos(angles), np.sin(angles)], axis=-1) * radius
        # The top edge of the stack, as if it were two stones high: of all heights it looks nearly the same.
        start = view.appear(feet[:, 1][:, None] + rim, level + self.tall[1])
        way = view.towards(start)
        ends = ((feet[:, :, None] + rim[:, None] - start[:, None]) * way[:, None]).sum(axis=-1)
        step = ends[:, 0] * self.deepest / RULER.steps
        places = start[:, :, None] + ((np.arange(RULER.steps) + 0.5) * step[..., None])[..., None] * way[:, :, None]
        across = np.stack([-towards[:, 1], towards[:, 0]], axis=-1)[:, None, None]
        middle = view.appear(feet[:, 1], level + self.tall[1])[:, None, None]
        aside = ((places - middle) * across).sum(axis=-1)[..., None]
        every = np.stack([places, *(places + (side * (radius + RULER.flank) - aside) * across for side in (-1.0, 1.0))])
        first = slice(0, int(0.8 * RULER.steps / self.deepest))
        looks, ground = view.looks(every), view.ground(every)
        odds = np.zeros(places.shape[:-1])
        if len(seen):
            odds = stone_or_print(looks[0], ground[0], looks[1:], ground[1:], first)
        rows, columns = view.pixels(places)
        area = step * radius * np.abs(np.gradient(np.sin(_ROUND))) * view.plane.px_per_mm**2
        odds = RULER.loudest * np.tanh(odds / RULER.loudest)
        return Strips(blobs, feet, ends, step, area, odds, rows, columns)

    def measure_rims(self, blobs: Sequence[Blob], labels: Image, view: FlatView) -> tuple[list[Blob], ApparentSizes]:
        """The markers where their rims are, and how large they look by them: all colours alike."""
        moved, larger, noise = list(blobs), np.full(len(blobs), np.nan), np.ones(len(blobs))
        clear = [number for number, blob in enumerate(blobs) if blob.larger is not None or blob.seen > RULER.part]
        if clear:
            seen = np.array([blobs[number].at for number in clear])
            height = view.plane.level + self.tall[1]
            low, by, top = (float(view.magnify(height + share * self.marker.height)) for share in (0.0, 0.5, 1.0))
            wide, stone = self.marker.diameter / 2, self.stone.diameter / 2
            drawn_out = view.leaning(seen) * self.marker.height * by
            own = np.array([blobs[number].label for number in clear])
            rims = find_rims(seen, own, labels, Radii(top * wide, low * wide, low * stone), drawn_out, view)
            larger[clear] = rims.larger + np.log(by)
            noise[clear] = np.hypot(rims.noise, RULER.slanted_noise * view.lean(seen) ** 2)
            larger += self.smaller[[blob.label - 1 for blob in blobs]]
            middles = seen + rims.slipped + (RULER.middle - 0.5) * drawn_out
            for number, at in zip(clear, middles.tolist(), strict=True):
                moved[number] = replace(blobs[number], at=tuple(at))
        return moved, ApparentSizes(larger, noise)


def _best(claims: MarkerClaims) -> tuple[Numbers, Numbers]:
    """Of every blob its number and its likeliest height's."""
    return np.arange(len(claims.blobs)), claims.shares.reshape(-1, RULER.tallest).argmax(axis=1)


def _standing(claims: MarkerClaims) -> Mask:
    """Which blobs are more likely on a site than on none."""
    return np.asarray((claims.sites[_best(claims)] >= 0) & (claims.shares.sum(axis=1) > 0.5))


def _is_clear(claims: MarkerClaims) -> bool:
    """Whether it is clear how high all stacks are."""
    return bool((claims.shares[_best(claims)] > RULER.clear)[_standing(claims)].all())


def _until(values: Floats, depth: Floats, step: Floats) -> Floats:
    """Sums of values (blobs, rounds, steps) down to depths (blobs, heights, rounds)."""
    total = np.concatenate([np.zeros((*values.shape[:2], 1)), np.cumsum(values, axis=2)], axis=2)
    place = np.clip(depth / step[:, None], 0, values.shape[2])
    whole = np.minimum(place.astype(np.intp), values.shape[2] - 1)
    rows = np.arange(len(values))[:, None, None]
    rounds = np.arange(values.shape[1])[None, None]
    low, high = total[rows, rounds, whole], total[rows, rounds, whole + 1]
    return np.asarray(low + (place - whole) * (high - low))
