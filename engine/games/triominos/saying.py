"""Triominos' actions in words."""

from __future__ import annotations

from engine.core import Action
from engine.games.triominos.actions import Buy, Place, Swap
from engine.games.triominos.cards import JOKER_FACE
from engine.games.triominos.lattice import site
from engine.saying import PLAYED, Telling


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


def tell(action: Action) -> Telling:
    match action:
        case Place(face=face) if face == JOKER_FACE:
            return _("{name} laid the joker on {site}."), {"site": site(action.cell)}
        case Place():
            return _("{name} laid card {card} on {site}."), {"card": action.face, "site": site(action.cell)}
        case Swap():
            return _("{name} laid card {card} on {site} and took the joker."), {
                "card": action.face,
                "site": site(action.cell),
            }
        case Buy():
            return _("{name} bought a card."), {}
        case _:
            return PLAYED, {"action": str(action)}
