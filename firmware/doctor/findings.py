"""Findings, each with its reason and what to do about it, and how they are printed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from textwrap import wrap

from engine.core import Json

WIDTH = 116
NAME_ROOM = 15


class Verdict(Enum):
    PASS = "pass"  # noqa: S105 - no word to pass by
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was checked."""

    check: str
    verdict: Verdict
    why: str
    todo: str = ""
    """What to do about it; empty if nothing."""

    def record(self) -> Json:
        told: Json = {"check": self.check, "verdict": self.verdict.value, "why": self.why}
        return told | ({"do": self.todo} if self.todo else {})


def good(check: str, why: str) -> Finding:
    return Finding(check, Verdict.PASS, why)


def doubtful(check: str, why: str, todo: str) -> Finding:
    return Finding(check, Verdict.WARN, why, todo)


def bad(check: str, why: str, todo: str) -> Finding:
    return Finding(check, Verdict.FAIL, why, todo)


def is_well(findings: Iterable[Finding]) -> bool:
    """Whether nothing fails; warnings are not failures."""
    return all(finding.verdict is not Verdict.FAIL for finding in findings)


def record(findings: Sequence[Finding]) -> Json:
    return {"ok": is_well(findings), "checks": [finding.record() for finding in findings]}


def told(finding: Finding) -> list[str]:
    """A finding as lines for a terminal."""
    margin = " " * (6 + NAME_ROOM)
    head = f"{finding.verdict.value:<6}{finding.check:<{NAME_ROOM}}"
    lines = wrap(finding.why, WIDTH - len(margin), break_on_hyphens=False) or [""]
    lines = [(margin if number else head) + line for number, line in enumerate(lines)]
    todo = wrap(finding.todo, WIDTH - len(margin) - 2, break_on_hyphens=False)
    return lines + [f"{margin}{'  ' if number else '→ '}{line}" for number, line in enumerate(todo)]


def summary(findings: Sequence[Finding]) -> str:
    fails, warns = (sum(each.verdict is verdict for each in findings) for verdict in (Verdict.FAIL, Verdict.WARN))
    if not fails and not warns:
        return "Everything is fine."
    parts = [
        f"{number} {word}{'' if number == 1 else 's'}" for number, word in ((fails, "failure"), (warns, "warning"))
    ]
    return f"Of {len(findings)} checks: {', '.join(part for part in parts if not part.startswith('0'))}."
