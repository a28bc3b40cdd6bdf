"""The plan: cards round a rectangle, their fields, and the start block against every big card.

Sites are numbered: first the dice fields of the track in reading order (a1, b1, …), then the start fields of each seat
(@1 … @4). A set of sites is an int with one bit each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase

from engine.core import COLOURS

EAST, SOUTH, WEST, NORTH = range(4)
STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""What one step in each direction adds to the column and the row."""

STARTS = ("@1", "@2", "@3", "@4")
"""The start fields of a seat: next to the track forward and rear, then the outer row forward and rear."""

DEFAULT_PLANS = {2: (3, 3, (1, 5)), 3: (5, 3, (1, 5, 9)), 4: (5, 5, (2, 6, 10, 14))}
"""For every number of players the width, the height and the big cards of the plan that is dealt."""

Place = tuple[int, int]


def bits(sites: int) -> Iterator[int]:
    """The sites of a set, in order."""
    while sites:
        lowest = sites & -sites
        yield lowest.bit_length() - 1
        sites ^= lowest


@dataclass(frozen=True)
class Plan:
    """A rectangle of cards and the seats' big cards in it; two plans of the same measures are equal."""

    width: int
    height: int
    big: tuple[int, ...]
    """The position of each seat's big card."""

    # Cards, by position clockwise from the top-left one

    @cached_property
    def cards(self) -> tuple[Place, ...]:
        """Column and row of every card, counted in cards."""
        right, bottom = self.width - 1, self.height - 1
        return (
            *((column, 0) for column in range(right)),
            *((right, row) for row in range(bottom)),
            *((column, bottom) for column in range(right, 0, -1)),
            *((0, row) for row in range(bottom, 0, -1)),
        )

    @cached_property
    def forward(self) -> tuple[int, ...]:
        """The direction of every card's side; a corner card counts to the side that follows it."""
        right, bottom = self.width - 1, self.height - 1
        return (EAST,) * right + (SOUTH,) * bottom + (WEST,) * right + (NORTH,) * bottom

    @cached_property
    def corners(self) -> frozenset[int]:
        return frozenset(card for card, forward in enumerate(self.forward) if forward != self.forward[card - 1])

    @cached_property
    def courses(self) -> tuple[frozenset[int], ...]:
        """For every card the directions in which a step that starts on it may go."""
        return tuple(
            frozenset({self.forward[card - 1], forward})
            if card in self.corners
            else frozenset({forward, (forward - 1) % 4, (forward + 1) % 4})
            for card, forward in enumerate(self.forward)
        )

    # Sites

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Column and row of every site, counted in fields; the start fields lie outside the rectangle."""
        cards = set(self.cards)
        track = [
            (column, row)
            for row in range(2 * self.height)
            for column in range(2 * self.width)
            if (column // 2, row // 2) in cards
        ]
        return (*track, *(place for card in self.big for place in self._block(card)))

    def _block(self, card: int) -> list[Place]:
        """The places of @1 … @4 against the outer edge of a card."""
        ahead = STEPS[self.forward[card]]
        out = STEPS[(self.forward[card] - 1) % 4]
        left, top = (2 * part for part in self.cards[card])
        column = left + (1 in (ahead[0], out[0]))
        row = top + (1 in (ahead[1], out[1]))
        return [
            (column + far * out[0] - rear * ahead[0], row + far * out[1] - rear * ahead[1])
            for far in (1, 2)
            for rear in (0, 1)
        ]

    @cached_property
    def at(self) -> dict[Place, int]:
        return {place: site for site, place in enumerate(self.places)}

    @cached_property
    def size(self) -> int:
        """The number of dice fields."""
        return 4 * len(self.cards)

    @cached_property
    def track(self) -> int:
        return (1 << self.size) - 1

    @cached_property
    def card_of(self) -> tuple[int, ...]:
        """For every dice field the card it is on."""
        position = {card: number for number, card in enumerate(self.cards)}
        return tuple(position[column // 2, row // 2] for column, row in self.places[: self.size])

    @cached_property
    def card_fields(self) -> tuple[int, ...]:
        """For every card its four fields."""
        fields = [0] * len(self.cards)
        for site, card in enumerate(self.card_of):
            fields[card] |= 1 << site
        return tuple(fields)

    @cached_property
    def quartets(self) -> tuple[tuple[str, ...], ...]:
        """For every card the names of its four fields, clockwise from the north-west one."""
        fields = [[self.names[site] for site in bits(four)] for four in self.card_fields]
        return tuple(
            (north_west, north_east, south_east, south_west)
            for north_west, north_east, south_west, south_east in fields
        )

    @cached_property
    def blocks(self) -> tuple[int, ...]:
        """For every seat its four start fields."""
        return tuple(15 << self.start(seat, 0) for seat in range(len(self.big)))

    def start(self, seat: int, number: int) -> int:
        """A start field of a seat, counted from 0."""
        return self.size + 4 * seat + number

    def block_owner(self, site: int) -> int | None:
        """Whose start field this site is; None on the track."""
        return None if site < self.size else (site - self.size) // 4

    # Names

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Every site as an action writes it; a start field is always one of the player's own."""
        track = (f"{ascii_lowercase[column]}{row + 1}" for column, row in self.places[: self.size])
        return (*track, *STARTS * len(self.big))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Every site by the one name it has on the table: a start field carries its seat's colour (`red@1`)."""
        starts = (f"{COLOURS[seat]}{start}" for seat in range(len(self.big)) for start in STARTS)
        return (*self.texts[: self.size], *starts)

    @cached_property
    def index(self) -> dict[str, int]:
        return {name: site for site, name in enumerate(self.names)}

    def find(self, text: str, seat: int) -> int | None:
        """The site that this player's action means; None if the plan has no such field."""
        return self.index.get(f"{COLOURS[seat]}{text}" if text in STARTS else text)
