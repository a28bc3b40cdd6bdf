"""Analysis of a match: what each action was worth, what would have been better, which wins were missed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import exp
from random import Random

from engine.core import COLOURS, Json, Position, Word
from engine.match import Match
from engine.players.facts import Reason, reasons
from engine.players.hidden import ponder, worlds
from engine.players.search import SURE, Scored, Thought, never, think
from engine.players.words import COMMENTS
from engine.words import say

NODES = 3_000
LARGE = 0.15
"""The loss of winning chance that is worth a comment."""
SPREAD = 100.0
"""The advantage at which the odds are e to one; the games' `worth` uses this scale."""


def chance(value: int, players: int) -> float:
    """The approximate chance of winning with this advantage."""
    others = players - 1
    return 1 / (1 + others * exp(-max(min(value / others / SPREAD, 50.0), -50.0)))


@dataclass(frozen=True)
class Judgement:
    """The assessment of one action of a match."""

    ply: int
    seat: int
    action: str
    chance: float
    """The mover's chance after it."""
    best: str
    best_chance: float
    kind: str | None
    """`missed-win`, `missed-stop`, `better`, or None if there is nothing to say."""
    rival: int | None = None
    """Who was allowed to win."""
    reasons: tuple[Reason, ...] = ()
    """Why the better action is better."""
    line: tuple[str, ...] = ()
    """What should have followed the better action."""

    @property
    def loss(self) -> float:
        return max(0.0, self.best_chance - self.chance)

    def comment(self, language: str = "en") -> str:
        """The comment on it; empty if there is none."""
        if self.kind is None:
            return ""
        rival = {} if self.rival is None else {"colour": Word(COLOURS[self.rival])}
        told = say(COMMENTS[self.kind], language, action=self.best, **rival)
        return " ".join([told[:1].upper() + told[1:], *(reason.say(language) for reason in self.reasons)])

    def record(self, language: str = "en") -> Json:
        return {
            "ply": self.ply,
            "seat": self.seat,
            "action": self.action,
            "chance": round(self.chance, 3),
            "best": self.best,
            "best_chance": round(self.best_chance, 3),
            "kind": self.kind,
            "comment": self.comment(language),
            "line": list(self.line),
        }


def analyse(match: Match, seed: int = 0, nodes: int = NODES, stop: Callable[[], bool] = never) -> Iterator[Judgement]:
    """Every action of a match, judged by what its player could know."""
    for ply, action in enumerate(match.actions):
        yield judge(match.positions[: ply + 1], match.positions[ply + 1], str(action), Random(seed), nodes, stop)


def judge(
    positions: Sequence[Position], after: Position, played: str, random: Random, nodes: int, stop: Callable[[], bool]
) -> Judgement:
    """The last of these positions, the action played there, and the position after it."""
    *earlier, position = positions
    seat = position.seat
    assert seat is not None
    thought = ponder(position, earlier=earlier, random=random, nodes=nodes, stop=stop)
    best = thought.best
    value = best.value if str(best.action) == played else _value(position, earlier, thought, played, nodes, stop)
    kind, rival = _kind(position, after, best, value)
    here = chance(value, position.players)
    # A shallow look at the best action must not make the one played seem better than the best.
    there = max(chance(best.value, position.players), here)
    if kind is None and there - here >= LARGE:
        kind = "better"
    why = reasons(position, best.action, thought) if kind == "better" and best.action in position.legal() else []
    return Judgement(
        ply=len(earlier),
        seat=seat,
        action=played,
        chance=here,
        best=str(best.action) if kind else played,
        best_chance=there,
        kind=kind,
        rival=rival,
        reasons=tuple([reason for reason in why if reason.code != "best"][:2]),
        line=tuple(map(str, best.line)) if kind else (),
    )


def _value(
    position: Position,
    earlier: Sequence[Position],
    thought: Thought,
    played: str,
    nodes: int,
    stop: Callable[[], bool],
) -> int:
    """The worth of an action other than the best, searched as deeply as the best one."""
    if len(worlds(position, earlier, thought.seat, Random(0))) > 1:
        known = [scored.value for scored in thought.ranked if str(scored.action) == played]
        return known[0] if known else thought.ranked[-1].value
    action = position.rules.parse(played)
    return think(position, random=Random(0), nodes=nodes, depth=thought.depth, stop=stop, only=action).best.value


def _kind(position: Position, after: Position, best: Scored, value: int) -> tuple[str | None, int | None]:
    """The worst thing about an action: an immediate win missed, a win allowed, a longer win not seen."""
    if after.outcome is None and position.rules.winning(position) is not None:
        return "missed-win", None
    if after.outcome is None and best.value > -SURE and after.rules.winning(after) is not None:
        return "missed-stop", after.seat
    return ("missed-win", None) if best.value >= SURE > value else (None, None)


def graph(judgements: Iterable[Judgement]) -> list[Json]:
    """The chances over a match, for a graph: the mover's after every action, and how much was given away."""
    return [
        {"ply": each.ply, "seat": each.seat, "chance": round(each.chance, 3), "loss": round(each.loss, 3)}
        for each in judgements
    ]
