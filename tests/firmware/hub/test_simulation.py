"""`magister hub simulate`: a whole tournament through real processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.commands.cli import main
from firmware.hub.simulation import TournamentPlan, simulate
from firmware.machine.errors import UsageError


def test_a_tournament_is_played_through_real_processes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    said: list[str] = []
    told = simulate(TournamentPlan(tables=2, players=5, rounds=2, pause=0.0), said.append)
    assert (told.rounds, told.matches, told.lost) == (2, 4, 0)
    assert told.events > 0
    assert len(told.standings) == 5
    # A point for every match, and one for each bye.
    assert sum(row["points"] for row in told.standings) == 6
    assert any("round 2" in each for each in said)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--tables", "0"], "'0' is not a number from 1 to 200"),
        (["--game", "chess"], "unknown game 'chess'"),
        (["--game", "rings", "--pause", "-1"], "--pause is 0 to 60 seconds"),
        (["--pause", "soon"], "invalid float value: 'soon'"),
    ],
)
def test_what_cannot_be_simulated_is_said(words: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = main(["hub", "simulate", *words])
    except SystemExit as error:
        code = int(str(error.code))
    assert code == 2
    assert why in capsys.readouterr().err


def test_a_hub_that_does_not_start_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.hub.simulation.START", 0.2)
    with pytest.raises(UsageError, match="waited"):
        simulate(TournamentPlan(tables=1), lambda _: None)
