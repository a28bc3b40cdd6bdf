"""What lies flat: the table and the board's sheets, seen in exact perspective and lit."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from math import cos, radians, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Sheet
from hardware.printing.raster import Painter
from hardware.virtual.camera import Camera
from hardware.virtual.painting.colour import Bgr, black_body, paint, planes
from hardware.virtual.painting.ground import PATTERNS, SIZE, coloured, pattern
from hardware.virtual.painting.layer import Layer, Window, inside, meet
from hardware.virtual.painting.shadow import cast
from hardware.virtual.painting.texture import SHELF, Texture
from hardware.virtual.scene import TABLE_Z, Light, Lying, Scene

FINER = 2
"""Samples per pixel in each direction when a sheet is looked at."""
WALL_STEP = 0.75
"""A sheet's edge is drawn as slices this far apart, mm."""
_WALL = paint("#a39a88")
_ROW = 1024
"""Pixels here and there are looked up in rows of so many: OpenCV wants pictures, and none with a side of 32,768."""


@dataclass(frozen=True)
class Laid:
    """A sheet as it lies on the table now."""

    sheet: Sheet
    x: float
    y: float
    angle: float
    z: float
    foot: float

    def corners(self, z: float | None = None) -> NDArray[np.float64]:
        x, y = self.sheet.size[0] / 2, self.sheet.size[1] / 2
        flat = np.array([(-x, -y), (x, -y), (x, y), (-x, y)]) @ self._turn().T + (self.x, self.y)
        return np.column_stack([flat, np.full(4, self.z if z is None else z)])

    def affine(self, pixels: tuple[float, float]) -> NDArray[np.float64]:
        """2 by 3: from places on the table to the pixels of this sheet's picture (width, height)."""
        scale = np.array(pixels) / self.sheet.size
        turn = scale[:, None] * self._turn().T
        shift = scale * np.array(self.sheet.size) / 2 - 0.5 - turn @ (self.x, self.y)
        return np.column_stack([turn, shift])

    def _turn(self) -> NDArray[np.float64]:
        c, s = cos(radians(self.angle)), sin(radians(self.angle))
        return np.array([[c, -s], [s, c]])


def lay(scene: Scene) -> list[Laid]:
    """Every sheet that is on the table, lowest first. A card lies where a face says so, or not at all."""
    board = scene.board
    laid = []
    for sheet in board.sheets:
        if sheet.name not in board.cards:
            lying = scene.sheets.get(sheet.name, Lying())
            x, y = sheet.to_table((0.0, 0.0), lying.turn)
            foot = TABLE_Z if sheet.z <= 0 else 0.0
            laid.append(Laid(sheet, x, y, sheet.angle_at(lying.turn), sheet.z + lying.lift, foot + lying.lift))
    for name, face in scene.cards.items():
        site, sheet = board.sites[name], board.by_name[face.sheet]
        laid.append(Laid(sheet, *site.at, site.angle + face.angle, max(site.z, sheet.z), 0.0))
    for card in scene.loose:
        sheet = board.by_name[card.sheet]
        laid.append(Laid(sheet, *card.at, card.angle, card.foot + sheet.z, card.foot))
    return sorted(laid, key=lambda one: one.z)


class SheetTextures:
    """The textures of a board's sheets, at full and at half size."""

    def __init__(self, painter: Painter) -> None:
        self._painter = painter
        self._levels: dict[str, list[Texture]] = {}
        self._outlines: dict[tuple[str, float], NDArray[np.float32]] = {}

    def level(self, sheet: Sheet, coarse: bool) -> Texture:
        if sheet.name not in self._levels:
            self._levels[sheet.name] = SHELF.levels(self._painter, sheet)
        return self._levels[sheet.name][coarse]

    def outline(self, sheet: Sheet, blur: float) -> NDArray[np.float32]:
        """What is kept of the sheet (1) and what is cut away (0), blurred by this many mm."""
        key = (sheet.name, round(blur, 1))
        if key not in self._outlines:
            alpha = np.ascontiguousarray(self.level(sheet, coarse=True)[..., 3])
            if blur:
                alpha = np.asarray(cv2.GaussianBlur(alpha, (0, 0), blur * alpha.shape[1] / sheet.size[0]), np.float32)
            self._outlines[key] = alpha
        return self._outlines[key]


def on_plane(
    camera: Camera, window: Window, z: float | NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Where the rays of a window meet the height z: x and y."""
    rows, columns = inside((0, 0, *camera.size), window)
    slopes = camera.slopes[:, rows, columns]
    x, y, up = map(np.float32, camera.position)
    fall = up - z
    return x + slopes[0] * fall, y + slopes[1] * fall


def paint_surface(scene: Scene, camera: Camera, pictures: SheetTextures, window: Window) -> Layer:
    """The table and all sheets within a window, with the shadows that sheets throw on each other."""
    left, top, right, bottom = window
    shape = (bottom - top, right - left)
    albedo = _table(scene, *on_plane(camera, window, TABLE_Z))
    height = np.full(shape, TABLE_Z, np.float32)
    lamp_seen, room_seen = np.ones(shape, np.float32), np.ones(shape, np.float32)
    for laid in lay(scene):
        part = meet(window, seen_in(laid, camera))
        if part is None:
            continue
        rows, columns = inside(window, part)
        look = _Look(laid, camera, scene.light, part)
        *colours, share = look.face(pictures)
        # Elsewhere the face hides its edge and its shadow.
        rim, look = look.beside(share)
        for seen, shade in zip((lamp_seen, room_seen), _shades(look, pictures), strict=True):
            seen[rows, columns][rim] *= shade.ravel()[: len(rim[0])]
        _draw_edge(look, pictures, albedo[:, rows, columns], rim)
        for plane, colour in zip(albedo[:, rows, columns], colours, strict=True):
            plane *= 1 - share
            plane += colour
        np.copyto(height[rows, columns], np.float32(laid.z), where=share > 0.5)
        for seen in (lamp_seen[rows, columns], room_seen[rows, columns]):
            seen += (1 - seen) * share
    x, y = on_plane(camera, window, height)
    lamp, room = light_on(scene.light)
    direct = albedo * (lit_flat(scene.light, x, y) * lamp_seen)
    direct += _sheen(scene.light, camera, x, y) * lamp_seen
    direct *= lamp
    albedo *= room_seen * room
    endless = np.full(shape, np.inf, np.float32)
    return Layer(window, direct, albedo, cast(x, y, height, scene.light), endless, np.zeros(shape, np.bool_))


def seen_in(laid: Laid, camera: Camera) -> Window:
    """The window in which a sheet, its edge and its shadow can be seen."""
    low = laid.corners(TABLE_Z)
    return camera.box(np.concatenate([laid.corners(), low]), 12.0 + 4 * (laid.z - max(TABLE_Z, laid.sheet.z - 5)))


def light_on(light: Light) -> tuple[Bgr, Bgr]:
    """The lamp's and the room's colour on a white sheet at the board's centre, ready to be multiplied with planes."""
    lamp, room = planes(black_body(light.kelvin)), planes(black_body(light.room_kelvin))
    return lamp * np.float32(1 - light.ambient), room * np.float32(light.ambient)


def lit_flat(light: Light, x: NDArray[np.float32], y: NDArray[np.float32]) -> NDArray[np.float32]:
    """How strongly the lamp lights what lies flat, 1 at the board's centre."""
    east, south, up = map(np.float32, light.lamp)
    away = (x - east) ** 2 + (y - south) ** 2 + up * up
    centre = np.float32((east * east + south * south + up * up) ** 1.5)
    return np.asarray(centre / (away * np.sqrt(away)), np.float32)


def _table(scene: Scene, x: NDArray[np.float32], y: NDArray[np.float32]) -> Bgr:
    # The pattern lies at an angle to the table's axes, and stays where it is when the board is pushed.
    east, south, angle = scene.board_at
    c, s = cos(radians(angle)), sin(radians(angle))
    board = np.array([[c, -s, east], [s, c, south], [0, 0, 1]])
    c, s = cos(radians(scene.seed * 37 % 360)), sin(radians(scene.seed * 37 % 360))
    askew = np.array([[c, -s, SIZE / 2], [s, c, SIZE / 2]]) @ board
    shade = _remap(pattern(scene.table.kind, scene.seed % PATTERNS), askew, x, y, cv2.BORDER_REFLECT)
    return coloured(scene.table, shade)


class _Look:
    """How a window of the picture looks at a sheet's own pixels."""

    def __init__(self, laid: Laid, camera: Camera, light: Light, window: Window) -> None:
        self.laid, self.camera, self.window, self.lamp = laid, camera, window, np.array(light.lamp)
        self.below = TABLE_Z if laid.sheet.z <= 0 else 0.0
        rows, columns = inside((0, 0, *camera.size), window)
        self.slopes = camera.slopes[0, rows, columns], camera.slopes[1, rows, columns]
        deep = float(np.linalg.norm(camera.position))
        self.coarse = bool(deep / camera.matrix[0, 0] / FINER > 0.45)

    def at(self, picture: NDArray[np.float32], z: float, up: float | None = None) -> NDArray[np.float32]:
        """The picture as seen by rays that end at height z; or that go on from there towards the lamp, up to `up`."""
        height, width = picture.shape[:2]
        return _remap(picture, self._affine((width, height), z, up), *self.slopes, cv2.BORDER_CONSTANT)

    def face(self, pictures: SheetTextures) -> list[NDArray[np.float32]]:
        """Blue, green and red of its face, weighted by the share that it takes up of each pixel; and that share."""
        fine = self.finer().at(pictures.level(self.laid.sheet, self.coarse), self.laid.z)
        height, width = self.slopes[0].shape
        small = cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA)
        return [np.asarray(plane, np.float32) for plane in cv2.split(small)]

    def beside(self, share: NDArray[np.float32]) -> tuple[tuple[NDArray[np.intp], ...], _Look]:
        """Where its edge and its shadow may be seen, given its face's share of each pixel; and the look at that alone,
        in rows of pixels of which the last are none."""
        width, height = size = self.laid.sheet.size
        face = self._affine(size, self.laid.z)
        sights = [(z, None) for z in (self.below, *self.walls())] + [(self.below, up) for up in self.shading()]
        corners = np.array([(x, y, 1) for x in (-2, width + 1) for y in (-2, height + 1)], np.float64).T
        ways = [np.linalg.solve(np.vstack([self._affine(size, *sight), (0, 0, 1)]), corners) for sight in sights]
        spots = face @ np.concatenate(ways, axis=1)
        (west, north), (east, south) = spots.min(axis=1), spots.max(axis=1)
        u, v = _mapped(face, *self.slopes)
        rim = np.nonzero((share < 1) & (u > west) & (u < east) & (v > north) & (v < south))
        look = copy(self)
        rows = len(rim[0]) // _ROW + 1
        found = np.zeros((2, rows * _ROW), np.float32)
        for row, slope in zip(found, self.slopes, strict=True):
            row[: len(rim[0])] = slope[rim]
        x, y = found.reshape(2, rows, _ROW)
        look.slopes = x, y
        return rim, look

    def walls(self) -> list[float]:
        """The heights of the slices as which its edge is drawn."""
        high = self.laid.z - self.laid.foot
        slices = max(1, round(high / WALL_STEP))
        return [self.laid.foot + high * k / slices for k in range(slices)]

    def shading(self) -> list[float]:
        """The heights at which it stands in the lamp's light."""
        return [self.laid.z, self.laid.foot, (self.laid.foot + self.laid.z) / 2]

    def _affine(self, pixels: tuple[float, float], z: float, up: float | None = None) -> NDArray[np.float64]:
        """2 by 3: from a ray's slopes to a picture's pixels (see `at`)."""
        x, y, eye = self.camera.position
        flat = np.array([[eye - z, 0.0, x], [0.0, eye - z, y], [0.0, 0.0, 1.0]])
        if up is not None:
            share = (up - z) / (self.lamp[2] - z)
            away = self.lamp * share
            flat = np.array([[1 - share, 0, away[0]], [0, 1 - share, away[1]], [0, 0, 1]]) @ flat
        return np.asarray(self.laid.affine(pixels) @ flat)

    def finer(self) -> _Look:
        """The same with every pixel split."""
        fine = copy(self)
        left, top, right, bottom = self.window
        width, height = self.camera.size
        # One more pixel all round, so that splitting gives the same in any window.
        west, north, east, south = max(left - 1, 0), max(top - 1, 0), min(right + 1, width), min(bottom + 1, height)
        rows = slice(FINER * (top - north), FINER * (bottom - north))
        columns = slice(FINER * (left - west), FINER * (right - west))
        split = [
            cv2.resize(slope[north:south, west:east], None, fx=FINER, fy=FINER, interpolation=cv2.INTER_LINEAR)
            for slope in self.camera.slopes
        ]
        fine.slopes = (
            np.ascontiguousarray(split[0][rows, columns], np.float32),
            np.ascontiguousarray(split[1][rows, columns], np.float32),
        )
        return fine


def _remap(
    picture: NDArray[np.float32],
    affine: NDArray[np.float64],
    x: NDArray[np.float32],
    y: NDArray[np.float32],
    border: int,
) -> NDArray[np.float32]:
    found = cv2.remap(
        picture, *_mapped(affine, x, y), cv2.INTER_LINEAR, borderMode=border, borderValue=(0.0, 0.0, 0.0, 0.0)
    )
    return np.asarray(found, np.float32)


def _mapped(
    affine: NDArray[np.float64], x: NDArray[np.float32], y: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    u, v = (cv2.addWeighted(x, float(row[0]), y, float(row[1]), float(row[2])) for row in affine)
    return np.asarray(u, np.float32), np.asarray(v, np.float32)


def _shades(look: _Look, pictures: SheetTextures) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """What a sheet leaves of the lamp's and of the room's light to what it lies on: is it in front of the lamp, seen
    from there?"""
    laid = look.laid
    outline = pictures.outline(laid.sheet, 0.0)
    hidden = np.maximum.reduce([look.at(outline, look.below, up) for up in look.shading()])
    near = look.at(pictures.outline(laid.sheet, 1.2 * (laid.z - look.below)), look.below)
    return 1 - hidden, 1 - np.float32(0.7) * near


def _draw_edge(look: _Look, pictures: SheetTextures, albedo: Bgr, rim: tuple[NDArray[np.intp], ...]) -> None:
    outline, heights = pictures.outline(look.laid.sheet, 0.0), look.walls()
    kept, tone = np.ones_like(look.slopes[0]), np.zeros_like(look.slopes[0])
    for k, height in enumerate(heights):
        share = look.at(outline, height)
        kept *= 1 - share
        tone += share * (np.float32(0.35 + 0.5 * k / len(heights)) - tone)
    kept, tone = (plane.ravel()[: len(rim[0])] for plane in (kept, tone))
    for plane, wall in zip(albedo, _WALL, strict=True):
        plane[rim] = plane[rim] * kept + tone * np.float32(wall)


def _sheen(light: Light, camera: Camera, x: NDArray[np.float32], y: NDArray[np.float32]) -> NDArray[np.float32]:
    """The lamp's faint broad reflection in paper and lacquer."""
    eye, lamp = camera.position, np.array(light.lamp)
    glance = lamp + (eye - lamp) * lamp[2] / (lamp[2] + eye[2])
    wide = np.float32((0.16 * eye[2]) ** 2)
    away = ((x - np.float32(glance[0])) ** 2 + (y - np.float32(glance[1])) ** 2) / wide
    return np.asarray(np.float32(0.05) / (1 + away) ** 2, np.float32)
