"""Mistakes at a real Dimenticato table, recognised from what stands there now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from engine.core import COLOURS, Proof, Refusal, Word
from engine.face import Face
from engine.games.dimenticato.actions import Move, Open, Shift
from engine.games.dimenticato.faces import BY_SEAT
from engine.games.dimenticato.plan import bits
from engine.games.dimenticato.walk import landings, set_backs

if TYPE_CHECKING:
    from engine.games.dimenticato.rules import DimenticatoPosition

Faces = Mapping[str, Face]


def diagnose(position: DimenticatoPosition, seen: Faces) -> Iterator[Refusal]:
    """The rules broken if the table now looks like this, most telling first."""
    before = position.faces()
    gone = [site for site in before if site not in seen]
    new = [site for site in seen if site not in before]
    swapped = [site for site in before if site in seen and before[site] != seen[site]]
    own = BY_SEAT[position.mover]
    # A captured figure may be set back to where its captor came from.
    left = [site for site in (*gone, *swapped) if before[site] == own]
    came = [site for site in (*new, *swapped) if seen[site] == own]
    if len(left) == 1 and len(came) == 1:
        beaten = [site for site in swapped if site in came]
        moved = _moved(position, before, seen, left[0], came[0], beaten, [*new, *swapped])
        return moved if moved is not None else iter(())
    if left or came:
        return _several(left, came)
    return _foreign(position, before, seen, gone, new)


def _moved(
    position: DimenticatoPosition,
    before: Faces,
    seen: Faces,
    origin: str,
    target: str,
    beaten: Sequence[str],
    arrived: Iterable[str],
) -> Iterator[Refusal] | None:
    """One figure of the mover went from here to there, and with it at most one other that it captured."""
    others = [site for site in arrived if site != target]
    if not beaten:
        # Some other figure was moved as well: two actions, or a foreign one.
        return _deed(position, origin, target, None) if not others else None
    back = [site for site in others if seen[site] == before[target]]
    if len(back) != len(others) or len(back) > 1:
        return None
    return _deed(position, origin, target, back[0] if back else None)


def _deed(position: DimenticatoPosition, origin: str, target: str, set_back: str | None) -> Iterator[Refusal]:
    """Why the mover's figure may not go there."""
    plan, start = position.plan, position.plan.index[origin]
    end = plan.index[target]
    if plan.block_owner(start) is None:
        number = position.dice.pips[start]
        broken = tuple(position.refusals(Move(origin, number, target, set_back)))
        pushed = tuple(_pushed(position, start, end)) if set_back is None else ()
        # Who only miscounted has pushed nobody; a figure that stands behind where it came from was hardly moved there.
        miscounted = [refusal.rule for refusal in broken] == ["move.count"]
        yield from (*broken, *pushed) if miscounted else (*pushed, *broken)
    elif position.unopened >> start & 1:
        yield from position.refusals(Open(origin, target, set_back))
    elif plan.block_owner(end) is None:
        sites = (origin, target)
        yield Refusal("move.backward", sites, {"sites": ", ".join(sites)})
    else:
        yield from position.refusals(Shift(origin, target))


def _pushed(position: DimenticatoPosition, start: int, end: int) -> Iterator[Refusal]:
    """What is wrong if the figure that stands here now is another one of the mover's, which the one that is gone has
    driven off its field: set back as if it had been captured, or put aside in the goal."""
    plan, seat = position.plan, position.mover
    landed = landings(plan, seat, position.rules.extra_lap, start, position.dice.pips[start]) & position.figures[seat]
    for field in bits(landed):
        name = plan.names[field]
        if plan.block_owner(field) is None and set_backs(plan, field, seat) >> end & 1:
            yield Refusal("move.own", (name,), {"sites": name})
        if plan.block_owner(field) == seat == plan.block_owner(end):
            yield Refusal("goal.occupied", (name,), {"sites": name})


def _several(left: Sequence[str], came: Sequence[str]) -> Iterator[Refusal]:
    """More than one figure of the mover left its place or came to another."""
    if len(left) > 1 and came:
        sites = (*left, *came)
        yield Refusal("two-actions", sites, {"sites": ", ".join(sites)}, Proof.MAYBE_TWO)


def _foreign(
    position: DimenticatoPosition, before: Faces, seen: Faces, gone: Sequence[str], new: Sequence[str]
) -> Iterator[Refusal]:
    """Somebody else's figure was moved: by its owner out of turn, if that would be legal, or by whose turn it is."""
    movers = {before[site] for site in gone} & {seen[site] for site in new}
    for face in sorted(movers):
        owner = BY_SEAT.index(face)
        sites = tuple(site for site in (*gone, *new) if (before.get(site) or seen.get(site)) == face)
        then = position.turned_to(owner)
        if any(then.after(action).faces() == seen for action in then.legal()):
            yield Refusal("not-your-turn", sites, {"colour": Word(COLOURS[position.mover])})
        yield Refusal("move.foreign", sites, {"sites": ", ".join(sites), "colour": Word(COLOURS[owner])})
