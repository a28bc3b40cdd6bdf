"""How the actions of Rings are picked: `reserve b3`, `b3 b4`, `ring-b >`, each followed by the pawns taken."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import Action, Fact, Position
from engine.games.rings.actions import Move, Place, Turn
from engine.games.rings.cells import ALL, INDEX, NAMES, RINGS, bits, cell_set
from engine.games.rings.rules import RingsPosition
from engine.targets import Spelling


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


RESERVE = "reserve"
_SHEETS = {f"ring-{ring}": number for number, ring in enumerate(RINGS)}
SIGNS = (RESERVE, *_SHEETS, ">", "<")


def spell(position: Position, action: Action) -> Spelling:
    match action:
        case Place():
            said = [{RESERVE}, {NAMES[action.cell]}]
        case Move():
            said = [{NAMES[action.origin]}, {NAMES[action.target]}]
        case Turn():
            said = [{f"ring-{RINGS[action.ring]}"}, {">" if action.clockwise else "<"}]
        case _:
            return (frozenset({str(action)}),)
    if action.taken:
        said.append({NAMES[cell] for cell in bits(action.taken)})
    return tuple(map(frozenset, said))


def attempt(position: Position, picks: Sequence[str]) -> Action | None:
    assert isinstance(position, RingsPosition)
    first, second, *rest = (*picks, None) if len(picks) == 1 else picks
    if any(name not in INDEX for name in rest):
        return None
    taken = cell_set(INDEX[name] for name in rest if name is not None)
    if first in _SHEETS:
        way = second or ">"
        return Turn(_SHEETS[first], way == ">", taken) if way in (">", "<") else None
    if second is not None and second not in INDEX:
        return None
    free = next(bits(ALL & ~position.occupied), None)
    target = free if second is None else INDEX[second]
    if target is None:
        return None
    if first == RESERVE:
        return Place(target, taken)
    if first not in INDEX or position.owner(INDEX[first]) is None:
        return None
    return Move(INDEX[first], target, taken)


def label(pick: str) -> tuple[str, dict[str, Fact]] | None:
    if pick == RESERVE:
        return _("Reserve"), {}
    return (_("Ring {ring}"), {"ring": pick[-1]}) if pick in _SHEETS else None


def suppose(position: Position, picks: Sequence[str], viewer: int | None) -> Sequence[Position]:
    """Nothing is hidden in Rings."""
    return (position,)
