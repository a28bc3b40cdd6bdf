"""What is on and around the virtual table at one moment: plain values, in the units and axes of `board.json`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import cos, radians, sin

import numpy as np

from engine.board import Board, Colour, Point
from engine.face import Face, Faces
from hardware.virtual.camera import Camera, Pose
from hardware.virtual.errors import SceneError

SpacePoint = tuple[float, float, float]

THICKNESS = 2.0
"""Thickness of the card that the base is glued on, mm: the table lies this far below zero."""
TABLE_Z = -THICKNESS
SKINS = ("#f0c8a8", "#e6b48c", "#c98f63", "#a06a44", "#6f452c", "#4a2d1e")


@dataclass(frozen=True, slots=True)
class Stack:
    """Pieces on top of each other, anywhere, bottom first."""

    pieces: tuple[str, ...]
    at: Point
    z: float = TABLE_Z
    """Height of the lowest foot, mm."""
    lean: Point = (0.0, 0.0)
    """How far each piece is shifted against the one below it, mm."""
    site: str | None = None
    """The site it is meant to stand on, if any."""


@dataclass(frozen=True, slots=True)
class Lying:
    """How a sheet lies now, if not in its first position."""

    turn: float = 0.0
    """In positions; a fraction while it is being turned."""
    lift: float = 0.0
    """Height above its place, mm."""


@dataclass(frozen=True, slots=True)
class LooseCard:
    """A card that lies anywhere, or is carried."""

    sheet: str
    at: Point
    angle: float = 0.0
    """How far it is turned, degrees clockwise."""
    foot: float = 0.0
    """Where its underside is, mm."""


@dataclass(frozen=True, slots=True)
class Arm:
    """A forearm and a hand above the board."""

    grip: SpacePoint
    """The point between thumb and fingertips, mm."""
    comes_from: float = 180.0
    """From the grip towards the elbow, degrees clockwise from north."""
    grasp: float = 1.0
    """0: flat and spread, 1: thumb and fingers closed on something."""
    width: float = 20.0
    """What the closed hand holds, mm."""
    skin: Colour = SKINS[1]
    sleeve: Colour | None = None
    bare: float = 70.0
    """Forearm between wrist and sleeve, mm."""
    left: bool = False
    size: float = 1.0
    """Of a grown-up's hand; a child's is smaller."""


@dataclass(frozen=True, slots=True)
class Cup:
    """A mug on the table or on the board."""

    at: Point
    z: float = TABLE_Z
    radius: float = 38.0
    height: float = 92.0
    colour: Colour = "#d8d4cc"


@dataclass(frozen=True, slots=True)
class Cloth:
    """A sleeve, glove or napkin left lying: a soft roll between two places."""

    one: Point
    other: Point
    radius: float = 22.0
    z: float = 0.0
    colour: Colour = "#7a2a30"


Thing = Cup | Cloth


@dataclass(frozen=True, slots=True)
class TableTop:
    """What the board lies on: `wood`, `cloth` or `plain`; its pattern comes from the scene's seed."""

    kind: str = "wood"
    colour: Colour = "#8a6239"


@dataclass(frozen=True, slots=True)
class Light:
    """One lamp and the light of the room."""

    lamp: SpacePoint = (-260.0, -320.0, 620.0)
    radius: float = 45.0
    """Radius of the lamp's shade, mm: the larger, the softer the shadows."""
    ambient: float = 0.35
    """The room's share of the light at the board's centre."""
    kelvin: float = 4000.0
    room_kelvin: float = 5500.0
    balanced_for: float = 4400.0
    """Colour temperature that the camera's white balance takes for white, K."""
    gains: tuple[float, float, float] = (1.0, 1.0, 1.0)
    """Error of the white balance: blue, green, red."""
    exposure: float = 0.9
    """White paper at the board's centre comes out this bright, 1 being the sensor's limit."""


@dataclass(frozen=True, slots=True)
class Sensor:
    """What the lens and the sensor add to the picture."""

    noise: float = 0.006
    """Standard deviation at half light, as a share of the full range; less in the dark, as light comes in grains."""
    read_noise: float = 0.0015
    defocus: float = 0.5
    """Standard deviation of the blur, pixels."""
    motion: tuple[float, float] = (0.0, 0.0)
    """How far the picture slid during the exposure, pixels."""
    vignetting: float = 0.15
    """Loss of light in the corners."""
    jpeg: int | None = 92


PLAIN_LIGHT = Light(lamp=(-40.0, -60.0, 900.0), radius=60.0, ambient=0.6, kelvin=5500, balanced_for=5500)
CLEAN = Sensor(noise=0.0, read_noise=0.0, defocus=0.0, vignetting=0.0, jpeg=None)


@dataclass(frozen=True)
class Scene:
    """One moment at the table. Same scene, same picture: whatever is random comes from `seed`."""

    board: Board
    stacks: tuple[Stack, ...] = ()
    sheets: Mapping[str, Lying] = field(default_factory=dict)
    cards: Faces = field(default_factory=dict)
    """Faces of cards, by the site they lie on."""
    loose: tuple[LooseCard, ...] = ()
    arms: tuple[Arm, ...] = ()
    things: tuple[Thing, ...] = ()
    pose: Pose = field(default_factory=Pose)
    board_at: SpacePoint = (0.0, 0.0, 0.0)
    """Where the board has been pushed to on the table: x, y, degrees clockwise."""
    table: TableTop = TableTop()
    light: Light = Light()
    sensor: Sensor = Sensor()
    lit: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    """Lights under the board that are on, by their sites: red, green and blue from 0 to 1."""
    glow: float = 1.0
    """How bright such a light makes bare paper, white paper under the lamp being 1."""
    seed: int = 0
    frame: int = 0
    """Which frame of a sequence: the noise of each is its own."""

    def __post_init__(self) -> None:
        for stack in self.stacks:
            _check_stack(self.board, stack)
        for name, lying in self.sheets.items():
            if name not in self.board.by_name:
                raise SceneError(f"the board of {self.board.game} has no sheet '{name}'")
            if lying.lift < 0:
                raise SceneError(f"the sheet {name} cannot lie {-lying.lift:g} mm under its place")
        for site, face in self.cards.items():
            _check_site(self.board, site)
            if face.sheet not in self.board.cards:
                raise SceneError(f"no card of {self.board.game} shows '{face}' (site {site})")
        for site in self.lit:
            _check_site(self.board, site)
        for card in self.loose:
            if card.sheet not in self.board.cards:
                raise SceneError(f"{self.board.game} has no card '{card.sheet}'")
        if self.light.lamp[2] < 200:
            raise SceneError(f"the lamp must hang 200 mm or more above the board, not {self.light.lamp[2]:g}")
        if self.table.kind not in ("wood", "cloth", "plain"):
            raise SceneError(f"unknown table '{self.table.kind}'; there are: wood, cloth, plain")

    @classmethod
    def showing(
        cls, board: Board, faces: Faces, turns: Mapping[str, float] | None = None, sloppy: float = 0.0, seed: int = 0
    ) -> Scene:
        """The board with these faces on its sites, put down by hands that miss by about `sloppy` mm."""
        lying = {name: Lying(turn) for name, turn in (turns or {}).items()}
        cards = {site: face for site, face in faces.items() if face.sheet}
        return cls(board, stand(board, faces, sloppy, seed), sheets=lying, cards=cards, seed=seed)

    @cached_property
    def camera(self) -> Camera:
        return Camera.at(self.pose, self.board_at)

    def with_stacks(self, *stacks: Stack) -> Scene:
        return replace(self, stacks=(*self.stacks, *stacks))


def stand(board: Board, faces: Faces, sloppy: float = 0.0, seed: int = 0) -> tuple[Stack, ...]:
    """The stacks that show these faces; faces of cards have none."""
    stacks = []
    for site, face in faces.items():
        _check_site(board, site)
        if face.pieces:
            stacks.append(on_site(board, site, face.pieces, sloppy, seed))
        elif not face.sheet:
            raise SceneError(f"{board.game}: nothing on a site shows '{face}' (site {site})")
    return tuple(stacks)


def on_site(board: Board, site: str, pieces: Sequence[str], sloppy: float = 0.0, seed: int = 0) -> Stack:
    """These pieces on a site, off its centre by up to twice `sloppy`, and a little crooked."""
    _check_site(board, site)
    place = board.sites[site]
    if not sloppy:
        return Stack(tuple(pieces), place.at, place.z, site=site)
    # A stack's seed comes from its site, so that it keeps its place while others are moved.
    random = np.random.default_rng([seed, *site.encode()])
    far, bearing, crooked, way = random.uniform(size=4)
    shift = _polar(2 * sloppy * far**0.5, bearing)
    return Stack(
        tuple(pieces),
        (place.at[0] + shift[0], place.at[1] + shift[1]),
        place.z,
        lean=_polar(0.5 * sloppy * crooked, way),
        site=site,
    )


def faces_of(board: Board, stacks: Sequence[Stack]) -> dict[str, Face]:
    """What the stacks show, by site."""
    return {stack.site: board.faces.piled(stack.pieces) for stack in stacks if stack.site}


def height_of(board: Board, pieces: Sequence[str]) -> float:
    return sum(board.pieces[piece].height if piece in board.pieces else board.by_name[piece].z for piece in pieces)


def _polar(far: float, share: float) -> Point:
    angle = radians(360 * share)
    return (float(far * cos(angle)), float(far * sin(angle)))


def _check_site(board: Board, site: str) -> None:
    if site not in board.sites:
        raise SceneError(f"the board of {board.game} has no site '{site}'")


def _check_stack(board: Board, stack: Stack) -> None:
    if stack.site is not None:
        _check_site(board, stack.site)
    if not stack.pieces:
        raise SceneError(f"a stack of nothing at {stack.at}")
    for piece in stack.pieces:
        if piece not in board.pieces:
            raise SceneError(f"{board.game} has no piece '{piece}'; there are: {', '.join(board.pieces)}")
    if not np.all(np.isfinite([*stack.at, stack.z, *stack.lean])) or max(map(abs, stack.at)) > 2000:
        raise SceneError(f"a stack cannot stand at {stack.at}, {stack.z}")
    if len(stack.pieces) > 40:
        raise SceneError(f"a stack of {len(stack.pieces)} pieces would fall over")
