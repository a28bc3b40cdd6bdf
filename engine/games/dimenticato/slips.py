"""Random mistakes for a Dimenticato table, one function for each kind on the rules page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random

from engine.core import Action, Position
from engine.face import Face
from engine.games.dimenticato.actions import Move, Open
from engine.games.dimenticato.plan import bits
from engine.games.dimenticato.rules import DimenticatoPosition
from engine.games.dimenticato.walk import NUMBERS, Gait, landings, reached, set_backs
from engine.slips import Slip, changed

TRIES = 60


def _table(position: Position) -> DimenticatoPosition:
    assert isinstance(position, DimenticatoPosition)
    return position


def _free(table: DimenticatoPosition) -> list[int]:
    return list(bits(table.plan.track & ~table.occupied))


def _out(table: DimenticatoPosition) -> list[int]:
    """The mover's figures on the track."""
    return list(bits(table.figures[table.mover] & table.plan.track))


def _within_reach(table: DimenticatoPosition, start: int, gait: Gait, counts: Iterable[int]) -> list[int]:
    """Free fields of the track that a figure gets to so."""
    found = 0
    for count in counts:
        found |= reached(table.plan, gait, start, count)
    return list(bits(found & table.plan.track & ~table.occupied))


def _moves(table: DimenticatoPosition, gait: Gait, wrong_count: bool) -> Iterator[Action]:
    """Calls whose figure then goes where it may not."""
    texts = table.plan.texts
    for start in _out(table):
        true = table.dice.pips[start]
        counts = [number for number in NUMBERS if number != true] if wrong_count else [true]
        for target in _within_reach(table, start, gait, counts):
            yield Move(texts[start], true, texts[target])


def count(position: Position, random: Random) -> Slip | None:
    """A figure moved another number of fields than are under it."""
    table = _table(position)
    return _first(table, _moves(table, Gait(table.mover), wrong_count=True), random, "move.count")


def bends(position: Position, random: Random) -> Slip | None:
    table = _table(position)
    return _first(table, _moves(table, Gait(table.mover, bends=99), wrong_count=False), random, "move.bends")


def backward(position: Position, random: Random) -> Slip | None:
    table = _table(position)
    return _first(table, _moves(table, Gait(table.mover, backward=True), wrong_count=False), random, "move.backward")


def corner(position: Position, random: Random) -> Slip | None:
    table = _table(position)
    return _first(table, _moves(table, Gait(table.mover, left=True), wrong_count=False), random, "move.corner")


def foreign(position: Position, random: Random) -> Slip | None:
    """Somebody else's figure moved."""
    table = _table(position)
    others = [
        site for seat, own in enumerate(table.figures) if seat != table.mover for site in bits(own & table.plan.track)
    ]
    if not others or not _free(table):
        return None
    names, faces = table.plan.names, table.faces()
    origin, target = names[random.choice(others)], names[random.choice(_free(table))]
    return Slip(("move.foreign", "not-your-turn"), changed(faces, {origin: None, target: faces[origin]}))


def out_of_turn(position: Position, random: Random) -> Slip | None:
    """The next player plays before this one has."""
    table = _table(position)
    then = table.turned_to((table.mover + 1) % table.players)
    legal = [action for action in then.legal() if then.after(action).faces() != table.faces()]
    if not legal:
        return None
    return Slip(("not-your-turn", "move.foreign"), dict(then.after(random.choice(legal)).faces()))


def safe(position: Position, random: Random) -> Slip | None:
    """A figure that stands on its own colour is captured."""
    table = _table(position)
    return _first(table, _captures(table, safe_ones=True), random, "move.safe")


def own(position: Position, random: Random) -> Slip | None:
    """An own figure is captured, and set back like another player's."""
    table = _table(position)
    found = [
        (start, field)
        for start, landed in _on_own(table)
        if table.plan.track >> landed & 1
        for field in bits(set_backs(table.plan, landed, table.mover) & ~table.occupied)
    ]
    return _put(table, found, random, "move.own")


def goal_occupied(position: Position, random: Random) -> Slip | None:
    """A figure comes home onto a start field that is taken, and whoever stood there is put on another."""
    table = _table(position)
    block = table.plan.blocks[table.mover]
    found = [
        (start, field)
        for start, landed in _on_own(table)
        if block >> landed & 1
        for field in bits(block & ~table.occupied)
    ]
    return _put(table, found, random, "goal.occupied")


def _on_own(table: DimenticatoPosition) -> Iterator[tuple[int, int]]:
    """Figures of the mover whose number leads them onto another one of his."""
    mine = table.figures[table.mover]
    for start in _out(table):
        reach = landings(table.plan, table.mover, table.rules.extra_lap, start, table.dice.pips[start])
        yield from ((start, landed) for landed in bits(reach & mine))


def _put(table: DimenticatoPosition, found: Sequence[tuple[int, int]], random: Random, rule: str) -> Slip | None:
    """One figure gone from here, and one there, if the rules do not allow just that."""
    names, faces = table.plan.names, table.faces()
    shown = [changed(faces, {names[start]: None, names[field]: faces[names[start]]}) for start, field in found]
    allowed = [table.after(action).faces() for action in table.legal()]
    wrong = [each for each in shown if each not in allowed]
    # What it looks like may be another mistake.
    return Slip((rule, "move.count"), random.choice(wrong)) if wrong else None


def set_back_wrong(position: Position, random: Random) -> Slip | None:
    """A captured figure set back to a field that is not three steps behind."""
    table = _table(position)
    return _first(table, _captures(table, safe_ones=False), random, "setback.wrong")


def set_back_missing(position: Position, random: Random) -> Slip | None:
    """A captured figure taken off the board."""
    table = _table(position)
    captures = [action for action in table.legal() if isinstance(action, Move | Open) and action.set_back]
    if not captures:
        return None
    action = random.choice(captures)
    assert isinstance(action, Move | Open)
    after = dict(table.after(action).faces())
    del after[str(action.set_back)]
    return Slip(("setback.missing",), after)


def set_back_impossible(position: Position, random: Random) -> Slip | None:
    """A figure is captured that cannot be set back."""
    table = _table(position)
    return _first(table, _captures(table, safe_ones=False, stuck=True), random, "setback.impossible")


def _captures(table: DimenticatoPosition, safe_ones: bool, stuck: bool = False) -> Iterator[Action]:
    """Captures with a free field for the captured figure at will."""
    texts = table.plan.texts
    free = _free(table)
    others = table.occupied & ~table.figures[table.mover] & table.plan.track
    for start in _out(table):
        number = table.dice.pips[start]
        for target in bits(reached(table.plan, Gait(table.mover), start, number) & others):
            if table.is_safe(target) == safe_ones and (safe_ones or stuck != bool(table.set_backs(target, start))):
                yield from (Move(texts[start], number, texts[target], texts[back]) for back in free)


def start_foreign(position: Position, random: Random) -> Slip | None:
    """A figure put on somebody else's start field."""
    table = _table(position)
    blocks = [block for seat, block in enumerate(table.plan.blocks) if seat != table.mover]
    free = [site for block in blocks for site in bits(block & ~table.occupied)]
    own = _out(table)
    if not free or not own or table.opening():
        return None
    origin, target = table.plan.names[random.choice(own)], table.plan.names[random.choice(free)]
    faces = table.faces()
    return Slip(("start.foreign", "opening.first"), changed(faces, {origin: None, target: faces[origin]}))


def opening_count(position: Position, random: Random) -> Slip | None:
    table = _table(position)
    return _first(table, _openings(table, (6, 7, 8)), random, "opening.count")


def opening_card(position: Position, random: Random) -> Slip | None:
    table = _table(position)
    return _first(table, _openings(table, (2, 3)), random, "opening.card")


def _openings(table: DimenticatoPosition, counts: tuple[int, ...]) -> Iterator[Action]:
    texts = table.plan.texts
    for start in bits(table.figures[table.mover] & table.unopened):
        for target in _within_reach(table, start, Gait(table.mover, opening=True), counts):
            yield Open(texts[start], texts[target])


def opening_first(position: Position, random: Random) -> Slip | None:
    """A figure on the track moved while another can still come out."""
    table = _table(position)
    if not table.opening():
        return None
    return _first(table, _moves(table, Gait(table.mover), wrong_count=False), random, "opening.first")


def two_actions(position: Position, random: Random) -> Slip | None:
    """One player moves two figures in one turn."""
    table = _table(position)
    firsts = [action for action in table.legal() if isinstance(action, Move | Open) and action.set_back is None]
    random.shuffle(firsts)
    for one in firsts[:TRIES]:
        then = table.after(one).turned_to(table.mover)
        more = [
            action
            for action in then.legal()
            if isinstance(action, Move | Open) and action.set_back is None and action.origin != one.target
        ]
        if more and then.outcome is None:
            return Slip(("two-actions",), dict(then.after(random.choice(more)).faces()))
    return None


def _first(table: DimenticatoPosition, tried: Iterable[Action], random: Random, wanted: str) -> Slip | None:
    """A random one of these that breaks this rule, carried out all the same."""
    actions = list(tried)
    random.shuffle(actions)
    for action in actions[:TRIES]:
        rules = tuple(refusal.rule for refusal in table.refusals(action))
        if wanted in rules:
            faces: dict[str, Face] = dict(table.after(action).faces())
            return Slip((wanted, *(rule for rule in rules if rule != wanted)), faces)
    return None


MAKERS = (
    count,
    bends,
    backward,
    corner,
    foreign,
    out_of_turn,
    safe,
    own,
    goal_occupied,
    set_back_wrong,
    set_back_missing,
    set_back_impossible,
    start_foreign,
    opening_count,
    opening_card,
    opening_first,
    two_actions,
)
