"""Whole random matches from a seed: legal actions with the requested share of mistakes, undos and mishaps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from engine.match import Match
from engine.slips import makers_of
from hardware.virtual.camera import Pose
from hardware.virtual.deeds import Deed, Drop, Hover, Interrupted, Lamp, Leave, Nudge, Play, Quick, Undo
from hardware.virtual.sample import random_light, random_thing
from hardware.virtual.scene import Scene
from hardware.virtual.slipping import attempts, random_mistake


@dataclass(frozen=True, kw_only=True)
class Rates:
    """How often, for each action of a match, something else happens as well: shares from 0 to 1."""

    mistake: float = 0.1
    undo: float = 0.03
    quick: float = 0.05
    interrupted: float = 0.05
    nudge: float = 0.05
    lamp: float = 0.03
    thing: float = 0.02
    hover: float = 0.05
    drop: float = 0.03
    askew: float = 0.05


SMOOTH = Rates(mistake=0, undo=0, quick=0, interrupted=0, nudge=0, lamp=0, thing=0, hover=0, drop=0, askew=0)
"""Nothing goes wrong."""


def random_deeds(match: Match, scene: Scene, actions: int, seed: int, rates: Rates = SMOOTH) -> Iterator[Deed]:
    """A match of so many actions, or to its end. It is drawn from the seed alone, not from what the table does."""
    dice = Random(seed)
    pool = attempts(match.rules, match.position, seed) if rates.mistake and not makers_of(match.position) else ()
    left = None
    while match.position.legal() and match.ply < actions:
        if left and dice.random() < 0.5:
            yield Leave(None)
            left = None
        elif dice.random() < rates.thing:
            left = random_thing(scene.board, np.random.default_rng([seed, match.ply]), on_board=True)
            yield Leave(left)
        yield from _mishaps(match, scene, dice, rates)
        if dice.random() < rates.mistake and (mistake := random_mistake(match, scene.board, pool, dice)):
            yield mistake
        match, deed = _next(match, dice, rates)
        yield deed
        if match.ply and dice.random() < rates.undo and match.position.outcome is None:
            ply = max(0, match.ply - dice.choice((1, 1, 1, 2, 3)))
            if match.positions[ply].faces() != match.position.faces():
                match = match.undo(ply)
                yield Undo(ply)


def _next(match: Match, dice: Random, rates: Rates) -> tuple[Match, Deed]:
    action = dice.choice(match.position.legal())
    after = match.play(action)
    if dice.random() < rates.quick and after.position.legal():
        second = dice.choice(after.position.legal())
        return after.play(second), Quick((str(action), str(second)))
    if dice.random() < rates.interrupted:
        return after, Interrupted(str(action), dice.choice((1, 2, 3)))
    if dice.random() < rates.askew:
        off = (dice.uniform(-4, 4), dice.uniform(-4, 4))
        return after, Play(str(action), off, (dice.uniform(-1, 1), dice.uniform(-1, 1)))
    return after, Play(str(action))


def _mishaps(match: Match, scene: Scene, dice: Random, rates: Rates) -> Iterator[Deed]:
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
