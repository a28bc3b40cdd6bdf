"""Random faults on everything between a table and the hub's database; then every event must be there exactly once.

`python -m firmware.bench.rigs.hub_faults FOLDER FAULTS LONGEST_CUT SEED` is one trial, with servers
and tables of its own.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random

import sqlalchemy as sa

from firmware.bench.rigs.hub_servers import Cable, HubProcess, Mosquitto, Postgres, until
from firmware.hub.contract import match_id
from firmware.hub.database import events, matches, open_database
from firmware.hub.key import FILE, TableKey
from firmware.log.store import Store

TABLES = 3
PAUSE = 0.05
"""Seconds between two actions at each table."""
CALM = (0.3, 1.5)
"""Seconds between two faults."""
SETTLED = 180.0
IN_A_TRIAL, AT_ONCE = 25, 4
"""Faults of one trial, and how many trials go on at once: most of the time they wait."""
LONGEST_TRIAL = 480.0


@dataclass(frozen=True)
class Delivered:
    played: int = 0
    lost: int = 0
    doubled: int = 0
    changed: int = 0
    by_kind: dict[str, int] = field(default_factory=dict)
    failed: tuple[str, ...] = ()
    """Why trials did not come to their end."""

    def __add__(self, other: Delivered) -> Delivered:
        kinds = {kind: self.by_kind.get(kind, 0) + other.by_kind.get(kind, 0) for kind in self.by_kind | other.by_kind}
        return Delivered(
            self.played + other.played,
            self.lost + other.lost,
            self.doubled + other.doubled,
            self.changed + other.changed,
            kinds,
            self.failed + other.failed,
        )


class PlayingTable:
    def __init__(self, folder: Path, name: str, port: int, seed: int) -> None:
        self.name, self.log, self.stop = name, folder / name / "matches.sqlite", folder / "stop"
        self.log.parent.mkdir()
        self._words = [
            sys.executable,
            "-m",
            "firmware.bench.rigs.hub_table",
            str(self.log),
            name,
            str(port),
            str(PAUSE),
        ]
        self._seed = seed
        self.start()

    def start(self) -> None:
        self._seed += 1000
        words = [*self._words, str(self._seed), str(self.stop)]
        self._process = subprocess.Popen(words)  # noqa: S603 - this package

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    close = kill

    def logged(self) -> dict[tuple[str, int], str]:
        """Every event in the log, by its match and its number."""
        key = TableKey.kept(self.log.with_name(FILE))
        found = {}
        with Store(self.log, read_only=True) as store:
            for saved in store.matches():
                id_ = match_id(key.uid, saved.id, saved.started)
                for event in store.events(saved.id):
                    told = [event.at, event.seconds, event.kind, event.payload]
                    found[id_, event.number] = json.dumps(told, sort_keys=True)
        return found


def trials(folder: Path, faults: int, longest_cut: float, seed: int) -> Delivered:
    """So many faults, in trials that know nothing of each other: one that fails does not stop the others."""
    sizes = [min(IN_A_TRIAL, faults - begun) for begun in range(0, faults, IN_A_TRIAL)]
    words = []
    for number, size in enumerate(sizes):
        (place := folder / f"trial-{number}").mkdir(mode=0o755)
        words.append([str(place), str(size), str(longest_cut), str(seed + number)])
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return sum(pool.map(_trial, words), Delivered())


def _trial(words: Sequence[str]) -> Delivered:
    command = [sys.executable, "-m", "firmware.bench.rigs.hub_faults", *words]
    process = subprocess.Popen(  # noqa: S603 - this package
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        out, said = process.communicate(timeout=LONGEST_TRIAL)
    except subprocess.TimeoutExpired:
        out, said = "", f"not over after {LONGEST_TRIAL:.0f} s"
    finally:
        # With all that it has started.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if not out:
        return Delivered(failed=((said.strip().splitlines() or ["it has said nothing"])[-1],))
    told = json.loads(out.splitlines()[-1])
    return Delivered(**(told | {"failed": tuple(told["failed"])}))


def trouble(folder: Path, faults: int, longest_cut: float, seed: int) -> Delivered:
    random, by_kind = Random(seed), dict[str, int]()
    with ExitStack() as stack:

        def kept(thing: object) -> object:
            stack.callback(thing.close)  # type: ignore[attr-defined]
            return thing

        postgres, mosquitto = Postgres(folder / "postgres"), Mosquitto(folder)
        kept(postgres), kept(mosquitto)
        hub, cables = HubProcess(folder, mosquitto.port, postgres.url), [Cable(mosquitto.port) for _ in range(TABLES)]
        kept(hub)
        tables = []
        for number, cable in enumerate(cables):
            kept(cable)
            tables.append(PlayingTable(folder, f"T{number}", cable.port, number))
            kept(tables[-1])
        time.sleep(3)
        for _ in range(faults):
            kind = random.choice(("table", "broker", "hub", "database", "network"))
            by_kind[kind] = by_kind.get(kind, 0) + 1
            if kind == "network":
                # In the meantime other things fail, too.
                until(lambda: not all(cable.is_cut for cable in cables), "a cable that is not cut")
                random.choice([cable for cable in cables if not cable.is_cut]).cut(random.uniform(1, longest_cut))
            else:
                victim = {"table": random.choice(tables), "broker": mosquitto, "hub": hub, "database": postgres}[kind]
                victim.kill()  # type: ignore[attr-defined] # each of them can be killed and started
                time.sleep(random.uniform(0, 1))
                victim.start()  # type: ignore[attr-defined]
            time.sleep(random.uniform(*CALM))
        until(lambda: not any(cable.is_cut for cable in cables), "the network")
        (folder / "stop").touch()
        time.sleep(1)
        wanted = {place: told for table in tables for place, told in table.logged().items()}
        engine = open_database(postgres.url)
        stack.callback(engine.dispose)
        until(lambda: len(_stored(engine)[0]) >= len(wanted), "all events at the hub", SETTLED)
        stored, rows = _stored(engine)
        return Delivered(
            len(wanted),
            len(wanted.keys() - stored.keys()),
            rows - len(stored) + len(stored.keys() - wanted.keys()),
            sum(stored[place] != told for place, told in wanted.items() if place in stored),
            by_kind,
        )


def _stored(engine: sa.Engine) -> tuple[dict[tuple[str, int], str], int]:
    columns = (events.c.match, events.c.seq, events.c.at, events.c.seconds, events.c.kind, events.c.payload)
    with engine.connect() as db:
        rows = list(db.execute(sa.select(*columns).join(matches, matches.c.id == events.c.match)))
    return {(row[0], row[1]): json.dumps(list(row[2:]), sort_keys=True) for row in rows}, len(rows)


if __name__ == "__main__":
    place, count, cut, number = sys.argv[1:]
    print(json.dumps(asdict(trouble(Path(place), int(count), float(cut), int(number)))))
