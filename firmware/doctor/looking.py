"""`magister doctor --look`: is what the camera sees good enough to read, and what should change at the table?"""

from __future__ import annotations

from collections.abc import Sequence

from engine.board import Board
from firmware.doctor.findings import Finding, bad, doubtful, good
from firmware.doctor.picture import judge
from firmware.settings.eyes import make_eye
from firmware.table.beginning.checks import check_sight
from vision.find.lens import Lens
from vision.frame import Frame
from webui.table.starting import told_check


def look_findings(frame: Frame, boards: Sequence[Board], lens: Lens | None, language: str) -> list[Finding]:
    """Everything about light, lens and table that this picture tells, in a language."""
    seen = judge(frame, boards, lens)
    board = next((each for each in boards if each.game == seen.game), boards[0])
    checks, _ = check_sight(make_eye(board, lens), frame)
    return [_finding(check.record(), language) for check in checks]


def _finding(check: dict[str, object], language: str) -> Finding:
    """A check of the page's as a finding: what is wrong, and what to do, in one sentence."""
    name, told = str(check["name"]), told_check(check, language)
    if check["ok"]:
        return good(name, told)
    return bad(name, told, "") if name == "board" else doubtful(name, told, "")
