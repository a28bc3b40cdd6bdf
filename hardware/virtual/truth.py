"""The truth about a picture: where each site is in it, and how much of the site is visible."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.board import Board, Disc, turned
from engine.face import Face
from hardware.virtual.camera import Camera, Floats
from hardware.virtual.scene import Scene, Stack, height_of

_RINGS = ((0.0, 1), (0.45, 6), (0.85, 12))
_SIDES = 9
_SHRUNK, _ALONG = (1.0, 0.8, 0.55, 0.25), 6
"""The outlines at which a card is judged, as shares of its own, and how many points on each of its sides."""


@dataclass(frozen=True, slots=True)
class SiteTruth:
    """A site in the picture. Shares are of what stands there, or of the empty site."""

    foot: tuple[float, float]
    """Pixel of the site itself."""
    top: tuple[float, float]
    """Pixel of the centre of the topmost face; that of the foot if nothing stands there."""
    seen: float
    """Share that is in plain sight."""
    covered: float
    """Share that an arm or another foreign thing hides."""


class TruthTeller:
    """Tells the truth about pictures of one board; as long as nothing moves, it remembers where it looked."""

    def __init__(self) -> None:
        self._camera: Camera | None = None
        self._known: dict[tuple[str, Stack | None, Face | None], Floats] = {}

    def sites(
        self, scene: Scene, camera: Camera, depth: NDArray[np.float32], covered: NDArray[np.float32]
    ) -> dict[str, SiteTruth]:
        """The truth about every site of the board: `covered` is how much of each pixel foreign things take up."""
        if camera is not self._camera:
            self._camera, self._known = camera, {}
        standing = {stack.site: stack for stack in scene.stacks if stack.site}
        looks = [
            self._look(scene.board, name, standing.get(name), scene.cards.get(name), camera)
            for name in scene.board.sites
        ]
        counts = np.cumsum([len(look) for look in looks])[:-1]
        spots = np.concatenate(looks)
        columns, rows = np.rint(spots[:, :2]).astype(int).T
        width, height = camera.size
        within = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
        columns, rows = np.clip(columns, 0, width - 1), np.clip(rows, 0, height - 1)
        foreign = covered[rows, columns] > 0.5
        # A point of a piece lies on the piece's own surface: anything only a little nearer is still the piece itself.
        free = within & ~foreign & (spots[:, 2] < depth[rows, columns] + 2.5)
        truths = {}
        for name, look, shown, strange in zip(
            scene.board.sites, looks, np.split(free, counts), np.split(foreign, counts), strict=True
        ):
            foot, top = ((float(x), float(y)) for x, y, _ in look[:2])
            truths[name] = SiteTruth(foot, top, float(shown[1:].mean()), float(strange[1:].mean()))
        return truths

    def _look(self, board: Board, name: str, stack: Stack | None, card: Face | None, camera: Camera) -> Floats:
        """Pixels and depth of the points by which a site is judged."""
        key = (name, stack, card)
        if key not in self._known:
            points = site_points(board, name, stack, camera) if card is None else card_points(board, name, card)
            self._known[key] = np.column_stack([camera.project(points), camera.in_camera(points)[:, 2]])
        return self._known[key]


def site_points(board: Board, name: str, stack: Stack | None, camera: Camera) -> Floats:
    """The foot, the centre of the top, then other points of what a camera could see there."""
    site = board.sites[name]
    radius = max((piece.diameter for piece in board.pieces.values()), default=20.0) / 2
    if stack is None:
        x, y, z = *site.at, site.z
        return np.array([(x, y, z), *_disc(x, y, z, radius)])
    last = len(stack.pieces) - 1
    x, y = (stack.at[k] + last * stack.lean[k] for k in (0, 1))
    top = stack.z + height_of(board, stack.pieces)
    radius = board.pieces[stack.pieces[-1]].diameter / 2
    points = [(*site.at, site.z), *_disc(x, y, top, radius)]
    to_eye = np.arctan2(camera.position[1] - stack.at[1], camera.position[0] - stack.at[0])
    foot = stack.z
    for number, piece in enumerate(stack.pieces):
        shape = board.pieces[piece]
        half = shape.height / 2
        x, y = (stack.at[k] + number * stack.lean[k] for k in (0, 1))
        points += [
            (x + shape.diameter / 2 * float(np.cos(angle)), y + shape.diameter / 2 * float(np.sin(angle)), foot + half)
            for angle in to_eye + np.linspace(-1.1, 1.1, _SIDES)
        ]
        foot += shape.height
    return np.array(points)


def card_points(board: Board, name: str, card: Face) -> Floats:
    """The site, the middle of the card that lies there, then points all over it: on smaller and smaller outlines."""
    site, sheet = board.sites[name], board.by_name[card.sheet]
    outline = sheet.outline[0]
    edge = [] if isinstance(outline, Disc) else list(outline.points)
    ends = zip(edge, [*edge[1:], *edge[:1]], strict=True)
    rim = [
        (one[0] + share * (two[0] - one[0]), one[1] + share * (two[1] - one[1]))
        for one, two in ends
        for share in np.arange(_ALONG) / _ALONG
    ]
    at = [turned((shrunk * x, shrunk * y), site.angle + card.angle) for shrunk in _SHRUNK for x, y in rim]
    on_it = [(site.at[0] + x, site.at[1] + y, sheet.z) for x, y in at]
    return np.array([(*site.at, site.z), (*site.at, sheet.z), *on_it])


def _disc(x: float, y: float, z: float, radius: float) -> list[tuple[float, float, float]]:
    return [
        (x + share * radius * float(np.cos(angle)), y + share * radius * float(np.sin(angle)), z)
        for share, count in _RINGS
        for angle in np.arange(count) * 2 * np.pi / count
    ]
