"""How a match begins where nobody deals it beforehand: as the table shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.core import Json, Refusal


@dataclass(frozen=True)
class Survey:
    """What a table tells of the set-up."""

    setup: Json | None = None
    """The set-up, if all of it is known."""
    told: Json = field(default_factory=dict)
    """What the event `setup` says of it."""
    is_laid: bool = False
    """Whether all lies as it should before the first piece that begins the match: only that is wanted yet."""
    flaws: tuple[Refusal, ...] = ()
    """What keeps it from being known: a card that is missing, a place where the eye is not sure."""
    doubts: Mapping[str, tuple[Json, ...]] = field(default_factory=dict)
    """For every place that people may have to tell: what may lie there, the likeliest first, as `told` takes it."""
