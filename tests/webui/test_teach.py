"""Teaching without a browser: where a figure may go, positions to try, lessons, help, rules."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient
from house import ACCESS, PaperHouse

from engine.core import Game, Json
from engine.lessons import lessons_of
from engine.registry import all_games, find_game
from engine.words import LANGUAGES, say
from webui import create_app
from webui.house import Update

PIN = {"X-Magister-Pin": ACCESS.pin}
RINGS: Json = {"game": "rings", "players": 2, "setup": {"sites": {"b1": "red", "b2": "red", "a5": "yellow"}}}
MEMENTO: Json = {
    "game": "memento-tuos",
    "variant": None,
    "players": 2,
    "setup": {"sites": {"T1": "red2", "L3": "yellow1"}},
}


class TracedHouse(PaperHouse):
    """A house with a match at the table."""

    trace: Json | None = None

    def state(self) -> Update:
        return Update(self.number, self.shown, (), self.trace)


@pytest.fixture
def house() -> TracedHouse:
    house = TracedHouse()
    house.shown = {
        "phase": "playing",
        "game": "memento-tuos",
        "players": [{"name": "Ada", "colour": "red"}, {"name": "blue", "colour": "blue"}],
        "seat": 0,
    }
    house.trace = {
        "game": "memento-tuos",
        "variant": "original",
        "options": {},
        "players": 2,
        "setup": {},
        "actions": ["+T1", "+L3,R2"],
    }
    return house


@pytest.fixture
def client(house: TracedHouse) -> FlaskClient:
    return create_app(house, ACCESS).test_client()


def told(answer: Any) -> Any:  # noqa: ANN401 - JSON
    assert answer.status_code == 200, answer.text
    return answer.json


# Pointing


def test_a_figure_at_the_table_tells_where_it_may_go_and_why_not_elsewhere(client: FlaskClient) -> None:
    reach = told(client.get("/api/v1/targets?pick=T1"))
    assert {"T5", "T6", "T7", "L3", "R2", "I1"} <= set(reach["onward"])
    assert reach["refused"]["T4"]["rule"] == "move.too-far"
    assert reach["refused"]["T4"]["text"] == "The Single cannot go that far (T1, T4)."


def test_colours_are_those_that_are_played_with(client: FlaskClient) -> None:
    reach = told(client.get("/api/v1/targets"))
    assert reach["refused"]["L3"]["text"] == "The figure on L3 belongs to blue."
    done = told(client.get("/api/v1/targets?pick=T1&pick=T7"))["done"]
    assert done[0]["faces"]["L3"].startswith("blue"), "the rules know it as yellow"


def test_why_not_is_said_in_the_language_of_the_page(client: FlaskClient) -> None:
    reach = told(client.get("/api/v1/targets?pick=T1", headers={"Accept-Language": "de"}))
    assert "Einer" in reach["refused"]["T4"]["text"]


def test_who_plays_without_help_is_shown_nothing(client: FlaskClient, house: TracedHouse) -> None:
    for level, status in (("off", 409), ("legality", 409), ("targets", 200), ("hints", 200)):
        house.shown = house.shown | {"assist": [{"level": level, "hints": 3}, {"level": "off", "hints": 0}]}
        assert client.get("/api/v1/targets?pick=T1").status_code == status, level


def test_without_a_match_there_is_nothing_to_point_at(client: FlaskClient, house: TracedHouse) -> None:
    house.trace = None
    assert client.get("/api/v1/targets").json["error"] == "no-match"  # type: ignore[index]
    assert client.get(f"/api/v1/targets?pick={'x' * 21}").status_code == 400
    assert client.get("/api/v1/targets?" + "&".join(["pick=T1"] * 13)).status_code == 400


@pytest.mark.parametrize(
    ("game", "tap"),
    [("memento-tuos", "Tap a figure to see"), ("rings", "Tap a pawn"), ("triominos", "Choose a card below to see")],
)
def test_the_page_says_in_the_games_own_words_what_to_tap(
    client: FlaskClient, house: TracedHouse, game: str, tap: str
) -> None:
    house.shown = house.shown | {"game": game, "survey": {}, "faces": {}, "turns": {}, "seen": {"faces": {}}}
    assert f'id="pointing">{tap}' in client.get("/").text


@pytest.mark.parametrize("game", ["dimenticato", "triominos"])
def test_pointing_at_the_table_tells_nothing_that_is_hidden(client: FlaskClient, house: TracedHouse, game: str) -> None:
    dice = Random(4)
    rules = find_game(game).configure()
    position = rules.start(2, rules.deal(2, dice))
    for _ in range(14):
        position = position.after(dice.choice(position.legal()))
    figure = next(iter(position.faces()))
    answers = set()
    for _ in range(6):
        other = position.redeal(None, dice)
        if len(other.legal()) < 2:
            continue
        house.trace = {
            "game": game,
            "variant": None,
            "options": {},
            "players": 2,
            "setup": other.setup(),
            "actions": [],
        }
        reach = told(client.get(f"/api/v1/targets?pick={figure}"))
        answers.add((tuple(sorted(reach["onward"])), tuple(sorted(reach["refused"]))))
    assert len(answers) == 1


def test_a_described_position_can_be_pointed_at(client: FlaskClient) -> None:
    reach = told(client.post("/api/v1/point", json=RINGS | {"picks": ["reserve", "b3"]}))
    assert reach["onward"] == ["a5"]
    assert reach["names"]["reserve"] == "Reserve"
    assert reach["places"] == {"reserve": None, "b3": "b3", "a5": "a5"} | {
        pick: reach["places"][pick] for pick in reach["refused"]
    }
    done = told(client.post("/api/v1/point", json=RINGS | {"picks": ["reserve", "b3", "a5"]}))
    assert [each["action"] for each in done["done"]] == ["+b3xa5"]
    assert done["done"][0]["faces"] == {"b1": "red", "b2": "red", "b3": "red"}


def test_an_action_is_tried_and_the_table_stays_as_it_is(client: FlaskClient, house: TracedHouse) -> None:
    legal = told(client.post("/api/v1/try", json=MEMENTO | {"action": "T1-I7"}))
    assert legal["legal"] is True
    assert legal["faces"]["I7"] == "red2"
    turned = told(client.post("/api/v1/try", json=MEMENTO | {"actions": ["T1-T5", "L3-L7"], "action": "T>"}))
    assert turned["turns"] == {"tile-T": 1}
    assert turned["actions"] == ["T1-T5", "L3-L7", "T>"]
    refused = told(client.post("/api/v1/try", json=MEMENTO | {"action": "T1-R5"}))
    assert (refused["legal"], refused["refusal"]["rule"]) == (False, "move.bend")
    assert refused["faces"] == {"T1": "red2", "L3": "yellow1"}
    assert house.wishes == []


@pytest.mark.parametrize(
    "body",
    [
        MEMENTO | {"action": "nonsense"},
        MEMENTO | {"action": "T1-T5", "game": "chess"},
        MEMENTO | {"action": "T1-T5", "variant": "strange"},
        MEMENTO | {"action": "T1-T5", "setup": {"sites": {"Z9": "red1"}}},
        MEMENTO | {"action": "T1-T5", "actions": ["L3-L7"]},
        MEMENTO | {"action": "T1-T5", "players": 9},
        MEMENTO | {"action": "T1-T5", "setup": {"sites": {"T1": {"a": {"b": {"c": {"d": {}}}}}}}},
        MEMENTO,
        {},
    ],
)
def test_nonsense_is_refused_in_one_line(client: FlaskClient, body: Json) -> None:
    answer = client.post("/api/v1/try", json=body)
    assert answer.status_code == 400
    assert answer.json is not None
    assert "\n" not in answer.json["message"]


# Lessons


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_lesson_has_a_page_and_a_judge(client: FlaskClient, game: Game) -> None:
    listed = client.get(f"/lessons/{game.name}").text
    for lesson in lessons_of(game):
        assert f"/lessons/{game.name}/{lesson.name}" in listed
        page = client.get(f"/lessons/{game.name}/{lesson.name}", headers={"Accept-Language": "uk"}).text
        assert say(lesson.task, "uk") in page.replace("&#39;", "'")
        verdict = told(client.post(f"/api/v1/lessons/{game.name}/{lesson.name}", json={"action": lesson.solution}))
        assert verdict["verdict"] == "done"
        text, rule = next(iter(lesson.slips.items()))
        slip = told(client.post(f"/api/v1/lessons/{game.name}/{lesson.name}", json={"action": text}))
        assert (slip["verdict"], slip["rule"], slip["position"]) == ("refused", rule, None)


def test_what_the_referee_saw_is_judged_too(client: FlaskClient) -> None:
    address = "/api/v1/lessons/memento-tuos/step"
    seen = told(client.post(address, json={"event": {"event": "action", "ply": 0, "action": "T1-T7"}}))
    assert seen["verdict"] == "done"
    wrong = {"event": "illegal", "rule": "move.too-far", "sites": ["T4"], "text": "Too far."}
    assert told(client.post(address, json={"event": wrong}))["text"] == "Too far."
    assert told(client.post(address, json={"event": {"event": "lost"}}))["verdict"] == ""
    assert client.post(address, json={"action": "T1-T7", "event": wrong}).status_code == 400


def test_a_lesson_is_laid_on_the_real_table_by_whoever_knows_the_pin(client: FlaskClient, house: TracedHouse) -> None:
    address = "/api/v1/lessons/rings/turn/table"
    assert client.post(address, json={}).status_code == 401
    assert house.wishes == []
    assert client.post(address, json={}, headers=PIN).status_code == 200
    ((kind, wished),) = house.wishes
    lesson = next(each for each in lessons_of(find_game("rings")) if each.name == "turn")
    assert kind == "lesson"
    assert (wished["game"], wished["name"], wished["setup"]) == ("rings", "turn", lesson.setup)


@pytest.mark.parametrize("address", ["/lessons/chess", "/lessons/rings/nothing", "/rules/chess"])
def test_what_is_not_taught_is_not_found(client: FlaskClient, address: str) -> None:
    assert client.get(address).status_code == 404


def test_the_names_of_sites_are_written_where_the_board_has_none(client: FlaskClient) -> None:
    for lesson, look in (("memento-tuos/step", "full"), ("triominos/corner", "cells"), ("dimenticato/call", "quiet")):
        assert f' {look}"' in client.get(f"/lessons/{lesson}").text.partition("data-names=")[2][:20], lesson


def test_a_lesson_is_for_the_table_where_the_cards_need_not_be_its_own(client: FlaskClient, house: TracedHouse) -> None:
    house.shown = house.shown | {"refereed": ["dimenticato"]}
    assert "Do it on the table" not in client.get("/lessons/dimenticato/call").text
    assert "Do it on the table" in client.get("/lessons/dimenticato/leave").text


# Rules and help


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_are_told_and_shown(client: FlaskClient, game: Game, language: str) -> None:
    page = client.get(f"/rules/{game.name}", headers={"Accept-Language": language}).text
    for text in game.brief:
        assert say(text, language) in page.replace("&#39;", "'")
    assert page.count("<defs>") == 1, "one set of pictures for all boards"
    assert page.count('class="tiny"') >= 5
    assert len(page) < 200_000


def test_the_rules_page_shows_the_house_rules_of_the_match(client: FlaskClient, house: TracedHouse) -> None:
    assert "changed" not in client.get("/rules/memento-tuos").text
    house.shown = house.shown | {"variant": "original", "options": {"facing_medians": False}}
    page = client.get("/rules/memento-tuos").text
    assert "changed" in page
    assert "Two medians that face each other" in page


def test_help_can_be_chosen_for_every_player(client: FlaskClient) -> None:
    page = client.get("/teach").text
    assert page.count("<fieldset") == 2
    assert page.count("checked") == 2
    assert "Once a match is under way" in create_app(PaperHouse(), ACCESS).test_client().get("/teach").text
