"""Benchmarks, one module each, found by being here: `measure()` gives its rows."""

from __future__ import annotations

import os
from dataclasses import dataclass

from engine.core import Json
from firmware.machine.errors import UsageError


@dataclass(frozen=True, kw_only=True)
class Row:
    """One figure beside its reference and its goal, measured in the same run."""

    what: str
    value: float
    unit: str = ""
    reference: float | None = None
    of: str | None = None
    """What the reference is."""
    goal: float | None = None
    """For the ratio to the reference where there is one, else for the value."""
    at_most: bool = False
    """Whether the goal is an upper limit."""

    @property
    def ratio(self) -> float | None:
        return self.value / self.reference if self.reference else None

    @property
    def ok(self) -> bool:
        if self.goal is None:
            return True
        measured = self.value if self.ratio is None else self.ratio
        return measured <= self.goal if self.at_most else measured >= self.goal

    def record(self) -> Json:
        """The row as `magister bench --json` prints it."""
        return {
            "what": self.what,
            "value": self.value,
            "reference": self.reference,
            "of": self.of,
            "ratio": self.ratio,
            "goal": self.goal,
            "ok": self.ok,
        }

    def __str__(self) -> str:
        told = f"{self.what}: {self.value:,.6g} {self.unit}".rstrip()
        if self.ratio is not None:
            told += f" ({self.ratio:.2f} of {self.of}: {self.reference:,.6g})"
        if self.goal is not None:
            told += f", goal {'≤' if self.at_most else '≥'} {self.goal:g}: {'met' if self.ok else 'MISSED'}"
        return told


def setting(name: str, default: int) -> int:
    """How much is wanted of something, from the environment."""
    told = os.environ.get(name, str(default))
    if not (told.isascii() and told.isdigit()):
        raise UsageError(f"{name} must be a number, such as {default}, not {told!r}")
    return int(told)
