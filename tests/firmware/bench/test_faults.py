"""The bench of faults, each trial in small; and each notices what it is there to notice."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest

from firmware.bench.rigs import disk_trouble, fuzz, power_cuts
from firmware.bench.rigs.damage import damaged_files, damaged_journals, write_logs
from firmware.bench.rigs.page_trouble import crowded, killed_pages
from firmware.log.disk.file import part_of


def test_power_cuts_lose_nothing_and_raise_no_alarm(tmp_path: Path) -> None:
    told = power_cuts.power_cuts(15, tmp_path, Random(3))
    assert (told.cuts, told.lost, told.alarms, told.flaws) == (15, 0, 0, [])
    assert told.announced > 100


def test_a_log_that_writes_too_late_loses_events_to_a_power_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing_synced(log: Path) -> power_cuts.Files:
        return {"": log.read_bytes(), "-wal": b"", ".witness": b""}

    monkeypatch.setattr(power_cuts, "files_of", nothing_synced)
    assert power_cuts.power_cuts(5, tmp_path, Random(3)).lost > 0


@pytest.mark.parametrize("second_copy", [True, False])
def test_damage_is_noticed_and_what_is_readable_rescued(tmp_path: Path, second_copy: bool) -> None:
    whole, cut = write_logs(tmp_path, Random(2))
    assert part_of(cut, "-wal").stat().st_size > 10_000
    journals = damaged_journals(cut, 8, Random(4), second_copy=second_copy)
    files = damaged_files(whole, 8, Random(5), second_copy=second_copy)
    for told in (journals, files):
        assert told.rescued.all > 100
        assert told.rescued.share >= 0.99
    assert files.noticed.share == 1.0
    assert journals.noticed.share >= (1.0 if second_copy else 0.7)


@pytest.mark.parametrize("trial", [disk_trouble.full_disk, disk_trouble.clock_jumps])
def test_matches_outlive_trouble_of_disk_and_clock(tmp_path: Path, trial: object) -> None:
    assert callable(trial)
    told = trial(tmp_path / "log.sqlite", 1)
    assert (told.played, told.lost, told.told) == (25, 0, True)


def test_the_page_outlives_a_kill_and_a_crowd(tmp_path: Path) -> None:
    (seconds,) = killed_pages(tmp_path / "log.sqlite", 1)
    assert seconds < 30
    crowd = crowded(tmp_path / "log.sqlite", 60, 20, 5)
    assert (crowd.answered, crowd.asked) == (5, 5)


def test_odd_calls_end_without_a_traceback(tmp_path: Path) -> None:
    told = fuzz.fuzz(12, tmp_path, Random(6))
    assert (told.calls, told.tracebacks, told.hung) == (12, [], [])


@pytest.mark.parametrize(("deed", "kind"), [("raise ZeroDivisionError", "tracebacks"), ("while True: pass", "hung")])
def test_a_call_that_breaks_or_hangs_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deed: str, kind: str
) -> None:
    def call(_: str, *, run_name: str) -> None:
        if run_name == "__main__" and "--help" not in sys.argv:
            exec(deed)

    monkeypatch.setattr(fuzz, "LONGEST", 1.0)
    monkeypatch.setattr("runpy.run_module", call)
    assert len(getattr(fuzz.fuzz(1, tmp_path, Random(1)), kind)) == 1
