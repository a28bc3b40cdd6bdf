"""What a Triominos table can show: on a cell a card in one of the ways in which it can lie, in a row a chip."""

from __future__ import annotations

from engine.face import Face, FaceSet
from engine.games.triominos.cards import CARD_OF, CARDS, JOKER


def _angle(card: str, corners: str) -> float:
    """How far clockwise a card is turned to lie so: what was left of the apex comes to it."""
    return next(120.0 * turn for turn in range(3) if card == JOKER or card[-turn:] + card[:-turn] == corners)


CHIP = "chip"
"""The piece, and what a place in a row shows where one lies."""
ASKEW = "askew"
"""The kind of a card that lies on no cell, but nearest to this one."""

FACES = FaceSet(
    (
        *(Face(corners, card, sheet=f"card-{card}", angle=_angle(card, corners)) for corners, card in CARD_OF.items()),
        Face(CHIP, CHIP, pieces=(CHIP,)),
        *(Face(f"{card}/", ASKEW, sheet=f"card-{card}", lawful=False) for card in CARDS),
    )
)
