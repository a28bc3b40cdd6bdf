"""What costs the machine much (films, analyses) is given to each address only so often: the match comes first."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from flask import Flask, current_app, request

from webui.access.safety import RefusedError
from webui.words.texts import N_

TOO_OFTEN = N_("Too many requests at once: please wait %(seconds)s seconds.")
MOST_KNOWN = 1000
"""Addresses that are remembered."""


@dataclass
class Purses:
    """Each address may do so much at once, and gets back a little every second."""

    most: float = 30.0
    each_second: float = 0.5
    clock: Callable[[], float] = time.monotonic
    left: dict[str, tuple[float, float]] = field(default_factory=dict)
    """For an address how much it had left, and when."""

    def spend(self, address: str) -> float:
        """Take one; seconds to wait if there is none."""
        now = self.clock()
        had, since = self.left.pop(address, (self.most, now))
        has = min(self.most, had + (now - since) * self.each_second)
        self.left[address] = (has - 1 if has >= 1 else has, now)
        while len(self.left) > MOST_KNOWN:
            del self.left[next(iter(self.left))]
        return 0.0 if has >= 1 else (1 - has) / self.each_second


def prepare_thrift(app: Flask) -> None:
    app.extensions["purses"] = Purses()


def spend() -> None:
    """Raise if this address has asked for too much lately."""
    purses: Purses = current_app.extensions["purses"]
    if wait := purses.spend(request.remote_addr or ""):
        raise RefusedError(429, "too-often", TOO_OFTEN, seconds=round(wait) + 1)
