"""The page's own process: `python -m firmware.page.server`, started by the program and fed through its standard input.

It ends when the program does: then its input ends.
"""

from __future__ import annotations

import signal

if __name__ == "__main__":
    # Ctrl-C in a terminal reaches every process, even while loading; the program ends this one when it is done.
    signal.signal(signal.SIGINT, signal.SIG_IGN)

import errno
import json
import logging
import os
import socket
import sys
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import BinaryIO

from engine.core import Json
from firmware.machine.priority import stand_back
from firmware.page.connections import PageServer
from firmware.page.greeting import is_local, reachable
from firmware.page.house import RemoteHouse
from webui import create_app
from webui.house import Access
from webui.table.stream import MOST_LISTENERS

SPARE_THREADS = 16
"""Threads besides those of the listeners: for pages, pictures and exports."""
NICER = 5
"""Niceness: the referee has priority over the page."""
LARGEST_BODY = 33 * 1024 * 1024
"""A backup that is restored; the application takes far less of everything else."""
BACKLOG = 256
"""How many connections may wait."""


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    logging.basicConfig(level=logging.ERROR, stream=sys.stderr, format="page: %(message)s")
    with suppress(OSError):
        stand_back(NICER)
    told, out = sys.stdin.buffer, sys.stdout.buffer
    # Other output must not end up in what the program reads.
    sys.stdout = sys.stderr
    opening = json.loads(told.readline())
    files = {kind: Path(file) for kind, file in opening.get("files", {}).items()}
    log = Path(opening["log"]) if opening["log"] else None
    house = RemoteHouse(out, log, files, index=opening.get("index", ""))
    bound = listen_at(opening)
    if isinstance(bound, str):
        house.say({"type": "failed", "message": bound})
        return 1
    names = frozenset(opening.get("names", ()))
    access = Access(
        opening["pin"], bytes.fromhex(opening["secret"]), _address(opening, bound), names, opening.get("screen", False)
    )
    app = create_app(house, access)
    server = PageServer(
        app,
        bound,
        threads=MOST_LISTENERS + SPARE_THREADS,
        backlog=BACKLOG,
        asyncore_use_poll=True,
        max_request_header_size=32 * 1024,
        max_request_body_size=LARGEST_BODY,
        outbuf_high_watermark=1024 * 1024,
        ident="Magister Ludi",
        # The page trusts none of them; but it must know that there is a server in between.
        clear_untrusted_proxy_headers=False,
    )
    Thread(target=_hear, args=(told, house), name="program", daemon=True).start()
    # The first visitor should neither wait for the templates nor see an empty state.
    app.test_client().get("/")
    house.say({"type": "ready", "port": bound.getsockname()[1]})
    server.run()
    return 0


def _address(opening: Json, bound: socket.socket) -> str:
    """Where phones find the page; nothing where it listens to this machine alone."""
    host = opening["host"]
    address = f"http://{f'[{host}]' if ':' in host else host}:{bound.getsockname()[1]}/"
    return "" if is_local(address) else reachable(address, host)


def listen_at(opening: Json) -> socket.socket | str:
    """A socket listening on the first free port, or why there is none."""
    host, first = opening["host"], opening["port"]
    problem = ""
    for port in range(first, first + opening["tries"]):
        bound = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind((host, port))
            # Two programs that start at once may both bind a port; only one of them can listen on it.
            bound.listen(BACKLOG)
        except (OSError, OverflowError, ValueError, TypeError) as error:
            bound.close()
            problem = getattr(error, "strerror", None) or str(error)
            if _is_of_host(error):
                told = host if host.isprintable() else ascii(host)
                return f"{told} is not an address of this machine ({problem}): choose another with --host"
        else:
            return bound
    return f"the page cannot use port {first} of {host} ({problem}): choose another with --port"


def _hear(told: BinaryIO, house: RemoteHouse) -> None:
    # A killed program may have ended in the middle of a line.
    with suppress(ValueError):
        for line in told:
            house.hear(json.loads(line))
    # The program has ended: nothing is left to show.
    os._exit(0)


def _is_of_host(error: Exception) -> bool:
    """Whether the error is about the host, so that no other port would help."""
    unknown = isinstance(error, socket.gaierror | ValueError | TypeError)
    return unknown or (isinstance(error, OSError) and error.errno == errno.EADDRNOTAVAIL)


if __name__ == "__main__":
    sys.exit(main())
