"""Mistakes at a real Memento table, recognised from what stands there now."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.core import COLOURS, Proof, Refusal, Word
from engine.face import Face, Faces
from engine.games.memento.actions import Enter, Move, Split, Turn
from engine.games.memento.faces import seat_of
from engine.games.memento.points import INDEX, MARKERS, NAMES, TALLEST, TILES, stones_for
from engine.games.memento.refusals import refuse

if TYPE_CHECKING:
    from engine.games.memento.rules import MementoPosition


def diagnose(position: MementoPosition, seen: Faces, turned: Mapping[str, int]) -> Iterator[Refusal]:
    """The rules broken if the table now looks like this, most telling first."""
    found = list(_turned(position, seen, turned) if turned else _changed(position, seen))
    told = {refusal.rule for refusal in found}
    found += [refusal for refusal in _too_many(position, seen) if refusal.rule not in told]
    yield from found or _walked(position, seen)


def _differing(before: Faces, seen: Faces) -> set[str]:
    return {site for site in before.keys() | seen.keys() if before.get(site) != seen.get(site)}


def _not_your_turn(position: MementoPosition, sites: Collection[str]) -> Refusal:
    return Refusal("not-your-turn", tuple(sorted(sites)), {"colour": Word(COLOURS[position.mover])})


def _turned(position: MementoPosition, seen: Faces, turned: Mapping[str, int]) -> Iterator[Refusal]:
    """A triangle was turned illegally, or more than one, or something else was done as well."""
    turns = [Turn(TILES.index(name[-1]), steps == 1) for name, steps in turned.items()]
    after = position
    for turn in turns:
        after = _as_mover(after.after(turn), position.mover)
    if after.faces() != seen or any(abs(steps) > 1 for steps in turned.values()):
        return
    if len(turns) > 1:
        yield refuse("turn.two", [name for name in NAMES if f"tile-{name[0]}" in turned])
    else:
        yield from position.refusals(turns[0])


def _as_mover(position: MementoPosition, seat: int) -> MementoPosition:
    """The same table with this player still to move."""
    return replace(position, seat=seat, outcome=None)


def _changed(position: MementoPosition, seen: Faces) -> Iterator[Refusal]:
    before = position.faces()
    gone = [site for site in before if site not in seen]
    new = sorted((site for site in seen if site not in before), key=INDEX.__getitem__)
    other = [site for site in before if site in seen and before[site] != seen[site]]
    match (len(gone), len(new), len(other)):
        case (0, count, 0) if count:
            return _entered(position, {site: seen[site] for site in new})
        case (1, 1, 0) if before[gone[0]] == seen[new[0]]:
            return iter(position.refusals(Move(INDEX[gone[0]], INDEX[new[0]], captures=False)))
        case (1, 0, 1):
            return _captured(position, gone[0], other[0], seen[other[0]])
        case (0, _, raised) if raised and (grown := list(_grown(position, other, new, seen))):
            return iter(grown)
    return _split(position, seen, gone, new, other)


def _entered(position: MementoPosition, figures: Faces) -> Iterator[Refusal]:
    sites = list(figures)
    seats = set(map(seat_of, figures.values()))
    if seats != {position.mover}:
        if None not in seats:
            yield _not_your_turn(position, sites)
        return
    # Where a figure stands is surer than how high it is.
    yield from position.refusals(Enter(tuple(INDEX[site] for site in sites)))
    if tall := [site for site in sites if figures[site].level > 1]:
        yield refuse("enter.height", tall)


def _walked(position: MementoPosition, seen: Faces) -> Iterator[Refusal]:
    """A figure came to a point where it seems higher or lower than it was: but a figure that walks stays as high."""
    before = position.faces()
    sites = _differing(before, seen)
    gone, new = ([site for site in sites if site not in faces] for faces in (seen, before))
    if len(sites) == 2 and gone and new and before[gone[0]].likeness == seen[new[0]].likeness:
        for refusal in position.refusals(Move(INDEX[gone[0]], INDEX[new[0]], captures=False)):
            yield replace(refusal, proof=Proof.COUNT)


def _captured(position: MementoPosition, origin: str, target: str, result: Face) -> Iterator[Refusal]:
    """A figure moved onto another one, and the result is wrong."""
    own, beaten = position.owner(INDEX[origin]), position.owner(INDEX[target])
    height = position.height(INDEX[origin]) + position.height(INDEX[target])
    wanted = height if height <= TALLEST else height - TALLEST
    move = Move(INDEX[origin], INDEX[target], captures=True)
    seat = seat_of(result)
    if seat == own and result.level != wanted:
        yield refuse("capture.height", [target], number=result.level, wanted=wanted)
    elif seat == beaten and beaten != own:
        yield refuse("capture.marker", [target])
    elif seat != own:
        return
    yield from position.refusals(move)


def _grown(position: MementoPosition, changed: list[str], new: list[str], seen: Faces) -> Iterator[Refusal]:
    """Where stacks stood the mover's came, on top of them or instead, and beside them perhaps a new figure of his."""
    figures = {site: seen[site] for site in (*changed, *new)}
    below = {site: position.height(INDEX[site]) for site in changed}
    replaced = {site for site in changed if figures[site].level == 1 and position.owner(INDEX[site]) != position.mover}
    if replaced and len(figures) > 2:
        return
    if all(
        seat_of(figure) == position.mover and (site in replaced or figure.level == below.get(site, 0) + 1)
        for site, figure in figures.items()
    ):
        yield refuse("enter.occupied", changed)
        if len(figures) != 2:
            yield refuse("enter.count", list(figures), number=len(figures), wanted=2)


def _split(
    position: MementoPosition, seen: Faces, gone: list[str], new: list[str], other: list[str]
) -> Iterator[Refusal]:
    """A figure was divided: parts of it appeared, on free points or on stacks; it shrank or went."""
    figures = {site: seen[site] for site in (*new, *other)}
    shrunk = [site for site in other if _is_less(position, site, figures[site])]
    origins = gone + shrunk
    if len(origins) != 1:
        return
    origin = origins[0]
    seat = position.owner(INDEX[origin])
    parts = {site: figures[site].level for site in (*new, *shrunk)}
    stacked = [site for site in other if site not in shrunk]
    rest = position.height(INDEX[origin]) - sum(parts.values())
    parts |= {site: figures[site].level - position.height(INDEX[site]) for site in stacked}
    if len(stacked) == 1 and _may_be_on(position, stacked[0], rest, figures[stacked[0]].level):
        # The rest of it, whatever became of the stack that it was put on.
        parts[stacked[0]] = rest
    owners = {seat_of(figures[site]) for site in (*new, *shrunk)}
    # A part without a marker is one that stayed, or one that went from it.
    nobodys = {None} if shrunk else set()
    if not owners <= {seat} | nobodys or seat not in owners:
        return
    if any(seat_of(figures[site]) not in (seat, position.owner(INDEX[site])) for site in stacked):
        return
    if len(parts) not in (2, 3) or not all(height in (1, 2) for height in parts.values()):
        return
    yield from position.refusals(Split(INDEX[origin], tuple(sorted((INDEX[site], n) for site, n in parts.items()))))


def _is_less(position: MementoPosition, site: str, figure: Face) -> bool:
    """Whether some stones of the figure that stood here are left, with or without its marker."""
    return seat_of(figure) in (None, position.owner(INDEX[site])) and figure.level < position.height(INDEX[site])


def _may_be_on(position: MementoPosition, site: str, part: int, height: int) -> bool:
    """Whether a stack so high comes from a part put onto the one here, or in its place."""
    both = position.height(INDEX[site]) + part
    return height in (both, both - TALLEST, part)


def _too_many(position: MementoPosition, seen: Faces) -> Iterator[Refusal]:
    stones = sum(face.level for face in seen.values())
    changed = sorted(_differing(position.faces(), seen) & seen.keys(), key=INDEX.__getitem__)
    if stones > stones_for(position.players):
        yield refuse("stones.too-many", changed, number=stones, wanted=stones_for(position.players))
    for seat in range(position.players):
        if sum(seat_of(face) == seat for face in seen.values()) > MARKERS:
            yield refuse("markers.too-many", changed)
