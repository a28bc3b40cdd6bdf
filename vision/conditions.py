"""How good the picture at hand is to read from: brightness, glare, sharpness, and colours that look alike in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np

from engine.board import Board, Colour
from vision.find.fiducials import Corners
from vision.find.pose import BoardPose
from vision.frame import Floats, Image

WHITE = "#ffffff"
COLOURED = 60
"""Least difference between the channels of a colour that is not grey (out of 255)."""
CELLS = 6
"""A black square is six cells wide, including its black border."""
REACH = 0.75
"""How far an edge is examined to either side, in cells: within one, ink and paper are uniform."""
STEPS = 41
BESIDE = (12.0, 40.0)
"""Millimetres from the base at which the table beside it is looked at: nearer lies its shadow."""
PLACES = 9
"""Places along each side of the base at which the table is looked at."""
CLIPPED = 250
"""A picture's value (of 255) from which on a lamp is mirrored or the exposure too long."""
TABLE, STONE = "table", "stone"
"""What colours are compared with beside each other: the table that the board lies on, and pieces without a paint."""


@dataclass(frozen=True)
class Conditions:
    """What a picture says about the light, the lens and the table."""

    white: float
    black: float
    """Brightness of paper and ink, of 255."""
    cell: float
    """Width of a cell of the smallest black square, in pixels …"""
    blur: float
    """… and of an edge between ink and paper."""
    glare: float
    """Share of the white places that are overexposed …"""
    glaring: str
    """… and the side of the picture on which most of them are."""
    evenness: float
    """How bright the darkest white place is beside the brightest …"""
    dim: str
    """… and the side of the picture on which it is: left, right, top or bottom."""
    tint: float
    """How coloured the white places are: 0 is grey, 1 has one channel without any light."""
    piece: float
    """Width of the smallest piece, in pixels."""
    distances: Mapping[tuple[str, str], float]
    """How unlike two colours look (CIELAB), by their names: paints, stones and the table."""
    references: int = 0
    """Printed places of a known colour that were seen."""

    def alike(self, least: float) -> list[tuple[str, str]]:
        """The pairs that look less unlike than this, the worst first."""
        return sorted((pair for pair, far in self.distances.items() if far < least), key=lambda p: self.distances[p])


def measure(bgr: Image, found: Corners, board: Board, pose: BoardPose) -> Conditions:
    """The conditions of a picture in which these black squares of the board were found."""
    grey: Image = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    edges = [edge(grey, four) for four in found.values()]
    seen = patches(bgr, board, pose)
    middles = np.array([four.mean(axis=0) for four in found.values()])
    bright = np.array([each[1] for each in edges])
    clipped = bright >= CLIPPED
    return Conditions(
        white=float(np.median(bright)),
        black=float(np.median([each[2] for each in edges])),
        cell=min(side(four) for four in found.values()) / CELLS,
        blur=float(np.median([each[0] for each in edges])),
        glare=float(clipped.mean()),
        glaring=_side_of(middles[clipped].mean(axis=0), middles) if clipped.any() else "",
        evenness=float(np.percentile(bright, 10) / max(np.percentile(bright, 90), 1.0)),
        dim=_side_of(middles[bright <= np.percentile(bright, 25)].mean(axis=0), middles),
        tint=_tint(seen),
        piece=_piece_pixels(board, pose),
        distances=_distances(bgr, board, pose, seen),
        references=len(seen),
    )


def side(four: Floats) -> float:
    """The shortest side of a black square, in pixels."""
    return float(np.linalg.norm(four - np.roll(four, 1, axis=0), axis=1).min())


def edge(grey: Image, four: Floats) -> tuple[float, float, float]:
    """Of a fiducial's sides the pixels in which ink becomes paper (from a fifth to four fifths), paper, and ink."""
    middle, rises, whites, blacks = four.mean(axis=0), [], [], []
    for k in range(4):
        one, other = four[k], four[(k + 1) % 4]
        along, outward = other - one, (one + other) / 2 - middle
        cell = float(np.linalg.norm(along)) / CELLS
        outward = outward / np.linalg.norm(outward)
        far = np.linspace(-REACH, REACH, STEPS) * cell
        # The middle of a side: corners are round when blurred.
        spots = one + along * np.linspace(0.25, 0.75, 25)[:, None, None] + outward * far[:, None]
        strip = cv2.remap(grey, spots[..., 0].astype(np.float32), spots[..., 1].astype(np.float32), cv2.INTER_LINEAR)
        profile = strip.astype(float).mean(axis=0)
        ink, paper = float(profile[:5].mean()), float(profile[-5:].mean())
        whites.append(paper)
        blacks.append(ink)
        share = np.maximum.accumulate((profile - ink) / max(paper - ink, 1.0))
        rises.append(float(np.interp(0.8, share, far) - np.interp(0.2, share, far)))
    return float(np.median(rises)), float(np.median(whites)), float(np.median(blacks))


def patches(bgr: Image, board: Board, pose: BoardPose) -> list[tuple[Colour, Floats]]:
    """The printed places of a known colour, as print and as they look in the picture (blue, green, red of 255)."""
    spots = pose.project(np.array([(*patch.at, 0.0) for patch in board.patches])) if board.patches else ()
    seen = ((patch.colour, _spot(bgr, x, y)) for patch, (x, y) in zip(board.patches, spots, strict=True))
    return [(colour, look) for colour, look in seen if look is not None]


def _spot(bgr: Image, x: float, y: float) -> Floats | None:
    """What is about a place of the picture; None outside it."""
    if not (2 <= x < bgr.shape[1] - 2 and 2 <= y < bgr.shape[0] - 2):
        return None
    around = bgr[int(y) - 2 : int(y) + 3, int(x) - 2 : int(x) + 3]
    return np.asarray(np.median(around.reshape(-1, 3), axis=0), dtype=float)


def _side_of(place: Floats, all_of: Floats) -> str:
    """On which side of these places this one is, as the picture shows them."""
    low, high = all_of.min(axis=0), all_of.max(axis=0)
    x, y = (place - (low + high) / 2) / np.maximum(high - low, 1.0)
    if abs(x) >= abs(y):
        return "left" if x < 0 else "right"
    return "top" if y < 0 else "bottom"


def _tint(seen: Sequence[tuple[Colour, Floats]]) -> float:
    whites = [look for colour, look in seen if colour == WHITE]
    if not whites:
        return 0.0
    white = linear(np.median(whites, axis=0))
    return float(1 - white.min() / max(float(white.max()), 1e-6))


def _piece_pixels(board: Board, pose: BoardPose) -> float:
    """The width of the smallest piece at the middle of the board."""
    wide = min((piece.diameter for piece in board.pieces.values()), default=0.0)
    spots = pose.project(np.array([(-wide / 2, 0, 0), (wide / 2, 0, 0), (0, -wide / 2, 0), (0, wide / 2, 0)], float))
    return float(min(np.linalg.norm(spots[0] - spots[1]), np.linalg.norm(spots[2] - spots[3])))


def _distances(
    bgr: Image, board: Board, pose: BoardPose, seen: Sequence[tuple[Colour, Floats]]
) -> Mapping[tuple[str, str], float]:
    """How unlike the colours of pieces look to each other and to the table."""
    whites = [look for colour, look in seen if colour == WHITE]
    if not whites:
        return {}
    white = linear(np.median(whites, axis=0))
    looks = {}
    for name, piece in board.pieces.items():
        printed = [look for colour, look in seen if colour == piece.colour]
        # Paint is printed beside the board; wood is not, and is expected to send its share of what white sends.
        looks[name.split("-")[-1]] = np.median(printed, axis=0) if printed else picture_of(piece.colour, white)
    named = {name: lab(look) for name, look in looks.items()}
    far = {pair: _far(named[pair[0]], named[pair[1]]) for pair in combinations(named, 2)}
    tables = [lab(look) for look in _table_beside(bgr, board, pose)]
    # Wherever one stands: the side of the table that is most like it.
    return far | {(name, TABLE): min(_far(own, each) for each in tables) for name, own in named.items() if tables}


def _table_beside(bgr: Image, board: Board, pose: BoardPose) -> list[Floats]:
    """How the table looks on each side of the board that is in the picture."""
    x, y = board.base.size[0] / 2, board.base.size[1] / 2
    found = []
    for normal in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        along = np.linspace(-0.8, 0.8, PLACES)
        places = [
            (normal[0] * (x + off) + normal[1] * share * x, normal[1] * (y + off) + normal[0] * share * y, 0.0)
            for off in BESIDE
            for share in along
        ]
        looks = [_spot(bgr, *spot) for spot in pose.project(np.array(places))]
        visible = [look for look in looks if look is not None]
        if len(visible) >= PLACES:
            found.append(np.asarray(np.median(visible, axis=0), dtype=float))
    return found


def _far(one: Floats, other: Floats) -> float:
    return float(np.linalg.norm(one - other))


def linear(bgr: Floats) -> Floats:
    """Light, 1 being what the picture can just hold."""
    return np.asarray((np.asarray(bgr, dtype=float) / 255) ** 2.2, dtype=float)


def reflectance(colour: Colour) -> Floats:
    """The light that a colour sends of white light: blue, green, red."""
    return linear(np.array([int(colour[k : k + 2], 16) for k in (5, 3, 1)], dtype=float))


def picture_of(colour: Colour, white: Floats) -> Floats:
    """How a colour looks in a picture in which white sends so much light."""
    return np.asarray(255 * np.clip(reflectance(colour) * white, 0, 1) ** (1 / 2.2), dtype=float)


def lab(bgr: Floats) -> Floats:
    """CIELAB of a colour as the picture shows it: what is dark or tinted comes closer together there, too."""
    pixel = np.asarray(bgr, dtype=np.float32).reshape(1, 1, 3) / 255
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_BGR2Lab)[0, 0], dtype=float)
