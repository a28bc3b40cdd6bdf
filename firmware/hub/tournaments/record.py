"""A tournament is what was done in it, one deed after another: nothing is overwritten, so every correction can be seen.

`docs/hub.md` tells the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.core import Json

SWISS, ROUND_ROBIN = "swiss", "round-robin"
KINDS = (SWISS, ROUND_ROBIN)
MOST_ENTRANTS = 400
MOST_ROUNDS = 100


class TournamentError(Exception):
    """Something that cannot be done; the text is one of the page's reasons."""


@dataclass(frozen=True)
class Deed:
    """Something that was done: when, by whom."""

    number: int
    at: float
    who: str
    kind: str
    payload: Json


@dataclass(frozen=True)
class Entrant:
    number: int
    name: str
    rating: float
    since: int = 1
    """The first round that this one may play."""
    has_left: bool = False


@dataclass(frozen=True)
class Pairing:
    """Those who play each other in a round; one alone has a bye."""

    players: tuple[int, ...]
    table: str | None = None
    scores: tuple[float, ...] | None = None
    how: str = ""
    """Where the result is from: `table`, `hand`, `forfeit` or `bye`."""
    match: str | None = None

    @property
    def was_played(self) -> bool:
        return self.scores is not None and self.how not in ("forfeit", "bye")

    def record(self) -> Json:
        return {name: list(value) if isinstance(value, tuple) else value for name, value in vars(self).items()}


@dataclass(frozen=True)
class Round:
    at: float
    """When it was drawn: only what is played from then on counts for it."""
    pairings: tuple[Pairing, ...]

    @property
    def is_over(self) -> bool:
        return all(pairing.scores is not None for pairing in self.pairings)


@dataclass(frozen=True)
class Tournament:
    name: str
    game: str
    kind: str
    size: int
    """How many play at a table."""
    wanted: int
    """Rounds; 0: as many as there should be for so many players."""
    entrants: tuple[Entrant, ...]
    rounds: tuple[Round, ...] = ()
    is_over: bool = False

    @property
    def active(self) -> list[Entrant]:
        """Who plays in the next round."""
        return [each for each in self.entrants if not each.has_left]

    def pairings(self) -> Iterable[Pairing]:
        return (pairing for round_ in self.rounds for pairing in round_.pairings)

    def entrant(self, number: int) -> Entrant:
        if not 0 <= number < len(self.entrants):
            raise TournamentError("unknown")
        return self.entrants[number]

    def pairing(self, round_: int, place: int) -> Pairing:
        if not 1 <= round_ <= len(self.rounds) or not 0 <= place < len(self.rounds[round_ - 1].pairings):
            raise TournamentError("unknown")
        return self.rounds[round_ - 1].pairings[place]

    def after(self, deed: Deed) -> Tournament:
        """The tournament after one deed more; raises `TournamentError` where that cannot be."""
        if deed.kind not in _DEEDS:
            raise TournamentError("unknown")
        if self.is_over and deed.kind not in ("reopen", "result"):
            raise TournamentError("over")
        return _DEEDS[deed.kind](self, deed)


def begun(payload: Json) -> Tournament:
    """A tournament from its first deed."""
    made = Tournament(
        payload["name"], payload["game"], payload["kind"], payload["size"], payload["rounds"], entrants=()
    )
    for each in payload["players"]:
        made = _entered(made, each["name"], each["rating"])
    return made


def told(deeds: Sequence[Deed]) -> Tournament:
    """A tournament from all its deeds."""
    tournament = begun(deeds[0].payload)
    for deed in deeds[1:]:
        tournament = tournament.after(deed)
    return tournament


def _entered(tournament: Tournament, name: str, rating: float) -> Tournament:
    name = " ".join(name.split())
    if not 1 <= len(name) <= 40 or not name.isprintable():
        raise TournamentError("name")
    if name.casefold() in (each.name.casefold() for each in tournament.entrants):
        raise TournamentError("taken")
    if len(tournament.entrants) >= MOST_ENTRANTS:
        raise TournamentError("many")
    new = Entrant(len(tournament.entrants), name, float(rating), len(tournament.rounds) + 1)
    return replace(tournament, entrants=(*tournament.entrants, new))


def _enter(tournament: Tournament, deed: Deed) -> Tournament:
    return _entered(tournament, deed.payload["name"], deed.payload["rating"])


def _leave(tournament: Tournament, deed: Deed) -> Tournament:
    gone = tournament.entrant(deed.payload["player"])
    return _with_entrant(tournament, replace(gone, has_left=deed.kind == "leave"))


def _with_entrant(tournament: Tournament, changed: Entrant) -> Tournament:
    entrants = tuple(changed if each.number == changed.number else each for each in tournament.entrants)
    return replace(tournament, entrants=entrants)


def _draw(tournament: Tournament, deed: Deed) -> Tournament:
    if tournament.rounds and not tournament.rounds[-1].is_over:
        raise TournamentError("open")
    pairings = tuple(
        Pairing(
            tuple(each["players"]),
            each["table"],
            tuple(each["scores"]) if each["scores"] is not None else None,
            each["how"],
        )
        for each in deed.payload["pairings"]
    )
    return replace(tournament, rounds=(*tournament.rounds, Round(deed.at, pairings)))


def _take_back(tournament: Tournament, _: Deed) -> Tournament:
    """The last round was drawn by mistake."""
    if not tournament.rounds or any(pairing.was_played for pairing in tournament.rounds[-1].pairings):
        raise TournamentError("played")
    return replace(tournament, rounds=tournament.rounds[:-1])


def _result(tournament: Tournament, deed: Deed) -> Tournament:
    number, place = deed.payload["round"], deed.payload["place"]
    pairing, scores = tournament.pairing(number, place), tuple(deed.payload["scores"])
    if len(scores) != len(pairing.players) or sum(scores) > 1 + 1e-9 or min(scores) < 0 or pairing.how == "bye":
        raise TournamentError("scores")
    decided = replace(pairing, scores=scores, how=deed.payload["how"], match=deed.payload.get("match"))
    changed = _with_pairing(tournament, number, place, decided)
    return _free(changed, number, pairing) if pairing.scores is None else changed


def _free(tournament: Tournament, number: int, done: Pairing) -> Tournament:
    """The table that has become free is for the first who still wait for one."""
    pairings = tournament.rounds[number - 1].pairings
    waiting = (place for place, each in enumerate(pairings) if each.table is None and each.scores is None)
    if done.table is None or (place := next(waiting, None)) is None:
        return tournament
    return _with_pairing(tournament, number, place, replace(pairings[place], table=done.table))


def _move(tournament: Tournament, deed: Deed) -> Tournament:
    number, place = deed.payload["round"], deed.payload["place"]
    pairing = tournament.pairing(number, place)
    return _with_pairing(tournament, number, place, replace(pairing, table=deed.payload["table"] or None))


def _with_pairing(tournament: Tournament, number: int, place: int, changed: Pairing) -> Tournament:
    rounds = list(tournament.rounds)
    pairings = list(rounds[number - 1].pairings)
    pairings[place] = changed
    rounds[number - 1] = replace(rounds[number - 1], pairings=tuple(pairings))
    return replace(tournament, rounds=tuple(rounds))


def _end(tournament: Tournament, deed: Deed) -> Tournament:
    if tournament.rounds and not tournament.rounds[-1].is_over:
        raise TournamentError("open")
    return replace(tournament, is_over=deed.kind == "end")


_DEEDS: Mapping[str, Callable[[Tournament, Deed], Tournament]] = {
    "enter": _enter,
    "leave": _leave,
    "return": _leave,
    "draw": _draw,
    "take back": _take_back,
    "result": _result,
    "table": _move,
    "end": _end,
    "reopen": _end,
}
