"""What is read from files that are named on the command line."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Thread

import pytest

from firmware.commands.cli import main
from firmware.machine.errors import UsageError
from firmware.machine.files import read_text


def test_a_pipe_to_which_nobody_writes_is_said_at_once(tmp_path: Path) -> None:
    os.mkfifo(pipe := tmp_path / "pipe")
    with pytest.raises(UsageError, match="nobody writes to this pipe"):
        read_text(pipe)


@pytest.mark.parametrize(
    "words",
    [
        ["log", "import"],
        ["run", "--game", "rings", "--camera", "sim", "--config"],
        ["run", "--game", "rings", "--camera", "phone", "--certificate"],
    ],
)
def test_no_command_waits_for_a_pipe(words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(pipe := tmp_path / "pipe")
    assert main([*words, str(pipe)]) == 2
    assert "pipe" in capsys.readouterr().err


def test_what_a_shell_pipes_in_is_waited_for(tmp_path: Path) -> None:
    """As `<(…)` does: the pipe is open before anything is written."""
    near, far = os.pipe()

    def write() -> None:
        with os.fdopen(far, "wb") as file:
            file.write(b"late")

    writer = Thread(target=write)
    writer.start()
    try:
        assert read_text(Path(f"/dev/fd/{near}")) == "late"
    finally:
        writer.join()
        os.close(near)
