"""Hints: where to look, which piece, what to play, and why, from a search and from facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from engine.board import Board
from engine.core import COLOURS, Action, Position, Word
from engine.face import EMPTY
from engine.players.facts import Reason, changed_sites, reasons, sheet_of
from engine.players.hidden import ponder, worlds
from engine.players.levels import HINTS, Level
from engine.players.search import Thought, never
from engine.players.words import ACTION, FIGURE, FIGURE_AT, NUDGE, NUDGE_ASIDE, NUDGE_SPOT, REASONS, SPOTS
from engine.targets import named, spelling
from engine.words import say

STEPS = ("nudge", "figure", "action")
"""The steps of a hint."""


@dataclass(frozen=True)
class Hint:
    """What a player could do, why, and how to reveal it step by step."""

    position: Position
    """As the player sees it: a hint uses nothing the player cannot know."""
    action: Action
    thought: Thought
    reasons: tuple[Reason, ...]

    @property
    def sites(self) -> tuple[str, ...]:
        """Where something will change."""
        return changed_sites(self.position, self.action)

    @property
    def sheet(self) -> str | None:
        """The sheet that a nudge points to, where the game has names for its sheets."""
        if self.action.turns:
            return next(iter(self.action.turns))
        return sheet_of(self.position, self.action, self._ends())

    def nudge(self, language: str = "en") -> str:
        """Where to look."""
        if region := self.position.rules.game.regions.get(self.sheet or ""):
            return say(NUDGE, language, region=Word(region))
        if spot := spot_of(self.position, self._ends()):
            return say(NUDGE_SPOT, language, region=Word(spot))
        return say(NUDGE_ASIDE, language)

    def figure(self, language: str = "en") -> str:
        """Which piece to use."""
        picks = sorted(spelling(self.position, self.action)[0])
        told = ", ".join(named(self.position.rules, pick, language) for pick in picks)
        if set(picks) <= set(self.position.faces()):
            return say(FIGURE_AT, language, site=told)
        return say(FIGURE, language, what=told)

    def text(self, language: str = "en", colours: Mapping[str, str] | None = None) -> str:
        """The action, and why."""
        why = (each.say(language, colours) for each in self.reasons)
        return " ".join((say(ACTION, language, action=str(self.action)), *why))

    def told(self, step: int, language: str = "en", colours: Mapping[str, str] | None = None) -> str:
        """The text of this step."""
        return (self.nudge(language), self.figure(language), self.text(language, colours))[step]

    def pointed(self, step: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The sites and the sheets that this step points at."""
        sheets = tuple(self.action.turns)
        if step == 0:
            return tuple(name for name, site in _board(self.position).sites.items() if site.sheet == self.sheet), ()
        picks = {pick.removesuffix("/") for pick in spelling(self.position, self.action)[0]}
        if step == 1:
            return tuple(sorted(picks & self.position.faces().keys())), sheets
        return self.sites, sheets

    def _ends(self) -> tuple[str, ...]:
        """The sites where something of the mover's stands afterwards that was not there before."""
        after = self.position.after(self.action).faces()
        colour = COLOURS[self.position.seat or 0]
        own = tuple(site for site in self.sites if after.get(site, EMPTY).kind == colour)
        return own or self.sites


def advise(
    position: Position,
    earlier: Sequence[Position],
    random: Random,
    *,
    level: Level = HINTS,
    stop: Callable[[], bool] = never,
) -> Hint:
    """A hint for the player to move, who remembers all these earlier positions."""
    seat = position.seat
    assert seat is not None
    possible = worlds(position, earlier, seat, Random(random.random()))
    thought = ponder(position, earlier=earlier, random=random, nodes=level.nodes, depth=level.depth, stop=stop)
    action = thought.best.action
    fitting = [world for world, _ in possible if action in world.legal()]
    shown = fitting[0] if fitting else possible[0][0]
    why = reasons_in_all(fitting, action, thought) if fitting else []
    if len(fitting) < len(possible):
        fits = sum(times for world, times in possible if world in fitting)
        facts = {"number": fits, "count": sum(times for _, times in possible)}
        why = [*why, Reason("guess", REASONS["guess"], facts)]
    return Hint(shown, action, thought, tuple(why))


def reasons_in_all(possible: Sequence[Position], action: Action, thought: Thought) -> list[Reason]:
    """The reasons that hold whatever is hidden."""
    found = reasons(possible[0], action, thought)
    for world in possible[1:]:
        here = reasons(world, action, thought)
        found = [reason for reason in found if reason in here]
    return found or [Reason("best", REASONS["best"], {"number": thought.depth})]


def spot_of(position: Position, sites: Sequence[str]) -> str | None:
    """Where on the table these sites are, in thirds of the board."""
    board = _board(position)
    places = [board.sites[site].at for site in sites if site in board.sites]
    if not places:
        return None
    every = [site.at for site in board.sites.values()]
    across, down = (
        _third(sum(place[axis] for place in places) / len(places), [place[axis] for place in every]) for axis in (0, 1)
    )
    return SPOTS[across, down]


def _third(value: float, among: Sequence[float]) -> int:
    low, high = min(among), max(among)
    return min(int(3 * (value - low) / ((high - low) or 1)), 2) - 1


def _board(position: Position) -> Board:
    return position.rules.game.board(position.players, position.setup())
