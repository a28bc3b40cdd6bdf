"""The settings file."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.cli import main
from firmware.config import Config
from firmware.errors import UsageError


def settings(folder: Path, text: str) -> Path:
    path = folder / "config.toml"
    path.write_text(text)
    return path


def test_house_rules_are_in_force_until_the_call_says_otherwise(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = settings(tmp_path, '[rules.memento-tuos]\nvariant = "simple"\nfacing_medians = false\n')
    assert main(["rules", "memento-tuos", "--config", str(path)]) == 0
    told = capsys.readouterr().out
    assert "(simple)" in told
    assert "facing_medians = off" in told
    assert "passage = step" in told
    main(["rules", "memento-tuos", "--config", str(path), "--variant", "complex", "--option", "facing_medians=on"])
    told = capsys.readouterr().out
    assert "passage = wide" in told
    assert "facing_medians = on" in told


def test_without_a_file_the_defaults_hold() -> None:
    assert Config.load(None).for_game("rings").options == {}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("prot = 80\n", "no such setting: prot"),
        ("rules = 3\n", "rules must be a table"),
        ("[rules]\nrings = 3\n", "rules.rings must be a table"),
        ("[rules.chess]\n", "there is no game 'chess'"),
        ("[rules.rings]\nwings = true\n", "no option 'wings'"),
        ("[rules.rings]\nflying = 'yes'\n", "option flying"),
        ("[rules.rings]\nvariant = 'simple'\n", "no variant 'simple'"),
        ("[rules.rings]\nvariant = 3\n", "no variant 3"),
        ("[rules\n", "is not TOML"),
    ],
)
def test_a_mistake_in_the_file_is_one_clear_line(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint) as caught:
        Config.load(settings(tmp_path, text))
    assert "config.toml" in str(caught.value)
    assert "\n" not in str(caught.value)
