"""What a cell of the Triominos table can show: a card in one of the ways in which it can lie."""

from __future__ import annotations

from engine.face import Face, FaceSet
from engine.games.triominos.cards import CARD_OF, JOKER


def _angle(card: str, corners: str) -> float:
    """How far clockwise a card is turned to lie so: what was left of the apex comes to it."""
    return next(120.0 * turn for turn in range(3) if card == JOKER or card[-turn:] + card[:-turn] == corners)


FACES = FaceSet(
    Face(corners, card, sheet=f"card-{card}", angle=_angle(card, corners)) for corners, card in CARD_OF.items()
)
