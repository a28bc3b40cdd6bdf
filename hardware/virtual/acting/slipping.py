"""Mistakes for the virtual table: only those that nothing legal explains, in the end or on the way there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random

from engine.board import Board
from engine.core import Action, GameError, Position, Rules
from engine.face import EMPTY, Face
from engine.match import Match
from engine.referee.evidence import Evidence, Stand
from engine.referee.explain import GOOD, Explanation, by_one_player, explain, stand_after
from engine.referee.reading import Reading
from engine.slips import Slip, slips
from hardware.virtual.acting.deeds import Mistake
from hardware.virtual.acting.script import Layout, TurnSheet, apply, plan

_POOL_MATCHES = 6
_POOL_PLIES = 60
_TRIES = 60

Appearance = tuple[frozenset[tuple[str, Face]], frozenset[tuple[str, int]]]


def random_mistake(match: Match, board: Board, pool: tuple[Action, ...], dice: Random) -> Mistake | None:
    """A mistake of the game's own kinds, or an attempted action that the rules refuse."""
    stands = stands_of(match)
    # What a hidden rack may hold, whoever watches the table must take for possible.
    position = match.position.witnessed()
    legal = legal_looks(position, board) | earlier_looks(stands, board)
    for slip in (*slips(match.position, dice), *_refused(match.position, pool, dice)):
        faces = match.position.faces()
        if passes_by(board, faces, slip.faces, slip.turns, legal):
            continue
        if match.rules.game.anonymous and passes_by(board, slip.faces, faces, slip.turns, legal):
            continue
        if not is_explained(position, stands, board, slip.faces, slip.turns):
            return Mistake(slip.faces, dict(slip.turns), slip.rules)
    return None


def one_hand_mistake(match: Match, board: Board, dice: Random) -> Mistake | None:
    """Two actions in one visit of one hand, which never leaves the board: the second one would be legal for the next
    player, but was not his."""
    position, stands = match.position, stands_of(match)
    firsts = list(position.legal())
    dice.shuffle(firsts)
    for first in firsts[:_TRIES]:
        then = position.after(first)
        seconds = [action for action in then.legal() if action.turns and not action.turns.keys() & first.turns.keys()]
        second = dice.choice(seconds) if seconds else None
        if second is None or not by_one_player(position, (first, second)):
            continue
        faces, turns = then.after(second).faces(), {**first.turns, **second.turns}
        if Counter(faces.values()) != Counter(position.faces().values()):
            # For what comes from the supply, or goes there, a hand leaves the board.
            continue
        best, _ = _explained(position, stands, board, faces, turns)
        if len(best.actions) > 1 and by_one_player(position, best.actions):
            named = tuple(refusal.rule for refusal in position.rules.diagnose(position, faces, turns))
            return Mistake(faces, turns, named or ("two-actions",))
    return None


def stands_of(match: Match) -> list[Stand]:
    """What the table showed at each ply, with all sheets in their first position at the start."""
    stands = [Stand(match.positions[0].faces(), {})]
    for action, position in zip(match.actions, match.positions[1:], strict=True):
        turns = dict(stands[-1].turns)
        for name, steps in action.turns.items():
            turns[name] = turns.get(name, 0) + steps
        stands.append(Stand(position.faces(), turns))
    return stands


def is_explained(
    position: Position, stands: list[Stand], board: Board, faces: Mapping[str, Face], turns: Mapping[str, int]
) -> bool:
    """Whether a table that shows this may have come about legally: by one or two actions, or by taking some back."""
    best, evidence = _explained(position, stands, board, faces, turns)
    return evidence.strain(stand_after(position, stands[-1], best, stands)) <= GOOD


def _explained(
    position: Position, stands: list[Stand], board: Board, faces: Mapping[str, Face], turns: Mapping[str, int]
) -> tuple[Explanation, Evidence]:
    """What explains a table that shows this best, and what is seen of it."""
    now = stands[-1].turns
    lies = {sheet.name: (now.get(sheet.name, 0) + turns.get(sheet.name, 0)) % sheet.turns for sheet in board.turnable}
    reading = Reading(
        {site: {faces.get(site, EMPTY): 0.0} for site in board.sites},
        {
            sheet.name: tuple(0.0 if turn == lies[sheet.name] else -20.0 for turn in range(sheet.turns))
            for sheet in board.turnable
        },
    )
    evidence = Evidence(reading)
    return explain(position, stands[-1], evidence, stands[:-1])[0], evidence


def legal_looks(position: Position, board: Board) -> frozenset[Appearance]:
    """How the table looks after each legal action."""
    return frozenset(_look(position.after(action).faces(), action.turns, board) for action in position.legal())


def earlier_looks(stands: Sequence[Stand], board: Board) -> frozenset[Appearance]:
    """How the table looked before, with its sheets' turns counted from where they lie now."""
    now = stands[-1].turns
    return frozenset(
        _look(stand.faces, {name: stand.turns.get(name, 0) - turn for name, turn in now.items()}, board)
        for stand in stands[:-1]
    )


def passes_by(
    board: Board,
    before: Mapping[str, Face],
    after: Mapping[str, Face],
    turns: Mapping[str, int],
    legal: frozenset[Appearance],
) -> bool:
    """Whether a hand that does this step by step passes through a state that a legal action would leave."""
    for land_first in (False, True):
        steps = plan(board, before, after, turns, land_first)
        layout, turned = Layout.showing(board, before), dict.fromkeys(turns, 0)
        for step in steps[:-1]:
            layout = apply(layout, [step])
            if isinstance(step, TurnSheet):
                turned[step.sheet] += step.steps
            if _look(layout.faces(), turned, board) in legal:
                return True
    return False


def attempts(rules: Rules, start: Position, seed: int) -> tuple[Action, ...]:
    """Actions that are well-formed somewhere in a match: most of them are not legal here and now."""
    dice = Random(seed)
    pool: set[str] = set()
    for _ in range(_POOL_MATCHES):
        position = start
        for _ in range(_POOL_PLIES):
            legal = position.legal()
            if not legal:
                break
            pool.update(str(action) for action in dice.sample(list(legal), min(8, len(legal))))
            position = position.after(dice.choice(legal))
    return tuple(rules.parse(text) for text in sorted(pool))


def _refused(position: Position, pool: tuple[Action, ...], dice: Random) -> Iterable[Slip]:
    for _ in range(_TRIES if pool else 0):
        action = dice.choice(pool)
        refusals = position.refusals(action)
        # If the rules cannot name the mistake, people could not make it either.
        if not refusals or refusals[0].rule == "unknown":
            continue
        faces = _attempted(position, action)
        if faces is not None:
            yield Slip(tuple(refusal.rule for refusal in refusals), faces, dict(action.turns))


def _attempted(position: Position, action: Action) -> dict[str, Face] | None:
    """What the table shows if somebody does it anyway; None if the action makes no sense here."""
    try:
        return dict(position.after(action).faces())
    except (GameError, LookupError, ValueError, TypeError, AttributeError, AssertionError):
        return None


def _look(faces: Mapping[str, Face], turns: Mapping[str, int], board: Board) -> Appearance:
    turned = {name: steps % board.by_name[name].turns for name, steps in turns.items()}
    return frozenset(faces.items()), frozenset((name, steps) for name, steps in turned.items() if steps)
