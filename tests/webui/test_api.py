"""The API is what its description says: held against it by schemathesis, and read back as a listener would."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
import schemathesis
from flask import Flask
from house import ACCESS, PaperHouse
from hypothesis import HealthCheck, settings

from webui import create_app
from webui.api.openapi import describe
from webui.house import Update
from webui.table.stream import messages
from webui.words.telling import result_text, told_state

STATE = {
    "phase": "playing",
    "begun": True,
    "game": "memento-tuos",
    "players": [{"name": "Ada", "colour": "red"}, {"name": "blue", "colour": "blue"}],
    "seat": 1,
    "ply": 1,
    "faces": {"T1": "red1"},
    "turns": {},
    "view": {"stones": 8, "markers": [8, 9]},
    "lights": {"status": "quiet"},
    "asking": [],
    "declarable": [],
    "seen": {"faces": {}, "sheets": [], "hidden": []},
    "lying": ["L3", "L4"],
    "hidden": [],
    "recent": [
        {
            "number": 1,
            "at": "2026-01-01T00:00:00+00:00",
            "t": 1.0,
            "event": "action",
            "ply": 0,
            "seat": 0,
            "action": "+T1",
        }
    ],
}


def make_app() -> Flask:
    app = create_app(PaperHouse(shown=STATE, photo=b"\xff\xd8"), ACCESS)
    # The stream has no end, which a test that reads whole answers would wait for.
    endless = app.view_functions["stream.events"]
    app.view_functions["stream.events"] = lambda: _first(endless())
    app.extensions["guesses"].each = app.extensions["guesses"].together = 10**6
    return app


def _first(answer: object) -> object:
    if hasattr(answer, "response") and not isinstance(answer.response, list):
        chunks: Iterator[str] = iter(answer.response)
        answer.response = [next(chunks), next(chunks)]
    return answer


app = make_app()
with app.app_context():
    described = describe()
schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)


@schema.include(path_regex="^/(state|events|games|picture|session|pin|match)").parametrize()
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_api_is_as_it_describes_itself(case: schemathesis.Case) -> None:
    case.call_and_validate(headers={"X-Magister-Pin": ACCESS.pin})


def test_every_address_of_the_api_is_described() -> None:
    addresses = {str(rule) for rule in app.url_map.iter_rules() if str(rule).startswith("/api/v1/")}
    known = {f"/api/v1{path}" for path in described["paths"]}
    assert {address for address in addresses if "<" not in address} - known == {"/api/v1/openapi.json"}


def test_a_listener_hears_news_and_state_in_its_language() -> None:
    event = {
        "number": 2,
        "event": "illegal",
        "t": 3.0,
        "seat": 1,
        "refusals": [{"rule": "enter.middle", "sites": ["T7"], "facts": {"sites": "T7"}}],
    }
    said = list(messages(Update(7, STATE, (event,)), True, "de"))
    assert [line.split("\n")[0] for line in said] == ["event: news", "event: state"]
    assert all("\nid: 7\n" in line for line in said)
    news = json.loads(said[0].split("data: ")[1])
    assert "refusals" not in news
    assert "T7" in news["text"]
    state = json.loads(said[1].split("data: ")[1])
    assert state["verdict"]["text"] == "Blau ist am Zug."
    assert state["supply"]["common"] == [{"label": "Spielsteine im Vorrat", "value": 8}]


def test_the_state_is_told_in_the_browsers_language() -> None:
    client = app.test_client()
    assert (
        client.get("/api/v1/state", headers={"Accept-Language": "fr"}).json["verdict"]["text"]
        == "C’est à bleu de jouer."
    )


@pytest.mark.parametrize("since", ["abc", "-1", "1" * 20])
def test_a_strange_place_in_the_stream_is_refused(since: str) -> None:
    assert app.test_client().get(f"/api/v1/events?since={since}").status_code == 400


@pytest.mark.parametrize(
    ("actions", "asked"),
    [
        (["T1-T2"], "Das war nicht deutlich zu sehen. Ist das passiert? Blau zieht von T1 auf T2."),
        (["T1-T2", "T>"], "Zu dem, was zu sehen ist, passt mehr als eine Aktion. Welche war es?"),
    ],
)
def test_what_is_asked_fits_how_much_is_asked(actions: list[str], asked: str) -> None:
    unclear = {"number": 2, "at": "2026-01-01T00:00:02+00:00", "t": 3.0, "event": "unclear", "actions": actions}
    state = STATE | {
        "lights": {"status": "unclear"},
        "asking": [{"action": each} for each in actions],
        "recent": [unclear],
    }
    assert told_state(Update(4, state), "de")["verdict"]["text"] == asked


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["Ada", "Ben"], "Ada gewinnt durch Aufgabe."),
        (["Ada", "Ben", "Cleo"], "Ben hat aufgegeben; die Partie endet ohne Entscheidung."),
    ],
    ids=["two", "three"],
)
def test_what_comes_of_it_that_a_player_resigns_is_said(names: list[str], said: str) -> None:
    resigned = {"number": 2, "at": "2026-01-01T00:00:02+00:00", "t": 3.0, "event": "resign", "seat": 1}
    players = [{"name": name, "colour": "red"} for name in names]
    state = STATE | {"seat": None, "lights": {"status": "result"}, "recent": [resigned], "players": players}
    told = told_state(Update(5, state), "de")
    assert told["verdict"]["text"] == said
    assert told["recent"][0]["text"] == "Ben hat aufgegeben."


def test_a_resignation_without_a_winner_is_told_without_a_name() -> None:
    said = result_text({"winner": None, "by": "resign"}, STATE, "en")
    assert said == "A player has resigned; the match ends undecided."


def test_what_is_told_twice_is_made_once() -> None:
    update = Update(3, STATE)
    assert told_state(update, "it") is told_state(Update(3, STATE), "it")


def test_page_and_api_tell_the_version_of_the_program() -> None:
    client = create_app(PaperHouse(version="7.8.9"), ACCESS).test_client()
    assert "Magister Ludi 7.8.9" in client.get("/").text
    assert client.get("/api/v1/state").json["version"] == "7.8.9"  # type: ignore[index]
