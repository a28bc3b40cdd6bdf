"""How trials of matches are counted: what was said beside what happened."""

from __future__ import annotations

from typing import Any

import pytest

from firmware.bench.rigs.arm_trial import ArmScore
from firmware.bench.rigs.hit_rate import HitRate
from firmware.bench.rigs.score import score
from firmware.bench.rigs.trial import play_unseen


def action(ply: int, text: str, half: bool = False) -> dict[str, Any]:
    return {"event": "action", "ply": ply, "seat": ply % 2, "action": text, "gone": 0.3, "stood": 0.3, "half": half}


def undo(to_ply: int) -> dict[str, Any]:
    return {"event": "undo", "to_ply": to_ply, "gone": 0.3, "stood": 0.3, "half": False}


def trial(expected: list[dict[str, Any]], got: list[dict[str, Any]]) -> dict[str, Any]:
    return {"expected": expected, "got": got, "frames": 1}


PLAYED = [action(0, "+a6"), action(1, "+b3"), action(2, "a6-b6")]


def test_what_looks_like_an_action_while_several_are_taken_back_is_part_of_the_undo() -> None:
    told = score([trial([*PLAYED, undo(1)], [*PLAYED, undo(2), action(2, "b3-c3", half=True), undo(1)])])
    assert (told.wrong, told.matches.right, told.undos.right) == (0, 1, 1)


def test_an_action_that_never_was_is_wrong_though_it_is_taken_back() -> None:
    corrected = [*PLAYED[:2], action(2, "b3-c3", half=True), undo(2), PLAYED[2]]
    assert score([trial(PLAYED, corrected)]).wrong == 1
    assert score([trial([*PLAYED, undo(1)], [*PLAYED, action(3, "b3-c3"), undo(1)])]).wrong == 1, "nothing half done"
    assert score([trial([*PLAYED, undo(3)], [*PLAYED, action(2, "b3-c3", half=True), undo(3)])]).wrong == 1, "it stands"


def test_an_action_that_is_seen_late_counts_though_it_is_being_taken_back() -> None:
    late = {**PLAYED[2], "half": True}
    told = score([trial([*PLAYED, undo(2)], [*PLAYED[:2], late, undo(2)])])
    assert (told.actions.right, told.undos.right, told.wrong, told.matches.right) == (3, 1, 0, 1)


def test_rows_count_as_right_only_where_they_are_seen_and_due_as_they_are() -> None:
    def told(**rows: list[int]) -> tuple[int, int]:
        counted = score([trial(PLAYED, PLAYED) | {"rows": {"true": [3, 4], "seen": [3, 4], "due": [3, 4]} | rows}]).rows
        return counted.right, counted.all

    assert told() == (1, 1)
    assert told(seen=[3, 3]) == told(due=[4, 4]) == told(seen=[]) == (0, 1)
    assert score([trial(PLAYED, PLAYED)]).rows.all == score([trial(PLAYED, PLAYED) | {"rows": None}]).rows.all == 0


def test_cards_are_counted_by_what_arms_tell_of_them() -> None:
    arms = {"cards": 10, "sides": 9, "known": 4, "told": 3, "wrong": 1}
    told = ArmScore.of([{"arms": arms}, {"arms": arms | {"in vain": 2}}, {}])
    assert (told.sides, told.told) == (HitRate(18, 20), HitRate(6, 8))
    assert (told.wrong, told.in_vain) == (2, 2)


def test_a_match_without_pictures_counts_its_cards_and_its_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAGISTER_GAME", "triominos")
    record = play_unseen(1)
    assert record["game"] == "triominos"
    assert record["arms"]["cards"] == record["arms"]["sides"] > 0
    assert record["rows"]["true"] == record["rows"]["seen"] == record["rows"]["due"]
    assert sum(record["rows"]["true"]) > 0
