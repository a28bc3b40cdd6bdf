"""Newer versions: on the disk already, or in a package index, which is asked over a real socket."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from firmware.page.updates import KIND, LARGEST, PackageUpdates
from webui.house import NoIndexError


class Index(BaseHTTPRequestHandler):
    """A package index as PyPI, devpi and others are."""

    told: bytes = b""
    asked: str | None = ""

    def do_GET(self) -> None:
        Index.asked = self.path if self.headers["Accept"] == KIND else None
        self.send_response(200 if self.path == "/simple/magister-ludi/" else 404)
        self.end_headers()
        self.wfile.write(Index.told)

    def log_message(self, *_: object) -> None:
        """Quiet."""


@pytest.fixture
def address() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Index)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("running", "there", "offered"),
    [
        ("0.1.0", ["0.0.9", "0.1.0"], ""),
        ("0.1.0", ["0.1.0", "0.10.0", "0.9.1"], "0.10.0"),
        ("0.9.0", ["0.9.0", "1.0.0rc1", "1.0.dev3"], ""),
        ("1.0.0rc1", ["1.0.0"], "1.0.0"),
        (None, ["0.1.0"], "0.1.0"),
        ("0.1.0", [], ""),
    ],
)
def test_the_newest_final_version_is_offered(address: str, running: str | None, there: list[str], offered: str) -> None:
    Index.told = json.dumps({"versions": there}).encode()
    assert PackageUpdates(running, f"{address}/simple/").offered() == offered
    assert Index.asked == "/simple/magister-ludi/"


@pytest.mark.parametrize("told", [b"", b"<html>", b"[]", b"{}", b'{"versions": 3}', b"[" * LARGEST, b"\xff"])
def test_an_index_that_talks_nonsense_is_none(address: str, told: bytes) -> None:
    Index.told = told
    with pytest.raises(NoIndexError):
        PackageUpdates("0.1.0", f"{address}/simple").offered()


def test_no_index_there(address: str) -> None:
    Index.told = b'{"versions": []}'
    for wrong in (f"{address}/elsewhere", "http://127.0.0.1:9/simple", "http://nowhere.invalid/simple", "http://a:b/"):
        with pytest.raises(NoIndexError):
            PackageUpdates("0.1.0", wrong).offered()


@pytest.mark.parametrize(
    ("running", "installed", "waiting"),
    [("0.1.0", "0.1.0", ""), ("0.1.0", "0.2.0", "0.2.0"), ("0.1.0", None, ""), (None, None, "")],
)
def test_what_was_installed_meanwhile_waits_for_a_restart(
    running: str | None, installed: str | None, waiting: str
) -> None:
    assert PackageUpdates(running, installed=lambda: installed).waiting == waiting
