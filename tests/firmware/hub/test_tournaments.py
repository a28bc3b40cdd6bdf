"""Tournaments: who plays whom, how it stands, results that come from the tables, and corrections that can be seen."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import ceil
from typing import Any

import pytest
from flask.testing import FlaskClient
from hub_room import Call, HubRoom, send, until

from engine.registry import find_game
from firmware.hub.tournaments.drawing import drawn
from firmware.hub.tournaments.record import ROUND_ROBIN, SWISS, Deed, Tournament, TournamentError, begun
from firmware.hub.tournaments.standings import standings
from firmware.log.store import Player, Store

SEATS = (2, 3, 4)


class Course:
    """A tournament that is played in memory: the stronger of a table, who has the smaller number, wins."""

    def __init__(self, count: int, kind: str, size: int = 2, rounds: int = 0) -> None:
        players = [{"name": f"P{number}", "rating": 2000 - number} for number in range(count)]
        start = {"name": "Cup", "game": "rings", "kind": kind, "size": size, "rounds": rounds, "players": players}
        self.now: Tournament = begun(start)
        self._number = 0

    def do(self, kind: str, **payload: object) -> None:
        self._number += 1
        self.now = self.now.after(Deed(self._number, float(self._number), "Dora", kind, payload))

    def draw(self, tables: tuple[str, ...] = ("A", "B")) -> None:
        self.do("draw", pairings=drawn(self.now, SEATS, tables))

    def decide(self, place: int, scores: list[float], how: str = "hand") -> None:
        self.do("result", round=len(self.now.rounds), place=place, scores=scores, how=how)

    def play_round(self) -> None:
        self.draw()
        for place, pairing in enumerate(self.now.rounds[-1].pairings):
            if pairing.scores is None:
                best = min(pairing.players)
                self.decide(place, [float(each == best) for each in pairing.players])

    def play(self) -> None:
        try:
            while True:
                self.play_round()
        except TournamentError as error:
            assert str(error) == "complete"  # noqa: PT017 - that is how it ends

    def met(self) -> Counter[frozenset[int]]:
        return Counter(
            frozenset(pair)
            for pairing in self.now.pairings()
            if pairing.was_played
            for pair in combinations(pairing.players, 2)
        )


@pytest.mark.parametrize("count", [4, 6, 7, 10])
def test_in_a_round_robin_everybody_meets_everybody_once(count: int) -> None:
    course = Course(count, ROUND_ROBIN)
    course.play()
    assert course.met() == Counter(frozenset(pair) for pair in combinations(range(count), 2))
    assert len(course.now.rounds) == count - 1 + count % 2
    assert [row.entrant.number for row in standings(course.now)] == list(range(count))


@pytest.mark.parametrize(("count", "rounds"), [(8, 0), (9, 5), (33, 0), (40, 9)])
def test_in_a_swiss_tournament_nobody_meets_twice_or_has_two_byes(count: int, rounds: int) -> None:
    course = Course(count, SWISS, rounds=rounds)
    course.play()
    assert set(course.met().values()) == {1}
    byes = Counter(each.players for each in course.now.pairings() if each.how == "bye")
    assert set(byes.values()) <= {1}
    assert len(byes) == len(course.now.rounds) * (count % 2)
    first = standings(course.now)[0]
    assert (first.entrant.number, first.points) == (0, len(course.now.rounds))
    # Who has as many points plays whom: the best two of the last round had the same.
    assert {0, 1} in [set(each.players) for each in course.now.pairings()]


@pytest.mark.parametrize(("count", "size"), [(9, 3), (10, 3), (16, 4), (7, 4)])
def test_three_and_four_at_a_table_meet_all_the_others(count: int, size: int) -> None:
    course = Course(count, ROUND_ROBIN, size)
    course.play()
    assert course.met().keys() == {frozenset(pair) for pair in combinations(range(count), 2)}
    assert {len(each.players) for each in course.now.pairings()} <= {size, size - 1}
    at_once = sum(len(each.players) * (len(each.players) - 1) // 2 for each in course.now.rounds[0].pairings)
    assert len(course.now.rounds) <= ceil(count * (count - 1) / 2 / at_once) + 2


def test_swiss_with_three_and_four_keeps_the_strong_together() -> None:
    course = Course(12, SWISS, 4)
    course.play()
    assert len(course.now.rounds) == 3
    assert standings(course.now)[0].entrant.number == 0
    assert max(course.met().values()) <= 2
    odd = Course(5, SWISS, 4)
    odd.draw()
    assert sorted(len(each.players) for each in odd.now.rounds[0].pairings) == [1, 4]


def test_late_entries_withdrawals_and_forfeits() -> None:
    course = Course(5, ROUND_ROBIN)
    course.play_round()
    course.do("enter", name="Late", rating=1500)
    course.do("leave", player=4)
    course.play()
    active = [0, 1, 2, 3, 5]
    assert {pair for pair in course.met() if 4 not in pair} == {frozenset(pair) for pair in combinations(active, 2)}
    assert max(course.met().values()) == 1
    plain = Course(4, ROUND_ROBIN)
    plain.play_round()
    plain.do("leave", player=3)
    plain.draw()
    (given,) = [each for each in plain.now.rounds[-1].pairings if 3 in each.players]
    assert given.how == "forfeit"
    assert dict(zip(given.players, given.scores or (), strict=True))[3] == 0


def test_tie_breaks_and_equal_ranks() -> None:
    course = Course(4, SWISS, rounds=2)
    course.draw()
    assert [each.players for each in course.now.rounds[0].pairings] == [(0, 2), (1, 3)]
    course.decide(0, [1, 0])
    course.decide(1, [0.5, 0.5])
    rows = {row.entrant.number: row for row in standings(course.now)}
    assert [rows[number].rank for number in range(4)] == [1, 2, 4, 2]
    assert (rows[2].buchholz, rows[2].sonneborn) == (1, 0)
    assert (rows[1].buchholz, rows[1].sonneborn) == (0.5, 0.25)


def test_what_cannot_be_is_refused() -> None:
    course = Course(4, SWISS, rounds=1)
    for kind, payload, why in (
        ("enter", {"name": " p1 ", "rating": 0}, "taken"),
        ("enter", {"name": "", "rating": 0}, "name"),
        ("leave", {"player": 9}, "unknown"),
        ("take back", {}, "played"),
        ("result", {"round": 1, "place": 0, "scores": [1, 0], "how": "hand"}, "unknown"),
        ("dance", {}, "unknown"),
    ):
        with pytest.raises(TournamentError, match=why):
            course.do(kind, **payload)
    course.draw()
    with pytest.raises(TournamentError, match="open"):
        course.draw()
    with pytest.raises(TournamentError, match="open"):
        course.do("end")
    for scores in ([1, 1], [1], [-1, 1]):
        with pytest.raises(TournamentError, match="scores"):
            course.decide(0, scores)
    course.do("take back")
    course.play_round()
    with pytest.raises(TournamentError, match="complete"):
        course.draw()
    course.do("end")
    with pytest.raises(TournamentError, match="over"):
        course.do("leave", player=1)


def test_a_table_that_is_free_goes_to_those_who_wait() -> None:
    course = Course(6, SWISS)
    course.draw(("A",))
    assert [each.table for each in course.now.rounds[0].pairings] == ["A", None, None]
    course.decide(0, [1, 0])
    assert [each.table for each in course.now.rounds[0].pairings] == ["A", "A", None]


def _ended(log: Store, winner: str, loser: str, *, by: str = "rings") -> int:
    rules = find_game("rings").configure()
    players = [Player(winner, "red"), Player(loser, "yellow")]
    number = log.begin_match(rules, players, {}, started="2026-05-02T10:00")
    log.append(number, "result", {"winner": 0, "by": by}, at="", seconds=1.0)
    return number


def _new(client: FlaskClient, *players: str, kind: str = "swiss", rounds: int = 0, size: int = 2) -> Any:  # noqa: ANN401
    body = {"name": "Cup", "game": "rings", "kind": kind, "size": size, "rounds": rounds, "players": list(players)}
    return send(client, "/api/v1/tournaments", **body)


def test_a_tournament_from_the_first_player_to_the_standings(room: HubRoom, people: Call) -> None:
    director, spectator = people("director"), people("spectator")
    id_ = _new(director, "Ada, 1700", "Ben, 1600", "Cem", "Dan, 1400").get_json()["id"]
    path = f"/api/v1/tournaments/{id_}"
    log, link = room.log("A"), room.table("A")
    until(lambda: link.record()["online"])
    early = _ended(log, "Ada", "Cem")
    link.show({"phase": "over"})
    until(lambda: room.hub.library.games())
    assert send(director, f"{path}/draw").status_code == 200
    told = spectator.get(path).get_json()
    assert [each["names"] for each in told["rounds"][0]["pairings"]] == [["Ada", "Cem"], ["Ben", "Dan"]]
    assert [each["table"] for each in told["rounds"][0]["pairings"]] == ["A", None]
    assert told["rounds"][0]["pairings"][0]["scores"] is None, f"match {early} was played before the round was drawn"
    _ended(log, "Cem", "Ada")
    link.show({"phase": "over", "n": 2})

    def decided() -> Any:  # noqa: ANN401
        return spectator.get(path).get_json()["rounds"][0]["pairings"][0]

    until(lambda: decided()["scores"])
    assert (decided()["scores"], decided()["how"]) == ([0, 1], "table")
    assert decided()["match"]
    # A correction stays, and the table does not undo it.
    assert send(people("arbiter"), f"{path}/result", round=1, place=0, result="draw").status_code == 200
    assert decided()["scores"] == [0.5, 0.5]
    trail = [(each["kind"], each["who"], each["payload"].get("scores")) for each in spectator.get(path).json["trail"]]  # type: ignore[index]
    assert trail[-2:] == [("result", "A", [0, 1]), ("result", "arbiter", [0.5, 0.5])]
    assert send(director, f"{path}/result", round=1, place=1, result="absent 1").status_code == 200
    page = spectator.get(f"/tournaments/{id_}").text
    assert "½ : ½" in page
    assert "forfeit" in page
    assert "<form" not in page
    assert "Draw the next round" in director.get(f"/tournaments/{id_}").text
    standing = spectator.get(f"/tournaments/{id_}-standings.csv").text.splitlines()
    assert standing[1].startswith("1,Ben,1")
    assert "1,A,Ada – Cem,½ : ½,hand" in spectator.get(f"/tournaments/{id_}-pairings.csv").text
    assert spectator.get(f"/tournaments/{id_}.json").get_json()["name"] == "Cup"
    assert any(each["deed"] == "tournament: result" for each in room.hub.people.notes())


def test_only_the_director_directs_a_tournament(people: Call) -> None:
    director, arbiter, stranger = people("director"), people("arbiter"), people()
    id_ = _new(director, "=1+1", "Ben").get_json()["id"]
    path = f"/api/v1/tournaments/{id_}"
    for client, code in ((arbiter, 403), (stranger, 401)):
        assert _new(client, "A", "B").status_code == code
        for what, body in (("draw", {}), ("end", {}), ("enter", {"name": "C"}), ("leave", {"player": 0})):
            assert send(client, f"{path}/{what}", **body).status_code == code, what
    assert stranger.get(path).status_code == 401
    assert stranger.get(f"/tournaments/{id_}").status_code == 302
    assert stranger.get("/tournaments").status_code == 302
    assert "'=1+1" in director.get(f"/tournaments/{id_}-standings.csv").text
    assert send(director, f"{path}/result", round=1, place=0, result="win 0").status_code == 404
    assert send(director, f"{path}/draw").status_code == 200
    for bad in ("win 7", "win -3", "win x", "dance"):
        assert send(director, f"{path}/result", round=1, place=0, result=bad).status_code == 409
    assert send(director, f"{path}/enter", name="ben").get_json()["message"].startswith("This name is taken")
    assert send(director, f"{path}/1/0/begin").status_code == 409
    assert director.get("/tournaments/nothing").status_code == 404
    for game, size in (("chess", 2), ("rings", 7)):
        body = {"name": "x", "game": game, "kind": "swiss", "size": size, "rounds": 0, "players": []}
        assert send(director, "/api/v1/tournaments", **body).status_code in (400, 409)


def test_two_who_draw_at_once_draw_one_round(room: HubRoom) -> None:
    keeping = room.hub.tournaments
    players = [{"name": name, "rating": 1500} for name in ("Ada", "Ben")]
    id_ = keeping.begin(
        "D", {"name": "x", "game": "rings", "kind": "swiss", "size": 2, "rounds": 3, "players": players}
    )
    done = keeping.deeds(id_)
    keeping.draw(id_, "D", ["A"])
    assert not keeping.write(id_, Deed(done[-1].number + 1, 1.0, "E", "draw", {"pairings": []}))
    with pytest.raises(TournamentError, match="open"):
        keeping.draw(id_, "E", ["A"])


def test_spectators_with_a_delay_see_results_late_everywhere(room: HubRoom, people: Call) -> None:
    director, spectator = people("director"), people("spectator")
    id_ = _new(director, "Ada", "Ben").get_json()["id"]
    log, link = room.log("A"), room.table("A")
    send(director, f"/api/v1/tournaments/{id_}/draw")
    _ended(log, "Ada", "Ben")
    link.show({"phase": "over"})
    until(lambda: director.get(f"/api/v1/tournaments/{id_}").get_json()["rounds"][0]["over"])
    (match,) = director.get("/api/v1/matches").get_json()["matches"]
    assert send(director, "/api/v1/settings", delay=60, open=False).status_code == 200
    assert spectator.get("/api/v1/matches").get_json() == {"matches": []}
    assert spectator.get(f"/matches/{match['id']}").status_code == 404
    assert "Ada" not in spectator.get("/ratings").text
    assert spectator.get(f"/api/v1/tournaments/{id_}").status_code == 404
    assert len(director.get("/api/v1/matches").get_json()["matches"]) == 1
