"""Search with hidden information: what the player cannot know is dealt several times, and every deal is searched.

A player knows what the views of the match have shown him, as far back as his memory goes. The true position is asked
for nothing else: every world comes out of `Rules.recall`, and the actions weighed are those of the worlds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Sequence
from random import Random

from engine.core import Action, Position
from engine.players.search import DEEPEST, Scored, Thought, never, think

WORLDS = 12
"""How often the hidden information is dealt."""


def worlds(position: Position, earlier: Sequence[Position], seat: int, random: Random) -> list[tuple[Position, int]]:
    """The positions this player cannot tell from the true one, each with how often it was dealt."""
    recall = position.rules.recall
    dealt = [recall(position, earlier, seat, random) for _ in range(WORLDS)]
    times = Counter(world.key() for world in dealt)
    return [(world, times[key]) for key, world in {world.key(): world for world in dealt}.items()]


def ponder(
    position: Position,
    *,
    earlier: Sequence[Position] = (),
    random: Random,
    nodes: int,
    depth: int = DEEPEST,
    stop: Callable[[], bool] = never,
    shun: Collection[Hashable] = (),
) -> Thought:
    """The actions by their worth to the player to move, who saw these earlier positions and knows no more.

    An action may turn out to be impossible: `Rules.attempt` says what happens when it is tried.
    """
    seat = position.seat
    assert seat is not None
    possible = worlds(position, earlier, seat, random)
    if len(possible) == 1:
        return think(possible[0][0], random=random, nodes=nodes, depth=depth, stop=stop, shun=shun)
    thoughts = [
        (world, times, think(world, random=random, nodes=nodes // len(possible), depth=depth, stop=stop, shun=shun))
        for world, times in possible
    ]
    return together(seat, thoughts)


def together(seat: int, thoughts: Sequence[tuple[Position, int, Thought]]) -> Thought:
    """Every action with its mean worth over the worlds."""
    actions: dict[Action, Scored] = {}
    for _, _, thought in thoughts:
        for scored in thought.ranked:
            actions.setdefault(scored.action, scored)
    totals = dict.fromkeys(actions, 0)
    weight = sum(times for _, times, _ in thoughts)
    for world, times, thought in thoughts:
        values = {scored.action: scored.value for scored in thought.ranked}
        worst = min(values.values())
        for action in actions:
            value = values.get(action)
            if value is None:
                value = values.get(world.rules.attempt(world, action), worst)
            totals[action] += times * value
    ranked = sorted(
        (Scored(action, round(totals[action] / weight), scored.line) for action, scored in actions.items()),
        key=lambda scored: -scored.value,
    )
    return Thought(
        seat, tuple(ranked), min(thought.depth for *_, thought in thoughts), sum(t.nodes for *_, t in thoughts)
    )
