"""Where a part larger than the paper is divided: not through a fiducial or a word if possible."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from math import ceil, inf

from engine.board import Disc, Fiducial, Sheet, Text

OVERLAP = 10.0
"""Of two neighbouring pages: the strip they are glued by."""
STEP = 2.0
"""Between two places that are tried, in millimetres."""
LARGE_DISC = 25.0

Span = tuple[float, float]


def pages_for(length: float, room: float) -> int:
    """How many pages of this room a length takes."""
    return max(1, ceil((length - OVERLAP) / (room - OVERLAP)))


def divide(sheet: Sheet, axis: int, room: float) -> list[Span]:
    """The windows along one axis (0 across, 1 down), each of which fits the room and overlaps the next."""
    length = sheet.size[axis]
    count = pages_for(length, room)
    even = [length * k / count - length / 2 for k in range(count + 1)]
    slack = (room - OVERLAP) - length / count
    tries = [offset * STEP for offset in range(-int(slack / STEP), int(slack / STEP) + 1)]
    obstacles = list(_obstacles(sheet, axis))
    best, least = even, inf
    for offsets in product(tries, repeat=count - 1):
        seams = [seam + offset for seam, offset in zip(even[1:-1], offsets, strict=True)]
        cost = sum(weight for seam in seams for low, high, weight in obstacles if low < seam < high)
        cost += sum(offset**2 for offset in offsets) * 1e-6
        joints = [even[0], *seams, even[-1]]
        if cost < least and all(other - one <= room - OVERLAP for one, other in pairwise(joints)):
            best, least = joints, cost
    return [(one, min(other + OVERLAP, length / 2)) for one, other in pairwise(best)]


def _obstacles(sheet: Sheet, axis: int) -> Iterator[tuple[float, float, float]]:
    """From where to where a seam would hurt, and how much: a fiducial glued together a little askew is misread."""
    for shape in sheet.art:
        match shape:
            case Fiducial(at=at, size=size):
                # Including its light margin.
                reach, weight = size * 2 / 3, 100.0
            case Text(at=at, text=text, size=size):
                reach, weight = size * max(1.0, len(text) / 3), 5.0
            case Disc(at=at, radius=radius) if radius < LARGE_DISC:
                reach, weight = radius + 1.0, 1.0
            case _:
                continue
        yield at[axis] - reach, at[axis] + reach, weight
