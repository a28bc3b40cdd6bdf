"""Mistakes at a real Rings table, recognised from what stands there now."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from engine.core import COLOURS, Refusal, Word
from engine.face import Face, Faces
from engine.games.rings.actions import Move, Place, RingsAction, Turn
from engine.games.rings.cells import INDEX, NAMES, RINGS, cell_set, ring_cells, turn_cells
from engine.games.rings.faces import BY_SEAT

if TYPE_CHECKING:
    from engine.games.rings.rules import RingsPosition


def diagnose(position: RingsPosition, seen: Faces, turned: Mapping[str, int]) -> Iterator[Refusal]:
    """The rules broken if the table now looks like this, most telling first."""
    if turned:
        return _turned(position, seen, turned)
    before = position.faces()
    gone = [site for site in before if site not in seen]
    new = [site for site in seen if site not in before]
    swapped = [site for site in before if site in seen and before[site] != seen[site]]
    if swapped:
        return _stacked(position, gone, new, swapped, seen)
    if not new:
        return iter((_refusal("capture.no-line", gone),))
    if len(new) > 1:
        return _several(position, gone, new, seen)
    return _put(position, gone, new[0], seen[new[0]])


def _refusal(rule: str, sites: Iterable[str], **facts: Word | str | int) -> Refusal:
    listed = tuple(sorted(sites, key=INDEX.__getitem__))
    return Refusal(rule, listed, {"sites": ", ".join(listed)} | facts)


def _not_your_turn(position: RingsPosition, sites: Iterable[str]) -> Refusal:
    return Refusal("not-your-turn", tuple(sites), {"colour": Word(COLOURS[position.mover])})


def _turned(position: RingsPosition, seen: Faces, turned: Mapping[str, int]) -> Iterator[Refusal]:
    rings = [RINGS.index(name[-1]) for name in turned]
    if len(rings) > 1:
        yield _refusal("turn.two", [name for name in NAMES if f"ring-{name[0]}" in turned])
        return
    ring, steps = rings[0], next(iter(turned.values()))
    if abs(steps) > 1:
        cells = [NAMES[cell] for cell in range(24) if ring_cells(ring) >> cell & 1]
        yield _refusal("turn.too-far", cells, ring=RINGS[ring])
        return
    turn = Turn(ring, steps > 0)
    after = {
        NAMES[turn_cells(1 << INDEX[site], ring, turn.clockwise).bit_length() - 1]: face
        for site, face in position.faces().items()
    }
    if any(after.get(site) != face for site, face in seen.items()):
        return
    yield from position.refusals(Turn(ring, turn.clockwise, _cells(site for site in after if site not in seen)))


def _cells(sites: Iterable[str]) -> int:
    return cell_set(INDEX[site] for site in sites)


def _stacked(
    position: RingsPosition, gone: list[str], new: list[str], swapped: list[str], seen: Faces
) -> Iterator[Refusal]:
    """A pawn stands where another one stood."""
    faces = {seen[site] for site in (*swapped, *new)}
    if len(swapped) != 1 or len(faces) != 1:
        return
    (face,) = faces
    moved = [site for site in gone if position.faces()[site] == face]
    if moved and not new:
        yield from position.refusals(Move(INDEX[moved[0]], INDEX[swapped[0]]))
    elif BY_SEAT.index(face) != position.mover:
        yield _not_your_turn(position, (*swapped, *new))
    elif not gone:
        if new:
            yield _refusal("place.two", (*swapped, *new))
        yield from position.refusals(Place(INDEX[swapped[0]]))


def _several(position: RingsPosition, gone: list[str], new: list[str], seen: Faces) -> Iterator[Refusal]:
    faces = {seen[site] for site in new}
    if gone or len(faces) != 1:
        return
    if faces != {BY_SEAT[position.mover]}:
        yield _not_your_turn(position, new)
    else:
        yield _refusal("place.two", new)


def _put(position: RingsPosition, gone: list[str], target: str, face: Face) -> Iterator[Refusal]:
    """One pawn came to a free cell, from the reserve or from another cell; the others that are gone were taken."""
    seat = BY_SEAT.index(face)
    origins = [site for site in gone if position.faces()[site] == face]
    if seat != position.mover:
        if origins:
            yield from position.refusals(Move(INDEX[origins[0]], INDEX[target], _cells(set(gone) - {origins[0]})))
        else:
            yield _not_your_turn(position, [target])
        return
    if not origins:
        yield from position.refusals(Place(INDEX[target], _cells(gone)))
        return
    # A pawn of his own that is gone was moved, a neighbour first, or else taken from himself for the line made here.
    actions: list[RingsAction] = [
        Move(INDEX[origin], INDEX[target], _cells(set(gone) - {origin})) for origin in origins
    ]
    actions.append(Place(INDEX[target], _cells(gone)))
    yield from min((position.refusals(action) for action in actions), key=_mistakes)


def _mistakes(refusals: Collection[Refusal]) -> int:
    """How many mistakes these are: taking an own pawn instead of another player's counts as one."""
    rules = {refusal.rule for refusal in refusals}
    return len(rules - {"capture.missing"}) if "capture.own" in rules else len(refusals)
