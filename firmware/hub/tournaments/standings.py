"""How a tournament stands: points, and what decides where they are equal."""

from __future__ import annotations

from dataclasses import dataclass

from firmware.hub.tournaments.record import SWISS, Entrant, Pairing, Tournament


@dataclass(frozen=True)
class Standing:
    rank: int
    """Those who are equal in everything share it."""
    entrant: Entrant
    points: float
    buchholz: float
    """The points of all whom this one has met."""
    sonneborn: float
    """The points of those whom this one has beaten, and half of those who were as good."""
    wins: int
    played: int


def points(tournament: Tournament) -> dict[int, float]:
    found = dict.fromkeys(range(len(tournament.entrants)), 0.0)
    for pairing in tournament.pairings():
        for player, score in zip(pairing.players, pairing.scores or (), strict=False):
            found[player] += score
    return found


def standings(tournament: Tournament) -> list[Standing]:
    """From the first to the last."""
    total = points(tournament)
    rows = [_standing(tournament, each, total) for each in tournament.entrants]
    rows.sort(key=lambda row: (_key(tournament, row), row.entrant.rating), reverse=True)
    ranked: list[Standing] = []
    for place, row in enumerate(rows, 1):
        is_equal = bool(ranked) and _key(tournament, ranked[-1]) == _key(tournament, row)
        ranked.append(Standing(**(vars(row) | {"rank": ranked[-1].rank if is_equal else place})))
    return ranked


def _key(tournament: Tournament, row: Standing) -> tuple[float, ...]:
    """In a round robin everybody meets everybody: there the opponents' points say nothing."""
    breaks = (row.buchholz, row.sonneborn) if tournament.kind == SWISS else (row.sonneborn,)
    return tuple(round(each, 6) for each in (row.points, *breaks, row.wins))


def _standing(tournament: Tournament, entrant: Entrant, total: dict[int, float]) -> Standing:
    mine = [each for each in tournament.pairings() if entrant.number in each.players and each.was_played]
    met = [(other, _against(each, entrant.number, other)) for each in mine for other in _others(each, entrant.number)]
    return Standing(
        rank=0,
        entrant=entrant,
        points=total[entrant.number],
        buchholz=sum(total[other] for other, _ in met),
        sonneborn=sum(total[other] * share for other, share in met),
        wins=sum(_score(each, entrant.number) == 1 for each in mine),
        played=len(mine),
    )


def _others(pairing: Pairing, player: int) -> list[int]:
    return [each for each in pairing.players if each != player]


def _score(pairing: Pairing, player: int) -> float:
    assert pairing.scores is not None
    return pairing.scores[pairing.players.index(player)]


def _against(pairing: Pairing, player: int, other: int) -> float:
    """1 for who has more of a match, a half for both where they have the same."""
    mine, theirs = _score(pairing, player), _score(pairing, other)
    return 0.5 if mine == theirs else float(mine > theirs)
