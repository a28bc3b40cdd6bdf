"""Tournaments: who plays whom, how it stands, and what a director does about it."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from io import StringIO

from flask import Blueprint, abort, jsonify, render_template, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from engine.core import COLOURS, Json
from engine.registry import all_games, known_game
from webui.access.safety import RefusedError
from webui.api.bodies import read_body
from webui.api.schemas import NOTHING, record, text
from webui.hub.guard import check, check_watching, club, delay, may, note, to_log_in
from webui.hub.house import BadTournamentError, Member, TableSilentError
from webui.words.languages import language
from webui.words.telling import refused
from webui.words.texts import N_, spoken

blueprint = Blueprint("hub_tournaments", __name__)

KINDS = {"swiss": N_("Swiss system"), "round-robin": N_("Round robin")}
HOW = {"table": N_("from the table"), "hand": N_("by hand"), "forfeit": N_("forfeit"), "bye": N_("bye")}
DEEDS = {
    "begin": N_("Tournament created"),
    "enter": N_("Player added"),
    "leave": N_("Player withdrawn"),
    "return": N_("Player brought back"),
    "draw": N_("Round drawn"),
    "take back": N_("Round taken back"),
    "result": N_("Result"),
    "table": N_("Table"),
    "end": N_("Tournament ended"),
    "reopen": N_("Tournament reopened"),
}
TEXTS = {"saved": N_("Saved."), "begun": N_("The table has begun the match.")}
PLAYERS: Json = {"type": "array", "items": text(60), "minItems": 0, "maxItems": 400}
ROUND: Json = {"type": "integer", "minimum": 1, "maximum": 400}
PLACE: Json = {"type": "integer", "minimum": 0, "maximum": 400}
BEGIN = record(
    {
        "name": text(60),
        "game": text(40),
        "kind": {"type": "string", "enum": list(KINDS)},
        "size": {"type": "integer", "minimum": 2, "maximum": 4},
        "rounds": {"type": "integer", "minimum": 0, "maximum": 100},
        "players": PLAYERS,
    }
)
ENTER = record({"name": text(60)})
PLAYER = record({"player": PLACE})
RESULT = record({"round": ROUND, "place": PLACE, "result": text(20)})
TABLE = record({"round": ROUND, "place": PLACE, "table": text(32, 0)})
BAD_RESULT = N_("That result is not possible.")
COLUMNS = ("rank", "name", "points", "buchholz", "sonneborn", "wins", "played", "rating")


@blueprint.get("/tournaments")
def index() -> str | Response:
    rows = [_titled(each) for each in club().tournaments(delay())] if to_log_in() is None else []
    games = {game.name: game.title for game in all_games()}
    kinds = {name: _(title) for name, title in KINDS.items()}
    return to_log_in() or render_template(
        "hub_tournaments.html", tournaments=rows, games=games, kinds=kinds, director=may("director")
    )


@blueprint.get("/tournaments/<id_>")
def tournament(id_: str) -> str | Response:
    if away := to_log_in():
        return away
    told = _told(id_)
    deeds = {name: _(title) for name, title in DEEDS.items()}
    members = {each["number"]: each for each in told["entrants"]}
    return render_template(
        "hub_tournament.html",
        told=_titled(told),
        members=members,
        rounds=[round_ | {"pairings": [_pairing(each) for each in round_["pairings"]]} for round_ in told["rounds"]],
        trail=[each | {"at": _moment(each["at"]), "deed": deeds[each["kind"]]} for each in reversed(told["trail"])],
        tables=[each["table"] for each in club().tables(delay())],
        director=may("director"),
        arbiter=may("arbiter"),
        script_texts=spoken(TEXTS),
    )


@blueprint.get("/tournaments/<id_>.json")
@blueprint.get("/api/v1/tournaments/<id_>")
def as_json(id_: str) -> Response:
    check_watching()
    return jsonify(_told(id_))


@blueprint.get("/tournaments/<id_>-standings.csv")
def standings_csv(id_: str) -> Response:
    check_watching()
    return _csv(COLUMNS, ([row[name] for name in COLUMNS] for row in _told(id_)["standings"]))


@blueprint.get("/tournaments/<id_>-pairings.csv")
def pairings_csv(id_: str) -> Response:
    check_watching()
    rows = (
        [round_["number"], each["table"] or "", " – ".join(each["names"]), _score(each["scores"]), each["how"]]
        for round_ in _told(id_)["rounds"]
        for each in round_["pairings"]
    )
    return _csv(("round", "table", "players", "result", "from"), rows)


@blueprint.get("/api/v1/tournaments")
def api_tournaments() -> dict[str, object]:
    check_watching()
    return {"tournaments": list(club().tournaments(delay()))}


@blueprint.post("/api/v1/tournaments")
def begin() -> dict[str, object]:
    body = read_body(BEGIN)
    member = check("director")
    payload = body | {"players": [_entrant(line) for line in body["players"]]}
    try:
        id_ = club().begin_tournament(member.name, payload)
    except BadTournamentError as error:
        raise RefusedError(409, "refused", str(error)) from error
    note(member, "tournament", body["name"])
    return {"id": id_, "address": url_for("hub_tournaments.tournament", id_=id_)}


@blueprint.post("/api/v1/tournaments/<id_>/enter")
def enter(id_: str) -> dict[str, object]:
    return _direct(id_, "enter", _entrant(read_body(ENTER)["name"]))


@blueprint.post("/api/v1/tournaments/<id_>/leave")
def leave(id_: str) -> dict[str, object]:
    return _direct(id_, "leave", read_body(PLAYER))


@blueprint.post("/api/v1/tournaments/<id_>/return")
def come_back(id_: str) -> dict[str, object]:
    return _direct(id_, "return", read_body(PLAYER))


@blueprint.post("/api/v1/tournaments/<id_>/draw")
def draw(id_: str) -> dict[str, object]:
    return _direct(id_, "draw", read_body(NOTHING))


@blueprint.post("/api/v1/tournaments/<id_>/take-back")
def take_back(id_: str) -> dict[str, object]:
    return _direct(id_, "take back", read_body(NOTHING))


@blueprint.post("/api/v1/tournaments/<id_>/table")
def move(id_: str) -> dict[str, object]:
    return _direct(id_, "table", read_body(TABLE))


@blueprint.post("/api/v1/tournaments/<id_>/end")
def end(id_: str) -> dict[str, object]:
    return _direct(id_, "end", read_body(NOTHING))


@blueprint.post("/api/v1/tournaments/<id_>/reopen")
def reopen(id_: str) -> dict[str, object]:
    return _direct(id_, "reopen", read_body(NOTHING))


@blueprint.post("/api/v1/tournaments/<id_>/result")
def result(id_: str) -> dict[str, object]:
    """A result by hand: also a correction of one that is there."""
    body = read_body(RESULT)
    member = check("arbiter")
    pairing = _one(id_, body["round"], body["place"])
    try:
        scores, how = _decided(body["result"], len(pairing["players"]))
    except (ValueError, IndexError) as error:
        raise RefusedError(409, "scores", BAD_RESULT) from error
    told = {"round": body["round"], "place": body["place"], "scores": scores, "how": how, "match": pairing["match"]}
    return _done(member, id_, "result", told)


@blueprint.post("/api/v1/tournaments/<id_>/<int:round_>/<int:place>/begin")
def begin_match(id_: str, round_: int, place: int) -> dict[str, object]:
    """Let the table begin this match, with these players."""
    read_body(NOTHING)
    member = check("arbiter")
    told = _told(id_)
    pairing = _one(id_, round_, place)
    if not pairing["table"]:
        raise RefusedError(409, "no-table", N_("No table is free for this match yet."))
    players = [{"name": name, "colour": colour} for name, colour in zip(pairing["names"], COLOURS, strict=False)]
    try:
        answer = club().wish(pairing["table"], "begin", {"game": told["game"], "players": players}, None, None)
    except TableSilentError as error:
        raise RefusedError(504, "silent", str(error)) from error
    note(member, "begin match", f"{pairing['table']}: {', '.join(pairing['names'])}")
    if why := answer.get("refused"):
        raise RefusedError(409, "refused", refused(str(why.get("message", ""))[:300], why, language()))
    return {}


def _direct(id_: str, kind: str, payload: Json) -> dict[str, object]:
    return _done(check("director"), id_, kind, payload)


def _done(member: Member, id_: str, kind: str, payload: Json) -> dict[str, object]:
    try:
        club().direct(id_, member.name, kind, payload)
    except BadTournamentError as error:
        raise RefusedError(409, "refused", str(error)) from error
    note(member, f"tournament: {kind}", id_)
    return {"address": url_for("hub_tournaments.tournament", id_=id_)}


def _told(id_: str) -> Json:
    told = club().tournament(id_[:40], delay())
    if told is None:
        abort(404)
    return told


def _one(id_: str, round_: int, place: int) -> Json:
    rounds = _told(id_)["rounds"]
    if not 1 <= round_ <= len(rounds) or not 0 <= place < len(rounds[round_ - 1]["pairings"]):
        abort(404)
    found: Json = rounds[round_ - 1]["pairings"][place]
    return found


def _entrant(line: str) -> Json:
    """A name, and a rating behind a comma if there is one."""
    name, _, rating = line.rpartition(",")
    is_rated = bool(name.strip()) and rating.strip().isascii() and rating.strip().isdigit() and len(rating.strip()) < 5
    return {"name": name.strip(), "rating": int(rating)} if is_rated else {"name": line.strip(), "rating": 0}


def _decided(choice: str, count: int) -> tuple[list[float], str]:
    """`win 1`, `draw`, `absent 0` or `nobody`, as scores. Who does not come leaves the point to the others."""
    what, _, seat = choice.partition(" ")
    if what == "draw":
        return [1 / count] * count, "hand"
    if what == "nobody":
        return [0.0] * count, "forfeit"
    who = range(count)[int(seat)]
    if what == "win":
        return [float(place == who) for place in range(count)], "hand"
    if what == "absent":
        return [0.0 if place == who else 1 / (count - 1) for place in range(count)], "forfeit"
    raise ValueError(choice)


def _pairing(told: Json) -> Json:
    """A pairing with what may be chosen as its result."""
    names = told["names"]
    choices = [(f"win {seat}", _("%(name)s has won", name=name)) for seat, name in enumerate(names)]
    choices += [("draw", _("Draw"))]
    choices += [(f"absent {seat}", _("%(name)s did not show up", name=name)) for seat, name in enumerate(names)]
    choices += [("nobody", _("Nobody showed up"))]
    how = HOW.get(told["how"])
    return told | {
        "score": _score(told["scores"]),
        "from": _(how) if how is not None else "",
        "choices": choices if told["how"] != "bye" else [],
    }


def _score(scores: Sequence[float] | None) -> str:
    names = {0.5: "½", 1 / 3: "⅓", 0.25: "¼"}
    return " : ".join(names.get(each, f"{each:g}") for each in scores) if scores is not None else ""


def _titled(told: Json) -> Json:
    game, kind = known_game(told["game"]), KINDS[told["kind"]]
    begun: float = told["at"] if "at" in told else told["begun"]
    return told | {
        "title": game.title if game is not None else told["game"],
        "said": _(kind),
        "day": _moment(begun)[:10],
    }


def _csv(head: Iterable[str], rows: Iterable[Iterable[object]]) -> Response:
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(head)
    for row in rows:
        # A name that begins so would be a formula in a spreadsheet.
        writer.writerow(f"'{cell}" if str(cell).startswith(("=", "+", "-", "@")) else cell for cell in row)
    return Response(out.getvalue(), mimetype="text/csv")


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).astimezone().strftime("%Y-%m-%d %H:%M:%S")
