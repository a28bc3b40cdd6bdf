"""How well the referee follows a table: short matches at the virtual one, seen through the eye, beside the truth.

`MAGISTER_MATCHES` sets how many are played (default 300), `MAGISTER_JOBS` how many at once (default 1). Each takes the
better part of a minute, so with `MAGISTER_RECORDS=FILE` every match is written there when it is over, and what the file
holds is not played again: the benchmark can be stopped and go on. Seeds are odd: even ones are for tuning.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from engine.core import Json
from firmware.bench import Row
from firmware.bench.vision import Tally
from firmware.match_evening import soak, step_times, undo_trials
from firmware.match_kills import kill_runs
from firmware.match_score import Score, score
from firmware.match_trial import play_match
from firmware.store_trial import survive

UNDOS = 500
TIMED = 300
STORE_KILLS = 1000
EVENING = 8.0
"""Hours of table time."""
RUNS_KILLED = 20


def measure() -> list[Row]:
    wanted = int(os.environ.get("MAGISTER_MATCHES", "300"))
    kept = os.environ.get("MAGISTER_RECORDS")
    records = list(_records(wanted, Path(kept) if kept else None))
    rows = [*_rows(score(records)), _memory(records)]
    return rows + _on_readings() + _kills()


def _records(wanted: int, kept: Path | None) -> Iterator[Json]:
    """The matches of the first odd seeds: those that were kept, then the others, kept in their turn."""
    seeds = range(1, 2 * wanted, 2)
    known = {}
    if kept is not None and kept.exists():
        known = {record["seed"]: record for record in map(json.loads, kept.read_text().splitlines())}
    yield from (known[seed] for seed in seeds if seed in known)
    left = [seed for seed in seeds if seed not in known]
    jobs = int(os.environ.get("MAGISTER_JOBS", "1"))
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for done in as_completed([pool.submit(play_match, seed) for seed in left]):
            if kept is not None:
                with kept.open("a") as file:
                    print(json.dumps(done.result()), file=file, flush=True)
            yield done.result()


def _rows(told: Score) -> list[Row]:
    actions = max(1, told.actions.all)
    return [
        _share("actions right", told.actions, 0.9995),
        Row(what=f"actions and undos silently wrong, of {actions}", value=told.wrong, goal=0, at_most=True),
        Row(what=f"asked, a share of actions ({told.asked})", value=told.asked / actions, goal=0.005, at_most=True),
        _share("whole matches right", told.matches, 0.98),
        _share("illegal tries noticed", told.noticed, 0.995),
        Row(
            what=f"false alarms, a share of actions ({told.alarms})",
            value=told.alarms / actions,
            goal=0.001,
            at_most=True,
        ),
        _share("illegal tries called by the right rule", told.named, 0.95),
        _share("undos seen", told.undos, None),
        Row(what="hand gone to light, median", value=told.wait(0.5), unit="s", goal=0.35, at_most=True),
        Row(what="hand gone to light, 95 of 100", value=told.wait(0.95), unit="s", goal=0.6, at_most=True),
    ]


def _share(what: str, tally: Tally, goal: float | None) -> Row:
    low, high = tally.interval
    told = f"{what} ({tally.right}/{tally.all}, {100 * low:.2f}–{100 * high:.2f} %)"
    return Row(what=told, value=tally.share, goal=goal)


def _memory(records: list[Json]) -> Row:
    """What a process took after its last match, beside what it took after its tenth."""
    peaks = sorted(record["memory"] for record in records)
    return Row(what="memory of the longest run over that of its tenth part", value=peaks[-1] / peaks[len(peaks) // 10])


def _on_readings() -> list[Row]:
    undone = list(undo_trials(UNDOS, seed=1))
    times = sorted(step_times(TIMED, seed=1))
    evening = soak(EVENING, seed=1)
    return [
        Row(what=f"undo to any earlier position, of {len(undone)}", value=sum(undone), goal=len(undone)),
        Row(
            what="explain and step, settled Memento reading, median",
            value=1000 * times[TIMED // 2],
            unit="ms",
            goal=10,
            at_most=True,
        ),
        Row(what="the same, 99 of 100", value=1000 * times[TIMED * 99 // 100], unit="ms", goal=10, at_most=True),
        Row(
            what=f"evening of {evening.hours:g} h, actions wrong of {evening.actions}",
            value=evening.wrong,
            goal=0,
            at_most=True,
        ),
        Row(what="memory at its end over that of its tenth part", value=evening.grown, goal=1.05, at_most=True),
    ]


def _kills() -> list[Row]:
    with TemporaryDirectory() as folder:
        writers = survive(Path(folder) / "matches.sqlite", STORE_KILLS, Random(1))
        runs = kill_runs(Path(folder) / "run.sqlite", int(os.environ.get("MAGISTER_KILLS", RUNS_KILLED)), Random(1))
    return [
        Row(
            what=f"confirmed and lost, {writers.kills} writers of the log killed, {len(writers.confirmed)} confirmed",
            value=len(writers.lost),
            goal=0,
            at_most=True,
        ),
        Row(what="the log opened again, slowest", value=writers.slowest, unit="s", goal=10, at_most=True),
        Row(
            what=f"confirmed and lost, {runs.kills} whole programs killed, {runs.confirmed} confirmed",
            value=len(runs.lost),
            goal=0,
            at_most=True,
        ),
        Row(what="the program seeing again, slowest", value=runs.slowest, unit="s", goal=10, at_most=True),
    ]
