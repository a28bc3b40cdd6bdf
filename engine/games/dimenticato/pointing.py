"""How Dimenticato's actions are picked: `red@4 g1`, `g1 4 j2` (the number called), then where the captured one goes."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import COLOURS, Action, Fact, Position
from engine.games.dimenticato.actions import Move, Open, Shift, WrongCall
from engine.games.dimenticato.plan import STARTS
from engine.games.dimenticato.rules import DimenticatoPosition
from engine.games.dimenticato.walk import NUMBERS
from engine.targets import Spelling


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


WRONG = "?"
SIGNS = (*map(str, NUMBERS), WRONG)


def spell(position: Position, action: Action) -> Spelling:
    assert isinstance(position, DimenticatoPosition)
    colour = COLOURS[position.mover]

    def named(text: str) -> str:
        return f"{colour}{text}" if text in STARTS else text

    match action:
        case Open() | Shift():
            said = [named(action.origin), named(action.target)]
        case Move():
            said = [action.origin, str(action.number), named(action.target)]
        case WrongCall():
            said = [action.origin, WRONG]
        case _:
            said = [str(action)]
    if isinstance(action, Open | Move) and action.set_back is not None:
        said.append(action.set_back)
    return tuple(frozenset({each}) for each in said)


def attempt(position: Position, picks: Sequence[str]) -> Action | None:
    assert isinstance(position, DimenticatoPosition)
    plan = position.plan
    origin, *rest = picks
    site = plan.index.get(origin)
    if site is None or position.owner(site) is None:
        return None
    written = plan.texts[site]
    at_home = plan.block_owner(site) is not None
    if not rest:
        return WrongCall(written) if not at_home else None
    number = 0 if at_home else int(rest.pop(0)) if rest[0] in SIGNS[:-1] else None
    if number is None or not rest or any(name not in plan.index for name in rest) or len(rest) > 2:
        return None
    # A start field is written without its colour, so only one's own can be said.
    colour = COLOURS[position.mover]
    if any("@" in name and not name.startswith(colour) for name in (origin, *rest)):
        return None
    target, *back = [plan.texts[plan.index[name]] for name in rest]
    set_back = back[0] if back else _set_back(position, site, rest[0])
    if not at_home:
        return Move(written, number, target, set_back)
    return Shift(written, target) if target in STARTS else Open(written, target, set_back)


def _set_back(position: DimenticatoPosition, origin: int, target: str) -> str | None:
    """Some field for a captured figure, so that nobody is asked to set it back before it can be captured at all."""
    site = position.plan.index[target]
    beaten = position.owner(site)
    if beaten in (None, position.mover) or position.plan.block_owner(site) is not None:
        return None
    fields = position.set_backs(site, origin)
    return position.plan.texts[fields.bit_length() - 1] if fields else None


def label(pick: str) -> tuple[str, dict[str, Fact]] | None:
    return (_("a wrong number"), {}) if pick == WRONG else None


def suppose(position: Position, picks: Sequence[str], viewer: int | None) -> Sequence[Position]:
    """Nobody sees the dice under his figures: any number that is named may be right, and whether a figure stands on its
    own colour shows only when it is beaten. Who watches is not reminded of a number that a wrong call has shown."""
    assert isinstance(position, DimenticatoPosition)
    site = position.plan.index.get(picks[0]) if picks else None
    covered = position.figures[position.mover] & position.plan.track if position.seat is not None else 0
    if not covered:
        return (position.supposing(0, 1),)
    if site is not None and viewer is not None and position.known >> site & 1:
        return (position.supposing(1 << site, position.dice.pips[site]),)
    numbers = [int(picks[1])] if len(picks) > 1 and picks[1] in SIGNS[:-1] else NUMBERS
    return tuple(position.supposing(covered, number) for number in numbers)
