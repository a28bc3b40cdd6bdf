"""Dimenticato's actions in words."""

from __future__ import annotations

from engine.core import Action, Fact
from engine.games.dimenticato.actions import Move, Open, Shift, WrongCall
from engine.games.dimenticato.plan import STARTS
from engine.saying import PLAYED, Telling


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


def tell(action: Action) -> Telling:
    match action:
        case Open(set_back=None):
            return _("{name} left start field {start} for {target}."), {
                "start": _number(action.origin),
                "target": action.target,
            }
        case Open():
            return _("{name} left start field {start} for {target}; the figure there went back to {back}."), {
                "start": _number(action.origin),
                "target": action.target,
                "back": str(action.set_back),
            }
        case Move():
            return _moved(action)
        case WrongCall():
            return _("{name} said a wrong number on {site}."), {"site": action.origin}
        case Shift():
            return _("{name} moved a figure from start field {start} to start field {home}."), {
                "start": _number(action.origin),
                "home": _number(action.target),
            }
        case _:
            return PLAYED, {"action": str(action)}


def _moved(action: Move) -> Telling:
    said: dict[str, Fact] = {"site": action.origin, "number": action.number}
    if action.target in STARTS:
        return _("{name} said {number} on {site} and came home to start field {home}."), said | {
            "home": _number(action.target)
        }
    if action.set_back is None:
        return _("{name} said {number} on {site} and moved to {target}."), said | {"target": action.target}
    return _("{name} said {number} on {site} and moved to {target}; the figure there went back to {back}."), said | {
        "target": action.target,
        "back": action.set_back,
    }


def _number(start: str) -> str:
    """A start field as people call it: `@4` is the fourth."""
    return start.removeprefix("@")
