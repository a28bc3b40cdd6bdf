"""The 28 points, and the paths between them that the options open.

Points are numbered in page order (T1 … I7); a set of points is an int with one bit each, so that questions such as
"which free points can this figure reach" are single operations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import combinations, product

from engine.core import Value

TILES = "TLRI"
NAMES = tuple(f"{tile}{place}" for tile in TILES for place in range(1, 8))
INDEX = {name: point for point, name in enumerate(NAMES)}


def bits(points: int) -> Iterator[int]:
    """The points of a set, in page order."""
    while points:
        lowest = points & -points
        yield lowest.bit_length() - 1
        points ^= lowest


def point_set(names: str) -> int:
    return sum(1 << INDEX[name] for name in names.split())


ALL = (1 << 28) - 1
MIDDLES = point_set("T7 L7 R7 I7")
INNER = point_set("I1 I2 I3 I4 I5 I6 I7")
ENTRIES = ALL & ~MIDDLES & ~INNER
BIG_CORNERS = point_set("T1 L3 R2")
JUMPS = MIDDLES | BIG_CORNERS
"""Where a Tripple on a middle point may go, whatever stands in between."""
TRIANGLES = tuple(point_set(f"{tile}4 {tile}5 {tile}6 {tile}7") for tile in TILES)
"""Own figures on all of one of these win."""
EXITS = point_set("T1 L3 R2 I1 I2 I3")
"""Where a slide can come to the edge of the board on a straight line."""

CONSTELLATIONS = ("T3 L1 I2", "T2 R1 I3", "L2 R3 I1")
OPPOSITE = {"T1": "L2 R3 I1", "L3": "T2 R1 I3", "R2": "T3 L1 I2"}
FACING_MEDIANS = ("T4 I4", "L6 I6", "R5 I5")

BIG_SIDES = ("T1 T5 T3 L1 L5 L3", "T1 T6 T2 R1 R6 R2", "L3 L4 L2 R3 R4 R2")
AXES = ("T1 T7 T4 I4 I7 I1", "L3 L7 L6 I6 I7 I3", "R2 R7 R5 I5 I7 I2")
INNER_SIDES = ("I2 I4 I3", "I2 I6 I1", "I3 I5 I1")
OPEN_LINES = (
    *("T3 T4 T2", "L1 L6 L2", "R1 R5 R3"),
    *("T2 T7 T5", "T3 T7 T6", "L1 L7 L4", "L2 L7 L5", "R1 R7 R4", "R3 R7 R6"),
)

MARKERS = 9
"""Colour markers of each player: at most this many figures."""
TALLEST = 3

PASSAGES = ("closed", "step", "straight", "wide")
"""What the edge of the board is for a Double; each value allows all that the one before allows."""


def stones_for(players: int) -> int:
    """Stones in the common supply."""
    return 15 if players == 4 else 11


def _turned(seven: int) -> int:
    """The seven points of one triangle after a clockwise turn: 1→2→3→1, 4→5→6→4, 7 stays."""
    corners, medians = seven & 7, seven >> 3 & 7
    return _cycle(corners) | _cycle(medians) << 3 | seven & 64


def _cycle(three: int) -> int:
    return (three << 1 | three >> 2) & 7


_CLOCKWISE = tuple(_turned(seven) for seven in range(128))
_COUNTER = tuple(_turned(_turned(seven)) for seven in range(128))


TURNS_TO_ITSELF = tuple(_turned(seven) == seven for seven in range(128))
"""Whether the seven points of one triangle look the same after a turn, whichever way."""


def turn_points(points: int, tile: int, clockwise: bool) -> int:
    """Where the points of a set go when a triangle turns."""
    shift = 7 * tile
    seven = points >> shift & 127
    return points ^ (seven ^ (_CLOCKWISE if clockwise else _COUNTER)[seven]) << shift


class Ways:
    """Neighbours and straight lines as the options open them."""

    def __init__(self, options: Mapping[str, Value]) -> None:
        self.passage = PASSAGES.index(str(options["passage"]))
        self.links = bool(options["constellation_links"])
        self.facing = bool(options["facing_medians"])
        self.slides = lru_cache(maxsize=1 << 14)(self._slides)
        """For a point and the occupied points, all points that a Double there can slide to."""

    @property
    def closes(self) -> bool:
        """Whether a slide goes on through an off-board step of its own line."""
        return self.passage >= PASSAGES.index("straight")

    @property
    def ends_off_board(self) -> bool:
        """Whether a slide may end with one off-board step from exit point to exit point."""
        return self.passage >= PASSAGES.index("wide")

    @cached_property
    def opened(self) -> Ways:
        """The same board with every passage open: what the edge of the board alone forbids is possible there."""
        return Ways({"passage": "wide", "constellation_links": self.links, "facing_medians": self.facing})

    @cached_property
    def neighbours(self) -> tuple[int, ...]:
        """For every point its neighbours: on the board, and off the board where the passage is open."""
        if self.passage == PASSAGES.index("closed"):
            return self.on_board
        return tuple(near | far for near, far in zip(self.on_board, OFF_BOARD, strict=True))

    @cached_property
    def on_board(self) -> tuple[int, ...]:
        pairs = [pair for tile in TILES for pair in _inside(tile)]
        if self.links:
            pairs += [pair for corners in CONSTELLATIONS for pair in combinations(corners.split(), 2)]
        if self.facing:
            pairs += [(one, other) for one, other in map(str.split, FACING_MEDIANS)]
        return _adjacency(pairs)

    @cached_property
    def lines(self) -> tuple[tuple[tuple[int, ...], bool], ...]:
        """Straight lines as (points in order, whether it closes on itself)."""
        lines: list[tuple[tuple[int, ...], bool]] = []
        for text in (*BIG_SIDES, *AXES):
            line = tuple(INDEX[name] for name in text.split())
            joined = self.links if text in BIG_SIDES else self.facing
            if joined:
                lines.append((line, self.closes))
            elif self.closes:
                lines.append((line[3:] + line[:3], False))
            else:
                lines += [(line[:3], False), (line[3:], False)]
        lines += [(tuple(INDEX[name] for name in text.split()), self.closes) for text in INNER_SIDES]
        lines += [(tuple(INDEX[name] for name in text.split()), False) for text in OPEN_LINES]
        return tuple(lines)

    @cached_property
    def rays(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """For every point the ways out of it along a line, each as its points in order, never back to the point."""
        found: list[list[tuple[int, ...]]] = [[] for _ in NAMES]
        for line, closed in self.lines:
            for place, point in enumerate(line):
                ahead, behind = line[place + 1 :], line[:place][::-1]
                if closed:
                    ahead, behind = ahead + line[:place], behind + line[:place:-1]
                found[point] += [ray for ray in (ahead, behind) if ray]
        return tuple(map(tuple, found))

    def _slides(self, origin: int, occupied: int) -> int:
        reached = 0
        for ray in self.rays[origin]:
            for point in ray:
                reached |= 1 << point
                if occupied >> point & 1:
                    break
                if self.ends_off_board and EXITS >> point & 1:
                    reached |= OFF_BOARD[point] & EXITS
        return reached & ~(1 << origin)

    def targets(self, origin: int, height: int, occupied: int) -> int:
        """All points, free or occupied, that a figure of this height can move to."""
        reached = self.neighbours[origin]
        if height == 2:
            reached |= self.slides(origin, occupied)
        elif height == 3 and MIDDLES >> origin & 1:
            reached |= JUMPS & ~(1 << origin)
        return reached


def _inside(tile: str) -> list[tuple[str, str]]:
    """A corner is joined to the two medians of its sides and to the middle, every median to the middle."""
    middle = f"{tile}7"
    pairs = [(f"{tile}{place}", middle) for place in range(1, 7)]
    return pairs + [(f"{tile}{k}", f"{tile}{m}") for k, m in product((1, 2, 3), (4, 5, 6)) if m != k + 3]


def _adjacency(pairs: list[tuple[str, str]]) -> tuple[int, ...]:
    near = [0] * len(NAMES)
    for one, other in pairs:
        near[INDEX[one]] |= 1 << INDEX[other]
        near[INDEX[other]] |= 1 << INDEX[one]
    return tuple(near)


def _off_board() -> tuple[int, ...]:
    """Steps over the edge: between big corners, to the opposite constellation, between constellations."""
    pairs = list(combinations(OPPOSITE, 2))
    pairs += [(corner, point) for corner, points in OPPOSITE.items() for point in points.split()]
    for one, other in combinations(CONSTELLATIONS, 2):
        pairs += product(one.split(), other.split())
    return _adjacency(pairs)


OFF_BOARD = _off_board()
"""For every point the points that an off-board step leads to."""
