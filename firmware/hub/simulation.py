"""A whole tournament without boards and people: a hub and its tables, each a process of its own, and a director who
does by the hub's page what a person would do."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from http.client import HTTPException
from http.cookiejar import CookieJar
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import HTTPError, URLError
from urllib.request import HTTPCookieProcessor, ProxyHandler, Request, build_opener

from engine.core import Json
from firmware.hub.contract import match_id
from firmware.hub.key import FILE, TableKey
from firmware.log.store import Store
from firmware.machine.errors import Say, UsageError

START = 60.0
"""Seconds that the hub gets to start, and each table to join …"""
SILENT = 120.0
"""… and that a round may go on without any new result."""
LOOK = 0.3
PASSWORD = "simulated director"  # noqa: S105 - of an account that ends with the simulation


@dataclass(frozen=True)
class TournamentPlan:
    """What is to be played."""

    tables: int = 8
    players: int = 16
    game: str = "rings"
    kind: str = "swiss"
    size: int = 2
    rounds: int = 0
    seed: int = 1
    pause: float = 0.2
    """Seconds between two actions."""


@dataclass(frozen=True)
class Told:
    """What came out."""

    standings: list[Json]
    rounds: int
    matches: int
    events: int
    lost: int
    """Results and events that are in the logs of the tables, and not at the hub."""


def simulate(plan: TournamentPlan, say: Say) -> Told:
    """Raises `UsageError` where it does not come to its end."""
    with TemporaryDirectory(prefix="magister-hub-", ignore_cleanup_errors=True) as name, ExitStack() as stack:
        folder = Path(name)
        director, broker = _open_hub(folder, stack, say)
        director.ask("/api/v1/settings", delay=0, open=True)
        names = [f"Table {number}" for number in range(1, plan.tables + 1)]
        for number, table in enumerate(names):
            command = director.ask("/api/v1/tables", name=table)["command"]
            token = shlex.split(command)[-1]
            words = [_log(folder, table), table, broker, token, plan.seed + number, plan.pause]
            _start(stack, folder, "firmware.hub.simulated_table", *words)
        _until(lambda: _online(director) >= plan.tables, START + 2 * plan.tables, "the tables to join")
        say(f"{plan.tables} tables have joined")
        id_ = _play(director, plan, say)
        return _count(director, id_, folder, names)


class Director:
    """Somebody at the hub's page; only this machine is asked."""

    def __init__(self, address: str) -> None:
        self._address = address.rstrip("/")
        self._opener = build_opener(ProxyHandler({}), HTTPCookieProcessor(CookieJar()))

    def ask(self, path: str, **body: object) -> Json:
        """Change something; raises `UsageError` with what the hub says."""
        headers = {"Content-Type": "application/json", "X-Magister-Token": self.look("/api/v1/session")["token"]}
        return self._open(Request(self._address + path, json.dumps(body).encode(), headers))  # noqa: S310 - http

    def look(self, path: str) -> Json:
        return self._open(Request(self._address + path))  # noqa: S310 - http

    def _open(self, request: Request) -> Json:
        try:
            with self._opener.open(request, timeout=60) as answer:
                told: Json = json.load(answer)
                return told
        except HTTPError as error:
            try:
                said = json.load(error).get("message", "")
            except ValueError:
                said = ""
            raise UsageError(f"the hub says {error.code}: {said or error.reason}") from error
        except (URLError, HTTPException, OSError) as error:
            raise UsageError(f"the hub does not answer ({error})") from error


def _open_hub(folder: Path, stack: ExitStack, say: Say) -> tuple[Director, str]:
    database = f"sqlite:///{folder / 'hub.sqlite'}"
    hub = _start(stack, folder, "firmware", "hub", "--database", database, "--mqtt-port", 0)
    out = folder / "firmware.out"
    wanted = re.compile(r"page: (\S+)\nTables join at (\S+)\nBecome its director: \S+/join/(\S+)\n")

    def is_ready() -> bool:
        if hub.poll() is not None:
            raise UsageError(f"the hub has not started: {out.read_text().strip().splitlines()[-1:]}")
        return wanted.search(out.read_text()) is not None

    _until(is_ready, START, "the hub to start")
    found = wanted.search(out.read_text())
    assert found is not None
    page, broker, token = found.groups()
    say(f"watch it at {page}")
    director = Director(page)
    director.ask("/api/v1/join", token=token, name="Director", password=PASSWORD)
    return director, broker


def _start(stack: ExitStack, folder: Path, module: str, *words: object) -> subprocess.Popen[bytes]:
    with (folder / f"{module}.out").open("ab") as out:
        process = subprocess.Popen(  # noqa: S603 - this program
            [sys.executable, "-u", "-m", module, *map(str, words)], stdout=out, stderr=out, stdin=subprocess.DEVNULL
        )
    stack.callback(process.wait)
    stack.callback(process.terminate)
    return process


def _log(folder: Path, table: str) -> Path:
    path = folder / table / "matches.sqlite"
    path.parent.mkdir(exist_ok=True)
    return path


def _online(director: Director) -> int:
    return sum(each["online"] for each in director.look("/api/v1/tables")["tables"])


def _play(director: Director, plan: TournamentPlan, say: Say) -> str:
    players = [f"Player {number}" for number in range(1, plan.players + 1)]
    what = {"game": plan.game, "kind": plan.kind, "size": plan.size, "rounds": plan.rounds}
    id_ = str(director.ask("/api/v1/tournaments", name="Simulation", players=players, **what)["id"])
    path, number = f"/api/v1/tournaments/{id_}", 0
    while True:
        try:
            director.ask(f"{path}/draw")
        except UsageError as error:
            if "All rounds" in str(error):
                director.ask(f"{path}/end")
                return id_
            raise
        number += 1
        before = time.monotonic()
        _play_round(director, path, number)
        say(f"round {number} played in {time.monotonic() - before:.0f} s")


def _play_round(director: Director, path: str, number: int) -> None:
    """Let the tables begin, each as soon as it is free, until all results have come by themselves."""
    begun, last = set[int](), time.monotonic()
    left = -1
    while left:
        pairings = director.look(path)["rounds"][number - 1]["pairings"]
        for each in pairings:
            if each["table"] and each["scores"] is None and each["place"] not in begun:
                director.ask(f"{path}/{number}/{each['place']}/begin")
                begun.add(each["place"])
        now = sum(each["scores"] is None for each in pairings)
        if now != left:
            left, last = now, time.monotonic()
        elif time.monotonic() - last > SILENT:
            raise UsageError(f"round {number}: {left} results have not arrived within {SILENT:.0f} s")
        time.sleep(LOOK)


def _count(director: Director, id_: str, folder: Path, names: list[str]) -> Told:
    told = director.look(f"/api/v1/tournaments/{id_}")
    counted = {each["match"] for round_ in told["rounds"] for each in round_["pairings"] if each["how"] == "table"}
    played, events = set[str](), 0
    stored = {each["id"]: each for each in _all_matches(director)}
    lost = 0
    for name in names:
        key = TableKey.kept(_log(folder, name).with_name(FILE))
        with Store(_log(folder, name), read_only=True) as store:
            for saved in store.matches():
                id_of = match_id(key.uid, saved.id, saved.started)
                played.add(id_of)
                actions = sum(event.kind == "action" for event in store.events(saved.id))
                events += actions
                lost += id_of not in counted
                lost += abs(actions - stored[id_of]["actions"]) if id_of in stored else actions
    return Told(told["standings"], len(told["rounds"]), len(played), events, lost + len(counted - played))


def _all_matches(director: Director) -> list[Json]:
    found: list[Json] = []
    before = ""
    while page := director.look(f"/api/v1/matches?before={before}")["matches"]:
        found += page
        before = str(page[-1]["received"])
    return found


def _until(done: Callable[[], bool], seconds: float, what: str) -> None:
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() > end:
            raise UsageError(f"waited {seconds:.0f} s for {what}")
        time.sleep(LOOK)
