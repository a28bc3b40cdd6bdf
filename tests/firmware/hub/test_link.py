"""A table tells a hub what is in its log: all of it, each event once, whatever fails between them."""

from __future__ import annotations

import sqlalchemy as sa
from hub_room import HubRoom, until
from logbook import write_match

from firmware.hub.database import events, matches
from firmware.log.store import Store


def stored(room: HubRoom) -> int:
    with room.hub.engine.connect() as db:
        return db.execute(sa.select(sa.func.count()).select_from(events)).scalar() or 0


def logged(store: Store) -> int:
    return store.size()[1]


def test_what_was_played_before_the_hub_was_there_arrives_once(room: HubRoom) -> None:
    log = room.log("Table 1")
    write_match(log, "rings", 1, 30)
    link = room.table("Table 1")
    until(lambda: stored(room) == logged(log))
    write_match(log, "memento-tuos", 2, 30)
    link.show({"phase": "playing"})
    until(lambda: stored(room) == logged(log))
    found = room.hub.library.match(room.hub.library.find(_all())[0]["id"])
    assert found is not None
    history = log.history(2)
    assert [each["caption"] for each in found["moments"]] == [each.caption for each in history.moments()]
    assert (found["actions"], found["illegal"]) == (len(history.actions), history.illegal)
    assert found["result"] == history.result


def _all():  # noqa: ANN202
    from firmware.hub.library import Search

    return Search()
