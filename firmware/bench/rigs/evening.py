"""Tests the referee on readings alone: without pictures, whole evenings pass in minutes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from time import process_time

from engine.board import Board
from engine.core import Json, Position
from engine.face import EMPTY, Face
from engine.match import Match
from engine.referee.reading import Reading
from engine.referee.table import Seen, Table, step
from engine.referee.wishes import declare
from engine.registry import find_game
from firmware.bench.rigs.tables import in_the_open
from firmware.settings.arguments import USUAL_GAME

FPS = 10
BRIEF, PATIENT = 4, 25
"""Frames that people look at the table after an action: at least, and at most if no light answers them."""
PLIES = 40
"""Actions of a match before it is taken back, or another one begins."""


def read(board: Board, faces: Mapping[str, Face], turns: Mapping[str, int], random: Random) -> Reading:
    """What an eye with its share of doubts reads: the truth is likeliest, some sites might be another thing."""
    known = (EMPTY, *board.faces.lawful)
    sites = {}
    for site in board.sites:
        stands = faces.get(site, EMPTY)
        sites[site] = {face: 0.0 if face == stands else random.uniform(-14, -6) for face in (*known, stands)}
        if random.random() < 0.03:
            sites[site][random.choice(known)] = random.uniform(-2.0, 0.5)
    sheets = {
        sheet.name: tuple(
            0.0 if (turn - turns.get(sheet.name, 0)) % sheet.turns == 0 else random.uniform(-14, -6)
            for turn in range(sheet.turns)
        )
        for sheet in board.turnable
    }
    return Reading(sites, sheets)


@dataclass
class Evening:
    """Somebody plays, a referee watches: what happened and what was said must agree."""

    game: str
    players: int
    random: Random
    seconds: float = 0.0

    def __post_init__(self) -> None:
        self.rules = find_game(self.game).configure()
        self.board = self.rules.game.board(self.players, {})
        self.begin()

    def begin(self) -> None:
        """Another match on a cleared board."""
        self.match = Match.begin(self.rules, self.players, {})
        self.table = Table.begin(self.match, {})
        self.turns: list[dict[str, int]] = [{}]
        self._last = self._reading()
        self.look(BRIEF)

    def play(self) -> list[Json]:
        """One random action, and what the referee says to it. If no light answers, a hand sets the pieces straight."""
        action = self.random.choice(self.match.position.legal())
        self.match = self.match.play(action)
        now = dict(self.turns[-1])
        for name, steps in action.turns.items():
            now[name] = now.get(name, 0) + steps
        self.turns.append(now)
        said = self._wait() or self._wait()
        if any(str(action) in event["actions"] for event in said if event["event"] == "unclear"):
            self.table = declare(self.table, str(action))
            said += self.table.records()
        return said

    def take_back(self, ply: int) -> list[Json]:
        """The table put back to an earlier position, and what the referee says to it."""
        self.match = self.match.undo(ply)
        del self.turns[ply + 1 :]
        return self._wait() or self._wait()

    @property
    def is_known(self) -> bool:
        """Whether the referee knows how the match stands."""
        return self.table.match.position == self.match.position

    def look(self, frames: int) -> None:
        """The table at rest for so many frames: what does not move is not read anew."""
        for _ in range(frames):
            self._see(self._last)

    def _wait(self) -> list[Json]:
        """What is said once a hand has been over the table: people wait for the light, but not for ever."""
        self._last, said = self._reading(), list[Json]()
        self._see(replace(self._last, covered=True))
        for frame in range(PATIENT):
            said += self._see(self._last)
            if frame >= BRIEF and any(event["event"] != "unfinished" for event in said):
                break
        return said

    def _reading(self) -> Reading:
        return read(self.board, self.match.position.faces(), self.turns[-1], self.random)

    def _see(self, reading: Reading) -> list[Json]:
        self.table = step(self.table, Seen(self.seconds, reading))
        self.seconds += 1 / FPS
        return self.table.records()


@dataclass
class Undos:
    """Matches taken back to any earlier position, from a position that the referee knew."""

    followed: int = 0
    tried: int = 0
    unknown: int = 0
    """Those not tried because the referee had lost track of the match before."""


def undo_trials(count: int, seed: int) -> Undos:
    """Take so many positions back and see whether the referee goes along."""
    told, random = Undos(), Random(seed)
    while told.tried < count:
        evening = Evening(random.choice(in_the_open()), random.choice((2, 3, 4)), random)
        while evening.match.ply < PLIES and evening.match.position.legal():
            evening.play()
        for _ in range(5):
            shown = {_look(evening, ply): ply for ply in range(evening.match.ply)}
            # Of positions that look the same the last is meant; one that looks like the present one, or like what a
            # legal action leads to, is none.
            others = {_look(evening, evening.match.ply), *_next_looks(evening)}
            ways = [ply for look, ply in shown.items() if look not in others]
            if not ways or told.tried >= count:
                break
            if not evening.is_known:
                told.unknown += 1
                break
            told.tried += 1
            evening.take_back(random.choice(ways))
            told.followed += evening.is_known
    return told


def _look(evening: Evening, ply: int) -> object:
    return _shown(evening.board, evening.match.positions[ply], evening.turns[ply])


def _next_looks(evening: Evening) -> Iterator[object]:
    position, turns = evening.match.position, evening.turns[-1]
    for action in position.legal():
        turned = {name: turns.get(name, 0) + steps for name, steps in action.turns.items()}
        yield _shown(evening.board, position.after(action), {**turns, **turned})


def _shown(board: Board, position: Position, turns: Mapping[str, int]) -> object:
    """What a table shows to somebody who knows nothing of the match."""
    lies = {name: turn % board.by_name[name].turns for name, turn in turns.items()}
    return frozenset(position.faces().items()), frozenset((name, turn) for name, turn in lies.items() if turn)


def step_times(count: int, seed: int) -> list[float]:
    """Seconds for `explain` and `step` together, for settled readings in the middle of matches."""
    times: list[float] = []
    random = Random(seed)
    while len(times) < count:
        evening = Evening(USUAL_GAME, 2, random)
        while evening.match.ply < PLIES and evening.match.position.legal():
            evening.play()
            if evening.match.ply > PLIES // 2:
                # The picture that has just settled, seen once more with the next action on it.
                reading = read(evening.board, evening.match.position.faces(), evening.turns[-1], random)
                start = process_time()
                evening.table = step(evening.table, Seen(evening.seconds, reading))
                times.append(process_time() - start)
    return times[:count]


@dataclass(frozen=True)
class Soak:
    """An evening that went by."""

    hours: float
    actions: int
    wrong: int
    grown: float
    """Memory at the end over memory after the first tenth."""


def soak(hours: float, seed: int) -> Soak:
    """Match after match for so many hours of table time, mostly waiting, as people do."""
    import resource

    random, passed, actions, wrong, early = Random(seed), 0.0, 0, 0, 0
    while passed < hours * 3600:
        evening = Evening(random.choice(in_the_open()), random.choice((2, 3, 4)), random)
        while (
            evening.match.position.legal() and evening.match.ply < 4 * PLIES and passed + evening.seconds < hours * 3600
        ):
            evening.play()
            actions += 1
            if random.random() < 0.05 and evening.match.ply > 3:
                evening.take_back(evening.match.ply - random.choice((1, 2, 3)))
            evening.look(random.choice((20, 50, 100, 200)))
            if not evening.is_known:
                wrong += 1
                evening.begin()
        passed += evening.seconds
        if not early and passed > hours * 360:
            early = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return Soak(hours, actions, wrong, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / early)
