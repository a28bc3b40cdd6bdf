"""What the page teaches with. The page knows no rules: it asks here, and is given plain values."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from engine.core import Game, Json
from engine.face import spelled
from engine.lessons import Lesson, answer, fits_any_table, hear, lessons_of
from engine.match import Match
from engine.players.balance import balances
from engine.players.words import PLAYERS
from engine.registry import find_game
from engine.words import say
from firmware.coaching.pointing import described, replayed, told_position, told_reach, told_try


class Classroom:
    """See `webui.house.School`. Wherever a position is described, `GameError` is raised if there is none."""

    # Pointing

    def targets(self, trace: Json, picks: Sequence[str], colours: Sequence[str], language: str) -> Json:
        position = replayed(json.dumps(trace, sort_keys=True)).position
        return told_reach(position, picks, language, colours=colours)

    def point(self, told: Mapping[str, Any], picks: Sequence[str], language: str) -> Json:
        position = described(told).position
        return told_reach(position, picks, language, viewer=position.seat)

    def attempt(self, told: Mapping[str, Any], action: str, language: str) -> Json:
        return told_try(described(told), action, language)

    # Lessons

    def lessons(self, game: str) -> list[Json]:
        known = find_game(game)
        return [_told(known, lesson) for lesson in lessons_of(known)]

    def judge(self, game: str, lesson: str, done: Mapping[str, Any], language: str) -> Json:
        known = find_game(game)
        found = next(each for each in lessons_of(known) if each.name == lesson)
        match = Match.begin(found.rules(known), found.players, found.setup)
        if "action" in done:
            came = answer(known, found, done["action"], language)
            if came.after is not None:
                match = match.play(match.rules.parse(done["action"]))
        else:
            heard = hear(known, found, {"action": "", "rule": "", "text": ""} | done["event"], language)
            if heard is None:
                return {"verdict": "", "text": "", "rule": "", "sites": [], "position": None}
            came = heard
        return {
            "verdict": came.verdict,
            "text": came.text,
            "rule": came.rule,
            "sites": list(came.sites),
            "position": told_position(match, language) if came.after is not None else None,
        }

    # Rules

    def fairness(
        self, game: str, variant: str | None, options: Mapping[str, Any], language: str
    ) -> list[tuple[str, list[str]]]:
        found = balances(find_game(game).configure(variant, options))
        return [(say(PLAYERS, language, number=each.players), each.say(language)) for each in found]


def _told(game: Game, lesson: Lesson) -> Json:
    return {
        "name": lesson.name,
        "title": lesson.title,
        "rule": lesson.rule,
        "task": lesson.task,
        "hint": lesson.hint,
        "variant": lesson.variant,
        "players": lesson.players,
        "setup": lesson.setup,
        "faces": spelled(lesson.start(game).faces()),
        "marks": list(lesson.marks),
        "is_refusal": bool(lesson.goal.refused),
        "fits_any_table": fits_any_table(lesson.rules(game), lesson.players, lesson.setup),
    }
