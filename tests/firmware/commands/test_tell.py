"""`magister tell` against a table that is running."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socketserver import StreamRequestHandler, TCPServer
from threading import Thread

import pytest
from page_table import PIN, PageTable

from firmware.commands.cli import main


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageTable]:
    table = PageTable(tmp_path_factory.mktemp("table") / "log.sqlite")
    yield table
    table.close()


def tell(table: PageTable, *words: str, pin: str = PIN) -> int:
    return main(["tell", *words, "--page", table.address, "--pin", pin])


def test_a_referee_is_told(table: PageTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table.play("+T7")
    assert tell(table, "take-back") == 0
    assert capsys.readouterr().out == "It is Ada’s turn.\n"
    position = tmp_path / "position.json"
    position.write_text(json.dumps({"sites": {"T1": "red2", "L1": "blue1"}, "seat": 1}))
    table.put(T7=None, T1="red2", L1="blue1")
    assert tell(table, "position", str(position)) == 0
    assert table.faces == {"T1": "red2", "L1": "blue1"}
    assert tell(table, "names", "Zoë", "Max") == 0
    assert capsys.readouterr().out.endswith("It is Max’s turn.\n")
    assert tell(table, "resign", "blue") == 0
    assert capsys.readouterr().out == "Zoë wins because the others have resigned.\n"
    assert tell(table, "take-back") == 0
    assert capsys.readouterr().out == "It is Max’s turn.\n"


@pytest.mark.parametrize(
    ("words", "pin", "told"),
    [
        (("resign", "green"), PIN, "nobody plays green"),
        (("answer", "nonsense"), PIN, "nonsense"),
        (("draw",), "0000", "PIN"),
    ],
)
def test_what_cannot_be_gets_one_line(
    table: PageTable, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], pin: str, told: str
) -> None:
    assert tell(table, *words, pin=pin) == 2
    said = capsys.readouterr().err
    assert told in said
    assert said.count("\n") == 1


def test_whoever_only_tells_makes_no_pin(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "page.json").write_text("{")
    for log in ("nowhere/log.sqlite", "broken/log.sqlite"):
        assert main(["tell", "draw", "--log", str(tmp_path / log), "--page", "http://127.0.0.1:9/"]) == 2
        said = capsys.readouterr().err
        assert "--pin" in said
        assert said.count("\n") == 1
    assert [path.name for path in tmp_path.rglob("*")] == ["broken", "page.json"]
    assert (tmp_path / "broken" / "page.json").read_text() == "{"


def test_no_end_of_a_file_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("firmware.machine.files.LARGEST", 1000)
    (tmp_path / "long.json").write_text("{}" + " " * 1000)
    for file in ("/dev/zero", tmp_path / "long.json"):
        assert main(["tell", "position", str(file), "--pin", "1"]) == 2
        said = capsys.readouterr().err
        assert "larger than" in said
        assert said.count("\n") == 1


def test_no_page_gets_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    none = ("ftp://nowhere", "nonsense", "http://[::1", "http://host:abc/", "http://host:99999/", "http://", "")
    for page in ("http://127.0.0.1:9/", "http://127.0.0.1:9/a page", "http://127.0.0.1 :9/", *none):
        assert main(["tell", "draw", "--page", page, "--pin", "1"]) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert ("is not a web address: use one such as " in said) == (page in none)
        assert "--page" in said


DEEP = b"[" * 100_000


@pytest.mark.parametrize("status", [b"200 OK", b"400 Bad Request"])
@pytest.mark.parametrize("words", [("draw",), ("resign", "red")])
@pytest.mark.parametrize(
    "body",
    [
        *(b"[]", b"5", b'"text"', b"{", b"\xff", DEEP),
        *(b'{"verdict": 5}', b'{"verdict": {}}', b'{"verdict": {"text": 5}}'),
        *(b'{"players": 5}', b'{"players": [5]}', b'{"players": [{}]}'),
    ],
    ids=lambda body: str(body[:20]),
)
def test_another_program_at_the_address_gets_one_line(
    capsys: pytest.CaptureFixture[str], status: bytes, words: tuple[str, ...], body: bytes
) -> None:
    with stranger(b"HTTP/1.0 " + status + b"\r\n\r\n" + body) as page:
        assert main(["tell", *words, "--page", page, "--pin", "1"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("magister tell: ")
    assert said.count("\n") == 1


@pytest.mark.parametrize("answer", [b"HTTP/1.0 200 OK\r\nContent-Length: 99\r\n\r\n{}", b"hello\n", b""])
def test_an_answer_that_is_cut_off_gets_one_line(capsys: pytest.CaptureFixture[str], answer: bytes) -> None:
    with stranger(answer) as page:
        assert main(["tell", "draw", "--page", page, "--pin", "1"]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"magister tell: no page at {page} ")
    assert said.count("\n") == 1


@contextmanager
def stranger(answer: bytes) -> Iterator[str]:
    """A server that says the same to everybody, and its address."""

    class Parrot(StreamRequestHandler):
        def handle(self) -> None:
            while self.rfile.readline().strip():
                pass
            self.wfile.write(answer)

    with TCPServer(("127.0.0.1", 0), Parrot) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()
