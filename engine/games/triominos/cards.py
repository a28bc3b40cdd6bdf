"""The 36 cards: their names, and the orientations of each.

A card is named by its sorted values (`134`), the joker `J`. How it lies is written as its three corner values
clockwise from the apex of its cell (`341`), the joker's as `JJJ`.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement

JOKER = "J"
JOKER_FACE = "JJJ"
UNSEEN = "?"
"""A card in a rack or in the pot whose face the referee does not know."""
FREE = "?"
"""A corner that may show any value."""

CARDS = (*("".join(values) for values in combinations_with_replacement("12345", 3)), JOKER)


def _turns(card: str) -> set[str]:
    # A card's values ascend clockwise, so turning it never gives the other handedness (143 is no card).
    return {card[turn:] + card[:turn] for turn in range(3)}


CARD_OF = {face: card for card in CARDS if card != JOKER for face in sorted(_turns(card))} | {JOKER_FACE: JOKER}
"""The card for every orientation."""


def matches(face: str, asked: str) -> bool:
    """Whether these corners agree with the values at the vertices; the joker's always do."""
    return face == JOKER_FACE or all(value in (want, FREE) for want, value in zip(face, asked, strict=True))


@lru_cache(maxsize=256)
def fitting(asked: str) -> tuple[tuple[str, str], ...]:
    """Every orientation of any card that fits there, with the card."""
    return tuple((face, card) for face, card in CARD_OF.items() if matches(face, asked))
