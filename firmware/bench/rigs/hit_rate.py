"""How often something was right, with Wilson's interval: used by the vision and referee benchmarks."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt


@dataclass
class HitRate:
    """How often something was right."""

    right: int = 0
    all: int = 0

    def add(self, right: bool) -> None:
        self.right += right
        self.all += 1

    @property
    def share(self) -> float:
        return self.right / self.all if self.all else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's, 95 %."""
        if not self.all:
            return 0.0, 1.0
        z, n, p = 1.96, self.all, self.share
        middle, reach = p + z * z / 2 / n, z * sqrt(p * (1 - p) / n + z * z / 4 / n / n)
        return (middle - reach) / (1 + z * z / n), (middle + reach) / (1 + z * z / n)
