"""The archive: all matches, each to replay, share and download."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from flask import Blueprint, abort, current_app, make_response, render_template, request
from flask_babel import format_date, format_decimal, format_time
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from engine.core import Json
from engine.registry import all_games, known_game
from engine.statistics import is_named
from engine.words import say
from webui.access.safety import may_look
from webui.access.thrift import spend
from webui.archive.rows import changes_of, remembered_by, rows_of
from webui.boards import board_for, page_board, sign_svg
from webui.house import Archive, House, HouseClosedError, NoSuchMatchError
from webui.words.clock import shown_moments
from webui.words.languages import language
from webui.words.telling import name_of, result_text
from webui.words.texts import N_, spoken

blueprint = Blueprint("archive", __name__)

PAGE = 50
"""Matches on one page of the list."""
FORMS = {
    "text": ("txt", "text/plain; charset=utf-8", N_("Text notation")),
    "json": ("json", "application/json", N_("JSON")),
    "csv": ("csv", "text/csv; charset=utf-8", N_("CSV table")),
    "svg": ("svg", "image/svg+xml", N_("Film (SVG)")),
    "gif": ("gif", "image/gif", N_("Film (GIF)")),
    "poster": ("png", "image/png", N_("Poster (PNG)")),
}
"""Download formats: file ending, type and name."""
TEXTS = {
    "play": N_("Play"),
    "pause": N_("Pause"),
    "nearer": N_("Zoom in"),
    "whole": N_("Whole mat"),
    "copied": N_("The link to this position has been copied."),
    "address": N_("Link to this position: {address}"),
    "thinking": N_("Thinking …"),
    "best_here": N_("It would be best here if {action} ({chance} to win)"),
    "choose": N_("Choose an action"),
    "over": N_("The match would be over."),
    "no_judgement": N_("The analysis is not available right now."),
    "take_up": N_("Resume this match? Any match being played now is put aside and stays in the archive."),
    "at": N_("{number} of {all}: {what}"),
}


RESTORING = {
    "restore": N_("Replace the matches here with those of the backup? A match at the table is put aside."),
    "restored": N_("Restored. What was here before is kept on the machine."),
}
FILING = {
    "remove": N_("Remove this match from the list and the statistics? It can be put back at any time."),
    "removed": N_("Removed."),
    "put_back": N_("Put back."),
    "imported": N_("The match was imported."),
    "everything": N_("Show all of this match? Whoever will play it on must not look. The PIN is needed for this."),
}
GIVEN_UP = ("abandon", "draw", "resign")
"""How a match ends that the rules have not ended: it may go on."""
STILL_PLAYED = N_("This match is still being played. What is hidden in it will be shown when it is over.")
PUT_ASIDE = N_("This match can be taken up again. Until it is over, what is hidden in it stays hidden.")


@dataclass(frozen=True)
class Item:
    """A match in the list."""

    record: Json
    title: str
    started: str
    result: str


def the_archive() -> Archive | None:
    house: House = current_app.config["HOUSE"]
    return house.archive


def title_of(game: str, variant: str | None = None) -> str:
    """The title of a game; an unknown one is called by its name in the log."""
    known = known_game(game)
    title = known.title if known else game
    return f"{title} · {say(variant, language())}" if variant else title


def when(started: str) -> str:
    """A time of the log in local time, formatted for this language."""
    try:
        moment = datetime.fromisoformat(started)
    except ValueError:
        return started
    local = moment.astimezone() if moment.tzinfo else moment
    return f"{format_date(local, 'medium', rebase=False)}, {format_time(local, 'short', rebase=False)}"


def how_it_ended(record: Mapping[str, Any], now: int | None = None) -> str:
    """In a sentence; `now` is the number of the match at the table."""
    result = record.get("result")
    if not result:
        return str(_("being played now") if record.get("id") == now else _("broken off"))
    return result_text(result, dict(record), language())


def why_hidden(record: Json) -> str:
    """Why a match is not shown to this reader; empty if it is. With the PIN one that nobody plays now can be seen."""
    if not record["secret"]:
        return ""
    if _is_played(record):
        return STILL_PLAYED
    return "" if wants_everything() and may_look() else PUT_ASIDE


def wants_everything() -> bool:
    return request.args.get("everything") == "1"


def _is_played(record: Json) -> bool:
    return record["id"] == now_played() and not record["result"]


def _can_go_on(record: Json) -> bool:
    return not _is_played(record) and (record["result"] or {"by": "abandon"})["by"] in GIVEN_UP


def _item(record: Json, now: int | None) -> Item:
    title = title_of(record["game"], record.get("variant")) if "game" in record else ""
    result = how_it_ended(record, now) if "error" not in record else str(record["error"])
    return Item(record, title, when(record.get("started", "")), result)


@blueprint.app_template_filter("sign")
def _sign(colour: str) -> str:
    return sign_svg(colour)


@blueprint.app_template_filter("local_number")
def _local(number: float) -> str:
    return str(format_decimal(number))


@blueprint.app_template_global("name_of")
def _called(record: Json, seat: int) -> str:
    return name_of(record, seat, language())


@blueprint.get("/matches")
def index() -> str:
    """All matches, newest first; optionally of one game or one player."""
    archive = the_archive()
    every = list(archive.matches()) if archive is not None else []
    removed = request.args.get("removed") == "1"
    records, others = ([each for each in every if is_removed(each) == which] for which in (removed, not removed))
    game, player = request.args.get("game", ""), request.args.get("player", "")
    shown = [record for record in records if _is_wanted(record, game, player)]
    number = max(1, request.args.get("page", 1, type=int))
    return render_template(
        "archive.html",
        items=[_item(record, now_played()) for record in shown[PAGE * (number - 1) : PAGE * number]],
        total=len(shown),
        logged=archive is not None,
        page=number,
        pages=max(1, -(-len(shown) // PAGE)),
        games=[each for each in all_games() if any(record.get("game") == each.name for record in records)],
        players=_names(records),
        game=game,
        player=player,
        removed=removed,
        has_others=bool(others),
        script_texts=spoken(RESTORING | FILING),
    )


def is_removed(record: Json) -> bool:
    return bool(record.get("removed"))


def now_played() -> int | None:
    """The number of the match at the table."""
    house: House = current_app.config["HOUSE"]
    try:
        state = house.state().state
    except HouseClosedError:
        return None
    return state.get("match") if state.get("phase") in ("setup", "playing") else None


def _is_wanted(record: Json, game: str, player: str) -> bool:
    names = [each["name"] for each in record.get("players", ())]
    return (not game or record.get("game") == game) and (not player or player in names)


def _names(records: Sequence[Json]) -> list[str]:
    return sorted(
        {player["name"] for record in records for player in record.get("players", ()) if is_named(player)},
        key=str.casefold,
    )


@blueprint.get("/matches/<int:number>")
def match(number: int) -> Response:
    """One match, to look at again."""
    record = _record(number)
    title = title_of(record["game"], record.get("variant"))
    known = {
        "record": record,
        "title": title,
        "started": when(record["started"]),
        "result": how_it_ended(record, now_played()),
        "is_played": _is_played(record),
        "can_go_on": _can_go_on(record),
        "removed": is_removed(record),
        "script_texts": spoken(TEXTS | FILING),
    }
    if why := why_hidden(record):
        return make_response(render_template("archive_secret.html", why=_(why), **known))
    moments, place = record["moments"], record["board"]
    board = board_for(record["game"], place["players"], place["setup"])
    answer = make_response(
        render_template(
            "replay.html",
            rows=rows_of(record, language()),
            remembered=remembered_by(record),
            changes=changes_of(moments),
            clocks=shown_moments(moments),
            board=page_board(board, moments[0]["faces"], moments[0]["turns"], label=_("Board")),
            forms=FORMS,
            everything=1 if record["secret"] else None,
            evaluates=current_app.config["HOUSE"].analyst is not None,
            **known,
        )
    )
    return hushed(answer, record)


def hushed(answer: Response, record: Json) -> Response:
    """What was shown only to whoever has the PIN stays in no cache."""
    if record["secret"]:
        answer.headers["Cache-Control"] = "no-store"
    return answer


def _record(number: int) -> Json:
    archive = the_archive()
    if archive is None:
        abort(404)
    try:
        return archive.match(number)
    except NoSuchMatchError:
        abort(404)


@blueprint.get("/matches/<int:number>/export/<form>")
def export(number: int, form: str) -> Response:
    """A match as a file."""
    archive = the_archive()
    if archive is None or form not in FORMS:
        abort(404)
    try:
        record = archive.match(number)
        if why := why_hidden(record):
            abort(409, _(why))
        spend()
        return hushed(file_of(archive.export(number, form), number, form), record)
    except NoSuchMatchError:
        abort(404)


def file_of(data: bytes, number: int, form: str) -> Response:
    """A match as a download with a unique file name."""
    ending, kind, _name = FORMS[form]
    answer = make_response(data)
    answer.headers["Content-Type"] = kind
    answer.headers["Content-Disposition"] = f'attachment; filename="magister-{number}.{ending}"'
    return answer
