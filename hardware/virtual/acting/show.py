"""A match that plays itself before visitors: it follows what they ask for, and what the referee took back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random

import numpy as np

from engine.board import Board
from engine.core import Action, Position
from engine.match import Match
from engine.slips import makers_of
from hardware.virtual.acting.chance import SMOOTH, Rates, mishaps, next_deed, nudged, possible
from hardware.virtual.acting.deeds import Deed, Hover, Lamp, Leave, Nudge, Undo
from hardware.virtual.acting.slipping import attempts, random_mistake
from hardware.virtual.sample import random_light
from hardware.virtual.scene import Cup, Scene

TRICKS = ("cheat", "lamp", "bump", "cup")
"""What visitors may ask for."""
LONGEST = 40
"""Actions after which a match is long enough to watch."""
LOOKED_AT, CAREFUL = 16, 0.6
"""How many actions a hand weighs against each other, and how often it does."""


def shown_deeds(
    match: Match,
    scene: Scene,
    seed: int,
    asked: Callable[[], str | None],
    put_back: Callable[[], int | None],
    rates: Rates = SMOOTH,
    actions: int = LONGEST,
) -> Iterator[Deed]:
    """At most this many more actions of a match. `asked` gives the trick that is wanted next, if any; `put_back` how
    many actions stand where somebody took some back and the table does not show that yet."""
    dice, end = Random(seed), match.ply + actions
    pool = () if makers_of(match.position) else attempts(match.rules, match.position, seed)
    has_cup = False
    while possible(match.position, scene.board) and match.ply < end:
        stands = put_back()
        if stands is not None and stands < match.ply:
            match = match.undo(stands)
            yield Undo(stands)
            continue
        if (trick := asked()) is not None:
            has_cup = has_cup != (trick == "cup")
            yield _trick(trick, match, scene, dice, has_cup, pool)
            continue
        yield from mishaps(match, scene, dice, rates)
        if dice.random() < rates.mistake and (mistake := random_mistake(match, scene.board, pool, dice)):
            yield mistake
        match, deed = next_deed(match, scene.board, dice, rates, partial(_chosen, match.position, dice))
        yield deed


def _trick(trick: str, match: Match, scene: Scene, dice: Random, has_cup: bool, pool: tuple[Action, ...]) -> Deed:
    match trick:
        case "cheat":
            return random_mistake(match, scene.board, pool, dice) or Hover(1.0)
        case "lamp":
            return Lamp(random_light(np.random.default_rng(dice.randrange(1 << 30))))
        case "bump":
            x, y, angle = scene.board_at
            pushed = (x + dice.uniform(-9, 9), y + dice.uniform(-9, 9), angle + dice.uniform(-3, 3))
            return Nudge(board_at=pushed, pose=nudged(scene.pose, dice))
        case _:
            return Leave(_cup(match, scene.board, dice) if has_cup else None)


def _cup(match: Match, board: Board, dice: Random) -> Cup:
    """A cup, on a site where nothing stands."""
    free = [site for name, site in board.sites.items() if name not in match.position.faces()]
    return Cup(dice.choice(free or list(board.sites.values())).at, z=3.0, colour="#a8322a")


def _chosen(position: Position, dice: Random, actions: Sequence[Action]) -> Action:
    """An action that somebody might choose: one that wins, or often the best of a few."""
    winning = position.rules.winning(position)
    if winning is not None and winning in actions:
        return winning
    if position.seat is None or dice.random() > CAREFUL:
        return dice.choice(actions)
    few = dice.sample(list(actions), min(LOOKED_AT, len(actions)))
    return max(few, key=lambda action: _lead(position.after(action), position.seat or 0))


def _lead(position: Position, seat: int) -> int:
    worth = [*position.rules.worth(position)]
    own = worth.pop(seat)
    return own - max(worth, default=0)
