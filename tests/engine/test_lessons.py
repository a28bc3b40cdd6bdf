"""Every lesson can be solved, catches its typical mistakes, and is judged alike on the page and at a real table."""

from __future__ import annotations

import re

import pytest

from engine.core import Game
from engine.lessons import Goal, Lesson, answer, hear, lessons_of
from engine.registry import all_games, find_game
from engine.targets import reach, spelling
from engine.words import ending_sentence, sentence

LESSONS = [
    pytest.param(game, lesson, id=f"{game.name}-{lesson.name}") for game in all_games() for lesson in lessons_of(game)
]

ANYTHING_GOES = {
    *(("memento-tuos", "first"), ("memento-ludis", "first")),
    *(("dimenticato", "leave"), ("triominos", "buy"), ("triominos", "win")),
}
"""Where the rules leave nothing else to do."""


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_game_has_lessons_with_names_of_their_own(game: Game) -> None:
    names = [lesson.name for lesson in lessons_of(game)]
    assert 6 <= len(names) <= 12
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z-]+", name) for name in names)
    assert any(lesson.goal.wins for lesson in lessons_of(game)), "how to win"
    assert any(lesson.goal.refused for lesson in lessons_of(game)), "what is not allowed"


@pytest.mark.parametrize(("game", "lesson"), LESSONS)
def test_its_position_is_one_of_the_game(game: Game, lesson: Lesson) -> None:
    position = lesson.start(game)
    assert position.seat == 0, "the learner is red"
    assert lesson.rules(game).start(lesson.players, position.setup()) == position
    assert lesson.rule in game.brief
    sites = game.board(lesson.players, lesson.setup).sites
    assert set(lesson.marks) <= sites.keys()
    named = set(re.findall(r"\b[TLRI][1-7]\b|\b[a-f][1-8]\b", f"{lesson.task} {lesson.hint}"))
    assert named <= sites.keys(), "a text names a site that is not there"


@pytest.mark.parametrize(("game", "lesson"), LESSONS)
def test_its_solution_solves_it(game: Game, lesson: Lesson) -> None:
    solved = answer(game, lesson, lesson.solution)
    assert solved.solved, solved
    assert lesson.done in solved.text
    for text in lesson.goal.actions:
        assert answer(game, lesson, text).solved


@pytest.mark.parametrize(("game", "lesson"), LESSONS)
def test_typical_mistakes_are_named(game: Game, lesson: Lesson) -> None:
    assert lesson.slips
    for text, rule in lesson.slips.items():
        told = answer(game, lesson, text)
        assert (told.verdict, told.rule) == ("refused", rule), text
        assert told.text
        assert told.after is None


@pytest.mark.parametrize(("game", "lesson"), LESSONS)
def test_not_everything_solves_it(game: Game, lesson: Lesson) -> None:
    verdicts = {answer(game, lesson, str(action)).verdict for action in lesson.start(game).legal()[:300]}
    assert "refused" not in verdicts
    assert ("other" in verdicts) != ((game.name, lesson.name) in ANYTHING_GOES)
    assert answer(game, lesson, "nonsense").verdict == "refused"


@pytest.mark.parametrize(("game", "lesson"), LESSONS)
def test_its_solution_can_be_pointed_out(game: Game, lesson: Lesson) -> None:
    position = lesson.start(game)
    action = position.rules.parse(lesson.solution)
    if lesson.goal.refused:
        sites = game.board(lesson.players, lesson.setup).sites
        first = reach(position, (), sites, 0)
        said = [first] + [
            reach(position, picks, sites, 0)
            for origin in (*first.onward, *first.refused)
            for picks in ((origin,), (origin, "2"))
        ]
        rules = {refusal.rule for each in said for refusal in each.refused.values()}
        # What nobody can see beforehand can be pointed out, and is refused when it is tried.
        hidden = reach(position, ("e2", "2", "f3", "d2"), (), viewer=0).done
        rules |= {answer(game, lesson, str(each)).rule for each in hidden}
        assert lesson.goal.refused in rules
        return
    picks = tuple(pick for stage in spelling(position, action) for pick in sorted(stage))
    assert action in reach(position, picks, (), viewer=0).done


@pytest.mark.parametrize(("game", "lesson"), LESSONS)
def test_a_real_table_is_judged_like_the_page(game: Game, lesson: Lesson) -> None:
    position = lesson.start(game)
    if not lesson.goal.refused:
        event = {"event": "action", "t": 3.0, "ply": 0, "seat": 0, "action": lesson.solution}
        assert hear(game, lesson, event) == answer(game, lesson, lesson.solution)
    for text, rule in lesson.slips.items():
        refusal = position.refusals(position.rules.parse(text))[0]
        seen = {"event": "illegal", "seat": 0, "rule": rule, "sites": list(refusal.sites)}
        assert hear(game, lesson, seen | {"text": sentence(game, refusal)}) == answer(game, lesson, text)
    assert hear(game, lesson, {"event": "lost"}) is None
    assert hear(game, lesson, {"event": "unfinished", "sites": ["T4"]}) is None


def test_a_lesson_about_a_refusal_is_solved_by_it_at_a_real_table() -> None:
    game = find_game("rings")
    lesson = next(each for each in lessons_of(game) if each.goal.refused)
    event = {"event": "illegal", "seat": 0, "rule": lesson.goal.refused, "sites": [], "text": "Not that ring."}
    told = hear(game, lesson, event)
    assert told is not None
    assert told.solved
    assert "Not that ring." in told.text


def test_a_goal_wants_all_that_it_names() -> None:
    rules = find_game("memento-tuos").configure()
    before = rules.start(2, {"sites": {"T1": "red2", "L3": "yellow1"}})
    action = rules.parse("T1-T7")
    after = before.after(action)
    assert Goal(kind="move", shows={"T7": "red"}).is_met(action, after)
    assert Goal(shows={"T7": "red2"}).is_met(action, after)
    assert not Goal(shows={"T7": "red1"}).is_met(action, after)
    assert not Goal(kind="turn", shows={"T7": "red"}).is_met(action, after)
    assert not Goal(actions=("T1-T5",)).is_met(action, after)
    assert not Goal(wins="middles").is_met(action, after)
    assert not Goal(refused="move.bend").is_met(action, after)


def test_how_it_ended_is_said() -> None:
    game = find_game("rings")
    lesson = next(each for each in lessons_of(game) if each.name == "win")
    after = answer(game, lesson, lesson.solution).after
    assert after is not None
    assert after.outcome is not None
    assert ending_sentence(game, after.outcome.by, "Ada") == "Ada wins as the last player left."
