"""Opponents of graded strength, the same five for every game: from a child to a master."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from engine.core import Action, Position, UnknownNameError
from engine.players.hidden import ponder
from engine.players.search import DEEPEST, SURE, Thought, never


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


@dataclass(frozen=True, kw_only=True)
class Level:
    """How well a player plays: how far it looks ahead, how much it errs, how long it remembers."""

    number: int
    name: str
    word: str
    """How strong it is, in a word."""
    about: str
    nodes: int
    """Positions it examines per action."""
    depth: int = DEEPEST
    """How many actions it looks ahead at most."""
    blur: int = 0
    """How far it may misjudge an action (one standard deviation, on the scale of `Rules.worth`). Only for who looks one
    action ahead: a deeper search knows of most actions only that they are not better than the best."""
    whim: float = 0.0
    """How often it plays at random."""
    memory: int | None = None
    """How many positions back it remembers what it saw; None: all."""


LEVELS = (
    Level(
        number=1,
        name="Parvulus",
        word=_("child"),
        about=_("plays like a child: looks no further than its own action, and often plays at random"),
        nodes=1,
        depth=1,
        blur=100,
        whim=0.2,
        memory=4,
    ),
    Level(
        number=2,
        name="Tiro",
        word=_("beginner"),
        about=_("a beginner: never misses an immediate win, but misjudges a lot"),
        nodes=1,
        depth=1,
        blur=40,
        memory=12,
    ),
    Level(
        number=3,
        name="Discipulus",
        word=_("pupil"),
        about=_("a pupil: looks a few actions ahead"),
        nodes=200,
        memory=40,
    ),
    Level(
        number=4,
        name="Peritus",
        word=_("expert"),
        about=_("knows the game well and forgets nothing"),
        nodes=1_500,
    ),
    Level(
        number=5,
        name="Magister",
        word=_("master"),
        about=_("as strong as the program gets"),
        nodes=12_000,
    ),
)
HINTS = LEVELS[3]
"""The level that gives hints."""


def find_level(text: str) -> Level:
    """The level of this number or name."""
    for level in LEVELS:
        if text in (str(level.number), level.name, level.name.lower()):
            return level
    known = ", ".join(f"{level.number} {level.name}" for level in LEVELS)
    raise UnknownNameError(f"unknown level {text!r}; there are: {known}")


def decide(
    level: Level,
    position: Position,
    earlier: Sequence[Position],
    random: Random,
    stop: Callable[[], bool] = never,
) -> tuple[Action, Thought]:
    """What a player of this level plays after these earlier positions, and its analysis."""
    remembered = earlier if level.memory is None else earlier[-level.memory :]
    thought = ponder(
        position,
        earlier=remembered,
        random=random,
        nodes=level.nodes,
        depth=level.depth,
        stop=stop,
        shun=[before.key() for before in earlier] if level.nodes > 1 else (),
    )
    if random.random() < level.whim:
        return random.choice(sorted(thought.ranked, key=lambda scored: str(scored.action))).action, thought
    if not level.blur or thought.best.value >= SURE:
        return thought.best.action, thought
    judged = [scored.value + random.gauss(0, level.blur) for scored in thought.ranked]
    return thought.ranked[judged.index(max(judged))].action, thought
