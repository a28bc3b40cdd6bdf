"""Statistics of all matches: per game and per player, as charts with a table behind each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, render_template, request
from flask_babel import format_decimal, format_percent
from flask_babel import gettext as _

from engine.core import Game, Json
from engine.registry import all_games, known_game
from engine.statistics import Tally, by_game, by_player, histogram, round_width
from engine.words import say
from webui.archive.matches import the_archive, title_of
from webui.words.languages import language
from webui.words.texts import N_

blueprint = Blueprint("statistics", __name__)

LONGEST = 300.0
"""Seconds: longer turns are coffee breaks and would only flatten the chart."""
MOST_BARS = 12
PLAIN = {"resign": N_("resigned"), "time": N_("on time")}
"""How matches are won in every game."""


@dataclass(frozen=True)
class BarChart:
    """Bars, and the same as a table."""

    name: str
    title: str
    unit: str
    """What the classes count."""
    labels: tuple[str, ...]
    values: tuple[int, ...]
    notes: tuple[str, ...] = ()
    """For every bar what it means, if its label does not say it all."""

    @property
    def data(self) -> Json:
        return {"labels": list(self.labels), "values": list(self.values), "title": self.title, "unit": self.unit}


@blueprint.get("/statistics")
def index() -> str:
    """The charts of one game, or of all; of one player, or of everybody."""
    archive = the_archive()
    records = list(archive.records()) if archive is not None else []
    game, player = request.args.get("game", ""), request.args.get("player", "")
    wanted = [record for record in records if not game or record["game"] == game]
    players, games = by_player(wanted), by_game(wanted)
    tally = players.get(player, Tally()) if player else _together(wanted)
    return render_template(
        "statistics.html",
        tally=tally,
        charts=charts_of(tally, game),
        games=[each for each in all_games() if each.name in by_game(records)],
        everybody=list(by_player(records)),
        by_game={title_of(name): each for name, each in games.items()},
        by_player=players,
        game=game,
        player=player,
        numbers=_numbers(tally, bool(player)),
        format_decimal=format_decimal,
        format_percent=format_percent,
    )


def _together(records: Sequence[Mapping[str, Any]]) -> Tally:
    """All games as if they were one."""
    return by_game([{**record, "game": ""} for record in records]).get("", Tally())


def _numbers(tally: Tally, of_player: bool) -> list[tuple[str, str]]:
    """The few numbers that matter most."""
    found = [(_("Matches"), format_decimal(tally.matches))]
    if of_player:
        share = tally.wins / tally.finished if tally.finished else 0
        found.append((_("Won"), f"{format_decimal(tally.wins)} ({format_percent(share)})" if tally.finished else "0"))
    else:
        found.append((_("Decided"), format_decimal(tally.finished)))
    found.append((_("Typical number of actions"), _decimal(tally.typical_length)))
    found.append((_("Typical seconds per turn"), _decimal(tally.typical_time)))
    found.append((_("Illegal moves"), format_decimal(tally.illegal)))
    found.append((_("Taken back"), format_decimal(tally.undone)))
    if tally.overruns is not None:
        found.append((_("Ran out of time"), format_decimal(tally.overruns)))
    return found


def _decimal(number: float | None) -> str:
    return "–" if number is None else str(format_decimal(round(number, 1)))


def charts_of(tally: Tally, game: str) -> list[BarChart]:
    """The charts that have anything to show."""
    times = [seconds for seconds in tally.times if seconds <= LONGEST]
    charts = [
        _classes("length", _("Length of matches"), _("actions"), tally.lengths),
        _classes("time", _("Time per turn"), _("seconds"), times),
        BarChart(
            "kinds",
            _("How matches were won"),
            "",
            tuple(_kind(kind, game) for kind in tally.kinds),
            tuple(tally.kinds.values()),
        ),
        _mistakes(tally, game),
    ]
    return [chart for chart in charts if chart.values]


def _classes(name: str, title: str, unit: str, values: Sequence[float]) -> BarChart:
    width = round_width(values)
    classes = histogram(values, width)
    labels = tuple(_class(start, width) for start, _number in classes)
    return BarChart(name, title, unit, labels, tuple(number for _start, number in classes))


def _class(start: float, width: float) -> str:
    if width == 1:
        return str(format_decimal(int(start)))
    return f"{format_decimal(int(start))}–{format_decimal(int(start + width - 1))}"


def _mistakes(tally: Tally, game: str) -> BarChart:
    most = list(tally.mistakes.items())[:MOST_BARS]
    return BarChart(
        "mistakes",
        _("Illegal moves by rule"),
        "",
        tuple(rule for rule, _number in most),
        tuple(number for _rule, number in most),
        tuple(_meaning(rule, game) for rule, _number in most),
    )


def _meaning(rule: str, game: str) -> str:
    """A rule's sentence with its facts left open."""
    for each in _games(game):
        if rule in each.sentences:
            return _open(say(each.sentences[rule], language()))
    return ""


def _kind(by: str, game: str) -> str:
    """How matches were won, in a word or two."""
    if by in PLAIN:
        return str(_(PLAIN[by]))
    endings = (each.endings[by].short for each in _games(game) if by in each.endings)
    return say(next(endings, by), language())


def _games(name: str) -> Sequence[Game]:
    """The game of this name, or all."""
    known = known_game(name)
    return [known] if known else all_games()


class _Blank(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return "…"


def _open(text: str) -> str:
    return text.format_map(_Blank()).replace(" (…)", "")
