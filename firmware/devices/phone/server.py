"""The small server that phones talk to: their page, and one socket for the pictures, both encrypted, on one port.

It runs in the program, not in the page's process: frames must not be copied through a pipe, and the page may die.
"""

from __future__ import annotations

import errno
import logging
import socket
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from pathlib import Path
from threading import Thread

from websockets.datastructures import Headers
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection, serve

from firmware.devices.phone.certificate import brought, kept
from firmware.devices.phone.link import PhoneLink
from firmware.machine.errors import UsageError
from firmware.machine.network import own_address
from webui.table.phone import FRAMES, PAGE, phone_file

PORTS = 50
"""How many ports are tried, if one is taken."""
LARGEST = 4 * 1024 * 1024
"""Bytes of a picture."""
PING = 4.0
"""Seconds after which a phone that is out of reach is noticed."""


class PhoneServer:
    """Serves phones until it is closed."""

    def __init__(
        self,
        attend: Callable[[ServerConnection], None],
        link: PhoneLink,
        place: Path,
        *,
        certificate: Path | None = None,
        host: str = "0.0.0.0",  # noqa: S104 - phones are other machines
        port: int = 8443,
    ) -> None:
        """`place`: where the certificate is kept."""
        here = own_address() if host == "0.0.0.0" else host  # noqa: S104
        known = brought(certificate) if certificate is not None else kept(place, here)
        # One that people bring along is good for its own name only.
        name = next((name for name in known.names if "*" not in name), here) if certificate is not None else here
        bound = _bound(host, port)
        address = f"{name}:{bound.getsockname()[1]}"
        logger = logging.getLogger("phone")
        logger.addHandler(logging.NullHandler())
        logger.propagate = False
        self._link = link
        self._server = serve(
            attend,
            sock=bound,
            ssl=known.context(),
            process_request=partial(_answer, link=link),
            compression=None,
            max_size=LARGEST,
            max_queue=2,
            ping_interval=PING,
            ping_timeout=PING,
            server_header=None,
            logger=logger,
        )
        Thread(target=self._server.serve_forever, daemon=True, name="phones").start()
        link.page = f"https://{address}{PAGE}"
        link.fingerprint = known.fingerprint

    def close(self) -> None:
        self._link.page = ""
        self._server.shutdown()


def _answer(line: ServerConnection, request: Request, link: PhoneLink) -> Response | None:
    """A file of the phone's page; None for the socket, which is opened then."""
    path = request.path.partition("?")[0]
    if path == FRAMES:
        return None
    told = request.headers
    languages, cookies = ", ".join(told.get_all("Accept-Language")), "; ".join(told.get_all("Cookie"))
    found = phone_file(path, languages, cookies, link.language)
    if found is None:
        return Response(404, HTTPStatus(404).phrase, Headers({"Content-Length": "0", "Connection": "close"}), b"")
    headers = Headers(found.headers | {"Content-Length": str(len(found.body)), "Connection": "close"})
    return Response(200, HTTPStatus(200).phrase, headers, found.body)


def _bound(host: str, first: int) -> socket.socket:
    for port in range(first, first + PORTS) if first else (0,):
        try:
            return socket.create_server((host, port))
        except OSError as error:
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise UsageError(f"phones cannot be served at {host}: {error.strerror}") from error
    raise UsageError(f"phones cannot be served: the ports from {first} on are taken")
