"""The event stream: listeners get every change at once, and after a gap what they missed."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from threading import Lock

from flask import Blueprint, current_app, request
from werkzeug.wrappers import Response

from engine.core import Json
from engine.registry import known_game
from webui.access.safety import RefusedError
from webui.house import House, Update
from webui.table.changes import changes
from webui.words.clock import aged
from webui.words.languages import language
from webui.words.telling import told_event, told_state
from webui.words.texts import N_

blueprint = Blueprint("stream", __name__)

MOST_LISTENERS = 256
"""Each takes a thread of the server; one too many is refused and retries by itself."""
MOST_FROM_ONE = 224
"""So many of them from one address: there is always room for others."""
HEARTBEAT = 4.0
"""Seconds between heartbeats: a listener that misses three shows its state as out of date."""
RETRY = 1500
"""Milliseconds after which a browser tries again."""

NUMBER = re.compile("[0-9]{1,15}")


class Listeners:
    """How many there are, and where from."""

    def __init__(self) -> None:
        self._lock, self._from = Lock(), Counter[str]()

    def come(self, address: str) -> bool:
        """Whether one more may listen."""
        with self._lock:
            if self._from.total() >= MOST_LISTENERS or self._from[address] >= MOST_FROM_ONE:
                return False
            self._from[address] += 1
            return True

    def go(self, address: str) -> None:
        with self._lock:
            self._from[address] -= 1
            # Addresses that have gone leave nothing behind.
            self._from = +self._from


_listeners = Listeners()


@blueprint.get("/api/v1/events")
def events() -> Response:
    """State and news as server-sent events; `Last-Event-ID` brings what was missed. With `changes=1` the first
    state is sent whole, then what has changed, and no news: they are in the state."""
    house: House = current_app.config["HOUSE"]
    given = [*request.headers.getlist("Last-Event-ID"), *request.args.getlist("since")]
    if not all(NUMBER.fullmatch(each) for each in given):
        raise RefusedError(400, "bad-request", "Last-Event-ID must be an id from this stream")
    since = given[0] if given else ""
    only_changes = request.args.get("changes", "0")
    if only_changes not in ("0", "1"):
        raise RefusedError(400, "bad-request", "changes must be 0 or 1")
    address = request.remote_addr or ""
    if not _listeners.come(address):
        raise RefusedError(503, "full", N_("Too many people are watching: try again in a moment."))
    told = _stream_of_changes(house, language()) if only_changes == "1" else None
    told = told or _stream(house, int(since) if since else None, language())
    answer = Response(told, mimetype="text/event-stream")
    answer.call_on_close(partial(_listeners.go, address))
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["X-Accel-Buffering"] = "no"
    return answer


def _stream(house: House, since: int | None, spoken: str) -> Iterator[str]:
    yield f"retry: {RETRY}\n\n"
    first = house.state()
    update = house.wait(since, 0) if since is not None else None
    update = update or first
    while True:
        yield from messages(update, house.alive(), spoken)
        seen = update.number
        while (later := house.wait(seen, HEARTBEAT)) is None:
            yield f"event: tick\ndata: {json.dumps({'alive': house.alive()})}\n\n"
        update = later


def _stream_of_changes(house: House, spoken: str) -> Iterator[str]:
    yield f"retry: {RETRY}\n\n"
    update, before = house.state(), None
    while True:
        state = _state(update, house.alive(), spoken)
        yield state_message(state, before)
        before, seen = state, update.number
        while (later := house.wait(seen, HEARTBEAT)) is None:
            alive = house.alive()
            before |= {"alive": alive}
            yield f"event: tick\ndata: {json.dumps({'alive': alive})}\n\n"
        update = later


def _state(update: Update, alive: bool, spoken: str) -> Json:
    return aged(told_state(update, spoken)) | {"alive": alive}


def messages(update: Update, alive: bool, spoken: str) -> Iterator[str]:
    """The messages for an update: each event, then the current state."""
    for event in _news(update):
        yield _message("news", update.number, told_event(event, update.state, spoken))
    yield _message("state", update.number, _state(update, alive, spoken))


def state_message(state: Json, before: Json | None) -> str:
    """A state for whoever knows the one before: what has changed, or all of it."""
    if before is None:
        return _message("state", state["number"], state)
    return _message("change", state["number"], changes(before, state))


def _news(update: Update) -> Iterator[Json]:
    """What has happened; where something has to be remembered, only as the state tells it now."""
    game = known_game(update.state.get("game"))
    if game is None or not game.covers:
        yield from update.news
        return
    told = {event["number"]: event for event in update.state.get("recent", ())}
    yield from (told[event["number"]] for event in update.news if event["number"] in told)


def _message(kind: str, number: int, data: object) -> str:
    return f"event: {kind}\nid: {number}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"
