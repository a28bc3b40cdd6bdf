"""Stacks of stones under colour markers: for every site how likely each colour and height is.

Height by analysis through synthesis. A marker's blob is found once; for every height there is then one place where the
stack's foot must be. Whether the stones' sides and the ground in front of the foot look as they should there, and how
far the foot would be off its site, tells the heights apart. From straight above nothing of that shows, and the
likelihoods come out flat.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

import cv2
import numpy as np

from engine.board import Board
from engine.referee.reading import EMPTY
from vision.colours import PRINT, STONE, Palette, Sight, fits
from vision.frame import Floats
from vision.light import chroma

TALLEST = 5
"""Stones of the highest stack that is told from others."""
ENOUGH = 0.35
"""Share of a marker's face that must have its colour for a marker to be thought of."""
SLIP, SLIP_FAR, SHARE_FAR = 1.5, 5.0, 0.06
"""Millimetres: how far off its site a stack usually stands, how far sometimes, and how often that is."""
INDEPENDENT = 0.12
"""As how many independent witnesses one pixel counts: neighbours see the same noise, the same shadow."""
LOUDEST = 40.0
"""The most that all pixels of one part of a stack may say for or against it."""
STRANGE_STONE = 0.16
"""How far (in shares of blue, green and red) the light may move a stone's colour."""
NO_MARKER = -1


def _disc(rings: int) -> Floats:
    """Points spread evenly over the unit disc."""
    points = [(0.0, 0.0)]
    for ring in range(1, rings + 1):
        angles = np.arange(6 * ring) * pi / 3 / ring
        points += [(ring / rings * np.cos(angle), ring / rings * np.sin(angle)) for angle in angles]
    return np.array(points)


_FACE = _disc(2) * 0.82
_ROUND = np.deg2rad([-55.0, -28.0, 0.0, 28.0, 55.0])
_DEPTHS = (np.arange(4 * (TALLEST + 1)) + 0.5) / 4
"""How far below a marker its stack is looked at, in stones; one more than there can be, to see the ground too."""
_ABOVE_FOOT, _BELOW_FOOT = 0.15, 0.3
"""About the foot, in stones, is neither clearly stone nor clearly ground: the printed ring, the contact shadow."""
_RING = np.column_stack([np.cos(np.arange(12) * pi / 6), np.sin(np.arange(12) * pi / 6)])


@dataclass(frozen=True, eq=False)
class Seen:
    """What a site's pixels say, and the outline in the picture of what most likely stands there."""

    likelihoods: dict[str, float]
    outline: Floats | None = None


@dataclass(frozen=True, eq=False)
class Supposed:
    """Stacks that may stand somewhere: each on a site, with a colour (or none), a height and the place of its foot."""

    site: Floats
    colour: Floats
    stones: Floats
    foot: Floats


class StackReader:
    """Reads all sites of a board whose figures are stones under a marker."""

    def __init__(self, board: Board) -> None:
        self.stone = board.pieces["stone"]
        self.colours = tuple(name.removeprefix("marker-") for name in board.pieces if name.startswith("marker-"))
        self.marker = board.pieces[f"marker-{self.colours[0]}"]
        self.names = tuple(board.sites)
        self.at = np.array([site.at for site in board.sites.values()])
        self.z = np.array([site.z for site in board.sites.values()])
        self.faces = (EMPTY, *(f"{colour}{n}" for colour in ("", *self.colours) for n in range(1, TALLEST + 1)))

    def read(self, sight: Sight, palette: Palette) -> dict[str, Seen]:
        """What every site's pixels say."""
        empty = self._empty(sight, palette)
        supposed = self._suppose(sight, palette, empty)
        values = self._weigh(supposed, sight, palette, None)
        best = self._best(supposed, values, empty)
        nearer = self._outlines(supposed, best, sight)
        if len(nearer) > 1:
            values = self._weigh(supposed, sight, palette, self._labels(nearer, sight))
            best = self._best(supposed, values, empty)
            nearer = self._outlines(supposed, best, sight)
        return self._told(supposed, values, empty, dict(nearer))

    def _empty(self, sight: Sight, palette: Palette) -> Floats:
        """How much each site looks as if nothing stood there."""
        face = _FACE * self.stone.diameter / 2
        points = np.empty((len(self.at), len(face), 3))
        points[..., :2] = self.at[:, None] + face
        points[..., 2] = self.z[:, None]
        flat = points.reshape(-1, 3)
        pixels, _ = sight.pixels(flat)
        seen = sight.reflectances(pixels, flat[:, :2])
        says = palette.speak(seen, sight.ground(flat), np.full(len(flat), PRINT)).reshape(len(self.at), -1)
        area = pi * (self.stone.diameter / 2 * sight.scale(self.at, self.z)) ** 2 * sight.slant(self.at, self.z)
        return np.clip(says.mean(axis=1) * area * INDEPENDENT, -LOUDEST, LOUDEST)

    def _suppose(self, sight: Sight, palette: Palette, empty: Floats) -> Supposed:
        """Stacks worth weighing: wherever a marker's colour shows, and bare ones where a site does not look empty."""
        shares = self._shares(sight, palette)
        heights = np.arange(1, TALLEST + 1)
        rows: list[tuple[int, int, int, Floats]] = []
        for site in range(len(self.at)):
            for colour in np.flatnonzero(shares[site].max(axis=0) > ENOUGH):
                middle = self._middle(site, int(shares[site, :, colour].argmax()) + 1, int(colour), sight, palette)
                if middle is None:
                    continue
                rows += [
                    (site, int(colour), int(n), sight.pose.to_plane(middle[None], self._marker_z(site, n))[0])
                    for n in heights
                ]
            if empty[site] < 2.0:
                rows += [(site, NO_MARKER, int(n), self.at[site]) for n in heights]
        if not rows:
            nothing = np.zeros(0, dtype=int)
            return Supposed(nothing, nothing, nothing, np.zeros((0, 2)))
        sites, colours, stones, feet = zip(*rows, strict=True)
        return Supposed(np.array(sites), np.array(colours), np.array(stones), np.array(feet))

    def _marker_z(self, site: int, stones: int) -> float:
        """The height of a marker's middle."""
        return float(self.z[site] + stones * self.stone.height + self.marker.height / 2)

    def _shares(self, sight: Sight, palette: Palette) -> Floats:
        """For every site, height and colour, the share of the marker's face that has the colour."""
        tops = np.arange(1, TALLEST + 1) * self.stone.height + self.marker.height
        face = _FACE * self.marker.diameter / 2
        points = np.empty((len(self.at), TALLEST, len(face), 3))
        points[..., :2] = self.at[:, None, None] + face
        points[..., 2] = (self.z[:, None] + tops)[..., None]
        flat = points.reshape(-1, 3)
        pixels, inside = sight.pixels(flat)
        density = palette.markers(sight.reflectances(pixels, flat[:, :2])) * inside[:, None]
        return (density > 0.3).reshape(len(self.at), TALLEST, len(face), -1).mean(axis=2)

    def _middle(self, site: int, height: int, colour: int, sight: Sight, palette: Palette) -> Floats | None:
        """The middle of a marker in the picture: the mean of the pixels that have its colour, found by drifting."""
        z = self._marker_z(site, height)
        centre = sight.pose.project(np.array([[*self.at[site], z]]))[0]
        radius = float(sight.scale(self.at[site], z)) * self.marker.diameter / 2
        reach = int(np.ceil(radius * 2.4))
        x, y = (round(float(value)) - reach for value in centre)
        part = sight.window(x, y, 2 * reach + 1)
        if part is None:
            return None
        rows, columns = np.mgrid[: len(part), : len(part)]
        pixels = np.column_stack([columns.ravel() + x, rows.ravel() + y])
        looks = sight.reflectances(pixels, np.broadcast_to(self.at[site], pixels.shape))
        pixels = pixels[palette.markers(looks)[:, colour] > 0.3]
        for _ in range(8):
            near = pixels[((pixels - centre) ** 2).sum(axis=1) < (1.3 * radius) ** 2]
            if len(near) < 0.25 * pi * radius**2 * float(sight.slant(self.at[site], z)):
                return None
            moved = near.mean(axis=0)
            if np.abs(moved - centre).max() < 0.02:
                break
            centre = moved
        return np.asarray(centre, dtype=float)

    def _weigh(self, supposed: Supposed, sight: Sight, palette: Palette, labels: Floats | None) -> Floats:
        """How much the pixels speak for each supposed stack. `labels`: which site's stack is in front at every pixel."""
        if not len(supposed.site):
            return np.zeros(0)
        total = _slip(supposed.foot - self.at[supposed.site])
        total += self._faces(supposed, sight, palette, labels)
        return total + self._columns(supposed, sight, palette, labels)

    def _faces(self, supposed: Supposed, sight: Sight, palette: Palette, labels: Floats | None) -> Floats:
        """What is seen on top of each supposed stack."""
        marked = supposed.colour != NO_MARKER
        top = self.z[supposed.site] + supposed.stones * self.stone.height + np.where(marked, self.marker.height, 0.0)
        radius = np.where(marked, self.marker.diameter, self.stone.diameter) / 2
        points = np.empty((len(top), len(_FACE), 3))
        points[..., :2] = supposed.foot[:, None] + _FACE * radius[:, None, None]
        points[..., 2] = top[:, None]
        flat = points.reshape(-1, 3)
        pixels, inside = sight.pixels(flat)
        wanted = np.where(marked, supposed.colour, STONE).repeat(len(_FACE))
        says = palette.speak(sight.reflectances(pixels, flat[:, :2]), sight.ground(flat), wanted)
        free = (inside & _free(pixels, supposed.site.repeat(len(_FACE)), labels)).reshape(len(top), -1)
        area = pi * (radius * sight.scale(supposed.foot, top)) ** 2 * sight.slant(supposed.foot, top)
        return np.clip(
            np.where(free, says.reshape(free.shape), 0.0).mean(axis=1) * area * INDEPENDENT, -LOUDEST, LOUDEST
        )

    def _columns(self, supposed: Supposed, sight: Sight, palette: Palette, labels: Floats | None) -> Floats:
        """What is seen below the top: down to the foot stones, beyond it ground; the same pixels for every height."""
        count = len(supposed.site)
        top = self.z[supposed.site] + supposed.stones * self.stone.height
        towards = np.arctan2(*(sight.pose.eye[:2] - supposed.foot).T[::-1])[:, None] + _ROUND
        points = np.empty((count, len(_DEPTHS), len(_ROUND), 3))
        rim = np.stack([np.cos(towards), np.sin(towards)], axis=-1) * self.stone.diameter / 2
        points[..., :2] = (supposed.foot[:, None] + rim)[:, None]
        points[..., 2] = (top[:, None] - _DEPTHS * self.stone.height)[..., None]
        flat = points.reshape(-1, 3)
        pixels, inside = sight.pixels(flat)
        shape = (count, len(_DEPTHS), len(_ROUND))
        seen = sight.reflectances(pixels, flat[:, :2]).reshape(*shape, 3)
        free = (inside & _free(pixels, supposed.site.repeat(shape[1] * shape[2]), labels)).reshape(shape)
        stone = fits(seen, self._stone_look(supposed, seen, palette)[:, None, None], 0.0, 0.4)
        ground = fits(seen, sight.ground(flat).reshape(*shape, 3), -0.5, 0.8)
        says_stone, says_ground = np.log(stone + 0.03), np.log(ground + 0.03)
        depth = _DEPTHS[:, None]
        height = supposed.stones[:, None, None]
        either = np.log((stone + ground) / 2 + 0.03)
        says = np.where(
            depth < height - _ABOVE_FOOT, says_stone, np.where(depth > height + _BELOW_FOOT, says_ground, either)
        )
        says = np.where(free, says - either, 0.0)
        scale, slant = sight.scale(supposed.foot, top), sight.slant(supposed.foot, top)
        cell = 0.8 * self.stone.diameter * scale / len(_ROUND) * np.sqrt(1 - slant**2) * self.stone.height / 4 * scale
        return np.clip(says.sum(axis=(1, 2)) * cell * INDEPENDENT, -LOUDEST, LOUDEST)

    def _stone_look(self, supposed: Supposed, seen: Floats, palette: Palette) -> Floats:
        """How the stones of each supposed stack look: as the side of its uppermost one, which every height shares."""
        look = np.median(seen[:, _DEPTHS < 1].reshape(len(seen), -1, 3), axis=1)
        strange = np.linalg.norm(chroma(look) - chroma(palette.stone), axis=1) > STRANGE_STONE
        strange |= supposed.colour == NO_MARKER
        return np.where(strange[:, None], palette.stone, look)

    def _best(self, supposed: Supposed, values: Floats, empty: Floats) -> dict[int, int]:
        """For every site where a stack is the likeliest, which one."""
        best: dict[int, int] = {}
        for number, site in enumerate(supposed.site):
            if values[number] > (values[best[site]] if site in best else empty[site]):
                best[int(site)] = number
        return best

    def _outlines(self, supposed: Supposed, best: dict[int, int], sight: Sight) -> list[tuple[int, Floats]]:
        """Outlines of these stacks in the picture, farthest from the camera first."""
        away = {site: -float(np.hypot(*(self.at[site] - sight.pose.eye[:2]))) for site in best}
        found = []
        for site in sorted(best, key=lambda each: away[each]):
            foot, stones = supposed.foot[best[site]], supposed.stones[best[site]]
            ring = foot + _RING * self.stone.diameter / 2
            tops = self.z[site] + np.array([0.0, stones * self.stone.height + self.marker.height])
            points = np.vstack([np.column_stack([ring, np.full(len(ring), z)]) for z in tops])
            hull = cv2.convexHull(sight.pose.project(points).astype(np.float32))
            found.append((site, hull.reshape(-1, 2).astype(float)))
        return found

    def _labels(self, outlines: list[tuple[int, Floats]], sight: Sight) -> Floats:
        """For every pixel the site of the nearest stack that covers it, or -1."""
        labels = np.full(sight.bgr.shape[:2], -1, dtype=np.int16)
        for site, outline in outlines:
            cv2.fillConvexPoly(labels, np.rint(outline).astype(np.int32), site)
        return labels

    def _told(self, supposed: Supposed, values: Floats, empty: Floats, outlines: dict[int, Floats]) -> dict[str, Seen]:
        told: list[dict[str, float]] = [{EMPTY: float(value)} for value in empty]
        for number, site in enumerate(supposed.site):
            colour = supposed.colour[number]
            name = "" if colour == NO_MARKER else self.colours[colour]
            told[site][f"{name}{supposed.stones[number]}"] = float(values[number])
        for likelihoods in told:
            lowest = min(min(likelihoods.values()), max(likelihoods.values()) - 10.0) - 2.0
            for face in self.faces:
                likelihoods.setdefault(face, lowest)
        return {name: Seen(told[site], outlines.get(site)) for site, name in enumerate(self.names)}


def _free(pixels: Floats, site: Floats, labels: Floats | None) -> Floats:
    """Which pixels no other site's stack is in front of."""
    if labels is None:
        return np.ones(len(pixels), dtype=bool)
    front = labels[pixels[:, 1], pixels[:, 0]]
    return (front < 0) | (front == site)


def _slip(offsets: Floats) -> Floats:
    """Log-likelihood of standing so far off the site."""
    squared = (offsets**2).sum(axis=1)
    near = (1 - SHARE_FAR) / SLIP**2 * np.exp(-squared / 2 / SLIP**2)
    return np.log(near + SHARE_FAR / SLIP_FAR**2 * np.exp(-squared / 2 / SLIP_FAR**2) + 1e-9)
