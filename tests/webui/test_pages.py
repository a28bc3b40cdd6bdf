"""The pages without a browser: what they send, and to whom."""

from __future__ import annotations

import re
from html import unescape

import pytest
from flask.testing import FlaskClient
from house import ACCESS, PaperHouse

from webui import create_app


@pytest.fixture
def client() -> FlaskClient:
    return create_app(PaperHouse(), ACCESS).test_client()


def test_the_browsers_language_comes_first(client: FlaskClient) -> None:
    page = client.get("/", headers={"Accept-Language": "uk,de;q=0.5"}).text
    assert '<html lang="uk"' in page


def test_a_language_chosen_is_remembered_and_leads_back(client: FlaskClient) -> None:
    answer = client.get("/language/it?back=/", headers={"Accept-Language": "de"})
    assert (answer.status_code, answer.location) == (302, "/")
    assert '<html lang="it"' in client.get("/", headers={"Accept-Language": "de"}).text


def test_the_tables_own_language_is_for_whoever_has_chosen_none() -> None:
    house = PaperHouse({"phase": "idle", "language": "fr"})
    client = create_app(house, ACCESS).test_client()
    german = {"Accept-Language": "de"}
    assert '<html lang="fr"' in client.get("/", headers=german).text
    client.get("/language/it?back=/")
    assert '<html lang="it"' in client.get("/", headers=german).text, "each may choose their own"
    house.shown = {"phase": "idle", "language": "uk"}
    assert '<html lang="uk"' in create_app(house, ACCESS).test_client().get("/").text
    program = create_app(house, ACCESS).test_client(use_cookies=False)
    told = program.post("/api/v1/match/draw", json={}, headers=german).json["message"]
    assert told.startswith("Um etwas zu ändern"), "a program says what it wants"
    house.shown = {"phase": "idle", "language": ""}
    assert '<html lang="de"' in create_app(house, ACCESS).test_client().get("/", headers=german).text


def test_another_language_keeps_what_was_asked_for(client: FlaskClient) -> None:
    page = client.get("/matches?game=rings&player=Zo%C3%AB").text
    link = unescape(re.findall(r'href="(/language/it[^"]*)"', page)[0])
    assert client.get(link).location == "/matches?game=rings&player=Zo%C3%AB"
    assert 'href="/language/it?back=/matches"' in client.get("/matches").text


@pytest.mark.parametrize(
    "back", ["//evil.example", "https://evil.example", "/\\evil.example", "/\t/evil.example", "/\n/x", "/\r\nX: 1"]
)
def test_the_language_switch_sends_nobody_elsewhere(client: FlaskClient, back: str) -> None:
    assert client.get("/language/it", query_string={"back": back}).location == "/"


def test_the_name_of_a_variant_is_said_in_the_languages_own_word(client: FlaskClient) -> None:
    page = client.get("/rules/memento-tuos", headers={"Accept-Language": "uk"}).text
    assert "Варіант: оригінальний" in page


@pytest.mark.parametrize("path", ["/nowhere", "/matches/7", "/lessons/chess", "/rules/memento-tuos/more"])
def test_an_address_that_leads_nowhere_says_so_and_leads_on(client: FlaskClient, path: str) -> None:
    answer = client.get(path, headers={"Accept-Language": "de"})
    assert answer.status_code == 404
    assert "<h1>Diese Seite gibt es nicht.</h1>" in answer.text
    assert 'href="/matches">Partien</a>' in answer.text


def test_a_first_start_leads_from_the_game_to_the_first_move() -> None:
    house = PaperHouse(shown={"phase": "idle", "refereed": ["rings", "memento-tuos"], "camera": {"text": "No phone."}})
    client = create_app(house, ACCESS).test_client()
    page = unescape(client.get("/start?game=rings").text)
    assert len(re.findall('class="choice"', page)) == 2, "the games that can be followed"
    assert 'action="/api/v1/board/rings.pdf"' in page
    assert "No phone." in page
    assert 'href="/new?game=rings"' in page
    assert client.get(re.findall('href="(/lessons/[^"]*)"', page)[0]).status_code == 200
    assert "/api/v1/board/memento-tuos.pdf" in client.get("/start?game=chess").text
    assert 'href="/start"' in client.get("/").text


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("", b"2 a4"),
        ("?paper=letter&players=3", b"3 letter"),
        ("?paper=a9", b""),
        ("?players=9", b""),
        ("?players=x", b""),
    ],
)
def test_a_board_is_printed_from_the_page(client: FlaskClient, asked: str, told: bytes) -> None:
    answer = client.get(f"/api/v1/board/rings.pdf{asked}")
    assert (answer.status_code == 200 and told in answer.data) if told else answer.status_code == 404


def test_boards_to_print_are_made_only_so_often(client: FlaskClient) -> None:
    answers = [client.get("/api/v1/board/rings.pdf").status_code for _ in range(40)]
    assert (answers[0], answers[-1]) == (200, 429)


def test_scripts_and_programs_that_ask_for_nothing_get_no_page(client: FlaskClient) -> None:
    assert client.get("/api/v1/nowhere").json["error"] == "not-found"
    assert client.get("/api/v1/matches/7").json["error"] == "no-match"
    missing = client.get("/static/nowhere.js")
    assert missing.status_code == 404
    assert "<main" not in missing.text
