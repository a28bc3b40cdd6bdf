"""All tables on one screen, one table large, and the wall for a projector."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial

from flask import Blueprint, render_template, request
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from engine.registry import known_game
from webui.access.safety import RefusedError
from webui.api.bodies import read_body
from webui.api.schemas import ACTION, record
from webui.boards import board_for, page_board, sign_svg
from webui.hub.guard import check, check_watching, club, delay, may, note, to_log_in
from webui.hub.house import TableSilentError
from webui.hub.telling import told_table
from webui.table.stream import HEARTBEAT, NUMBER, RETRY, Listeners
from webui.words.languages import language
from webui.words.telling import refused
from webui.words.texts import N_, spoken

blueprint = Blueprint("hub", __name__)

TEXTS = {
    "offline_table": N_("No connection to this table. It plays on and sends what is missing later."),
    "waits": N_("Nobody is playing."),
    "calls": N_("Table %(table)s calls the arbiter."),
    "asks": N_("The referee at table %(table)s has a question."),
    "skew": N_("The clock of this table is wrong."),
    "database": N_("The hub cannot write to its database. The tables keep their matches and send them later."),
    "broker": N_("The hub cannot reach the broker. The tables play on and send what is missing later."),
    "foreign": N_("This table sends something that this hub does not understand."),
    "offline": N_("Connection lost. Trying again …"),
    "answered": N_("Answered."),
    "none": N_("None of these"),
    "calm": N_("I am coming"),
    "to_move": N_("to move"),
    "nobody": N_("No table has joined yet."),
    "was": N_("It was {action}"),
}
WISH = record(
    {"kind": {"type": "string", "enum": ["answer", "none", "calm"]}},
    {
        "action": ACTION,
        "match": {"type": ["integer", "null"], "minimum": 1, "maximum": 2**31},
        "ply": {"type": ["integer", "null"], "minimum": 0, "maximum": 2**31},
    },
)
_listeners = Listeners()


def _page(template: str, **more: object) -> str | Response:
    texts = {name: said.replace("%(table)s", "{table}") for name, said in spoken(TEXTS).items()}
    signs = {colour: str(sign_svg(colour)) for colour in ("red", "yellow", "green", "blue")}
    return to_log_in() or render_template(
        template, script_texts=texts, signs=signs, arbiter=may("arbiter"), delay=delay(), **more
    )


@blueprint.get("/")
def tables() -> str | Response:
    return _page("hub_tables.html")


@blueprint.get("/wall")
def wall() -> str | Response:
    return _page("hub_wall.html")


@blueprint.get("/tables/<name>")
def table(name: str) -> str | Response:
    return _page("hub_table.html", table=name)


@blueprint.get("/api/v1/boards/<game>/<int:players>")
def board(game: str, players: int) -> Response:
    """A bare board, to be filled by the page."""
    known = known_game(game)
    if known is None or players not in known.seats:
        raise RefusedError(404, "no-board", N_("There is no such board."))
    drawn = page_board(board_for(game, players, None), {}, {}, label=_("The board"), prefix=f"{game}-{players}-")
    answer = Response(str(drawn), mimetype="image/svg+xml")
    answer.headers["Cache-Control"] = "max-age=3600"
    return answer


@blueprint.get("/api/v1/session")
def session_() -> dict[str, object]:
    from webui.access.safety import token

    return {"token": token(), "may_change": may("arbiter")}


@blueprint.get("/api/v1/tables")
def api_tables() -> dict[str, object]:
    check_watching()
    shown = [told_table(json.dumps(each, ensure_ascii=False), language()) for each in club().tables(delay())]
    return {"number": club().number(), "tables": [json.loads(each) for each in shown]}


@blueprint.post("/api/v1/tables/<name>/wish")
def wish(name: str) -> dict[str, object]:
    """What an arbiter decides."""
    body = read_body(WISH)
    member = check("arbiter")
    kind, action = body["kind"], body.get("action")
    if kind == "answer" and not action:
        raise RefusedError(400, "bad-request", "action is missing")
    try:
        payload = {"action": action} if kind == "answer" else {}
        answer = club().wish(name, kind, payload, body.get("match"), body.get("ply"))
    except TableSilentError as error:
        raise RefusedError(504, "silent", str(error)) from error
    note(member, kind, f"{name}: {action or ''} (match {body.get('match')}, ply {body.get('ply')})")
    if answer.get("refused"):
        why = answer["refused"]
        raise RefusedError(409, "refused", refused(str(why.get("message", ""))[:300], why, language()))
    return {"told": answer.get("told", {})}


@blueprint.get("/api/v1/events")
def events() -> Response:
    """All tables as server-sent events; `Last-Event-ID` brings what was missed."""
    check_watching()
    given = [*request.headers.getlist("Last-Event-ID"), *request.args.getlist("since")]
    if not all(NUMBER.fullmatch(each) for each in given):
        raise RefusedError(400, "bad-request", "Last-Event-ID must be an id from this stream")
    address = request.remote_addr or ""
    if not _listeners.come(address):
        raise RefusedError(503, "full", N_("Too many people are watching: try again in a moment."))
    since = int(given[0]) if given else None
    answer = Response(_stream(since, delay(), language()), mimetype="text/event-stream")
    answer.call_on_close(partial(_listeners.go, address))
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["X-Accel-Buffering"] = "no"
    return answer


def _stream(since: int | None, late: float, spoken_language: str) -> Iterator[str]:
    house = club()

    def stream() -> Iterator[str]:
        yield f"retry: {RETRY}\n\n"
        number, trouble = since, ""
        if number is None or number > house.number():
            # All of them, and then what changes; with a delay it is the number of then.
            number = house.number() if not late else 0
            for each in house.tables(late):
                shown = told_table(json.dumps(each, ensure_ascii=False), spoken_language)
                yield f"event: table\ndata: {shown}\n\n"
        yield f"event: ready\nid: {number}\ndata: {{}}\n\n"
        while True:
            later, changed, wrong = house.wait(number, HEARTBEAT, late)
            if wrong != trouble:
                trouble = wrong
                yield f"event: trouble\ndata: {json.dumps({'trouble': trouble})}\n\n"
            for text in changed:
                yield f"event: table\nid: {later}\ndata: {told_table(text, spoken_language)}\n\n"
            if not changed:
                yield f"event: tick\nid: {later}\ndata: {{}}\n\n"
            number = later

    return stream()
