"""Why an action is not legal in Rings: the rules it breaks, most telling first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from engine.core import COLOURS, Action, Fact, Refusal, Word
from engine.games.rings.actions import Move, Place, RingsAction, Turn
from engine.games.rings.cells import ALL, NAMES, NEIGHBOURS, RADIUS_LINES, RINGS, bits, full_radii, ring_cells

if TYPE_CHECKING:
    from engine.games.rings.rules import InterimTrack, RingsPosition


def objections(position: RingsPosition, action: Action) -> Iterator[Refusal]:
    """The rules that this action breaks."""
    match action:
        case Place():
            return _placing(position, action)
        case Turn():
            return _turning(position, action)
        case Move():
            return _moving(position, action)
        case _:
            return iter(())


def _refuse(rule: str, cells: int | Iterable[int], **facts: Fact) -> Refusal:
    sites = _names(cells)
    return Refusal(rule, sites, {"sites": ", ".join(sites)} | facts)


def _names(cells: int | Iterable[int]) -> tuple[str, ...]:
    return tuple(NAMES[cell] for cell in (bits(cells) if isinstance(cells, int) else cells))


def _placing(position: RingsPosition, action: Place) -> Iterator[Refusal]:
    seat, cell = position.mover, action.cell
    if position.flies(seat):
        yield _refuse("place.flying", [cell], number=position.pawns[seat].bit_count())
    if not position.reserve[seat]:
        yield _refuse("place.no-reserve", [cell])
    if position.owner(cell) is not None:
        yield _refuse("place.occupied", [cell])
    else:
        yield from _taking(position, action)


def _turning(position: RingsPosition, action: Turn) -> Iterator[Refusal]:
    seat, cells, ring = position.mover, ring_cells(action.ring), RINGS[action.ring]
    if position.flies(seat) and position.occupied != ALL:
        yield _refuse("turn.flying", cells, ring=ring, number=position.pawns[seat].bit_count())
    if action.ring == position.last_turned:
        yield _refuse("turn.same-ring", cells, ring=ring)
    yield from _taking(position, action)


def _moving(position: RingsPosition, action: Move) -> Iterator[Refusal]:
    origin, target = action.origin, action.target
    owner = position.owner(origin)
    if owner is None or origin == target:
        yield _refuse("unknown", [origin], action=str(action))
        return
    if foreign := owner != position.mover:
        yield _refuse("move.foreign", [origin], colour=Word(COLOURS[owner]))
    if taken := position.owner(target) is not None:
        yield _refuse("move.occupied", [target])
    if not position.flies(position.mover) and not NEIGHBOURS[origin] >> target & 1:
        yield _refuse("move.not-neighbour", (origin, target))
    if foreign and action.taken:
        yield _refuse("capture.no-line", action.taken)
    elif not foreign and not taken:
        yield from _taking(position, action)


def _taking(position: RingsPosition, action: RingsAction) -> Iterator[Refusal]:
    """What is wrong with the pawns taken, once the rest of the action has been done."""
    step = position.step(action)
    own = action.taken & step.pawns[position.mover]
    if not step.lines:
        if action.taken:
            yield from _claiming(position, action, step)
            yield _refuse("capture.no-line", action.taken)
        if own:
            yield _refuse("capture.own", own)
        return
    if own:
        yield _refuse("capture.own", own)
    others = [(seat, pawns) for seat, pawns in enumerate(step.pawns) if seat != position.mover]
    counts = [
        (seat, pawns, (action.taken & pawns).bit_count(), min(step.lines, pawns.bit_count())) for seat, pawns in others
    ]
    if any(number > wanted for _, _, number, wanted in counts):
        yield from _claiming(position, action, step)
    for seat, pawns, number, wanted in counts:
        if number > wanted:
            yield _count("capture.too-many", action.taken & pawns, seat, number, wanted)
    for seat, pawns, number, wanted in counts:
        if number < wanted:
            yield _count("capture.missing", pawns, seat, number, wanted)
    if nobody := action.taken & ~own & ~sum(pawns for _, pawns in others):
        yield _refuse("unknown", nobody, action=str(action))


def _count(rule: str, cells: int, seat: int, number: int, wanted: int) -> Refusal:
    return _refuse(rule, cells, colour=Word(COLOURS[seat]), number=number, wanted=wanted)


def _claiming(position: RingsPosition, action: RingsAction, step: InterimTrack) -> Iterator[Refusal]:
    """The lines that this action would have made if none of their pawns were spent."""
    own = step.pawns[position.mover]
    for line in _barred(position, action, step, own):
        yield _refuse("capture.spent", line, spent=", ".join(_names(line & step.spent)))


def _barred(position: RingsPosition, action: RingsAction, step: InterimTrack, own: int) -> Iterator[int]:
    if isinstance(action, Turn):
        for radius in bits(full_radii(own) & ~full_radii(own & ~step.spent)):
            yield RADIUS_LINES[radius]
        return
    cell = action.target if isinstance(action, Move) else action.cell
    if not step.ends:
        yield from (line.cells for line in position.rules.ring_lines[cell] if not line.cells & ~own)
    radius_line = RADIUS_LINES[cell]
    if not radius_line & ~own and radius_line & step.spent:
        yield radius_line
