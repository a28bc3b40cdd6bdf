"""The renderer: turns a scene into a picture and the truth about what can be seen in it.

Whatever stands still is kept from frame to frame as one layer; when things move, only the windows that they and their
shadows leave or enter are painted again. Arms are never part of that layer: they are drawn over it in every frame.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from hardware.printing.raster import Painter, rasterise
from hardware.virtual.camera import Camera
from hardware.virtual.errors import SceneError
from hardware.virtual.painting.colour import Bgr
from hardware.virtual.painting.column import Cylinder, Sprite, column, mug, put, render_column, window_of
from hardware.virtual.painting.glow import add_glow
from hardware.virtual.painting.hand import bones, casters, cloth_bones
from hardware.virtual.painting.layer import Layer, Window, hull, inside, meet
from hardware.virtual.painting.limb import combined, doubled, render_limbs
from hardware.virtual.painting.sensor import Exposure, expose
from hardware.virtual.painting.shadow import (
    Box,
    Casters,
    ShadowMap,
    arm_shadow,
    lamp_shadow,
    room_shadow,
    thrown_box,
    upright,
)
from hardware.virtual.painting.surface import SheetTextures, lay, paint_surface, seen_in
from hardware.virtual.scene import TABLE_Z, Arm, Cup, Scene, Stack, Thing
from hardware.virtual.truth import SiteTruth, TruthTeller

T = TypeVar("T")

_KEPT_SPRITES = 256


@dataclass(frozen=True, eq=False)
class Rendered:
    """A picture with the truth about it."""

    bgr: Exposure
    camera: Camera
    sites: dict[str, SiteTruth]
    covered: NDArray[np.float32]
    """How much of each pixel an arm or another foreign thing takes up."""

    @property
    def hidden(self) -> list[str]:
        """Sites more than half covered by an arm, a cup or the like."""
        return [name for name, site in self.sites.items() if site.covered > 0.5]


class Renderer:
    """Renders scenes of one board, keeping what has not changed since the last one."""

    def __init__(self, board: Board, painter: Painter = rasterise, fine: bool = False) -> None:
        """With `fine`, arms are drawn pixel by pixel instead of two by two: for single pictures."""
        self.board = board
        self._fine = fine
        self._pictures = SheetTextures(painter)
        self._flat: Layer | None = None
        self._still: Layer | None = None
        self._lit: Bgr | None = None
        self._shown: Scene | None = None
        self._camera: Camera | None = None
        self._sprites: dict[object, Sprite | None] = {}
        self._witness = TruthTeller()

    def render(self, scene: Scene) -> Rendered:
        """The picture of a scene."""
        if scene.board.game != self.board.game:
            raise SceneError(f"this renderer is for the board of {self.board.game}, not {scene.board.game}")
        camera = self._camera_of(scene)
        camera.check_sees(self.board)
        self._repaint(scene, camera)
        assert self._still is not None
        assert self._lit is not None
        light_seen = self._lit.copy()
        covered = self._still.foreign.astype(np.float32)
        for arm in scene.arms:
            _put_arm(arm, scene, camera, self._still, light_seen, covered, self._fine)
        picture = expose(light_seen, scene.light, scene.sensor, scene.seed, scene.frame)
        sites = self._witness.sites(scene, camera, self._still.depth, covered)
        return Rendered(picture, camera, sites, covered)

    def _camera_of(self, scene: Scene) -> Camera:
        # As long as a camera does not move, it caches a ray for each pixel.
        if self._camera is None or self._camera.key != (scene.pose, scene.board_at):
            self._camera = scene.camera
        return self._camera

    def _repaint(self, scene: Scene, camera: Camera) -> None:
        """Bring the kept layers up to date: `_flat` has what lies flat, `_still` everything but arms."""
        whole: Window = (0, 0, *camera.size)
        before, self._shown = self._shown, scene
        if before is None or self._flat is None or self._still is None or _another_look(before, scene):
            self._sprites.clear()
            self._flat = paint_surface(scene, camera, self._pictures, whole)
            self._still = self._paint(scene, camera, whole, self._flat)
            self._lit = self._still.direct + self._still.ambient
            return
        sheets = hull([seen_in(laid, camera) for laid in _differ(lay(before), lay(scene))])
        if sheets is not None:
            self._flat.paste(paint_surface(scene, camera, self._pictures, sheets))
        changed = hull([*_changed(before, scene, camera), *([sheets] if sheets else [])])
        if changed is not None and self._lit is not None:
            painted = self._paint(scene, camera, changed, self._flat)
            self._still.paste(painted)
            rows, columns = inside(whole, changed)
            self._lit[:, rows, columns] = painted.direct + painted.ambient

    def _paint(self, scene: Scene, camera: Camera, window: Window, flat: Layer) -> Layer:
        """Everything but arms within a window."""
        layer = flat.part(window).copy()
        things = standing(scene)
        limbs = [cloth_bones(thing) for thing in scene.things if not isinstance(thing, Cup)]
        shades = [_casters_of(cylinders) for _, cylinders in things] + [casters(roll) for roll in limbs]
        _darken(layer, shades, scene)
        if scene.lit:
            add_glow(layer, scene, camera)
        everyone = [one for _, cylinders in things for one in cylinders]
        sprites: list[tuple[float, Sprite, bool]] = []
        for thing, cylinders in things:
            if meet(window, window_of(cylinders, camera)) is None:
                continue
            near = _neighbours(cylinders, everyone)
            sprite = self._sprite(cylinders, near, scene, camera)
            if sprite is not None:
                away = float(np.hypot(*(np.array(thing.at) - camera.position[:2])))
                sprites.append((away, sprite, isinstance(thing, Cup)))
        for roll in limbs:
            cloth = render_limbs(roll, scene.light, camera)
            if cloth is not None:
                sprites.append((float(np.linalg.norm(roll[0].one - camera.position)), cloth, True))
        for _, sprite, foreign in sorted(sprites, key=lambda entry: -entry[0]):
            put(sprite, layer, foreign)
        return layer

    def _sprite(
        self, cylinders: tuple[Cylinder, ...], near: tuple[Cylinder, ...], scene: Scene, camera: Camera
    ) -> Sprite | None:
        key = (cylinders, near)
        if key not in self._sprites:
            if len(self._sprites) >= _KEPT_SPRITES:
                self._sprites.clear()
            self._sprites[key] = render_column(cylinders, near, scene.light, camera)
        return self._sprites[key]


def standing(scene: Scene) -> list[tuple[Stack | Cup, tuple[Cylinder, ...]]]:
    """Everything made of cylinders."""
    stacks: list[tuple[Stack | Cup, tuple[Cylinder, ...]]] = [
        (stack, column(scene.board, stack)) for stack in scene.stacks
    ]
    return stacks + [(thing, mug(thing)) for thing in scene.things if isinstance(thing, Cup)]


def _neighbours(cylinders: tuple[Cylinder, ...], everyone: Iterable[Cylinder]) -> tuple[Cylinder, ...]:
    """Those that may throw a shadow on a column."""
    first = cylinders[0]
    return tuple(
        one
        for one in everyone
        if one not in cylinders and np.hypot(one.x - first.x, one.y - first.y) < 30 + 2.5 * (one.top - first.foot)
    )


def _casters_of(cylinders: Iterable[Cylinder]) -> Casters:
    return upright([one.outline for one in cylinders])


def _darken(layer: Layer, shades: list[Casters], scene: Scene) -> None:
    """Cast the shadows of everything that stands onto what lies flat."""
    if not shades:
        return
    x, y = layer.places
    within = (float(x.min()), float(y.min()), float(x.max()), float(y.max()))
    everything = np.concatenate(shades)
    lamp, room = lamp_shadow(everything, scene.light, within=within), room_shadow(everything, within)
    if lamp is not None:
        layer.direct *= lamp.at(layer.places)
    if room is not None:
        layer.ambient *= room.at(layer.places)


def _another_look(before: Scene, now: Scene) -> bool:
    """Whether two scenes differ in more than what stands, lies and moves on the table."""
    one, other = (
        (scene.board.game, scene.pose, scene.board_at, scene.table, scene.light, scene.lit, scene.glow, scene.seed)
        for scene in (before, now)
    )
    return one != other


def _changed(before: Scene, now: Scene, camera: Camera) -> Iterable[Window]:
    """The windows in which something visibly changes, shadows included."""
    for stacks in _differ(before.stacks, now.stacks):
        yield _reach(_casters_of(column(now.board, stacks)), now, camera)
    for thing in _differ(before.things, now.things):
        yield _reach(_thing_casters(thing), now, camera)


def _differ(one: Iterable[T], other: Iterable[T]) -> list[T]:
    first, second = list(one), list(other)
    return [thing for thing in first if thing not in second] + [thing for thing in second if thing not in first]


def _thing_casters(thing: Thing) -> Casters:
    return _casters_of(mug(thing)) if isinstance(thing, Cup) else casters(cloth_bones(thing))


def _reach(shades: Casters, scene: Scene, camera: Camera) -> Window:
    """Where casters and their shadows are seen."""
    west, north, east, south = thrown_box(shades, scene.light)
    flat = [(x, y, z) for x in (west, east) for y in (north, south) for z in (TABLE_Z, 6.0)]
    solid = [
        (row[k] + dx * row[k + 3], row[k + 1] + dy * row[k + 3], row[k + 2] + row[k + 3] * 0.5)
        for row in shades
        for k in (0, 4)
        for dx in (-1, 1)
        for dy in (-1, 1)
    ]
    return camera.box(flat + solid, 4.0)


def _put_arm(
    arm: Arm,
    scene: Scene,
    camera: Camera,
    still: Layer,
    light_seen: Bgr,
    covered: NDArray[np.float32],
    fine: bool,
) -> None:
    """The arm's shadow on everything, then the arm itself over what is farther away."""
    limbs = bones(arm)
    shades = casters([bone for bone in limbs if bone.one_radius > 5])
    within = _table_seen(camera)
    lamp, room = arm_shadow(shades, scene.light, within), room_shadow(shades, within)
    _shade_with([shadow.cropped() if shadow else None for shadow in (lamp, room)], still, camera, light_seen)
    sprite = render_limbs(limbs, scene.light, camera if fine else camera.halved)
    if sprite is None:
        return
    overlay = combined(sprite) if fine else doubled(sprite, camera.size)
    rows, columns = inside(still.window, overlay.window)
    part, share = light_seen[:, rows, columns], overlay.share
    behind = overlay.depth >= still.depth[rows, columns]
    if np.any(behind & (share > 0)):
        before = (~behind).astype(np.float32)
        share = share * before
        overlay.light[...] *= before
    kept = 1 - share
    for under, over in zip(part, overlay.light, strict=True):
        under *= kept
        under += over
    np.maximum(covered[rows, columns], share, out=covered[rows, columns])


def _table_seen(camera: Camera) -> Box:
    """The part of the table that is in the picture, with a margin for what stands there."""
    corners = camera.slopes[:, [0, 0, -1, -1], [0, -1, 0, -1]] * np.float32(camera.position[2])
    x, y = corners + camera.position[:2, None]
    rim = 80.0
    return (float(x.min()) - rim, float(y.min()) - rim, float(x.max()) + rim, float(y.max()) + rim)


def _shade_with(shadows: list[ShadowMap | None], still: Layer, camera: Camera, light_seen: Bgr) -> None:
    lamp, room = shadows
    corners = [
        (x, y, z)
        for shadow in (lamp, room)
        if shadow is not None
        for x in shadow.box()[::2]
        for y in shadow.box()[1::2]
        for z in (TABLE_Z, 60.0)
    ]
    if not corners:
        return
    window = meet(still.window, camera.box(corners, 2.0))
    if window is None:
        return
    rows, columns = inside(still.window, window)
    places = still.places[:, rows, columns]
    ones = np.ones(places.shape[1:], np.float32)
    lamp_seen = lamp.at(places) if lamp is not None else ones
    room_seen = room.at(places) if room is not None else ones
    for k in range(3):
        dimmed = np.asarray(cv2.multiply(still.direct[k, rows, columns], lamp_seen), np.float32)
        cv2.accumulateProduct(still.ambient[k, rows, columns], room_seen, dimmed)
        light_seen[k, rows, columns] = dimmed
