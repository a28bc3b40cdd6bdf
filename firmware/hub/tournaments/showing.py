"""A tournament as plain values: for the page, for its exports, and for whoever asks."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import Json
from firmware.hub.tournaments.drawing import rounds_due
from firmware.hub.tournaments.record import SWISS, Deed, Pairing, Tournament, told
from firmware.hub.tournaments.standings import standings


def shown(id_: str, deeds: Sequence[Deed]) -> Json:
    tournament = told(deeds)
    return {
        "id": id_,
        "name": tournament.name,
        "game": tournament.game,
        "kind": tournament.kind,
        "size": tournament.size,
        "begun": deeds[0].at,
        "due": rounds_due(tournament) if tournament.kind == SWISS else None,
        "over": tournament.is_over,
        "entrants": [dict(vars(each)) for each in tournament.entrants],
        "standings": [
            {"rank": row.rank, "player": row.entrant.number, "name": row.entrant.name, "rating": row.entrant.rating}
            | {name: getattr(row, name) for name in ("points", "buchholz", "sonneborn", "wins", "played")}
            for row in standings(tournament)
        ],
        "rounds": [
            {
                "number": number,
                "drawn": round_.at,
                "over": round_.is_over,
                "pairings": [_pairing(tournament, place, each) for place, each in enumerate(round_.pairings)],
            }
            for number, round_ in enumerate(tournament.rounds, 1)
        ],
        "trail": [vars(deed) | {"about": _about(tournament, deed)} for deed in deeds],
    }


def _pairing(tournament: Tournament, place: int, pairing: Pairing) -> Json:
    names = [tournament.entrants[each].name for each in pairing.players]
    return pairing.record() | {"place": place, "names": names}


def _about(tournament: Tournament, deed: Deed) -> str:
    """What it was about, in names and numbers that need no translation."""
    told = deed.payload
    if deed.kind == "enter":
        return str(told["name"])
    if deed.kind in ("leave", "return"):
        return tournament.entrants[told["player"]].name
    if deed.kind in ("result", "table") and told["round"] <= len(tournament.rounds):
        pairings = tournament.rounds[told["round"] - 1].pairings
        if told["place"] < len(pairings):
            names = " – ".join(tournament.entrants[each].name for each in pairings[told["place"]].players)
            what = " : ".join(f"{each:g}" for each in told["scores"]) if deed.kind == "result" else str(told["table"])
            return f"{told['round']}. {names}: {what}"
    return ""
