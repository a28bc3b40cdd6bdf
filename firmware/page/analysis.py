"""Analysis of the matches on disk, for the page: cached as long as nothing is added."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from threading import Lock

from firmware.log.analysis import chances, judged
from firmware.log.store import LogError, Store
from webui.house import NoSuchMatchError

NODES = 400
"""Nodes per position: a graph needs no deep search, and the page must stay fast."""
KEPT = 64
"""Number of analyses to cache."""


class StoredAnalysis:
    """Analyses matches of a log."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        self._known: OrderedDict[tuple[int, int], list[list[float]]] = OrderedDict()

    def evaluations(self, number: int) -> Sequence[Sequence[float]]:
        """Each seat's chance of winning at every position of a match, from 0 to 1."""
        try:
            with Store(self._path, read_only=True) as store:
                history = store.history(number)
                key = number, store.length(number)
        except LogError as error:
            raise NoSuchMatchError(str(error)) from error
        # One at a time: several viewers of the same match wait for one analysis.
        with self._lock:
            if key not in self._known:
                self._known[key] = chances(history, judged(history, NODES))
                while len(self._known) > KEPT:
                    self._known.popitem(last=False)
            return self._known[key]
