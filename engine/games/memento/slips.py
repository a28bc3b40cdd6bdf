"""Random mistakes for a Memento table, one function for each kind on the rules page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random

from engine.core import Action, Position
from engine.face import Face
from engine.games.memento.actions import Move, Split, Turn
from engine.games.memento.faces import FIGURES
from engine.games.memento.points import ALL, ENTRIES, INNER, MIDDLES, NAMES, TALLEST, bits
from engine.games.memento.rules import MementoPosition
from engine.slips import Slip, changed


def _table(position: Position) -> MementoPosition:
    assert isinstance(position, MementoPosition)
    return position


def _own(position: MementoPosition, stones: int = 1) -> Face:
    """A figure of the player whose turn it is."""
    return FIGURES[position.mover][stones - 1]


def _free(position: MementoPosition, points: int) -> list[str]:
    return [NAMES[point] for point in bits(points & ~position.occupied)]


def _enter(position: MementoPosition, rule: str, sites: Iterable[str], face: Face | None = None) -> Slip | None:
    """New figures on these points, if there are stones for them."""
    names = list(sites)
    if not position.entered or position.supply < len(names):
        return None
    changes: dict[str, Face | None] = dict.fromkeys(names, _own(position))
    if face is not None:
        changes[names[0]] = face
    return Slip((rule,), changed(position.faces(), changes))


def enter_one(position: Position, random: Random) -> Slip | None:
    table = _table(position)
    return _enter(table, "enter.count", random.sample(_free(table, ENTRIES), 1))


def enter_three(position: Position, random: Random) -> Slip | None:
    table = _table(position)
    free = _free(table, ENTRIES)
    return _enter(table, "enter.count", random.sample(free, 3)) if len(free) >= 3 else None


def enter_middle(position: Position, random: Random) -> Slip | None:
    return _enter_badly(_table(position), "enter.middle", MIDDLES & ~INNER, random)


def enter_inner(position: Position, random: Random) -> Slip | None:
    return _enter_badly(_table(position), "enter.inner", INNER & ~MIDDLES, random)


def _enter_badly(position: MementoPosition, rule: str, points: int, random: Random) -> Slip | None:
    bad, good = _free(position, points), _free(position, ENTRIES)
    if not bad or not good:
        return None
    return _enter(position, rule, [random.choice(bad), random.choice(good)])


def enter_occupied(position: Position, random: Random) -> Slip | None:
    """One of the two is put on an existing stack, whose marker is removed."""
    table = _table(position)
    stacks = [point for point in bits(table.occupied & ENTRIES) if table.height(point) < TALLEST]
    free = _free(table, ENTRIES)
    if not stacks or not free or table.supply < 2:
        return None
    point = random.choice(stacks)
    changes: dict[str, Face | None] = {
        NAMES[point]: _own(table, table.height(point) + 1),
        random.choice(free): _own(table),
    }
    return Slip(("enter.occupied",), changed(table.faces(), changes))


def enter_tall(position: Position, random: Random) -> Slip | None:
    table = _table(position)
    free = _free(table, ENTRIES)
    if len(free) < 2 or table.supply < 3:
        return None
    return _enter(table, "enter.height", random.sample(free, 2), face=_own(table, 2))


def turn(position: Position, random: Random) -> Slip | None:
    """A triangle turned illegally: after another turn, or without changing anything."""
    table = _table(position)
    return _first(table, [Turn(tile, way) for tile in range(4) for way in (True, False)], random)


def turn_two(position: Position, random: Random) -> Slip | None:
    table = _table(position)
    tiles = [tile for tile in range(4) if table.changes(tile)]
    if len(tiles) < 2:
        return None
    one, other = (Turn(tile, random.random() < 0.5) for tile in random.sample(tiles, 2))
    after = replace(table.after(one), seat=table.mover, outcome=None).after(other)
    return Slip(("turn.two",), after.faces(), {**one.turns, **other.turns})


def move(position: Position, random: Random) -> Slip | None:
    """A figure moved where it cannot go: too far, round a bend, through a figure, over the edge."""
    table = _table(position)
    own = list(bits(table.figures[table.mover]))
    free = list(bits(ALL & ~table.occupied))
    ways: list[Action] = [Move(origin, target, False) for origin in own for target in free]
    return _first(table, ways, random)


def move_foreign(position: Position, random: Random) -> Slip | None:
    table = _table(position)
    foreign = [point for point in bits(table.occupied) if table.owner(point) != table.mover]
    if not foreign:
        return None
    origin = random.choice(foreign)
    target = random.choice(list(bits(ALL & ~table.occupied)))
    faces = table.faces()
    return Slip(("move.foreign",), changed(faces, {NAMES[origin]: None, NAMES[target]: faces[NAMES[origin]]}))


def capture_height(position: Position, random: Random) -> Slip | None:
    """Three stones not removed, or a wrong number of them."""
    table = _table(position)
    origin, target = _capture(table, random)
    if origin < 0:
        return None
    height = table.height(origin) + table.height(target)
    wrong = [height] if height > TALLEST else [left for left in (height - 1, height + 1) if 1 <= left <= TALLEST]
    if height > TALLEST + 1:
        wrong.append(height - TALLEST + 1)
    face = _own(table, random.choice(wrong))
    if table.faces()[NAMES[target]] == face:
        return None
    return Slip(("capture.height",), changed(table.faces(), {NAMES[origin]: None, NAMES[target]: face}))


def capture_marker(position: Position, random: Random) -> Slip | None:
    """The captured marker is left on the capturing figure."""
    table = _table(position)
    origin, target = _capture(table, random, foreign=True)
    if origin < 0:
        return None
    height = table.height(origin) + table.height(target)
    beaten = table.owner(target)
    assert beaten is not None
    face = FIGURES[beaten][(height if height <= TALLEST else height - TALLEST) - 1]
    return Slip(("capture.marker",), changed(table.faces(), {NAMES[origin]: None, NAMES[target]: face}))


def _capture(position: MementoPosition, random: Random, foreign: bool = False) -> tuple[int, int]:
    ways = [
        (action.origin, action.target)
        for action in position.legal()
        if isinstance(action, Move) and action.captures
        if not foreign or position.owner(action.target) != position.mover
    ]
    return random.choice(ways) if ways else (-1, -1)


def split(position: Position, random: Random) -> Slip | None:
    """A figure divided out of its reach, onto another one, or with a part left behind."""
    table = _table(position)
    tall = [point for point in bits(table.figures[table.mover]) if table.height(point) > 1]
    if not tall or not table.spare_markers(table.mover):
        return None
    origin = random.choice(tall)
    reached = table.rules.ways.targets(origin, table.height(origin), table.occupied)
    near, far = list(bits(reached & ~table.occupied)), list(bits(ALL & ~reached & ~table.occupied & ~(1 << origin)))
    behind = 1 << origin
    taken = [point for point in bits(reached & table.occupied) if table.height(point) < TALLEST]
    kinds = [kind for kind in ((far, "far"), ([origin], "behind"), (taken, "taken")) if kind[0]]
    bad = random.choice(random.choice(kinds)[0])
    good = [point for point in near if point != bad]
    if not good:
        return None
    heights = [1, table.height(origin) - 1]
    random.shuffle(heights)
    parts = tuple(sorted({bad: heights[0], random.choice(good): heights[1]}.items()))
    changes: dict[str, Face | None] = {NAMES[origin]: None}
    for point, height in parts:
        below = table.height(point) if table.occupied & ~behind & 1 << point else 0
        if below + height > TALLEST:
            return None
        changes[NAMES[point]] = _own(table, below + height)
    rules = tuple(refusal.rule for refusal in table.refusals(Split(origin, parts)))
    return Slip(rules, changed(table.faces(), changes)) if rules else None


def two_actions(position: Position, random: Random) -> Slip | None:
    """One player moves two figures in one turn."""
    table = _table(position)
    steps = [action for action in table.legal() if isinstance(action, Move) and not action.captures]
    if not steps:
        return None
    one = random.choice(steps)
    then = replace(table.after(one), seat=table.mover, outcome=None)
    more = [
        action
        for action in then.legal()
        if isinstance(action, Move) and not action.captures
        if action.origin != one.target and action.target != one.origin
    ]
    return Slip(("two-actions",), then.after(random.choice(more)).faces()) if more else None


def out_of_turn(position: Position, random: Random) -> Slip | None:
    """Another player enters two figures of their colour."""
    table = _table(position)
    others = [seat for seat in range(table.players) if seat != table.mover and not table.is_out(seat)]
    free = _free(table, ENTRIES)
    if not table.entered or table.supply < 2 or len(free) < 2:
        return None
    face = FIGURES[random.choice(others)][0]
    return Slip(("not-your-turn",), changed(table.faces(), dict.fromkeys(random.sample(free, 2), face)))


def stones_too_many(position: Position, random: Random) -> Slip | None:
    """A stack of the mover has grown although the supply is empty."""
    table = _table(position)
    low = [point for point in bits(table.figures[table.mover]) if table.height(point) < TALLEST]
    if table.supply > 0 or not low:
        return None
    point = random.choice(low)
    changes = {NAMES[point]: _own(table, table.height(point) + 1)}
    return Slip(("stones.too-many", "enter.occupied"), changed(table.faces(), changes))


def _first(position: MementoPosition, actions: Iterable[Action], random: Random) -> Slip | None:
    """A random one of these actions that breaks a named rule, carried out anyway."""
    tried = list(actions)
    random.shuffle(tried)
    for action in tried:
        rules = tuple(refusal.rule for refusal in position.refusals(action))
        if rules and "unknown" not in rules:
            return Slip(rules, position.after(action).faces(), dict(action.turns))
    return None


MAKERS = (
    enter_one,
    enter_three,
    enter_middle,
    enter_inner,
    enter_occupied,
    enter_tall,
    turn,
    turn_two,
    move,
    move_foreign,
    capture_height,
    capture_marker,
    split,
    two_actions,
    out_of_turn,
    stones_too_many,
)
