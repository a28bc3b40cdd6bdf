"""Random mistakes for a Rings table, one function for each kind on the rules page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random

from engine.core import Action, Position
from engine.face import Face
from engine.games.rings.actions import Move, Place, RingsAction, Turn
from engine.games.rings.cells import ALL, NAMES, RINGS, bits
from engine.games.rings.faces import BY_SEAT
from engine.games.rings.rules import RingsPosition
from engine.slips import Slip, changed


def _table(position: Position) -> RingsPosition:
    assert isinstance(position, RingsPosition)
    return position


def _own(position: RingsPosition) -> Face:
    """A pawn of the player whose turn it is."""
    return BY_SEAT[position.mover]


def _free(position: RingsPosition) -> list[int]:
    return list(bits(ALL & ~position.occupied))


def place_occupied(position: Position, random: Random) -> Slip | None:
    """A pawn takes the place of another player's."""
    table = _table(position)
    foreign = [cell for cell in bits(table.occupied) if table.owner(cell) != table.mover]
    if not foreign or not table.reserve[table.mover] or table.flies(table.mover):
        return None
    return Slip(("place.occupied",), changed(table.faces(), {NAMES[random.choice(foreign)]: _own(table)}))


def place_two(position: Position, random: Random) -> Slip | None:
    table = _table(position)
    free = _free(table)
    if table.reserve[table.mover] < 2 or len(free) < 2:
        return None
    new = [NAMES[cell] for cell in random.sample(free, 2)]
    return Slip(("place.two",), changed(table.faces(), dict.fromkeys(new, _own(table))))


def turn(position: Position, random: Random) -> Slip | None:
    """The ring turned last turned again, or a ring turned by a flying player."""
    table = _table(position)
    return _first(table, [Turn(ring, way) for ring in range(3) for way in (True, False)], random)


def turn_too_far(position: Position, random: Random) -> Slip | None:
    table = _table(position)
    ring, steps = random.randrange(3), random.choice((2, 3, -2, -3))
    faces = table.faces()
    carried: dict[str, Face] = {}
    for site, face in faces.items():
        if site[0] == RINGS[ring]:
            site = f"{site[0]}{(int(site[1]) - 1 + steps) % 8 + 1}"
        carried[site] = face
    return Slip(("turn.too-far",), carried, {f"ring-{RINGS[ring]}": steps})


def move(position: Position, random: Random) -> Slip | None:
    """A pawn moved to a cell that is no neighbour."""
    table = _table(position)
    own = list(bits(table.pawns[table.mover]))
    return _first(table, [Move(origin, cell) for origin in own for cell in _free(table)], random)


def move_foreign(position: Position, random: Random) -> Slip | None:
    table = _table(position)
    foreign = [cell for cell in bits(table.occupied) if table.owner(cell) != table.mover]
    if not foreign:
        return None
    origin, target = random.choice(foreign), random.choice(_free(table))
    faces = table.faces()
    return Slip(("move.foreign",), changed(faces, {NAMES[origin]: None, NAMES[target]: faces[NAMES[origin]]}))


def capture_missing(position: Position, random: Random) -> Slip | None:
    """A line made and nothing taken."""
    table = _table(position)
    return _first(table, [replace(action, taken=0) for action in _lines(table)], random)


def capture_too_many(position: Position, random: Random) -> Slip | None:
    table = _table(position)
    actions = [
        replace(action, taken=action.taken | 1 << cell) for action in _lines(table) for cell in _foreign(table, action)
    ]
    return _first(table, actions, random)


def capture_own(position: Position, random: Random) -> Slip | None:
    """A line made, and one of the mover's own pawns taken: to the camera that pawn may also have been moved."""
    table = _table(position)
    actions = [action for action in _lines(table) if isinstance(action, Place)]
    if not actions:
        return None
    action = replace(random.choice(actions), taken=0)
    own = random.choice(list(bits(table.pawns[table.mover])))
    looks = (replace(action, taken=1 << own), Move(own, action.cell))
    rules = dict.fromkeys(refusal.rule for action in looks for refusal in table.refusals(action))
    return Slip(tuple(rules), changed(table.after(action).faces(), {NAMES[own]: None}))


def capture_without_line(position: Position, random: Random) -> Slip | None:
    table = _table(position)
    quiet = [action for action in table.legal() if isinstance(action, Place | Move) and not action.taken]
    actions = [replace(action, taken=1 << cell) for action in quiet for cell in _foreign(table, action)]
    return _first(table, actions, random)


def _lines(position: RingsPosition) -> list[Place | Move | Turn]:
    return [action for action in position.legal() if isinstance(action, Place | Move | Turn) and action.taken]


def _foreign(position: RingsPosition, action: RingsAction) -> list[int]:
    """Pawns of the other players that are left after an action."""
    others = sum(pawns for seat, pawns in enumerate(position.step(action).pawns) if seat != position.mover)
    return list(bits(others & ~action.taken))


def two_actions(position: Position, random: Random) -> Slip | None:
    """One player moves two pawns in one turn."""
    table = _table(position)
    steps = [action for action in table.legal() if isinstance(action, Move) and not action.taken]
    if not steps:
        return None
    one = random.choice(steps)
    then = replace(table.after(one), seat=table.mover, outcome=None)
    more = [
        action
        for action in then.legal()
        if isinstance(action, Move) and not action.taken
        if action.origin != one.target and action.target != one.origin
    ]
    return Slip(("two-actions",), then.after(random.choice(more)).faces()) if more else None


def out_of_turn(position: Position, random: Random) -> Slip | None:
    table = _table(position)
    others = [seat for seat in range(table.players) if seat != table.mover and table.reserve[seat]]
    free = _free(table)
    if not others or not free:
        return None
    changes = {NAMES[random.choice(free)]: BY_SEAT[random.choice(others)]}
    return Slip(("not-your-turn",), changed(table.faces(), changes))


def _first(
    position: RingsPosition, actions: Iterable[Action], random: Random, wanted: str | None = None
) -> Slip | None:
    """A random one of these that breaks a named rule, carried out anyway."""
    tried = list(actions)
    random.shuffle(tried)
    for action in tried[:200]:
        rules = tuple(refusal.rule for refusal in position.refusals(action))
        if rules and "unknown" not in rules:
            return Slip(rules, position.after(action).faces(), dict(action.turns))
    return None


MAKERS = (
    place_occupied,
    place_two,
    turn,
    turn_too_far,
    move,
    move_foreign,
    capture_missing,
    capture_too_many,
    capture_own,
    capture_without_line,
    two_actions,
    out_of_turn,
)
