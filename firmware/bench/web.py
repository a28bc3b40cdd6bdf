"""How much the page costs the referee: frames with two hundred listeners against frames with none, in one run."""

from __future__ import annotations

import json
import selectors
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from queue import SimpleQueue
from statistics import median
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from engine.core import Json
from engine.registry import find_game
from firmware.bench import Row
from firmware.devices.lights import NoLights
from firmware.log.match.seating import Seating
from firmware.log.outbox import Outbox
from firmware.log.store import Store
from firmware.machine.clock import wall_clock
from firmware.page.desk import Desk, Opening
from firmware.page.keys import Keys
from firmware.settings.arguments import USUAL_GAME
from firmware.table.attending import Attendant
from firmware.table.beginning.plans import MatchPlan
from firmware.table.cameras.chosen import simulated
from firmware.table.gear import Gear
from firmware.table.loop import Sitting
from firmware.table.state import shown_key, state_of, trace_of
from vision.frame import Frame
from webui.house import Update
from webui.table.stream import state_message
from webui.words.telling import told_state

LISTENERS, FEW = 200, 20
FRAMES = 60
"""In each round; frames come ten a second."""
ROUNDS = 6
EVENTS = 10_000
GOAL = 1.10
LESS = 0.25
"""What is sent of a change, as a part of the state."""


def measure() -> list[Row]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="magister-")))
        store = stack.enter_context(Store(folder / "log.sqlite"))
        sitting = Sitting(Gear(NoLights(), Outbox(store), wall=wall_clock), "sim")
        sitting.play(MatchPlan(find_game(USUAL_GAME).configure(), Seating.parse("2")))
        frames = _filmed(sitting)
        keys = Keys.new()
        desk = Desk(Opening(port=0, pin=keys.pin, secret=keys.secret, log=str(folder / "log.sqlite")), print)
        stack.callback(desk.close)
        port = urlsplit(desk.open(state_of(sitting), trace_of(sitting))).port
        assert port is not None
        alone: list[float] = []
        watched: list[float] = []
        delays: list[float] = []
        for round_ in range(ROUNDS):
            alone += _run(sitting, desk, frames, round_)
            with _crowd(port, LISTENERS) as crowd:
                watched += _run(sitting, desk, frames, round_)
                told: Json = json.loads(crowd.communicate("")[0])
            assert told["heard"] >= LISTENERS
            delays += told["delays"]
        with _crowd(port, FEW) as crowd:
            first, last = _memory(sitting, desk)
            crowd.communicate("")
    less, whole = _bytes(frames)
    return [
        Row(
            what="bytes the stream sends for a change, median",
            value=less,
            reference=whole,
            of="a whole state",
            goal=LESS,
            at_most=True,
        ),
        Row(
            what=f"a frame with {LISTENERS} listeners, median",
            value=1000 * median(watched),
            unit="ms",
            reference=1000 * median(alone),
            of="a frame with none",
            goal=GOAL,
            at_most=True,
        ),
        Row(
            what="from the referee to the last of them, median",
            value=1000 * median(delays),
            unit="ms",
            goal=200,
            at_most=True,
        ),
        Row(
            what=f"the server's memory after {EVENTS:,} events, {FEW} listeners",
            value=last,
            unit="MB",
            reference=first,
            of="after 1,000",
            goal=1.05,
            at_most=True,
        ),
    ]


def _crowd(port: int, number: int) -> subprocess.Popen[str]:
    """Listeners in a process of their own, once all of them have heard something."""
    words = [sys.executable, "-m", "firmware.bench.web", str(port), str(number)]
    crowd = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # noqa: S603 - this module
    assert crowd.stdout is not None
    crowd.stdout.readline()
    return crowd


def _filmed(sitting: Sitting) -> list[Frame]:
    """A few seconds at the virtual table, rendered once: what is measured is the referee, not the simulator."""
    film = []
    for frame in simulated(sitting, in_time=False, actions=3).frames():
        if frame is not None:
            film.append(frame)
        if len(film) == FRAMES:
            break
    return film


def _run(sitting: Sitting, desk: Desk, frames: list[Frame], round_: int) -> list[float]:
    """Each frame's time, at ten frames a second; every second one is news to the page."""
    attendant = Attendant(sitting, SimpleQueue(), desk, lambda _: None)
    spent = []
    start = time.monotonic()
    for number, frame in enumerate(frames):
        time.sleep(max(0.0, start + number / 10 - time.monotonic()))
        if number % 2:
            state = state_of(sitting) | {"phase": "playing", "sent": time.time()}
            desk.publish(state, trace_of(sitting), [])
        before = time.perf_counter()
        now = Frame(frame.bgr, frame.seconds + 1000 * round_)
        attendant.serve(now)
        spent.append(time.perf_counter() - before)
    attendant.close()
    return spent


def _bytes(frames: list[Frame]) -> tuple[float, float]:
    """How much a page is sent for what happens in the film: what has changed, and whole states instead."""
    sitting = Sitting(Gear(NoLights(), wall=wall_clock), "sim")
    sitting.play(MatchPlan(find_game(USUAL_GAME).configure(), Seating.parse("2")))
    shown: object = None
    told: list[Json] = []
    for frame in frames:
        sitting.attend(frame)
        if (key := shown_key(sitting)) != shown:
            shown = key
            told.append(told_state(Update(len(told), state_of(sitting)), "en"))
    less = [len(state_message(now, before).encode()) for before, now in pairwise(told)]
    return median(less), median(len(state_message(state, None).encode()) for state in told)


def _memory(sitting: Sitting, desk: Desk) -> tuple[float, float]:
    """Megabytes that the server holds after the first thousand events and after all."""
    state, first = state_of(sitting), 0.0
    for number in range(1, EVENTS + 1):
        event = {"number": number, "at": "", "t": 0.0, "event": "restored"}
        desk.publish(state | {"recent": [event]}, trace_of(sitting), [event])
        if number % 10 == 0:
            time.sleep(0.01)
        if number == 1000:
            time.sleep(1.5)
            first = _resident(desk.process)
    time.sleep(1.5)
    return first, _resident(desk.process)


def _resident(process: int | None) -> float:
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def listen(port: int, number: int) -> None:
    """A crowd of listeners in a process of its own; tells how long after its sending all had heard each state."""
    choose = selectors.DefaultSelector()
    for _ in range(number):
        line = socket.create_connection(("127.0.0.1", port))
        line.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        line.setblocking(False)
        choose.register(line, selectors.EVENT_READ, bytearray())
    choose.register(sys.stdin, selectors.EVENT_READ)
    heard: set[int] = set()
    last: dict[float, tuple[int, float]] = {}
    ready = False
    while True:
        for key, _ in choose.select():
            if key.fileobj is sys.stdin:
                full = [delay for count, delay in last.values() if count == number]
                print(json.dumps({"heard": len(heard), "delays": full}))
                return
            data = key.fileobj.recv(1 << 16)  # type: ignore[union-attr]
            key.data.extend(data)
            heard.add(key.fd)
            *whole, rest = bytes(key.data).split(b"\n\n")
            key.data[:] = rest
            for message in whole:
                if b'"sent": ' in message:
                    sent = float(message.split(b'"sent": ')[1].split(b",")[0].rstrip(b"}"))
                    last[sent] = (last.get(sent, (0, 0.0))[0] + 1, time.time() - sent)
        if not ready and len(heard) == number:
            ready = True
            print("ready", flush=True)


if __name__ == "__main__":
    listen(int(sys.argv[1]), int(sys.argv[2]))
