"""Whoever holds very many connections keeps nobody else from the page."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Thread

import pytest
from page_table import PageTable

from firmware.machine.errors import UsageError
from firmware.page import connections
from firmware.page.connections import PageServer
from firmware.page.desk import Desk, Opening
from webui.table.stream import MOST_FROM_ONE, MOST_LISTENERS, Listeners


def app(environ: dict[str, object], start: object) -> list[bytes]:
    """Answers at once, or only after a while."""
    if environ["PATH_INFO"] == "/slow":
        time.sleep(3)
    start("200 OK", [("Content-Length", "2")])  # type: ignore[operator]
    return [b"ok"]


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    monkeypatch.setattr(connections, "FROM_ONE", 20)
    monkeypatch.setattr(connections, "FROM_ALL", 30)
    monkeypatch.setattr(connections, "IDLE", 4)
    bound = socket.socket()
    bound.bind(("127.0.0.1", 0))
    bound.listen(64)
    server = PageServer(app, bound, threads=40, asyncore_use_poll=True)
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    yield bound.getsockname()[1]
    server.close()
    thread.join(5)
    server.task_dispatcher.shutdown()


def connected(stack: ExitStack, port: int, source: str = "127.0.0.1") -> socket.socket:
    line = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10, source_address=(source, 0)))
    line.settimeout(10)
    return line


def asked(line: socket.socket, path: str = "/") -> bytes:
    try:
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        return line.recv(1000)
    except OSError:
        return b""


def test_the_oldest_idle_connection_of_an_address_makes_room_for_its_next(port: int) -> None:
    with ExitStack() as stack:
        lines = [connected(stack, port) for _ in range(60)]
        assert b"200" in asked(lines[-1])
        assert asked(lines[0]) == b"", "it has been of no use longest"
        assert b"200" in asked(connected(stack, port, "127.0.0.2"))


def test_connections_that_are_in_use_are_kept_and_others_refused(port: int) -> None:
    with ExitStack() as stack:
        busy = [connected(stack, port) for _ in range(20)]
        for line in busy:
            line.sendall(b"GET /slow HTTP/1.1\r\nHost: here\r\n\r\n")
        time.sleep(0.5)
        assert asked(connected(stack, port)) == b""
        assert b"200" in asked(connected(stack, port, "127.0.0.2")), "another address is let in"
        assert all(b"200" in line.recv(1000) for line in busy)


def test_together_they_take_from_whoever_has_most(port: int) -> None:
    with ExitStack() as stack:
        first = [connected(stack, port) for _ in range(18)]
        others = [connected(stack, port, f"127.0.0.{number}") for number in range(2, 14)]
        assert b"200" in asked(connected(stack, port, "127.0.0.99"))
        assert asked(first[0]) == b""
        assert all(b"200" in asked(line) for line in others)


def test_a_connection_without_a_request_does_not_stay(port: int) -> None:
    with ExitStack() as stack:
        line = connected(stack, port)
        assert line.recv(10) == b"", "after a while it is closed"


def test_there_is_room_for_the_files(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int]] = []
    monkeypatch.setattr("resource.setrlimit", lambda _, limits: told.append(limits))
    monkeypatch.setattr("resource.getrlimit", lambda _: (256, 1024))
    for files in (100, 896, 5000):
        connections.make_room_for(files)
    assert told == [(896, 1024), (1024, 1024)]


@pytest.mark.parametrize("host", ["a\0b", "é..x", "\udcff", "a" * 300])
def test_an_odd_host_is_one_line_at_once(host: str) -> None:
    said: list[str] = []
    desk = Desk(Opening(host=host, port=0, pin="1", secret="00"), said.append)
    begun = time.monotonic()
    with pytest.raises(UsageError, match="is not an address of this machine"):
        desk.open({}, None)
    assert time.monotonic() - begun < 20
    assert said == []


def test_a_page_that_cannot_start_is_not_tried_again_and_again() -> None:
    desk = Desk(Opening(port=0, pin="1", secret="not hexadecimal"), lambda _: None)
    with pytest.raises(UsageError, match="does not start"):
        desk.open({}, None)


def test_one_address_cannot_take_all_the_streams() -> None:
    listeners = Listeners()
    assert [listeners.come("one") for _ in range(MOST_LISTENERS)].count(True) == MOST_FROM_ONE
    assert [listeners.come("two") for _ in range(MOST_LISTENERS)].count(True) == MOST_LISTENERS - MOST_FROM_ONE
    listeners.go("one")
    assert listeners.come("three")
    assert not listeners.come("four")


def test_the_page_answers_others_while_one_address_holds_all_it_can(tmp_path: Path) -> None:
    table = PageTable(tmp_path / "log.sqlite")
    try:
        port = int(table.address.rpartition(":")[2])
        with ExitStack() as stack:
            for number in range(400):
                line = connected(stack, port)
                if number % 4 == 0:
                    line.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            begun = time.monotonic()
            answer = asked(connected(stack, port, "127.0.0.2"), "/api/v1/session")
            assert b"200 OK" in answer
            assert time.monotonic() - begun < 5
    finally:
        table.close()
