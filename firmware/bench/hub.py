"""A hub under load and under fire, with real Mosquitto and real PostgreSQL.

`MAGISTER_TABLES`, `MAGISTER_FAULTS`, `MAGISTER_ACTIONS` and `MAGISTER_CUT` (seconds) make it smaller.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from random import Random
from statistics import fmean, median, quantiles
from tempfile import TemporaryDirectory
from threading import Thread
from urllib.request import Request, urlopen

import sqlalchemy as sa

from engine.registry import find_game
from firmware.bench import Row, setting
from firmware.bench.rigs.hub_faults import trials
from firmware.bench.rigs.hub_servers import HubProcess, Mosquitto, Postgres, free_port, until
from firmware.devices.lights import NoLights
from firmware.hub.database import events, matches, open_database, seats, set_setting
from firmware.hub.joining import open_link
from firmware.hub.library import Library, Search
from firmware.log.match.record import seated
from firmware.log.match.seating import Seating
from firmware.log.outbox import Outbox
from firmware.log.store import Store
from firmware.machine.clock import wall_clock
from firmware.machine.errors import UsageError
from firmware.table.attending import Attendant
from firmware.table.beginning.plans import MatchPlan
from firmware.table.cameras.chosen import simulated
from firmware.table.gear import Gear
from firmware.table.loop import Sitting
from vision.frame import Frame

EVERY = 2.0
SECONDS = 40.0
FLOOD, FLOOD_EVERY = 10.0, 0.5
MISSED = 10_000
SEARCHES = 120
PLIES = 50
"""Actions of each stored match."""
FRAMES, ROUNDS = 40, 12


def measure() -> list[Row]:
    rows = []
    with TemporaryDirectory(prefix="magister-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)
        with ExitStack() as stack:
            postgres, mosquitto = Postgres(folder / "postgres"), Mosquitto(folder)
            stack.callback(postgres.close)
            stack.callback(mosquitto.close)
            hub = HubProcess(folder, mosquitto.port, postgres.url)
            stack.callback(hub.close)
            engine = open_database(postgres.url)
            stack.callback(engine.dispose)
            set_setting(engine, "open", "yes")
            rows += _crowd(engine, mosquitto.port, hub.port)
            rows.append(_flood(engine, mosquitto.port, hub))
            rows.append(_catching_up(folder, engine, mosquitto.port))
            rows.append(_searching(engine))
        rows.append(_frames(folder))
        (folder / "faults").mkdir(mode=0o755)
        rows += _faults(folder / "faults")
    return rows


def _crowd(engine: sa.Engine, broker: int, page: int) -> list[Row]:
    number = setting("MAGISTER_TABLES", 500)
    delays: list[float] = []
    Thread(target=_watch, args=(page, delays), daemon=True).start()
    sent = _speak(broker, number, SECONDS, EVERY)
    late = quantiles(delays, n=20)[18] if len(delays) > 20 else float("inf")
    stored = _stored(engine)
    return [
        Row(what="tables that act every 2 s", value=float(number), goal=500),
        Row(
            what="actions a second they came to",
            value=sent / SECONDS,
            reference=number / EVERY,
            of="wanted",
            goal=0.95,
        ),
        Row(what="from a table to a spectator, p95", value=1000 * late, unit="ms", goal=300, at_most=True),
        Row(
            what="events stored while they played",
            value=float(stored),
            reference=float(sent),
            of="sent",
            goal=1.0,
        ),
    ]


def _flood(engine: sa.Engine, broker: int, hub: HubProcess) -> Row:
    """As many as these tables can send: what the hub needs for each."""
    before, begun = _stored(engine), hub.busy()
    sent = _speak(broker, setting("MAGISTER_TABLES", 500), FLOOD, FLOOD_EVERY)
    until(lambda: _stored(engine) >= before + sent, "the flood to be stored", 120)
    return Row(what="events stored for each second of processor time of one hub", value=sent / (hub.busy() - begun))


def _speak(broker: int, number: int, seconds: float, every: float) -> int:
    """Let so many tables act; how many actions they have sent."""
    words = [sys.executable, "-m", "firmware.bench.rigs.hub_crowd", *map(str, (broker, number, seconds, every))]
    crowd = subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603 - this package
    if crowd.returncode:
        raise UsageError(f"the tables have failed: {crowd.stderr.strip().splitlines()[-1:]}")
    return int(json.loads(crowd.stdout)["sent"])


def _stored(engine: sa.Engine) -> int:
    with engine.connect() as db:
        return db.execute(sa.select(sa.func.count()).select_from(events)).scalar() or 0


def _watch(page: int, delays: list[float]) -> None:
    """A spectator's browser, which hears every table."""
    with urlopen(Request(f"http://127.0.0.1:{page}/api/v1/events"), timeout=60) as stream:
        for line in stream:
            sent = re.search(rb'"name": "@([\d.]+)@"', line)
            if sent is not None:
                delays.append(time.time() - float(sent[1]))


def _catching_up(folder: Path, engine: sa.Engine, broker: int) -> Row:
    log = folder / "late" / "matches.sqlite"
    log.parent.mkdir()
    rules = find_game("rings").configure()
    with Store(log) as store:
        for _ in range(MISSED // 500):
            number = store.begin_match(rules, seated(("Ada", "Ben")), rules.deal(2, Random(1)), started=wall_clock())
            for place in range(500):
                store.append(number, "peek", {"site": "a1"}, at=wall_clock(), seconds=float(place))
    mine = sa.select(sa.func.sum(matches.c.next)).where(matches.c.table_name == "Late")

    def arrived() -> bool:
        with engine.connect() as db:
            return (db.execute(mine).scalar() or 0) >= MISSED

    begun = time.monotonic()
    link = open_link(f"mqtt://127.0.0.1:{broker}", "Late", log, lambda _: None)
    until(arrived, "the missed events", 120)
    spent = time.monotonic() - begun
    link.close()
    return Row(what=f"catching up on {MISSED:,} events", value=spent, unit="s", goal=10, at_most=True)


def _searching(engine: sa.Engine) -> Row:
    actions = setting("MAGISTER_ACTIONS", 1_000_000)
    random = Random(1)
    people = [f"player {number}" for number in range(2000)]
    moves = [f"{a}{b}-{c}{d}" for a in "ABC" for b in range(9) for c in "ABC" for d in range(9)]
    for first in range(0, actions // PLIES, 500):
        _store_matches(engine, range(first, min(first + 500, actions // PLIES)), people, moves, random)
    with engine.begin() as db:
        db.execute(sa.text("ANALYZE"))
    library, spent = Library(engine), []
    for _ in range(SEARCHES):
        begun = time.perf_counter()
        library.find(_wanted(random, people, moves))
        spent.append(time.perf_counter() - begun)
    late = quantiles(spent, n=20)[18]
    return Row(what=f"a search over {actions:,} actions, p95", value=1000 * late, unit="ms", goal=200, at_most=True)


def _store_matches(engine: sa.Engine, ids: range, people: list[str], moves: list[str], random: Random) -> None:
    played, sitting, lines = [], [], []
    for number in ids:
        id_, actions = f"{number:032x}", random.choices(moves, k=PLIES)
        played.append(
            {
                "id": id_,
                "table_name": f"Table {number % 40}",
                "number": number,
                "started": "",
                "received": float(number),
            }
            | {"game": random.choice(("rings", "memento-tuos")), "variant": None, "start": {}, "covered": False}
            | {"next": PLIES, "actions": random.randrange(5, 99), "illegal": random.randrange(9), "result": {}}
            | {"ended": float(number), "opening": " ".join(actions[:4])}
        )
        for seat in range(2):
            name = random.choice(people)
            told = {"name": name, "folded": name, "colour": "red", "level": None, "won": seat == 0}
            sitting.append({"match": id_, "seat": seat} | told)
        for seq, action in enumerate(actions):
            about: dict[str, object] = {
                "at": "",
                "seconds": 0.0,
                "kind": "action",
                "payload": {"action": action},
                "covered": False,
            }
            rule = "reach" if seq % 25 == 24 else None
            lines.append({"match": id_, "seq": seq, "action": action, "rule": rule, "seat": seq % 2} | about)
    with engine.begin() as db:
        for table, rows in ((matches, played), (seats, sitting), (events, lines)):
            db.execute(sa.insert(table), rows)


def _wanted(random: Random, people: list[str], moves: list[str]) -> Search:
    return random.choice(
        (
            lambda: Search(player=random.choice(people)),
            lambda: Search(opening=random.choice(moves)),
            lambda: Search(action=random.choice(moves)),
            lambda: Search(game="rings", least_actions=90),
            lambda: Search(player=random.choice(people), game="rings", least_illegal=5),
            lambda: Search(rule="reach", table=f"Table {random.randrange(40)}"),
            lambda: Search(),
        )
    )()


def _frames(folder: Path) -> Row:
    """The same frames with no hub and with one that cannot be reached, in turns."""
    with Store(folder / "frames.sqlite") as store:
        sitting = Sitting(Gear(NoLights(), Outbox(store), wall=wall_clock), "sim")
        sitting.play(MatchPlan(find_game("rings").configure(), Seating.parse("2")))
        film = []
        for frame in simulated(sitting, in_time=False, actions=3).frames():
            if frame is not None:
                film.append(frame)
            if len(film) == FRAMES:
                break
        link = open_link(f"mqtt://127.0.0.1:{free_port()}", "Alone", folder / "frames.sqlite", lambda _: None)
        attendant = Attendant(sitting, SimpleQueue(), None, lambda _: None)
        spent: dict[bool, list[list[float]]] = {has_hub: [[] for _ in film] for has_hub in (False, True)}
        for round_ in range(2 * ROUNDS):
            for place, frame in enumerate(film):
                # In turns from frame to frame, so that both find the machine as busy.
                has_hub = bool((round_ + place) % 2)
                sitting.gear.hub = link if has_hub else None
                before = time.perf_counter()
                attendant.serve(Frame(frame.bgr, frame.seconds + 1000 * round_))
                spent[has_hub][place].append(time.perf_counter() - before)
        link.close()
    return Row(
        what="a frame with a hub that cannot be reached",
        # Of each frame the median, for some take several times as long as others.
        value=1000 * fmean(map(median, spent[True])),
        unit="ms",
        reference=1000 * fmean(map(median, spent[False])),
        of="a frame without",
        goal=1.05,
        at_most=True,
    )


def _faults(folder: Path) -> list[Row]:
    faults = setting("MAGISTER_FAULTS", 200)
    told = trials(folder, faults, float(setting("MAGISTER_CUT", 60)), seed=1)
    row = partial(Row, goal=0, at_most=True)
    kinds = ", ".join(f"{count} × {kind}" for kind, count in sorted(told.by_kind.items()))
    return [
        row(
            what=f"events lost in {sum(told.by_kind.values())} faults ({kinds}; {told.played:,} events)",
            value=float(told.lost),
        ),
        row(what="events doubled or invented", value=float(told.doubled)),
        row(what="events changed on the way", value=float(told.changed)),
        row(what=": ".join(("trials that did not end", *told.failed[:1])), value=float(len(told.failed))),
    ]
