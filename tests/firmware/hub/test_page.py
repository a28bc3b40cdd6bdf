"""The hub's page: who may see and do what, and that it shows what the tables tell."""

from __future__ import annotations

import re
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import sqlalchemy as sa
from hub_room import PASSWORD, Call, HubRoom, send, until
from logbook import write_match

from firmware.hub.library import Search

PAGES = ("/", "/wall", "/tables/A", "/matches", "/ratings", "/mistakes")


def test_nobody_watches_without_leave_and_everybody_may_where_the_director_says_so(room: HubRoom, people: Call) -> None:
    stranger, director = people(), people("director")
    for page in PAGES:
        assert stranger.get(page).location.startswith("/login"), page
    assert stranger.get("/people").location.startswith("/login")
    for path in ("tables", "matches", "events"):
        assert stranger.get(f"/api/v1/{path}").status_code == 401
    assert send(director, "/api/v1/settings", delay=30, open=True).status_code == 200
    for page in PAGES:
        answer = stranger.get(page)
        assert answer.status_code == 200, page
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "with a delay of 30 seconds" in stranger.get("/").text
    assert "with a delay of" not in director.get("/").text


def test_every_link_leads_somewhere(people: Call) -> None:
    director = people("director")
    links = {link for page in (*PAGES, "/people") for link in re.findall(r'href="(/[^"#]*)"', director.get(page).text)}
    assert len(links) > 10
    for link in links:
        with director.get(link.replace("&amp;", "&")) as answer:
            assert answer.status_code in (200, 302), link


@pytest.mark.parametrize("role", ["", "spectator", "arbiter"])
def test_only_the_director_directs(people: Call, role: str) -> None:
    client = people(role)
    for path, body in (
        ("invitations", {"role": "director"}),
        ("tables", {"name": "A"}),
        ("tables/remove", {"name": "A"}),
        ("people/remove", {"id": "x"}),
        ("settings", {"delay": 0, "open": True}),
    ):
        assert send(client, f"/api/v1/{path}", **body).status_code == (403 if role else 401), path
    assert client.get("/people").status_code == (403 if role else 302)
    wished = send(client, "/api/v1/tables/A/wish", kind="none").status_code
    assert wished == {"": 401, "spectator": 403, "arbiter": 504}[role]


def test_changes_come_from_the_page_only(people: Call) -> None:
    director = people("director")
    body = {"delay": 0, "open": True}
    assert director.post("/api/v1/settings", json=body).status_code == 403
    token = director.get("/api/v1/session").get_json()["token"]
    foreign = {"X-Magister-Token": token, "Origin": "https://elsewhere.example"}
    assert director.post("/api/v1/settings", json=body, headers=foreign).status_code == 403
    assert send(director, "/api/v1/settings", delay=5000, open=True).status_code == 400


def test_an_invitation_is_for_one_person_and_guessing_is_slow(room: HubRoom, people: Call) -> None:
    director = people("director")
    told = send(director, "/api/v1/invitations", role="arbiter").get_json()
    assert told["qr"].startswith("<svg")
    token = told["address"].rpartition("/")[2]
    client = people()
    assert "Arbiter" in client.get(f"/join/{token}").text
    assert send(client, "/api/v1/join", token=token, name="director", password=PASSWORD).status_code == 409
    assert send(client, "/api/v1/join", token=token, name="Ann", password="short").status_code == 409
    assert send(client, "/api/v1/join", token=token, name="Ann", password=PASSWORD).status_code == 200
    assert send(people(), "/api/v1/join", token=token, name="Eve", password=PASSWORD).status_code == 403
    with room.hub.engine.connect() as db:
        from firmware.hub.database import people as table

        kept = [str(row) for row in db.execute(table.select())]
    assert not any(PASSWORD in row for row in kept)
    assert all("scrypt" in row for row in kept)
    other = people()
    codes = [send(other, "/api/v1/login", name="Ann", password=f"{n:09}").status_code for n in range(6)]
    assert codes[0] == 403
    assert codes[-1] == 429
    assert send(other, "/api/v1/login", name="Ann", password=PASSWORD).status_code == 429


def test_who_is_removed_is_out_at_once_and_a_director_stays(room: HubRoom, people: Call) -> None:
    director, arbiter = people("director"), people("arbiter")
    ids = {each["name"]: each["id"] for each in room.hub.people.everybody()}
    assert arbiter.get("/").status_code == 200
    assert send(director, "/api/v1/people/remove", id=ids["arbiter"]).status_code == 200
    assert arbiter.get("/").status_code == 302
    assert send(director, "/api/v1/people/remove", id=ids["director"]).status_code == 409
    deeds = [(note["who"], note["deed"]) for note in room.hub.people.notes()]
    assert ("director", "remove") in deeds
    assert ("arbiter", "join") in deeds


def test_the_command_for_a_table_lets_it_in(room: HubRoom, people: Call) -> None:
    command = send(people("director"), "/api/v1/tables", name="Table 3").get_json()["command"]
    found = re.fullmatch(r'magister run --hub mqtt://127.0.0.1:1883 --table "Table 3" --token (\S+)', command)
    assert found is not None
    assert room.hub.people.let_in("Table 3", f"{found[1]}:{'5' * 48}")
    assert send(people("arbiter"), "/api/v1/tables", name="a/b").status_code == 403


def test_an_arbiter_answers_for_a_table_from_afar(room: HubRoom, people: Call) -> None:
    link = room.table("A")
    until(lambda: (view := room.hub.hall.view("A")) is not None and view.online)
    heard: list[Any] = []

    def table() -> None:
        until(lambda: heard.extend(link.wishes()) or heard)
        link.answer(heard[0], {"done": 1})

    at_table = Thread(target=table)
    at_table.start()
    body = {"kind": "answer", "action": "T>", "match": 3, "ply": 7}
    answer = send(people("arbiter"), "/api/v1/tables/A/wish", **body)
    at_table.join()
    assert answer.get_json() == {"told": {"done": 1}}
    assert (heard[0].kind, heard[0].payload, heard[0].match, heard[0].ply) == ("answer", {"action": "T>"}, 3, 7)
    assert any(note["deed"] == "answer" and "T>" in note["about"] for note in room.hub.people.notes())


def test_matches_are_found_rated_and_their_mistakes_counted(room: HubRoom, people: Call, tmp_path: Path) -> None:
    log = room.log("A")
    for seed in range(4):
        write_match(log, "memento-tuos", seed, 30)
    room.table("A")
    until(lambda: len(room.hub.library.find(Search())) == 4)
    until(lambda: room.hub.library.size()[1] == sum(len(log.history(number).actions) for number in log.ids()))
    client = people("spectator")
    found = client.get("/api/v1/matches").get_json()["matches"]
    assert len(found) == 4
    first = log.history(1)
    opening = " ".join(first.actions[:2])
    one = client.get("/api/v1/matches", query_string={"opening": opening, "player": first.players[0].name}).get_json()
    assert [each["number"] for each in one["matches"]] == [1]
    assert client.get("/api/v1/matches?least_actions=9999").get_json()["matches"] == []
    assert client.get("/api/v1/matches?least_illegal=1").get_json()["matches"]
    assert client.get("/api/v1/matches?player=nobody").get_json()["matches"] == []
    page = client.get(f"/matches/{one['matches'][0]['id']}").text
    assert first.moments()[-1].caption in page.replace("\\u003e", ">")
    assert "Ada" in client.get("/ratings").text
    rules = {entry.rule for number in log.ids() for entry in log.history(number).entries if hasattr(entry, "rule")}
    counted = room.hub.library.broken_rules()
    assert {row["rule"] for row in counted} == rules
    assert sum(row["times"] for row in counted) == sum(log.history(number).illegal for number in log.ids())
    assert all(rule in client.get("/mistakes").text for rule in rules)


def test_spectators_see_late_what_arbiters_see_at_once() -> None:
    from firmware.hub.hall import Hall

    now = [1000.0]
    hall = Hall(lambda: now[0])
    hall.hear_presence("A", {"online": True, "session": "x"})
    hall.hear_state("A", {"state": {"ply": 1}})
    now[0] = 1010.0
    hall.hear_state("A", {"state": {"ply": 2}})
    assert [each["state"] for each in hall.records(0)] == [{"ply": 2}]
    assert [each["state"] for each in hall.records(5)] == [{"ply": 1}]
    assert hall.records(60) == []
    number, changed, _ = hall.wait(0, 0, 5)
    assert ['"ply": 1' in each for each in changed] == [True]
    assert hall.wait(number, 0, 5)[1] == []
    now[0] = 1016.0
    assert ['"ply": 2' in each for each in hall.wait(number, 0, 5)[1]] == [True]


def test_a_table_that_ended_badly_is_away_and_an_old_will_is_not_heard() -> None:
    from firmware.hub.hall import Hall

    hall = Hall(lambda: 0.0)
    hall.hear_presence("A", {"online": True, "session": "new"})
    hall.hear_presence("A", {"online": False, "session": "old"})
    assert hall.views()[0].online
    hall.hear_presence("A", {"online": False, "session": "new"})
    assert not hall.views()[0].online


def test_ratings_follow_the_formula() -> None:
    from firmware.hub.ratings import RatedMatch, rate

    course = rate([RatedMatch(1, "a", ("Ada", "Ben"), (1, 0)), RatedMatch(2, "b", ("Ada", "Ben"), (0.5, 0.5))])
    assert [point.rating for point in course["Ada"]] == pytest.approx([1516.0, 1516.0 - 1.4697], abs=0.001)
    assert course["Ben"][-1].rating + course["Ada"][-1].rating == pytest.approx(3000)
    three = rate([RatedMatch(1, "a", ("Ada", "Ben", "Cem"), (1, 0, 0))])
    assert [three[name][0].rating for name in ("Ada", "Ben", "Cem")] == [1516, 1492, 1492]


def test_without_its_database_the_page_says_so(room: HubRoom, people: Call) -> None:
    client = people("arbiter")
    with room.hub.engine.begin() as db:
        db.execute(sa.text("ALTER TABLE people RENAME TO elsewhere"))
    for path in ("/", "/matches", "/api/v1/tables"):
        answer = client.get(path)
        assert answer.status_code == 503, path
        assert "cannot reach its database" in answer.text
