"""`magister tell` against a table that is running."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from page_table import PIN, PageTable

from firmware.cli import main


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
    assert capsys.readouterr().out == "Ada is to move.\n"
    position = tmp_path / "position.json"
    position.write_text(json.dumps({"sites": {"T1": "red2", "L1": "blue1"}, "seat": 1}))
    table.put(T7=None, T1="red2", L1="blue1")
    assert tell(table, "position", str(position)) == 0
    assert table.faces == {"T1": "red2", "L1": "blue1"}
    assert tell(table, "names", "Zoë", "Max") == 0
    assert capsys.readouterr().out.endswith("Max is to move.\n")
    assert tell(table, "resign", "blue") == 0
    assert capsys.readouterr().out == "Max has resigned.\n"
    assert tell(table, "take-back") == 0
    assert capsys.readouterr().out == "Max is to move.\n"


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


def test_no_page_gets_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    for page in ("http://127.0.0.1:9/", "ftp://nowhere", "nonsense"):
        assert main(["tell", "draw", "--page", page, "--pin", "1"]) == 2
        assert capsys.readouterr().err.count("\n") == 1
