"""Statistics over many matches: plain match records in, plain numbers out.

A record is a match in brief with its events: `id`, `game`, `players`, `result`, how many `actions` stand, and the
`events` as the log has them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any, TypeVar

Record = Mapping[str, Any]

T = TypeVar("T")
BySeat = tuple[int | None, T]

PLAYING = ("action", "correction")
"""Events that can be a player's action; of corrections only an answer is."""
CLOCKED = ("action", "undo", "correction")
"""Events after which a new turn begins."""


@dataclass(frozen=True)
class Tally:
    """Sums over matches: of one game, or of one player."""

    matches: int = 0
    finished: int = 0
    """Matches with a winner."""
    wins: int = 0
    """For a player: matches won, including shared wins."""
    kinds: Mapping[str, int] = field(default_factory=dict)
    """How they were won: the result's `by`."""
    lengths: tuple[int, ...] = ()
    """Number of actions of each match."""
    times: tuple[float, ...] = ()
    """Seconds before each action: of all players, or of this one."""
    mistakes: Mapping[str, int] = field(default_factory=dict)
    """Illegal moves by the rule they broke."""
    undone: int = 0
    """How often an action was taken back."""
    overruns: int | None = None
    """How often somebody ran out of time; None where no clock was set."""

    @property
    def typical_length(self) -> float | None:
        return median(self.lengths) if self.lengths else None

    @property
    def typical_time(self) -> float | None:
        return median(self.times) if self.times else None

    @property
    def illegal(self) -> int:
        return sum(self.mistakes.values())


def by_game(records: Iterable[Record]) -> dict[str, Tally]:
    """The tally of every game that was played, by name."""
    found: dict[str, list[Record]] = {}
    for record in records:
        found.setdefault(record["game"], []).append(record)
    return {game: _tally(matches, None) for game, matches in sorted(found.items())}


def by_player(records: Iterable[Record]) -> dict[str, Tally]:
    """The tally of every named player; seats without a name are not counted."""
    found: dict[str, list[Record]] = {}
    for record in records:
        for name in {player["name"] for player in record["players"] if is_named(player)}:
            found.setdefault(name, []).append(record)
    return {name: _tally(matches, name) for name, matches in sorted(found.items(), key=_most_first)}


def is_named(player: Mapping[str, Any]) -> bool:
    """Whether the player has a name, and not just the colour of the seat."""
    return player["name"] not in ("", player["colour"])


def _most_first(item: tuple[str, list[Record]]) -> tuple[int, str]:
    return -len(item[1]), item[0].casefold()


def _tally(records: Sequence[Record], name: str | None) -> Tally:
    results = [(record, record["result"] or {}) for record in records]
    won = [(record, result) for record, result in results if _winners(result)]
    own = [(record, result) for record, result in won if name is None or _winners(result) & seats_of(record, name)]
    return Tally(
        matches=len(records),
        finished=len(won),
        wins=len(own) if name is not None else 0,
        kinds=_counted(result["by"] for _, result in own),
        lengths=tuple(record["actions"] for record in records),
        times=tuple(_of(name, records, turn_times)),
        mistakes=_counted(_of(name, records, _tries)),
        undone=sum(_of(name, records, lambda record: undos(record).items())),
        overruns=sum(_of(name, records, _overruns)) if any(map(_is_clocked, records)) else None,
    )


def _of(name: str | None, records: Iterable[Record], told: Callable[[Record], Iterable[BySeat[T]]]) -> Iterator[T]:
    """What is told of the seats that somebody sat on; of all seats if nobody is named."""
    for record in records:
        seats = None if name is None else seats_of(record, name)
        yield from (what for seat, what in told(record) if seats is None or seat in seats)


def seats_of(record: Record, name: str) -> set[int]:
    """Where somebody sat in a match."""
    return {seat for seat, player in enumerate(record["players"]) if player["name"] == name}


def _winners(result: Mapping[str, Any]) -> set[int]:
    winner = result.get("winner")
    return set() if winner is None else set(winner) if isinstance(winner, list) else {winner}


def turn_times(record: Record) -> list[tuple[int | None, float]]:
    """For every action, those taken back too, whose it was and how long it took: since the action or the correction
    before, by the table's clock."""
    found = []
    since = 0.0
    for event in record["events"]:
        if event["event"] not in CLOCKED:
            continue
        now = float(event["t"])
        if event["event"] in PLAYING and "action" in event:
            found.append((event.get("seat"), max(0.0, now - since)))
        since = now
    return found


def undos(record: Record) -> dict[int | None, int]:
    """How often an action of each seat was taken back."""
    stood: list[int | None] = []
    found: Counter[int | None] = Counter()
    for event in record["events"]:
        if event["event"] in PLAYING and "action" in event:
            stood.append(event.get("seat"))
        elif "setup" in event:
            stood = []
        elif "to_ply" in event and 0 <= event["to_ply"] < len(stood):
            found[stood[event["to_ply"]]] += 1
            del stood[event["to_ply"] :]
    return dict(found)


def _tries(record: Record) -> Iterable[tuple[int | None, str]]:
    return ((event.get("seat"), event["rule"]) for event in record["events"] if event["event"] == "illegal")


def _is_clocked(record: Record) -> bool:
    return any("clock" in event for event in record["events"])


def _overruns(record: Record) -> Iterable[tuple[int | None, int]]:
    return (
        (event["seat"], 1) for event in record["events"] if event["event"] == "clock" and event.get("what") == "out"
    )


def _counted(names: Iterable[str]) -> dict[str, int]:
    """How often each comes, the most frequent first."""
    return dict(sorted(Counter(names).items(), key=lambda item: (-item[1], item[0])))


def histogram(values: Sequence[float], width: float) -> list[tuple[float, int]]:
    """How many values fall into each class of this width, from the first class that has any to the last."""
    classes = Counter(int(value // width) for value in values)
    if not classes:
        return []
    return [(number * width, classes[number]) for number in range(min(classes), max(classes) + 1)]


def round_width(values: Sequence[float], classes: int = 10) -> float:
    """A round class width that makes about so many classes of these values: 1, 2 or 5 times a power of ten."""
    span = max(values, default=0.0) - min(values, default=0.0)
    for exponent in range(7):
        for step in (1, 2, 5):
            width = step * 10**exponent
            if span / width <= classes:
                return float(width)
    return float(10**7)
