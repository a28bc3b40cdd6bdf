"""How well the referee follows a match: short matches at the virtual table, compared with the truth.

`MAGISTER_MATCHES` sets how many are played (default 300), `MAGISTER_JOBS` how many at once (default 1). Each takes the
better part of a minute, so with `MAGISTER_RECORDS=FILE` every match is written there when it is over, and what the file
holds is not played again: the benchmark can be stopped and go on. `MAGISTER_ACTIONS` sets how many actions a match has
(default 4). Seeds are odd: even ones are for tuning;
`MAGISTER_FIRST` sets the first one of the matches with pictures (default 4001), for matches that nobody has seen yet.
`MAGISTER_LITTERED` sets how many more are played in which people leave cups and sleeves on the board (default: a fifth
as many): the goals are for boards without, and these are counted apart. So are those at strangers' tables
(`MAGISTER_STRANGE`, a fifth as many): worn prints, other dyes and woods, lamps of any colour, gloves
(`hardware/virtual/strangers.py`).

Because pictures are slow, the same kind of matches is also played without them (`MAGISTER_UNSEEN`, default: as many):
an eye that knows the truth adds doubts of its own. That tries the referee alone. So do tables at which everything goes
wrong that can (`MAGISTER_MUDDLES`, default: a third as many a game). `MAGISTER_EVENING` sets the hours of the long
evening (default 8), `MAGISTER_KILLS` how often the whole program is killed (default 20), `MAGISTER_SOAK` the matches
that one program looks at one after the other while its memory is watched (default 100). `MAGISTER_GAME` measures the
matches of one game alone, and nothing else.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from engine.core import Json
from firmware.bench import Row, setting
from firmware.bench.rigs.arm_trial import ArmScore
from firmware.bench.rigs.evening import soak, step_times, undo_trials
from firmware.bench.rigs.hit_rate import HitRate
from firmware.bench.rigs.kills import kill_runs
from firmware.bench.rigs.log_trial import survive
from firmware.bench.rigs.match_after_match import BUDGET, match_after_match
from firmware.bench.rigs.muddle import Muddle
from firmware.bench.rigs.score import MatchScore, score
from firmware.bench.rigs.tables import asked_for, games
from firmware.bench.rigs.trial import ACTIONS, LEFT_LYING, play_match, play_unseen

FIRST = 4001
"""The first seed, if none is given; those below were looked at while the referee was made."""
RIGHT = 0.9995
"""Share of the actions that must be seen as they were."""
UNDOS = 500
TIMED = 300
STORE_KILLS = 1000
SOAK = 100
"""Matches that one program looks at, one after the other."""
EVENING = 8
"""Hours of table time."""
RUNS_KILLED = 20


def measure() -> list[Row]:
    wanted = setting("MAGISTER_MATCHES", 300)
    unseen = setting("MAGISTER_UNSEEN", wanted)
    kept = os.environ.get("MAGISTER_RECORDS")
    littered = setting("MAGISTER_LITTERED", wanted // 5)
    soaked = setting("MAGISTER_SOAK", SOAK)
    hours, kills = setting("MAGISTER_EVENING", EVENING), setting("MAGISTER_KILLS", RUNS_KILLED)
    rows = []
    for where, matches, left_lying, strange in (
        ("", wanted, 0.0, False),
        ("with things left lying: ", littered, LEFT_LYING, False),
        ("at strangers' tables: ", setting("MAGISTER_STRANGE", wanted // 5), 0.0, True),
    ):
        records = list(kept_records(matches, left_lying, Path(kept) if kept else None, strange))
        if records:
            rows += [*_rows(where, score(records)), *_arms(where, records), *_memory(where, records)]
    if unseen:
        actions = setting("MAGISTER_ACTIONS", ACTIONS)
        records = [play_unseen(seed, actions) for seed in range(FIRST, FIRST + 2 * unseen, 2)]
        rows += [*_rows("without pictures: ", score(records)), *_arms("without pictures: ", records)]
    rows += _muddled(setting("MAGISTER_MUDDLES", wanted // 3))
    if asked_for() is not None:
        return rows
    rows += _on_readings()
    if hours:
        rows += _evening(hours)
    if soaked:
        rows += _soaked(soaked)
    return rows + _kills(kills)


def kept_records(wanted: int, left_lying: float, kept: Path | None, strange: bool = False) -> Iterator[Json]:
    """The matches of odd seeds: those that were kept, then the others, kept in their turn."""
    first, actions = setting("MAGISTER_FIRST", FIRST) | 1, setting("MAGISTER_ACTIONS", ACTIONS)
    seeds = range(first, first + 2 * wanted, 2)
    known = {}
    if kept is not None and kept.exists():
        lines = map(json.loads, kept.read_text().splitlines())
        kind = (left_lying, strange, actions)
        known = {each["seed"]: each for each in lines if _kind(each) == kind}
    yield from (known[seed] for seed in seeds if seed in known)
    left = [seed for seed in seeds if seed not in known]
    jobs = max(1, setting("MAGISTER_JOBS", 1))
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for done in as_completed([pool.submit(play_match, seed, left_lying, strange, actions) for seed in left]):
            if kept is not None:
                with kept.open("a") as file:
                    print(json.dumps(done.result()), file=file, flush=True)
            yield done.result()


def _kind(record: Json) -> tuple[float, bool, int]:
    """Which matches it belongs to."""
    return record["left_lying"], record.get("strange", False), record.get("actions", ACTIONS)


def _rows(where: str, told: MatchScore) -> list[Row]:
    actions = max(1, told.actions.all)
    asked, alarms = told.asked / actions, told.alarms / actions
    rows = [
        Row(what=f"{where}matches", value=told.matches.all),
        _share(f"{where}actions right", told.actions, RIGHT),
        Row(what=f"{where}actions and undos silently wrong", value=told.wrong, goal=0, at_most=True),
        Row(what=f"{where}asked, for each action ({told.asked})", value=asked, goal=0.005, at_most=True),
        _share(f"{where}whole matches right", told.matches, 0.98),
        _share(f"{where}illegal tries noticed", told.noticed, 0.995),
        Row(what=f"{where}false alarms, for each action ({told.alarms})", value=alarms, goal=0.001, at_most=True),
        _share(f"{where}illegal tries called by the right rule", told.named, 0.95),
        _share(f"{where}undos seen", told.undos, None),
        *([_share(f"{where}rows right at the end", told.rows, 0.99)] if told.rows.all else ()),
        Row(what=f"{where}not counted, the camera could see nothing of it", value=told.unseen),
    ]
    for share, goal in ((0.5, 0.35), (0.95, 0.6)):
        what = f"{where}hand gone to light, {100 * share:.0f} of 100 within"
        rows.append(Row(what=what, value=told.wait(share), unit="s", goal=goal, at_most=True))
    return rows


def _share(what: str, tally: HitRate, goal: float | None) -> Row:
    low, high = tally.interval
    told = f"{what} ({tally.right}/{tally.all}, {100 * low:.2f}–{100 * high:.2f} %)"
    return Row(what=told, value=tally.share, goal=goal)


def _arms(where: str, records: list[Json]) -> list[Row]:
    """What arms tell of whose a card is, in games in which no camera sees that."""
    told = ArmScore.of(records)
    if not told.sides.all:
        return []
    return [
        _share(f"{where}cards laid by one hand from a clear side", told.sides, None),
        _share(f"{where}cards told from the player's before, once all arms are known", told.told, None),
        Row(what=f"{where}cards told as a third player's", value=told.wrong, goal=0, at_most=True),
        Row(what=f"{where}cards asked about in vain", value=told.in_vain, goal=0, at_most=True),
    ]


def _memory(where: str, records: list[Json]) -> list[Row]:
    """What the program took at most after all its matches, beside what it took after a tenth of them."""
    peaks = sorted(record["memory"] for record in records)
    grown = peaks[-1] / peaks[len(peaks) // 10]
    return [Row(what=f"{where}memory after all matches over that after a tenth of them", value=grown)]


def _on_readings() -> list[Row]:
    undone = undo_trials(UNDOS, seed=1)
    times = sorted(step_times(TIMED, seed=1))
    told = f"undo to any earlier position, of {undone.tried} ({undone.unknown} matches not known before)"
    rows = [Row(what=told, value=undone.followed, goal=undone.tried)]
    for place in (50, 99):
        what, value = f"explain and step, {place} of 100 within", 1000 * times[TIMED * place // 100]
        rows.append(Row(what=what, value=value, unit="ms", goal=10, at_most=True))
    return rows


def _muddled(tables: int) -> list[Row]:
    """Of tables at which everything went wrong: whether the referee knows again how the match stands."""
    rows = []
    for game in games() if tables else ():
        endings = [Muddle(game.name, seed).run() for seed in range(1, 2 * tables, 2)]
        told = Counter(ending.outcome for ending in endings)
        near = tables - told["far"] - told["over"]
        found = HitRate(near - told["lost"], near)
        at_once = f"{told['known']} at once, {told['asked']} asked, {told['later']} with the next action"
        rows.append(_share(f"everything goes wrong, {game.name}: found back ({at_once})", found, 1.0))
        silent = max(ending.silent for ending in endings)
        what = f"everything goes wrong, {game.name}: longest without a word"
        rows.append(Row(what=what, value=silent, unit="s", goal=3.0, at_most=True))
    return rows


def _evening(hours: int) -> list[Row]:
    evening = soak(hours, seed=1)
    right = HitRate(evening.actions - evening.wrong, evening.actions)
    return [
        _share(f"evening of {evening.hours:g} h, actions right", right, RIGHT),
        Row(what="memory at its end over that after a tenth", value=evening.grown, goal=1.05, at_most=True),
    ]


def _soaked(matches: int) -> list[Row]:
    memory = match_after_match(matches, seed=1)
    what = f"memory after {memory.matches} matches over that after a tenth of them"
    return [
        Row(what=what, value=memory.grown, goal=1.1, at_most=True),
        Row(what="memory at most, as on a Pi Zero 2 W", value=memory.most, unit="MB", goal=BUDGET, at_most=True),
    ]


def _kills(wanted: int) -> list[Row]:
    """Of the log's writers, and of so many whole programs."""
    with TemporaryDirectory() as folder:
        writers = survive(Path(folder) / "matches.sqlite", STORE_KILLS, Random(1))
        runs = kill_runs(Path(folder) / "run.sqlite", wanted, Random(1))
    rows = []
    for what, kills, confirmed, lost, slowest in (
        ("writers of the log", writers.kills, len(writers.confirmed), writers.lost, writers.slowest),
        ("whole programs", runs.kills, runs.confirmed, runs.lost, runs.slowest),
    ):
        told = f"{kills} {what} killed: lost of {confirmed} confirmed"
        rows.append(Row(what=told, value=len(lost), goal=0, at_most=True))
        rows.append(Row(what=f"{what} going on, slowest", value=slowest, unit="s", goal=10, at_most=True))
    return rows
