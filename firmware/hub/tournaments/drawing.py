"""Who plays whom in the next round.

Two players at a table are paired by a matching of the least cost (`networkx`, Edmonds' algorithm), which finds the best
pairing of all. For three and four no such algorithm is known: there players change places as long as that makes it
better.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import ceil, log
from random import Random

import networkx as nx

from engine.core import Json
from firmware.hub.tournaments.record import MOST_ROUNDS, ROUND_ROBIN, SWISS, Pairing, Tournament, TournamentError
from firmware.hub.tournaments.standings import points

AGAIN = 1_000_000
"""What it costs that two meet again, or that somebody has a second bye: more than anything else …"""
APART = 100
"""… and what the square of the difference of their scores, in half points, costs."""

STARTS = 20
"""From so many further orders the tables of a round robin are sought, beside that of the standings."""

Groups = list[tuple[int, ...]]


def rounds_due(tournament: Tournament) -> int:
    """Of a Swiss tournament: as many as would leave one without a defeat, and one more where three or four play."""
    if tournament.wanted:
        return tournament.wanted
    count = max(len(tournament.active), 2)
    return min(ceil(round(log(count, tournament.size), 6)) + (tournament.size > 2), MOST_ROUNDS)


def drawn(tournament: Tournament, seats: Sequence[int], tables: Sequence[str]) -> list[Json]:
    """The pairings of the next round, at the tables there are; raises `TournamentError`. `seats`: for how many players
    the game is."""
    if tournament.rounds and not tournament.rounds[-1].is_over:
        raise TournamentError("open")
    if len(tournament.active) < 2:
        raise TournamentError("few")
    if tournament.kind == SWISS and len(tournament.rounds) >= rounds_due(tournament):
        raise TournamentError("complete")
    if tournament.kind == ROUND_ROBIN and not _unmet(tournament):
        raise TournamentError("complete")
    groups = _by_circle(tournament) or _by_cost(tournament, seats)
    free, found = list(tables), []
    left = {each.number for each in tournament.entrants if each.has_left}
    for group in sorted(groups, key=lambda group: len(group) == 1):
        if len(group) == 1:
            # In a round robin everybody who is alone is so as often: it gives nothing.
            score = 1.0 if tournament.kind == SWISS else 0.0
            found.append(Pairing(group, None, (score,), "bye"))
        elif left & set(group):
            found.append(Pairing(group, None, tuple(float(each not in left) for each in group), "forfeit"))
        else:
            found.append(Pairing(group, free.pop(0) if free else None))
    return [each.record() for each in found]


def _met(tournament: Tournament) -> Counter[frozenset[int]]:
    """Who has met whom, how often. Where somebody did not come nobody has met; but that is not drawn again in a round
    robin."""
    counts: Counter[frozenset[int]] = Counter()
    for pairing in tournament.pairings():
        if pairing.was_played or tournament.kind == ROUND_ROBIN:
            counts.update(frozenset(pair) for pair in combinations(pairing.players, 2))
    return counts


def _unmet(tournament: Tournament) -> list[tuple[int, int]]:
    met, numbers = _met(tournament), [each.number for each in tournament.active]
    return [pair for pair in combinations(numbers, 2) if not met[frozenset(pair)]]


def _by_circle(tournament: Tournament) -> Groups:
    """A round robin of two as it is in every table book, as long as nobody has entered late: one stays, the others walk
    round. Who has left keeps the place, and the others win there."""
    is_plain = tournament.kind == ROUND_ROBIN and tournament.size == 2
    if not is_plain or any(each.since > 1 for each in tournament.entrants):
        return []
    numbers: list[int | None] = [each.number for each in tournament.entrants]
    if len(numbers) % 2:
        numbers.append(None)
    number = len(tournament.rounds)
    if number >= len(numbers) - 1:
        return []
    turned = [numbers[0], *numbers[len(numbers) - number :], *numbers[1 : len(numbers) - number]]
    gone = {each.number for each in tournament.entrants if each.has_left}
    groups: Groups = []
    for one, other in zip(turned[: len(turned) // 2], reversed(turned[len(turned) // 2 :]), strict=True):
        pair = [each for each in (one, other) if each is not None]
        if not gone.issuperset(pair):
            # Who begins changes from round to round.
            groups.append(tuple(reversed(pair)) if number % 2 else tuple(pair))
    return groups


def _by_cost(tournament: Tournament, seats: Sequence[int]) -> Groups:
    cost = _Cost(tournament)
    ranked = sorted(
        (each.number for each in tournament.active),
        key=lambda number: (-cost.points[number], -tournament.entrants[number].rating, number),
    )
    if tournament.size == 2:
        return _matched(ranked, cost) if tournament.kind == SWISS else _not_yet_met(ranked, tournament)
    return _settled(ranked, cost, _sizes(len(ranked), tournament.size, seats))


class _Cost:
    """How bad it is that two sit at one table, or that somebody does not play."""

    def __init__(self, tournament: Tournament) -> None:
        self.points, self._met = points(tournament), _met(tournament)
        self.is_swiss = tournament.kind == SWISS
        self._free: Counter[int] = Counter()
        for pairing in tournament.pairings():
            if not pairing.was_played:
                scores = pairing.scores or ()
                self._free.update(
                    player
                    for player, score in zip(pairing.players, scores, strict=False)
                    if score or pairing.how == "bye"
                )

    def of_pair(self, one: int, other: int) -> int:
        met = self._met[frozenset((one, other))]
        if not self.is_swiss:
            # What counts is how many meet for the first time.
            return AGAIN * bool(met) + met
        return AGAIN * met**2 + round(2 * abs(self.points[one] - self.points[other])) ** 2 * APART

    def of_table(self, group: Iterable[int]) -> int:
        return sum(self.of_pair(one, other) for one, other in combinations(group, 2))

    def of_bye(self, player: int, place: int, lowest: float) -> int:
        """The last who has had none."""
        if not self.is_swiss:
            return AGAIN * self._free[player] - place
        return AGAIN * self._free[player] + round(2 * (self.points[player] - lowest)) ** 2 * APART - place


def _matched(ranked: list[int], cost: _Cost) -> Groups:
    graph = nx.Graph()
    half = Counter(cost.points[each] for each in ranked)
    lowest = min(cost.points[each] for each in ranked)
    for (place, one), (below, other) in combinations(enumerate(ranked), 2):
        same = cost.points[one] == cost.points[other]
        # Among equals the upper half plays the lower.
        order = abs(below - place - half[cost.points[one]] // 2) if same else 0
        graph.add_edge(one, other, weight=-cost.of_pair(one, other) - order)
    if len(ranked) % 2:
        for place, one in enumerate(ranked):
            graph.add_edge(one, "bye", weight=-cost.of_bye(one, place, lowest))
    place_of = {number: place for place, number in enumerate(ranked)}
    groups = [
        tuple(sorted((each for each in pair if each != "bye"), key=place_of.__getitem__))
        for pair in nx.max_weight_matching(graph, maxcardinality=True)
    ]
    return sorted(groups, key=lambda group: place_of[group[0]])


def _not_yet_met(ranked: list[int], tournament: Tournament) -> Groups:
    """As many as possible who have not met; the others wait. Those who have played least come first."""
    played = Counter(player for pairing in tournament.pairings() if pairing.how != "bye" for player in pairing.players)
    most, graph = max(played.values(), default=0), nx.Graph()
    graph.add_weighted_edges_from(
        (one, other, 1 + 2 * most - played[one] - played[other]) for one, other in _unmet(tournament)
    )
    pairs = [tuple(sorted(pair, key=ranked.index)) for pair in nx.max_weight_matching(graph, maxcardinality=True)]
    playing = {each for pair in pairs for each in pair}
    return [
        *sorted(pairs, key=lambda pair: ranked.index(pair[0])),
        *((each,) for each in ranked if each not in playing),
    ]


def _sizes(count: int, size: int, seats: Sequence[int]) -> list[int]:
    """Tables of `size`, and of one fewer where the game allows that, so that as many as possible play."""
    smaller = size - 1 if size > 2 and size - 1 in seats else size
    fits = [
        (whole, fewer)
        for whole in range(count // size + 1)
        for fewer in range((count - whole * size) // smaller + 1)
        if smaller != size or fewer == 0
    ]
    whole, fewer = max(fits, key=lambda fit: (fit[0] * size + fit[1] * smaller, fit[0]))
    if not whole + fewer:
        raise TournamentError("few")
    return [size] * whole + [smaller] * fewer


def _settled(ranked: list[int], cost: _Cost, sizes: list[int]) -> Groups:
    lowest = min(cost.points[each] for each in ranked)
    place_of = {number: place for place, number in enumerate(ranked)}
    free = len(ranked) - sum(sizes)
    byes = sorted(ranked, key=lambda each: cost.of_bye(each, place_of[each], lowest))[:free]
    playing, random = [each for each in ranked if each not in byes], Random(len(ranked))
    starts = [playing, *(random.sample(playing, len(playing)) for _ in range(0 if cost.is_swiss else STARTS))]
    found = (_improved(start, sizes, cost) for start in starts)
    best = min(found, key=lambda groups: sum(map(cost.of_table, groups)))
    tables: Groups = [tuple(sorted(group, key=place_of.__getitem__)) for group in best]
    return [*sorted(tables, key=lambda group: place_of[group[0]]), *((each,) for each in byes)]


def _improved(playing: list[int], sizes: list[int], cost: _Cost) -> list[list[int]]:
    """Tables of these sizes, from the order in which the players stand."""
    groups: list[list[int]] = []
    for size in sizes:
        groups.append(playing[:size])
        playing = playing[size:]
    while _improve(groups, cost):
        pass
    return groups


def _improve(groups: list[list[int]], cost: _Cost) -> bool:
    """Let two change places where that makes it better; whether it did."""
    is_better = False
    for first, second in combinations(groups, 2):
        for i in range(len(first)):
            for j in range(len(second)):
                before = cost.of_table(first) + cost.of_table(second)
                first[i], second[j] = second[j], first[i]
                if cost.of_table(first) + cost.of_table(second) < before:
                    is_better = True
                else:
                    first[i], second[j] = second[j], first[i]
    return is_better
