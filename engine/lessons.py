"""Lessons: a small position, something to do there, and a check that says whether it was done.

What a learner does comes from the page (the text of an action) or from a real table (an event of the referee); both are
judged alike. A game's lessons are in `lessons.py` of its own folder; here nothing knows a game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Literal

from engine.core import Action, Game, InvalidActionError, Json, Position, Refusal, Rules
from engine.face import EMPTY
from engine.words import say, sentence

AttemptVerdict = Literal["done", "other", "refused"]


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


OTHER = _("That is allowed, but it is not what the task asks for. Try again.")
NO_ACTION = _("That is not an action in this game.")
SEEN = _("Exactly: this is not allowed.")


@dataclass(frozen=True, kw_only=True)
class Goal:
    """What an action must do to solve a lesson: all conditions must hold."""

    actions: tuple[str, ...] = ()
    """The action is one of these."""
    kind: str = ""
    """The name of the action's class, in lower case."""
    shows: Mapping[str, str] = field(default_factory=dict)
    """These sites show these faces afterwards, each given by name or by kind (`red` for any red figure)."""
    wins: str = ""
    """It wins in this way."""
    refused: str = ""
    """It is illegal, first of all by this rule: the lesson shows the rule at work."""

    def is_met(self, action: Action, after: Position) -> bool:
        """Whether a legal action that leads to this position solves the task."""
        if self.refused or (self.actions and str(action) not in self.actions):
            return False
        if self.kind and type(action).__name__.lower() != self.kind:
            return False
        faces = after.faces()
        shown = ((wanted, faces.get(site, EMPTY)) for site, wanted in self.shows.items())
        if not all(wanted in (face.name, face.kind) for wanted, face in shown):
            return False
        return not self.wins or (after.outcome is not None and after.outcome.by == self.wins)


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """One thing to learn. All texts are English and the keys of their translations."""

    name: str
    title: str
    rule: str
    """The paragraph of the rules in brief that it is about."""
    task: str
    hint: str
    done: str
    """What is said when it is solved."""
    setup: Json
    goal: Goal
    solution: str
    """An action that solves it."""
    slips: Mapping[str, str] = field(default_factory=dict)
    """Typical mistakes, each with the rule it breaks."""
    marks: tuple[str, ...] = ()
    """Sites the task mentions."""
    players: int = 2
    variant: str | None = None

    def rules(self, game: Game) -> Rules:
        return game.configure(self.variant)

    def start(self, game: Game) -> Position:
        return self.rules(game).start(self.players, self.setup)


def fits_any_table(rules: Rules, players: int, setup: Json) -> bool:
    """Whether a position can be laid with whatever a player has: not where figures would cover what nobody knows."""
    if not rules.game.covers:
        return True
    usual = rules.start(players, rules.deal(players, Random(0)))
    return rules.start(players, setup).faces() == usual.faces()


@dataclass(frozen=True)
class Answer:
    """The result of an attempt."""

    verdict: AttemptVerdict
    text: str
    rule: str = ""
    sites: tuple[str, ...] = ()
    after: Position | None = None
    """The position afterwards, if the action was legal."""

    @property
    def solved(self) -> bool:
        return self.verdict == "done"


def lessons_of(game: Game) -> tuple[Lesson, ...]:
    """The lessons of a game in order; none if its folder has none."""
    module = game.module("lessons")
    lessons: tuple[Lesson, ...] = module.LESSONS if module else ()
    return lessons


def answer(game: Game, lesson: Lesson, text: str, language: str = "en") -> Answer:
    """Judge what a learner did on the page: an action as text."""
    position = lesson.start(game)
    try:
        action = position.rules.parse(text)
    except InvalidActionError:
        return Answer("refused", say(NO_ACTION, language))
    if refusals := position.refusals(action):
        return _refused(game, lesson, refusals, language)
    after = position.after(action)
    if lesson.goal.is_met(action, after):
        return Answer("done", say(lesson.done, language), after=after)
    return Answer("other", say(OTHER, language), after=after)


def hear(game: Game, lesson: Lesson, event: Json, language: str = "en") -> Answer | None:
    """Judge what a learner did at a real table, from an event of the referee; None if it is not an attempt."""
    if event.get("event") == "action" and event.get("ply") == 0:
        return answer(game, lesson, str(event["action"]), language)
    if event.get("event") == "illegal":
        rule, sites = str(event["rule"]), tuple(event.get("sites", ()))
        if rule == lesson.goal.refused:
            return Answer("done", _taught(lesson, str(event["text"]), language), rule, sites)
        return Answer("refused", str(event["text"]), rule, sites)
    return None


def _refused(game: Game, lesson: Lesson, refusals: Sequence[Refusal], language: str) -> Answer:
    first = refusals[0]
    told = sentence(game, first, language)
    if first.rule == lesson.goal.refused:
        return Answer("done", _taught(lesson, told, language), first.rule, first.sites)
    return Answer("refused", told, first.rule, first.sites)


def _taught(lesson: Lesson, told: str, language: str) -> str:
    return f"{say(SEEN, language)} {told} {say(lesson.done, language)}"
