"""The archive without a browser: the list, a match row by row, what is exported, and the statistics."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient
from house import ACCESS, PaperArchive, PaperHouse
from logbook import write_log, write_match

from engine.match import Match
from engine.registry import find_game
from firmware.log.store import Player, Store
from firmware.page.analysis import StoredAnalysis
from firmware.page.archive import StoredArchive
from webui import create_app
from webui.archive.matches import FORMS
from webui.archive.rows import changes_of, rows_of


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> StoredArchive:
    path: Path = tmp_path_factory.mktemp("log") / "matches.sqlite"
    return StoredArchive(write_log(path, matches=5, plies=24))


@pytest.fixture
def client(archive: StoredArchive) -> FlaskClient:
    return create_app(_house(archive), ACCESS).test_client()


def _house(archive: Any) -> PaperHouse:  # noqa: ANN401 - an archive of either kind
    house = PaperHouse()
    house.archive = archive
    return house


def empty() -> FlaskClient:
    return create_app(PaperHouse(), ACCESS).test_client()


# The list


def test_the_list_shows_who_played_what_and_how_it_ended(client: FlaskClient) -> None:
    page = client.get("/matches").text
    assert page.count('class="date"') == 5
    assert "MEMENTO TUOS · original" in page
    assert "The players have agreed on a draw." in page
    assert "wins because the others have resigned." in page
    assert page.index("/matches/5") < page.index("/matches/1"), "newest first"


@pytest.mark.parametrize(("query", "shown"), [("game=rings", 2), ("player=Ada", 3), ("game=rings&player=Nobody", 0)])
def test_the_list_can_be_narrowed(client: FlaskClient, query: str, shown: int) -> None:
    assert client.get(f"/matches?{query}").text.count('class="date"') == shown


@pytest.mark.parametrize(
    ("language", "date", "noun"),
    [
        ("en", "May 2, 2026", "5 matches"),
        ("de", "02.05.2026", "5 Partien"),
        ("fr", "2 mai 2026", "5 parties"),
        ("it", "2 mag 2026", "5 partite"),
        ("uk", "2 трав. 2026", "5 партій"),
    ],
)
def test_dates_and_numbers_are_those_of_the_language(client: FlaskClient, language: str, date: str, noun: str) -> None:
    page = client.get("/matches", headers={"Accept-Language": language}).text
    assert date in page
    assert noun in page


def test_many_matches_come_in_pages(client: FlaskClient) -> None:
    brief = {"started": "2026-01-01T10:00:00+00:00", "game": "rings", "variant": None, "result": None}
    brief |= {"players": [{"name": "red", "colour": "red"}], "actions": 3, "illegal": 0}
    many = PaperArchive({number: brief | {"id": number} for number in range(1, 121)})
    pages = create_app(_house(many), ACCESS).test_client()
    assert pages.get("/matches").text.count('class="date"') == 50
    assert pages.get("/matches?page=3").text.count('class="date"') == 20
    assert "Page 3 of 3" in pages.get("/matches?page=3").text
    assert pages.get("/matches?page=nonsense").status_code == 200


def test_an_empty_log_says_so() -> None:
    assert "No match has been played yet." in empty().get("/matches").text
    assert "No match has been played yet." in empty().get("/statistics").text


# A match


def record(*events: dict[str, Any]) -> dict[str, Any]:
    players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "yellow"}]
    return {"game": "rings", "players": players, "events": list(events)}


def test_rows_mark_tries_and_what_was_taken_back() -> None:
    told = rows_of(
        record(
            {"event": "action", "t": 2.0, "seat": 0, "action": "+a1"},
            {"event": "unfinished", "t": 2.5, "sites": ["a2"]},
            {"event": "illegal", "t": 3.0, "seat": 1, "rule": "place.occupied", "sites": ["a1"], "text": "Taken."},
            {"event": "action", "t": 5.5, "seat": 1, "action": "+a2"},
            {"event": "undo", "t": 6.0, "to_ply": 1},
            {"event": "action", "t": 9.0, "seat": 1, "action": "+b2"},
            {"event": "correction", "t": 10.0, "what": "take_back", "to_ply": 0},
            {"event": "correction", "t": 12.0, "what": "answer", "seat": 0, "action": "+c1"},
        ),
        "en",
    )
    # There are two moments in the end: the start, and +c1.
    assert [(row.kind, row.moment, row.undone) for row in told] == [
        ("action", 0, True),
        ("illegal", 0, False),
        ("action", 0, True),
        ("undo", 0, False),
        ("action", 0, True),
        ("undo", 0, False),
        ("action", 1, False),
    ]
    assert [row.seconds for row in told if row.kind == "action"] == [2.0, 3.5, 3.0, 2.0]
    assert told[1].sites == ("a1",)
    assert told[1].text == "Taken."


def test_that_a_match_goes_on_after_all_is_told() -> None:
    told = rows_of(
        record({"event": "resign", "t": 1.0, "seat": 0}, {"event": "correction", "t": 2.0, "what": "reopen"}), "de"
    )
    assert told[-1].text == "Das Ende der Partie wurde zurückgenommen: sie geht weiter."


def test_what_was_refused_is_told_in_the_readers_language() -> None:
    tried = {"event": "illegal", "t": 3.0, "seat": 1, "rule": "place.occupied", "sites": ["a1"]}
    refusals = [{"rule": "place.occupied", "sites": ["a1"], "facts": {"sites": "a1"}}]
    (row,) = rows_of(record(tried | {"refusals": refusals}), "de")
    assert row.text == "Ein Stein wird nur auf ein freies Feld gesetzt; a1 ist besetzt."
    (row,) = rows_of(record(tried | {"text": "Taken."}), "de")
    assert row.text == "Taken.", "a sentence of which nothing else was written down stays as it is"


def test_moments_go_on_after_the_position_was_set_by_hand() -> None:
    told = rows_of(
        record(
            {"event": "action", "t": 1.0, "seat": 0, "action": "+a1"},
            {"event": "correction", "t": 2.0, "what": "position", "setup": {}, "turns": {}},
            {"event": "action", "t": 3.0, "seat": 0, "action": "+b1"},
        ),
        "en",
    )
    # Start, +a1, the position set by hand, +b1.
    assert [(row.kind, row.moment) for row in told] == [("action", 1), ("correction", 2), ("action", 3)]


def test_every_row_leads_to_the_moment_after_it(archive: StoredArchive) -> None:
    for number in range(1, 6):
        match = archive.match(number)
        rows = rows_of(match, "en")
        standing = [row for row in rows if row.kind == "action" and not row.undone]
        assert [row.notation for row in standing] == match["actions"]
        assert all(row.text.endswith(".") and row.notation not in row.text for row in standing), "told in words"
        assert [row.moment for row in standing] == list(range(1, len(match["moments"])))


def test_changes_put_together_are_the_moments(archive: StoredArchive) -> None:
    match = archive.match(1)
    faces: dict[str, str] = {}
    for change, moment in zip(changes_of(match["moments"]), match["moments"], strict=True):
        for site, face in change["faces"].items():
            if face is None:
                del faces[site]
            else:
                faces[site] = face
        assert faces == moment["faces"]
        assert change["turns"] == moment["turns"]


def test_a_match_page_has_the_board_the_list_and_the_moments(client: FlaskClient, archive: StoredArchive) -> None:
    page = client.get("/matches/1").text
    moments = json.loads(page.partition('id="moments">')[2].partition("</script>")[0])
    assert len(moments) == len(archive.match(1)["moments"])
    assert 'data-sheet="tile-T"' in page
    assert page.count('class="illegal"') == archive.match(1)["illegal"]
    assert client.get("/matches/77").status_code == 404


def test_a_match_is_replayed_in_ukrainian(client: FlaskClient) -> None:
    page = client.get("/matches/1", headers={"Accept-Language": "uk"}).text
    assert "На дію вперед" in page
    assert "Завантажити" in page


@pytest.mark.parametrize(
    ("form", "kind", "start"),
    [
        ("text", "text/plain", b"["),
        ("json", "application/json", b"{"),
        ("csv", "text/csv", b"number,"),
        ("svg", "image/svg+xml", b"<svg "),
        ("gif", "image/gif", b"GIF89a"),
    ],
)
def test_a_match_can_be_taken_along(client: FlaskClient, form: str, kind: str, start: bytes) -> None:
    # A film takes its time, so it is made only once.
    for address in (f"/matches/1/export/{form}", f"/api/v1/matches/1/export/{form}")[: 1 if form == "gif" else 2]:
        answer = client.get(address)
        assert answer.status_code == 200
        assert answer.mimetype == kind
        assert answer.headers["Content-Disposition"].startswith('attachment; filename="magister-1.')
        assert answer.data.startswith(start)


@pytest.mark.parametrize("form", ["exe", "..%2f..%2fetc%2fpasswd", "text%00"])
def test_only_known_forms_are_exported(client: FlaskClient, form: str) -> None:
    assert client.get(f"/matches/1/export/{form}").status_code == 404
    assert client.get(f"/api/v1/matches/1/export/{form}").status_code == 404
    assert client.get("/api/v1/matches/99/export/text").json["error"] == "no-match"  # type: ignore[index]


def test_the_api_tells_matches(client: FlaskClient) -> None:
    matches = client.get("/api/v1/matches").json
    assert matches is not None
    assert [match["id"] for match in matches["matches"]] == [5, 4, 3, 2, 1]
    whole = client.get("/api/v1/matches/2").json
    assert whole is not None
    assert whole["game"] == "rings"
    assert client.get("/api/v1/matches/99").status_code == 404
    assert empty().get("/api/v1/matches").json == {"matches": []}


def test_chances_are_shown_where_somebody_can_judge_them(archive: StoredArchive) -> None:
    class Judge:
        def evaluations(self, number: int) -> list[list[float]]:
            return [[0.5, 0.5], [0.75, 0.25]]

        def judgements(self, number: int, language: str) -> list[dict[str, Any]]:
            return [{"moment": 0, "comment": language, "seat": 0, "best": "+T7"}]

        def what_if(self, number: int, moment: int, tried: Sequence[str], language: str) -> dict[str, Any]:
            return {"tried": list(tried), "moment": moment, "seat": 1, "legal": ["+L1,L2"]}

    house = _house(archive)
    first, second = (player["name"] for player in archive.match(1)["players"])
    assert "evaluation" not in create_app(house, ACCESS).test_client().get("/matches/1").text
    assert create_app(house, ACCESS).test_client().get("/api/v1/matches/1/evaluations").status_code == 404
    house.analyst = Judge()
    client = create_app(house, ACCESS).test_client()
    assert 'id="evaluation"' in client.get("/matches/1").text
    told = client.get("/api/v1/matches/1/evaluations", headers={"Accept-Language": "fr"}).json
    assert told == {
        "evaluations": [[0.5, 0.5], [0.75, 0.25]],
        "judgements": [
            {"moment": 0, "comment": "fr", "seat": 0, "best": "+T7", "said": {"+T7": f"{first} pose un simple sur T7."}}
        ],
    }
    there = client.get("/api/v1/matches/1/what-if/3?action=%2Ba1&action=a1-a2").json
    assert there is not None
    assert (there["tried"], there["moment"]) == (["+a1", "a1-a2"], 3)
    assert there["said"] == {"+L1,L2": f"{second} placed two Singles on L1, L2."}
    assert client.get("/api/v1/matches/1/what-if/3", query_string={"action": ["x"] * 41}).status_code == 400
    assert client.get("/api/v1/matches/9/what-if/3").status_code == 404


@pytest.mark.parametrize(("game", "secret"), [("dimenticato", True), ("triominos", True), ("rings", False)])
def test_a_match_in_which_something_is_hidden_is_told_when_it_is_over(game: str, secret: bool, tmp_path: Path) -> None:
    with Store(tmp_path / "log.sqlite") as store:
        write_match(store, game, seed=1, plies=8)
        rules = find_game(game).configure()
        players = [Player("red", "red"), Player("yellow", "yellow")]
        store.begin_match(rules, players, rules.deal(2, Random(3)), started="2026-05-02T19:30:00+00:00")
    client = create_app(_house(StoredArchive(tmp_path / "log.sqlite")), ACCESS).test_client()
    going_on = 409 if secret else 200
    for number, status in ((1, 200), (2, going_on)):
        assert client.get(f"/api/v1/matches/{number}").status_code == status
        assert client.get(f"/api/v1/matches/{number}/export/json").status_code == status
        assert client.get(f"/matches/{number}/export/json").status_code == status
    assert ("This match can be taken up again." in client.get("/matches/2").text) == secret
    assert "racks" not in client.get("/matches/2").text


ROUTES = (
    *("/matches/1", *(f"/matches/1/export/{form}" for form in FORMS)),
    *("/api/v1/matches/1", *(f"/api/v1/matches/1/export/{form}" for form in FORMS)),
    *("/api/v1/matches/1/evaluations", "/api/v1/matches/1/what-if/0"),
)
"""All that serves what happened in a match."""
Last = tuple[str, dict[str, Any]]
"""What is written at the end of a match."""


def put_aside(path: Path, *last: Last) -> PaperHouse:
    """A house with a match of Dimenticato that ended like this."""
    rules = find_game("dimenticato").configure()
    with Store(path) as store:
        setup = rules.deal(2, Random(3))
        number = store.begin_match(rules, [Player("Ada", "red"), Player("Ben", "yellow")], setup, started="2026-05-02")
        match = Match.begin(rules, 2, setup)
        for ply in range(6):
            action = match.position.legal()[0]
            told = {"ply": ply, "seat": match.position.seat, "action": str(action)}
            store.append(number, "action", told, at="2026-05-02T19:31:00+00:00", seconds=float(ply))
            match = match.play(action)
        for kind, payload in last:
            store.append(number, kind, payload, at="2026-05-02T19:40:00+00:00", seconds=60.0)
    house = _house(StoredArchive(path))
    house.analyst = StoredAnalysis(path)
    return house


ABANDONED: Last = ("abandon", {})
DRAWN: Last = ("draw", {})
RESIGNED: Last = ("resign", {"seat": 0})
REOPENED: Last = ("correction", {"what": "reopen"})


@pytest.mark.parametrize(
    "last", [(), (ABANDONED,), (ABANDONED, REOPENED), (DRAWN, REOPENED), (DRAWN, REOPENED, ABANDONED)]
)
@pytest.mark.parametrize("address", ROUTES)
def test_what_can_be_taken_up_again_tells_nothing_hidden(last: tuple[Last, ...], address: str, tmp_path: Path) -> None:
    house = put_aside(tmp_path / "log.sqlite", *last)
    client = create_app(house, ACCESS).test_client()
    for query in ({}, {"everything": "1"}):
        answer = client.get(address, query_string=query)
        assert answer.status_code == (200 if address == "/matches/1" else 409)
        assert "pips" not in answer.text
        assert 'id="moments"' not in answer.text
    answer = client.get(address, query_string={"everything": "1"}, headers={"X-Magister-Pin": "0000"})
    assert answer.status_code == 403


@pytest.mark.parametrize("last", [(), (ABANDONED,)])
@pytest.mark.parametrize("address", [each for each in ROUTES if "gif" not in each and "poster" not in each])
def test_whoever_has_the_pin_sees_all_of_it(last: tuple[Last, ...], address: str, tmp_path: Path) -> None:
    house = put_aside(tmp_path / "log.sqlite", *last)
    client = create_app(house, ACCESS).test_client()
    closed = client.get(address, headers={"X-Magister-Pin": ACCESS.pin})
    assert closed.status_code == (200 if address == "/matches/1" else 409), "nobody sees it by accident"
    assert 'id="moments"' not in closed.text
    answer = client.get(address, query_string={"everything": "1"}, headers={"X-Magister-Pin": ACCESS.pin})
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"
    assert ('id="moments"' in answer.text) == (address == "/matches/1")


@pytest.mark.parametrize("last", [(DRAWN,), (RESIGNED,)])
def test_a_match_with_a_result_is_open_to_all(last: tuple[Last, ...], tmp_path: Path) -> None:
    house = put_aside(tmp_path / "log.sqlite", *last)
    client = create_app(house, ACCESS).test_client()
    for address in ("/matches/1", "/api/v1/matches/1", "/matches/1/export/csv", "/api/v1/matches/1/export/text"):
        assert client.get(address).status_code == 200
    assert 'id="moments"' in client.get("/matches/1").text


@pytest.mark.parametrize(
    ("last", "ended"), [((), "broken off"), ((ABANDONED,), "The match was abandoned.")], ids=["broken off", "abandoned"]
)
def test_what_is_hidden_can_still_be_taken_up_and_removed(last: tuple[Last, ...], ended: str, tmp_path: Path) -> None:
    house = put_aside(tmp_path / "log.sqlite", *last)
    page = create_app(house, ACCESS).test_client().get("/matches/1").text
    assert ended in page
    assert "This match can be taken up again." in page
    assert "still being played" not in page
    for button in ("take-up", "remove", "rename", "everything"):
        assert f'id="{button}"' in page
    # The same at the table, now: the PIN opens it as little as its director's view does.
    house.shown = {"phase": "playing", "match": 1}
    if not last:
        client = create_app(house, ACCESS).test_client()
        page = client.get("/matches/1?everything=1", headers={"X-Magister-Pin": ACCESS.pin}).text
        assert "This match is still being played." in page
        for button in ("take-up", "remove", "rename", "everything"):
            assert f'id="{button}"' not in page
        assert client.get("/api/v1/matches/1").json["error"] == "still-played"  # type: ignore[index]


# Statistics


def test_statistics_have_charts_with_tables(client: FlaskClient) -> None:
    page = client.get("/statistics").text
    for name in ("length", "time", "kinds", "mistakes"):
        assert f'id="chart-{name}"' in page
    assert page.count("As a table") == 4
    assert page.count("data-chart=") == 4
    # A rule stands in the table with its sentence.
    assert "place.occupied" in page
    assert "A pawn may only be placed on a free cell; … is occupied." in page


def test_statistics_of_one_player_and_one_game(client: FlaskClient) -> None:
    page = client.get("/statistics?player=Ada&game=memento-tuos").text
    assert "Won" in page
    assert "By player" not in page
    assert "place.occupied" not in page
    assert client.get("/statistics?player=Nobody&game=chess").status_code == 200


def test_statistics_need_no_match_played_again(archive: StoredArchive) -> None:
    told = archive.records()
    assert [(each["id"], each["actions"]) for each in told] == [
        (n, len(archive.match(n)["actions"])) for n in range(1, 6)
    ]
    for each in told:
        whole = archive.match(each["id"])["events"]
        assert each["events"] == [{name: event[name] for name in event if name != "text"} for event in whole]


def test_the_log_of_the_tests_is_one_of_the_rules(archive: StoredArchive) -> None:
    match = archive.match(1)
    rules = find_game(match["game"]).configure(match["variant"])
    assert Match.replay(rules, 2, match["setup"], match["actions"]).position is not None


# Removed, renamed, imported


def test_what_was_removed_is_listed_apart() -> None:
    brief = {"started": "2026-01-01T10:00:00+00:00", "game": "rings", "variant": None, "result": None}
    brief |= {"players": [{"name": "red", "colour": "red"}], "actions": 3, "illegal": 0}
    house = _house(PaperArchive({number: brief | {"id": number, "removed": number == 2} for number in (1, 2)}))
    client = create_app(house, ACCESS).test_client()
    assert '"/matches/1"' in client.get("/matches").text
    assert '"/matches/2"' not in client.get("/matches").text
    assert "/matches?removed=1" in client.get("/matches").text
    assert '"/matches/2"' in client.get("/matches?removed=1").text
    assert '"/matches/1"' not in client.get("/matches?removed=1").text
    assert [each["id"] for each in client.get("/api/v1/matches").json["matches"]] == [1]
    assert [each["id"] for each in client.get("/api/v1/matches?removed=1").json["matches"]] == [2]
    assert client.get("/api/v1/matches?removed=yes").status_code == 400


def test_a_match_that_is_played_is_told_from_one_that_was_broken_off() -> None:
    brief = {"started": "2026-01-01T10:00:00+00:00", "game": "rings", "variant": None, "result": None}
    brief |= {"players": [{"name": "red", "colour": "red"}], "actions": 3, "illegal": 0}
    house = _house(PaperArchive({number: brief | {"id": number} for number in (1, 2)}))
    house.shown = house.shown | {"match": 2, "phase": "playing"}
    page = create_app(house, ACCESS).test_client().get("/matches").text
    assert (page.count("being played now"), page.count("broken off")) == (1, 1)
    assert page.index("being played now") < page.index("broken off"), "the newest first"


def test_a_match_that_is_played_is_followed_and_not_taken_up_again(tmp_path: Path) -> None:
    rules = find_game("rings").configure()
    with Store(tmp_path / "matches.sqlite") as store:
        number = store.begin_match(
            rules, [Player("Ada", "red"), Player("Ben", "yellow")], {}, started="2026-01-02T20:00:00+00:00"
        )
    house = _house(StoredArchive(tmp_path / "matches.sqlite"))
    client = create_app(house, ACCESS).test_client()
    assert "Take up again" in client.get(f"/matches/{number}").text
    house.shown = house.shown | {"match": number, "phase": "playing"}
    page = client.get(f"/matches/{number}").text
    assert "Take up again" not in page
    assert "Follow it live" in page


def test_a_match_is_imported_by_those_who_may() -> None:
    house = _house(PaperArchive())
    client = create_app(house, ACCESS).test_client()
    address, pin = "/api/v1/archive/import", {"X-Magister-Pin": ACCESS.pin}
    assert client.post(address, data="x", content_type="text/plain").status_code == 401
    assert client.post(address, data="x", content_type="image/gif", headers=pin).status_code == 415
    assert client.post(address, data=b"\xff\xfe", content_type="text/plain", headers=pin).status_code == 400
    assert client.post(address, data=b"x" * 9_000_000, content_type="text/plain", headers=pin).status_code == 413
    assert house.wishes == []
    told = client.post(address, data='\ufeff[Game "rings"]'.encode(), content_type="text/plain", headers=pin)
    assert told.status_code == 200
    assert house.wishes == [("import_match", {"text": '[Game "rings"]'})]
