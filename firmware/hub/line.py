"""What a table needs to know of its line to a hub."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from engine.core import Json


@dataclass(frozen=True)
class HubWish:
    """Something that an arbiter has decided; it holds for one position of one match."""

    id: str
    kind: str
    payload: Json
    match: int | None
    ply: int | None


class HubLine(Protocol):
    """Nothing here waits for the network."""

    def show(self, state: Json) -> None:
        """The table has changed."""

    def call(self, is_calling: bool) -> None:
        """Somebody at the table wants the arbiter, or no longer."""

    def record(self) -> Json:
        """How things are with the hub, for the page: `table`, `online`, `calling`."""

    def wishes(self) -> Iterator[HubWish]:
        """What arbiters have decided since this was last asked."""

    def answer(self, wish: HubWish, told: Json | None = None, refused: Json | None = None) -> None: ...
