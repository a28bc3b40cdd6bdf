"""Whole random matches from a seed: legal actions with the requested share of mistakes, undos and mishaps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from engine.board import Board
from engine.core import Action, Position
from engine.match import Match
from engine.referee.unseen import unseen
from engine.slips import makers_of
from hardware.virtual.acting.deeds import Deed, Drop, Hover, Interrupted, Lamp, Leave, Lift, Nudge, Play, Quick, Undo
from hardware.virtual.acting.slipping import attempts, one_hand_mistake, random_mistake
from hardware.virtual.camera import Pose
from hardware.virtual.sample import random_light, random_thing
from hardware.virtual.scene import Scene

SAID = 0.3
"""How often what could be shown by lifting a piece is only said, where it follows from what comes after it."""


@dataclass(frozen=True, kw_only=True)
class Rates:
    """How often something else happens along with an action of the match: shares from 0 to 1."""

    mistake: float = 0.1
    one_hand: float = 0.0
    """Two actions of one player in one visit of his hand, the second as if it were the next player's."""
    undo: float = 0.03
    quick: float = 0.05
    interrupted: float = 0.05
    nudge: float = 0.05
    lamp: float = 0.03
    thing: float = 0.02
    hover: float = 0.05
    drop: float = 0.03
    askew: float = 0.05
    peek: float = 0.0
    """Only where pieces cover something."""


SMOOTH = Rates(mistake=0, undo=0, quick=0, interrupted=0, nudge=0, lamp=0, thing=0, hover=0, drop=0, askew=0)
"""Nothing goes wrong."""


def random_deeds(match: Match, scene: Scene, actions: int, seed: int, rates: Rates = SMOOTH) -> Iterator[Deed]:
    """A match of at most this many actions. It depends on the seed alone, not on what the table does."""
    # Whatever else happens stays the same.
    dice, apart = Random(seed), Random(f"{seed} one hand")
    pool = attempts(match.rules, match.position, seed) if rates.mistake and not makers_of(match.position) else ()
    left = None
    while possible(match.position, scene.board) and match.ply < actions:
        if left and dice.random() < 0.5:
            yield Leave(left := None)
        elif dice.random() < rates.thing:
            yield Leave(left := random_thing(scene.board, np.random.default_rng([seed, match.ply]), on_board=True))
        yield from mishaps(match, scene, dice, rates)
        yield from _wrongs(match, scene.board, pool, dice, rates)
        if apart.random() < rates.one_hand and (mistake := one_hand_mistake(match, scene.board, apart)):
            yield mistake
        match, deed = next_deed(match, scene.board, dice, rates, dice.choice)
        yield deed
        if match.ply and dice.random() < rates.undo and match.position.outcome is None:
            ply = max(0, match.ply - dice.choice((1, 1, 1, 2, 3)))
            if _can_be_seen_undone(match, ply):
                match = match.undo(ply)
                yield Undo(ply)


def _wrongs(match: Match, board: Board, pool: tuple[Action, ...], dice: Random, rates: Rates) -> Iterator[Deed]:
    """What a player does wrong before doing something legal."""
    if dice.random() < rates.mistake and (mistake := random_mistake(match, board, pool, dice)):
        yield mistake
    if match.rules.game.covers and dice.random() < rates.peek and (peek := _peek(match, dice)):
        yield peek


def possible(position: Position, board: Board) -> list[Action]:
    """The legal actions for which there is room on the board."""
    room = board.sites.keys()
    return [action for action in position.legal() if position.after(action).faces().keys() <= room]


def next_deed(
    match: Match, board: Board, dice: Random, rates: Rates, choose: Callable[[list[Action]], Action]
) -> tuple[Match, Deed]:
    """The match after an action, and how a hand does it."""
    action = choose(possible(match.position, board))
    after = match.play(action)
    if action in unseen(match.position) and after.rules.beside(match.position) == after.rules.beside(after.position):
        return after, _unseen(match.position, action, dice)
    more = () if match.rules.game.anonymous else possible(after.position, board)
    if dice.random() < rates.quick and more:
        second = dice.choice(more)
        if second in unseen(after.position):
            return after, Play(str(action))
        return after.play(second), Quick((str(action), str(second)))
    if dice.random() < rates.interrupted:
        return after, Interrupted(str(action), dice.choice((1, 2, 3)))
    if dice.random() < rates.askew:
        off = (dice.uniform(-4, 4), dice.uniform(-4, 4))
        return after, Play(str(action), off, (dice.uniform(-1, 1), dice.uniform(-1, 1)))
    return after, Play(str(action))


def _unseen(position: Position, action: Action, dice: Random) -> Deed:
    """An action that changes nothing: said, or, where it is one to look under a piece, shown by lifting that."""
    lifts = (site for site in position.faces() if position.rules.looked_under(position, site) == action)
    site = next(lifts, None)
    # Of several that nobody shows one cannot tell which it was: then the first is taken for it.
    is_told = unseen(position)[0] == action and dice.random() < SAID
    return Play(str(action)) if site is None or is_told else Lift(site, dice.uniform(0.5, 1.5))


def _peek(match: Match, dice: Random) -> Deed | None:
    """Somebody looks under a piece where that is no action."""
    position = match.position
    sites = [site for site in position.faces() if position.rules.looked_under(position, site) is None]
    return Lift(dice.choice(sites), dice.uniform(0.5, 1.5), dice.randrange(position.players)) if sites else None


def _can_be_seen_undone(match: Match, ply: int) -> bool:
    """Whether the position at a ply looks different from now, and from the ones before and after it."""
    faces = match.positions[ply].faces()
    near = [other for other in (ply - 1, ply + 1) if 0 <= other < len(match.positions)]
    return match.position.faces() != faces and all(match.positions[other].faces() != faces for other in near)


def mishaps(match: Match, scene: Scene, dice: Random, rates: Rates) -> Iterator[Deed]:
    """What befalls a table before somebody acts."""
    if dice.random() < rates.nudge:
        x, y, angle = scene.board_at
        if dice.random() < 0.5:
            yield Nudge(board_at=(x + dice.uniform(-8, 8), y + dice.uniform(-8, 8), angle + dice.uniform(-3, 3)))
        else:
            yield Nudge(pose=nudged(scene.pose, dice))
    if dice.random() < rates.lamp:
        yield Lamp(random_light(np.random.default_rng([match.ply, dice.randrange(1 << 30)])))
    if dice.random() < rates.hover:
        site = dice.choice(list(scene.board.sites.values()))
        yield Hover(dice.uniform(0.5, 2.5), site.at)
    if dice.random() < rates.drop:
        yield Drop(dice.choice((1, 1, 2, 4)))


def nudged(pose: Pose, dice: Random) -> Pose:
    return replace(
        pose,
        direction=pose.direction + dice.uniform(-2, 2),
        roll=pose.roll + dice.uniform(-2, 2),
        aim=(pose.aim[0] + dice.uniform(-6, 6), pose.aim[1] + dice.uniform(-6, 6)),
    )
