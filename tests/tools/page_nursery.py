"""Page processes for the page's tests, each forked from one that has loaded all it needs: to load it takes longer than
many of these tests."""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

BYTES = 1 << 16


class Forked(subprocess.Popen[bytes]):
    """A page's process. Its parent is the nursery, so how it ended is not known, only that it has."""

    def __init__(self, nursery: socket.socket) -> None:
        child_in, self_in = os.pipe()
        self_out, child_out = os.pipe()
        socket.send_fds(nursery, [json.dumps(dict(os.environ)).encode()], [child_in, child_out, 2])
        os.close(child_in)
        os.close(child_out)
        self.stdin, self.stdout, self.stderr = os.fdopen(self_in, "wb"), os.fdopen(self_out, "rb"), None
        self.pid, self.returncode = int(nursery.recv(BYTES)), None
        self._end = os.pidfd_open(self.pid)

    def poll(self) -> int | None:
        return self._wait_for(0)

    def wait(self, timeout: float | None = None) -> int:
        code = self._wait_for(timeout)
        if code is None:
            raise subprocess.TimeoutExpired("page", timeout or 0)
        return code

    def send_signal(self, sig: int) -> None:
        if self.poll() is None:
            signal.pidfd_send_signal(self._end, sig)

    def _wait_for(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._end], [], [], timeout)[0]:
            self.returncode = 0
            os.close(self._end)
        return self.returncode

    def __del__(self) -> None:
        """Nothing is left to reap."""


def start_page() -> subprocess.Popen[bytes]:
    return Forked(_nursery(os.environ.get("PYTHONPATH", "")))


@cache
def _nursery(_: str) -> socket.socket:
    """Another one where other games are installed: it has loaded those that were when it began."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with its:
        process = subprocess.Popen([sys.executable, __file__, str(its.fileno())], pass_fds=[its.fileno()])
    atexit.register(_close, ours, process)
    return ours


def _close(nursery: socket.socket, process: subprocess.Popen[bytes]) -> None:
    nursery.close()
    process.wait()


def serve(asked: socket.socket) -> None:
    """Fork a page for each request, until the tests end."""
    from firmware.page import server

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, _bury)
    while True:
        told, files, *_ = socket.recv_fds(asked, BYTES, 3)
        if not told:
            return
        child = os.fork()
        if not child:
            asked.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for number, file in enumerate(files):
                os.dup2(file, number)
                os.close(file)
            os.environ.clear()
            os.environ.update(json.loads(told))
            os._exit(server.main())
        for file in files:
            os.close(file)
        asked.send(str(child).encode())


def _bury(*_: object) -> None:
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


if __name__ == "__main__":
    # What this file's folder holds is for tests.
    sys.path[0] = str(Path(__file__).parents[2])
    serve(socket.socket(fileno=int(sys.argv[1])))
