"""Memento's actions in words."""

from __future__ import annotations

from engine.core import Action
from engine.games.memento.actions import Enter, Move, Split, Turn
from engine.games.memento.points import NAMES, TILES
from engine.saying import PLAYED, Telling


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


def tell(action: Action) -> Telling:
    match action:
        case Enter(points=(point,)):
            return _("{name} placed a Single on {site}."), {"site": NAMES[point]}
        case Enter(points=points):
            return _("{name} placed two Singles on {sites}."), {"sites": ", ".join(NAMES[point] for point in points)}
        case Turn(clockwise=True):
            return _("{name} turned triangle {tile} clockwise."), {"tile": TILES[action.tile]}
        case Turn():
            return _("{name} turned triangle {tile} counter-clockwise."), {"tile": TILES[action.tile]}
        case Move():
            text = _("{name} moved from {site} and took {target}.")
            text = text if action.captures else _("{name} moved from {site} to {target}.")
            return text, {"site": NAMES[action.origin], "target": NAMES[action.target]}
        case Split():
            parts = ", ".join(NAMES[point] + (" (2)" if height == 2 else "") for point, height in action.parts)
            return _("{name} split {site} onto {sites}."), {"site": NAMES[action.origin], "sites": parts}
        case _:
            return PLAYED, {"action": str(action)}
