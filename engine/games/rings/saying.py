"""Rings' actions in words."""

from __future__ import annotations

from engine.core import Action, Fact
from engine.games.rings.actions import Move, Place, Turn
from engine.games.rings.cells import NAMES, RINGS, bits
from engine.saying import PLAYED, Telling


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


QUIET: dict[object, str] = {
    Place: _("{name} placed a pawn on {site}."),
    Move: _("{name} moved from {site} to {target}."),
    True: _("{name} turned ring {ring} clockwise."),
    False: _("{name} turned ring {ring} counter-clockwise."),
}
TAKING: dict[object, str] = {
    Place: _("{name} placed a pawn on {site} and took {taken}."),
    Move: _("{name} moved from {site} to {target} and took {taken}."),
    True: _("{name} turned ring {ring} clockwise and took {taken}."),
    False: _("{name} turned ring {ring} counter-clockwise and took {taken}."),
}


def tell(action: Action) -> Telling:
    kind: object
    facts: dict[str, Fact]
    match action:
        case Place():
            kind, facts = Place, {"site": NAMES[action.cell]}
        case Move():
            kind, facts = Move, {"site": NAMES[action.origin], "target": NAMES[action.target]}
        case Turn():
            kind, facts = action.clockwise, {"ring": RINGS[action.ring]}
        case _:
            return PLAYED, {"action": str(action)}
    if not action.taken:
        return QUIET[kind], facts
    return TAKING[kind], facts | {"taken": ", ".join(NAMES[cell] for cell in bits(action.taken))}
