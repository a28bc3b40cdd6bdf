"""How trials of matches are counted: what was said beside what happened."""

from __future__ import annotations

from typing import Any

from firmware.bench.rigs.score import score


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
