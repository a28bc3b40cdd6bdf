"""Random faults on everything between a table and the hub's database; then every event must be there exactly once."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Delivered:
    played: int
    lost: int
    doubled: int
    changed: int
    by_kind: dict[str, int]


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


def trouble(folder: Path, faults: int, longest_cut: float, seed: int) -> Delivered:
    random, by_kind = Random(seed), dict[str, int]()
    with ExitStack() as stack:

        def kept(thing: object) -> object:
            stack.callback(thing.close)  # type: ignore[attr-defined]
            return thing

        postgres, mosquitto = Postgres(folder / "postgres"), Mosquitto(folder)
        kept(postgres), kept(mosquitto)
        hub, network = HubProcess(folder, mosquitto.port, postgres.url), Cable(mosquitto.port)
        kept(hub), kept(network)
        tables = [PlayingTable(folder, f"T{number}", network.port, number) for number in range(TABLES)]
        for table in tables:
            kept(table)
        time.sleep(3)
        for _ in range(faults):
            kind = random.choice(("table", "broker", "hub", "database", "network"))
            by_kind[kind] = by_kind.get(kind, 0) + 1
            if kind == "network":
                network.is_cut = True
                time.sleep(random.uniform(1, longest_cut))
                network.is_cut = False
            else:
                victim = {"table": random.choice(tables), "broker": mosquitto, "hub": hub, "database": postgres}[kind]
                victim.kill()  # type: ignore[attr-defined] # each of them can be killed and started
                time.sleep(random.uniform(0, 1))
                victim.start()  # type: ignore[attr-defined]
            time.sleep(random.uniform(*CALM))
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
