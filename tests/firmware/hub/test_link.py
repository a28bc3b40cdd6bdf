"""A table tells a hub what is in its log: all of it, each event once, whatever fails between them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa
from hub_room import HubRoom, until
from logbook import write_match
from paho.mqtt.client import Client

from engine.registry import find_game
from firmware.hub.address import BrokerAddress
from firmware.hub.contract import ForeignPayloadError, Lines, packed, unpacked
from firmware.hub.database import events, matches
from firmware.hub.library import Search
from firmware.hub.pages_of_log import LogPages
from firmware.log.store import Player, Store

ALL = Search()


def stored(room: HubRoom) -> int:
    with room.hub.engine.connect() as db:
        return db.execute(sa.select(sa.func.count()).select_from(events)).scalar() or 0


def logged(store: Store) -> int:
    return store.size()[1]


def test_what_was_played_without_a_hub_arrives_whole_and_what_is_played_then_too(room: HubRoom) -> None:
    log = room.log("Table 1")
    write_match(log, "rings", 1, 30)
    link = room.table("Table 1")
    until(lambda: stored(room) == logged(log))
    write_match(log, "memento-tuos", 2, 30)
    link.show({"phase": "playing"})
    until(lambda: stored(room) == logged(log))
    found = room.hub.library.match(room.hub.library.find(ALL)[0]["id"])
    assert found is not None
    history = log.history(2)
    assert [each["caption"] for each in found["moments"]] == [each.caption for each in history.moments()]
    assert (found["actions"], found["illegal"]) == (len(history.actions), history.illegal)
    assert found["result"] == history.result


def test_a_hub_closes_soon_whatever_is_on_its_way(room: HubRoom) -> None:
    log = room.log("A")
    room.table("A")
    for number in (1, 2, 3):
        write_match(log, "rings", number, 4)
        until(lambda: stored(room) == logged(log))
        begun = time.monotonic()
        room.hub.close()
        assert time.monotonic() - begun < 8.0
        room.open_hub()


def test_a_hub_that_was_gone_and_one_that_lost_its_database_get_what_they_lack(room: HubRoom) -> None:
    log = room.log("A")
    write_match(log, "rings", 1, 20)
    room.table("A")
    until(lambda: stored(room) == logged(log))
    room.hub.close()
    write_match(log, "rings", 2, 20)
    room.open_hub()
    until(lambda: stored(room) == logged(log))
    room.hub.close()
    for file in room.folder.glob("hub.sqlite*"):
        file.unlink()
    room.open_hub()
    room.hub.people.invite_table("A")
    with room.hub.engine.begin() as db:
        # The table is known again, with the secret it has.
        from hashlib import sha256

        from firmware.hub.database import tables

        secret = json.loads((room.folder / "A" / "hub.json").read_text())["secret"]
        db.execute(sa.update(tables).values(secret=sha256(secret.encode()).hexdigest()))
    until(lambda: stored(room) == logged(log), 60)
    with room.hub.engine.connect() as db:
        assert sorted(db.execute(sa.select(matches.c.number)).scalars()) == [1, 2]


def test_two_hubs_at_one_database_take_each_event_once(room: HubRoom, tmp_path: Path) -> None:
    from firmware.hub.intake import Intake

    log = tmp_path / "x.sqlite"
    with Store(log) as store:
        write_match(store, "rings", 1, 30)
        count = logged(store)
    pages = LogPages(log, "ab")
    match = pages.match(1)
    assert match is not None
    whole = pages.lines(match, 0)
    pages.close()
    first, second = Intake(room.hub.engine, lambda: 1.0), Intake(room.hub.engine, lambda: 2.0)

    def part(begin: int, end: int) -> Lines:
        return Lines(whole.match, whole.start, whole.lines[begin:end])

    assert first.take([("T", part(0, 5))])["T"][whole.match] == {"next": 5, "covered": False}
    assert second.take([("T", part(0, 5))])["T"][whole.match]["next"] == 5
    assert second.take([("T", part(5, 9))])["T"][whole.match]["next"] == 9
    # The first comes late with less: nothing goes back.
    first.take([("T", part(5, 7))])
    with room.hub.engine.connect() as db:
        assert db.execute(sa.select(matches.c.next)).scalar() == 9
    # The first has not heard what the second has: it finds it in the database, and takes no gap for it.
    assert first.take([("T", part(9, 12))])["T"][whole.match]["next"] == 12
    # What comes too early is not taken, and the table is told where to begin.
    assert second.take([("T", part(15, 20))])["T"][whole.match] == {"next": 12, "covered": False, "again": True}
    assert first.take([("T", part(3, count))])["T"][whole.match]["next"] == count
    assert stored(room) == count
    with room.hub.engine.connect() as db:
        assert db.execute(sa.select(matches.c.next)).scalar() == count


def test_an_evening_that_begins_at_all_tables_is_taken_in_at_once(room: HubRoom) -> None:
    """However many matches are new, known to the database or in memory: a round trip for each would be too slow."""
    from firmware.hub.contract import EventLine, Started, match_id
    from firmware.hub.intake import Intake

    players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "yellow"}]

    def told(count: int, seq: int) -> list[tuple[str, Lines]]:
        start = Started(1, "2026-05-02T10:00", "rings", None, players, {}, {}, {})
        line = EventLine(seq, "", 0.0, "action", {"ply": seq, "seat": seq % 2, "action": "1"})
        return [(f"T{table}", Lines(match_id(f"T{table}", 1, ""), start, [line])) for table in range(count)]

    asked: list[str] = []
    sa.event.listen(
        room.hub.engine, "before_cursor_execute", lambda _, __, statement, ___, ____, _____: asked.append(statement)
    )
    for intake, seq in ((Intake(room.hub.engine, lambda: 1.0), 0), (Intake(room.hub.engine, lambda: 2.0), 1)):
        asked.clear()
        have = intake.take(told(150, seq))
        assert len(asked) <= 6, asked
        assert [next(iter(each.values()))["next"] for each in have.values()] == [seq + 1] * 150
    assert stored(room) == 300
    with room.hub.engine.connect() as db:
        assert set(db.execute(sa.select(matches.c.actions, matches.c.opening))) == {(2, "1 1")}


@pytest.mark.parametrize("game", ["dimenticato", "triominos"])
def test_what_is_covered_stays_at_the_table_until_the_match_is_over(room: HubRoom, game: str) -> None:
    from random import Random

    rules = find_game(game).configure()
    setup = rules.deal(2, Random(1))
    log, link = room.log("A"), room.table("A")
    number = log.begin_match(rules, [Player("Ada", "red"), Player("Ben", "yellow")], setup, started="2026-05-02T10:00")
    log.append(number, "setup", {"setup": setup}, at="", seconds=0.0)
    log.append(number, "correction", {"what": "position", "setup": setup, "turns": {}}, at="", seconds=0.5)
    log.append(number, "abandon", {}, at="", seconds=1.0)
    link.show({})
    until(lambda: stored(room) == 3)
    with room.hub.engine.connect() as db:
        kept = json.dumps([list(row) for row in db.execute(sa.select(events.c.payload, events.c.covered))])
        start, covered = db.execute(sa.select(matches.c.start, matches.c.covered)).one()
    assert json.loads(kept) == [[{}, True], [{"what": "position"}, True], [{}, False]]
    assert (start["setup"], covered) == (None, True)
    # One that was put aside may be taken up again; now it is over.
    log.append(number, "draw", {}, at="", seconds=2.0)
    link.show({"now": "over"})

    def is_revealed() -> bool:
        with room.hub.engine.connect() as db:
            return not db.execute(sa.select(matches.c.covered)).scalar()

    until(is_revealed)
    found = room.hub.library.match(room.hub.library.find(ALL)[0]["id"])
    assert found is not None
    assert found["start"]["setup"] == json.loads(json.dumps(setup))
    assert found["events"][0]["payload"] == {"setup": json.loads(json.dumps(setup))}


def test_a_second_table_of_the_same_name_is_told_and_plays_on(room: HubRoom) -> None:
    said: list[str] = []
    first = room.table("A")
    until(lambda: first.record()["online"])
    second = room.table("A", folder="B", said=said.append)
    until(lambda: said)
    assert "'A'" in said[0] or "token" in said[0]
    assert not second.record()["online"]
    assert first.record()["online"]


def test_what_is_foreign_is_said_once_and_harms_nothing(room: HubRoom) -> None:
    with stranger(room, "B", []) as client:
        foreign = (b"{", b'{"v": 2}', b"[]", packed(match="x"), packed(match="../", start={}, events=[]))
        for payload in foreign * 2:
            client.publish("magister/1/tables/B/events", payload, qos=1)
        client.publish("magister/1/tables/B/log", packed(matches={"zz": 1}), qos=1)
        state = packed(state={"game": 5, "players": "x", "recent": 3}, now="never")
        client.publish("magister/1/tables/B/state", state, qos=1)
        until(lambda: len(room.said) >= 4)
    assert len(room.said) == len(set(room.said))
    assert any("version 2" in each and "update" in each for each in room.said)
    log, link = room.log("A"), room.table("A")
    write_match(log, "rings", 1, 10)
    link.show({})
    until(lambda: stored(room) == logged(log))


def test_payloads_are_checked() -> None:
    with pytest.raises(ForeignPayloadError, match="version 7"):
        unpacked(b'{"v": 7}')
    with pytest.raises(ForeignPayloadError, match="not JSON"):
        unpacked(b"\xff")


def test_a_wrong_clock_is_said(tmp_path: Path) -> None:
    from firmware.hub.hall import Hall

    hall = Hall(lambda: 1_700_000_000.0)
    hall.hear_state("A", {"state": {}, "now": "2023-11-14T23:13:20+00:00"})
    hall.hear_state("B", {"state": {}, "now": "2023-11-14T22:13:25+00:00"})
    assert [view.skew for view in hall.views()] == [3600, 0]


def test_a_database_that_fails_loses_nothing(room: HubRoom) -> None:
    log, link = room.log("A"), room.table("A")
    until(lambda: link.record()["online"])
    with room.hub.engine.begin() as db:
        db.execute(sa.text("ALTER TABLE events RENAME TO elsewhere"))
    write_match(log, "rings", 1, 10)
    link.show({})
    until(lambda: any("cannot be written" in each for each in room.said))
    assert room.hub.hall.trouble == "database"
    with room.hub.engine.begin() as db:
        db.execute(sa.text("ALTER TABLE elsewhere RENAME TO events"))
    until(lambda: stored(room) == logged(log))
    until(lambda: room.hub.hall.trouble == "")


def test_a_question_that_met_no_database_is_asked_again(room: HubRoom) -> None:
    log = room.log("A")
    write_match(log, "rings", 1, 10)
    room.hub.people.invite_table("A")
    with room.hub.engine.begin() as db:
        db.execute(sa.text("ALTER TABLE matches RENAME TO elsewhere"))
    room.table("A")
    until(lambda: any("cannot be written" in each for each in room.said))
    with room.hub.engine.begin() as db:
        db.execute(sa.text("ALTER TABLE elsewhere RENAME TO matches"))
    until(lambda: stored(room) == logged(log))


def test_what_the_broker_has_kept_is_no_wrong_clock_and_no_other_table(room: HubRoom) -> None:
    said: list[str] = []
    link = room.table("A", said=said.append)
    until(lambda: link.record()["online"])
    uid = json.loads((room.folder / "A" / "hub.json").read_text())["uid"]
    link.hear(_kept("online", packed(online=True, uid=uid, session="")))
    link.hear(_kept("online", b"{"))
    room.hub.listener.hear(_kept("state", packed(state={}, now="2020-01-01T00:00:00+00:00")))
    until(lambda: said)
    assert not any("another table" in each for each in said)
    assert link.record()["online"]
    assert not any("clock" in each for each in room.said)


def _kept(kind: str, payload: bytes) -> Any:  # noqa: ANN401 - as much of a message as is looked at
    return SimpleNamespace(topic=f"magister/1/tables/A/{kind}", payload=payload, retain=True)


@contextmanager
def stranger(room: HubRoom, name: str, heard: list[str]) -> Iterator[Client]:
    """A program of somebody else, with the rights of a table; `heard` are the topics it hears."""
    token = room.hub.people.invite_table(name)
    client = BrokerAddress("127.0.0.1", room.hub.address.port).client("spy", name, f"{token}:{'0' * 48}")
    client.on_message = lambda _, __, message: heard.append(message.topic)
    client.connect("127.0.0.1", room.hub.address.port)
    client.loop_start()
    until(client.is_connected)
    yield client
    client.disconnect()
    client.loop_stop()


def test_a_table_speaks_for_itself_only(room: HubRoom) -> None:
    room.table("A").show({"game": "rings"})
    until(lambda: (view := room.hub.hall.view("A")) is not None and view.state)
    heard: list[str] = []
    with stranger(room, "B", heard) as client:
        for topic in ("magister/1/tables/A/state", "magister/1/tables/+/state", "#"):
            client.subscribe(topic, 1)
        client.publish("magister/1/tables/A/state", packed(state={"game": "forged"}), qos=1, retain=True)
        client.subscribe("magister/1/hubs/+", 1)
        until(lambda: heard)
    assert all(topic.startswith("magister/1/hubs/") for topic in heard)
    view = room.hub.hall.view("A")
    assert view is not None
    assert view.state == {"game": "rings", "recent": []}


def test_a_token_lets_in_one_table_once(room: HubRoom) -> None:
    people = room.hub.people
    token = people.invite_table("A")
    assert not people.let_in("A", "wrong")
    assert not people.let_in("B", f"{token}:{'1' * 48}")
    assert people.let_in("A", f"{token}:{'1' * 48}")
    assert people.let_in("A", f"{token}:{'1' * 48}"), "it may not have heard the answer"
    assert people.let_in("A", "1" * 48)
    assert not people.let_in("A", f"{token}:{'2' * 48}")
