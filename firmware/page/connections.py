"""Who may be connected to the page: nobody keeps others out by holding more connections than anybody needs."""

from __future__ import annotations

import socket
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

FROM_ONE = 320
"""Connections that are kept for one address: a school or a club may be behind it, each with a stream and a few more."""
FROM_ALL = 640
IDLE = 20
"""Seconds that a connection may stay without a request."""
AT_ONCE = 64
"""Connections that are accepted before others are served again."""
SPARE_FILES = 256
"""Files that the server may open beside its connections."""


class PageServer(TcpWSGIServer):
    """Where an address has too many connections, or all have, the one that has been of no use longest goes."""

    def __init__(self, application: Callable[..., Any], bound: socket.socket, **settings: Any) -> None:  # noqa: ANN401
        make_room_for(FROM_ALL + SPARE_FILES)
        # The limit is ours: waitress would let nobody in any more.
        adjusted = Adjustments(channel_timeout=IDLE, cleanup_interval=IDLE // 4, connection_limit=1 << 20, **settings)
        self._sockets: dict[int, Any] = {}
        """What is open: this server, its trigger and the connections."""
        dispatcher = ThreadedTaskDispatcher()
        dispatcher.set_thread_count(adjusted.threads)
        super().__init__(
            application,
            self._sockets,
            _sock=bound,
            dispatcher=dispatcher,
            adj=adjusted,
            sockinfo=(bound.family, bound.type, bound.proto, bound.getsockname()),
            bind_socket=False,
        )

    def handle_accept(self) -> None:
        for _ in range(AT_ONCE):
            try:
                accepted = self.accept()
            except OSError:
                # Whoever came has gone again, or there are no files left.
                return
            if accepted is None:
                return
            connection, address = accepted
            if self._has_room_for(address[0]):
                with suppress(OSError):
                    self.channel_class(self, connection, address, self.adj, map=self._sockets)
                    continue
            connection.close()

    def _channels(self) -> list[Any]:
        return [each for each in self._sockets.values() if isinstance(each, HTTPChannel)]

    def _has_room_for(self, host: str) -> bool:
        """Whether one more may come from there, if need be in the place of another."""
        hosts = Counter(channel.addr[0] for channel in self._channels())
        if hosts[host] >= FROM_ONE:
            return self._close_idle(host)
        return hosts.total() < FROM_ALL or self._close_idle(max(hosts, key=hosts.__getitem__))

    def _close_idle(self, host: str) -> bool:
        """Close the oldest connection from there on which nothing is being done; False if something is on all."""
        idle = [channel for channel in self._channels() if channel.addr[0] == host and _is_idle(channel)]
        if not idle:
            return False
        min(idle, key=_age).handle_close()
        return True


def _is_idle(channel: Any) -> bool:  # noqa: ANN401 - a connection of waitress, which tells less of its types
    return not channel.requests and not channel.total_outbufs_len


def _age(channel: Any) -> float:  # noqa: ANN401
    return float(channel.creation_time)


def make_room_for(files: int) -> None:
    """Let this process open so many files, as far as the system allows it."""
    try:
        import resource
    except ImportError:
        # Windows has no such limit.
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = files if hard == resource.RLIM_INFINITY else min(files, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
