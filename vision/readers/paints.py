"""The colours that the pieces of one set really have: measured on the table, and used instead of the described ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import pi

import numpy as np

from engine.board import Board, Piece, Point
from engine.face import Face
from vision.flatten.colour import chroma, linear
from vision.flatten.flat_view import FlatView
from vision.frame import Floats
from vision.readers.settings import PAINTS

Paints = Mapping[str, Floats]
"""Linear blue, green and red of pieces, by their names."""


_turns = np.arange(12) * pi / 6
_SPOTS = np.concatenate([[(0.0, 0.0)], *(far * np.stack([np.cos(_turns), np.sin(_turns)], -1) for far in (0.5, 1.0))])


@dataclass(frozen=True, eq=False)
class PaintSample:
    """A piece's top, as it looked once."""

    piece: str
    colour: Floats


def samples_of_faces(view: FlatView, board: Board, faces: Mapping[str, Face]) -> Iterator[PaintSample]:
    """The uppermost pieces of what stands on the sites."""
    numbers = {site: number for number, site in enumerate(board.sites)}
    for site, face in faces.items():
        pieces = [board.pieces[name] for name in face.pieces]
        if face.lawful and pieces and site in board.sites:
            top = board.sites[site].z + sum(piece.height for piece in pieces)
            colour = _top_colour(view, view.sites[numbers[site]], top, pieces[-1])
            if colour is not None:
                yield PaintSample(pieces[-1].name, colour)


def samples_of_spots(view: FlatView, board: Board) -> Iterator[PaintSample]:
    """Pieces laid on a printed spot of their own colour; another spot of it stays free and shows the bare print."""
    for piece in board.pieces.values():
        spots = [patch.at for patch in board.patches if patch.colour == piece.colour]
        looks = [_top_colour(view, at, board.base.z + piece.height, piece) for at in spots]
        seen = [look for look in looks if look is not None]
        if len(seen) < 2:
            continue
        away = [float(np.linalg.norm(chroma(look) - chroma(linear(piece.colour)))) for look in seen]
        laid, free = seen[int(np.argmax(away))], seen[int(np.argmin(away))]
        if colours_apart(laid, free) > PAINTS.like_print:
            yield PaintSample(piece.name, laid)


def colours_apart(one: Floats, other: Floats) -> float:
    """How different two colours are, allowing for one of them reflecting more of a lamp than the other."""
    gloss = np.linspace(0.0, PAINTS.most_gloss, 7)[:, None]
    pairs = ((chroma(np.maximum(a - gloss, 0.0)), chroma(b)) for a, b in ((one, other), (other, one)))
    return min(float(np.linalg.norm(seen - printed, axis=1).min()) for seen, printed in pairs)


def settle(samples: Sequence[PaintSample]) -> dict[str, Floats]:
    """The median colour of every piece of which there are samples."""
    names = dict.fromkeys(sample.piece for sample in samples)
    return {name: np.median([each.colour for each in samples if each.piece == name], axis=0) for name in names}


def paints_of(board: Board, measured: Paints | None = None) -> dict[str, Floats]:
    """The colours of all pieces: as measured if they were, otherwise as described."""
    return {name: linear(piece.colour) for name, piece in board.pieces.items()} | dict(measured or {})


def alike(board: Board, paints: Paints) -> tuple[str, str] | None:
    """Two pieces whose colours cannot be told apart, if there are any; pieces that only carry others are left out."""
    tints = {name: chroma(colour) for name, colour in paints.items() if name in board.faces.tops.values()}
    for one, other in combinations(tints, 2):
        if np.linalg.norm(tints[one] - tints[other]) < PAINTS.apart:
            return one, other
    return None


def _top_colour(view: FlatView, at: Point, top: float, piece: Piece) -> Floats | None:
    """The share of light that the top of a piece at a place reflects; None if that is not clear."""
    places = np.array(at) + PAINTS.within * piece.diameter / 2 * _SPOTS
    looks = view.looks(view.appear(places, top))
    tints = chroma(looks)
    usual = np.median(tints, axis=0)
    if np.median(np.linalg.norm(tints - usual, axis=1)) > PAINTS.even:
        return None
    colour = np.median(looks, axis=0)
    return np.asarray(colour) if PAINTS.darkest < colour.max() < PAINTS.lightest else None
