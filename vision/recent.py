"""The last few results of something costly, kept by whoever asked for them and discarded with them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Recent(Generic[T]):
    """Unlike `lru_cache` on a method, it holds no reference to its owner, so that both go together."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, T] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """What was made for this key, or is made now."""
        if key not in self._kept:
            self._kept[key] = make()
        self._kept.move_to_end(key)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return self._kept[key]
