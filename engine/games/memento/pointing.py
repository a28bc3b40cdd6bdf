"""How Memento's actions are picked: `supply T1 L3`, `T1 T5`, `T7/ T1 T4` (split), `tile-T >`."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import Action, Fact, Position
from engine.games.memento.actions import Enter, Move, Split, Turn
from engine.games.memento.points import ENTRIES, INDEX, NAMES, TILES, bits
from engine.games.memento.rules import MementoPosition
from engine.targets import Spelling


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


SUPPLY = "supply"
_CUTS = {f"{name}/": point for point, name in enumerate(NAMES)}
"""A figure to be split is picked in another way."""
_SHEETS = {f"tile-{tile}": number for number, tile in enumerate(TILES)}
SIGNS = (SUPPLY, *_CUTS, *_SHEETS, ">", "<")


def spell(position: Position, action: Action) -> Spelling:
    match action:
        case Enter():
            return (frozenset({SUPPLY}), frozenset(NAMES[point] for point in action.points))
        case Move():
            return (frozenset({NAMES[action.origin]}), frozenset({NAMES[action.target]}))
        case Split():
            return (frozenset({f"{NAMES[action.origin]}/"}), frozenset(NAMES[point] for point, _ in action.parts))
        case Turn():
            return (frozenset({f"tile-{TILES[action.tile]}"}), frozenset({">" if action.clockwise else "<"}))
        case _:
            return (frozenset({str(action)}),)


def attempt(position: Position, picks: Sequence[str]) -> Action | None:
    assert isinstance(position, MementoPosition)
    first, *rest = picks
    if first in _SHEETS:
        way = rest[0] if rest else ">"
        return Turn(_SHEETS[first], way == ">") if way in (">", "<") else None
    if any(name not in INDEX for name in rest):
        return None
    points = [INDEX[name] for name in rest]
    if first == SUPPLY:
        return _entering(position, points)
    if first in _CUTS:
        return _splitting(position, _CUTS[first], points)
    if first not in INDEX or position.owner(INDEX[first]) is None or len(points) > 1:
        return None
    origin = INDEX[first]
    target = points[0] if points else next(bits(position.rules.ways.neighbours[origin]))
    return Move(origin, target, bool(position.occupied >> target & 1))


def _entering(position: MementoPosition, points: list[int]) -> Action:
    """One figure at the start, later two: if only one is picked, a legal partner is found."""
    wanted = 2 if position.entered else 1
    partners = [point for point in bits(ENTRIES & ~position.occupied) if point not in points]
    return Enter(tuple(sorted({*points, *partners[: max(0, wanted - len(points))]})))


def _splitting(position: MementoPosition, origin: int, points: list[int]) -> Action | None:
    owner = position.owner(origin)
    if owner is None:
        return None
    height = position.height(origin)
    free = position.rules.ways.targets(origin, height, position.occupied) & ~position.occupied
    partners = [point for point in bits(free) if point not in points]
    parts = sorted({*points, *partners[: max(0, 2 - len(points))]})
    if not 2 <= len(parts) <= 3:
        return None
    tall = height - len(parts) + 1 if height > 1 else 1
    return Split(origin, tuple((point, tall if point == parts[0] else 1) for point in parts))


def label(pick: str) -> tuple[str, dict[str, Fact]] | None:
    if pick == SUPPLY:
        return _("Supply"), {}
    if pick in _CUTS:
        return _("Split {site}"), {"site": NAMES[_CUTS[pick]]}
    return (_("Triangle {tile}"), {"tile": pick[-1]}) if pick in _SHEETS else None


def suppose(position: Position, picks: Sequence[str], viewer: int | None) -> Sequence[Position]:
    """Nothing is hidden in Memento."""
    return (position,)
