"""How the eye usually misreads a table at rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.referee.reading import Likelihoods
from engine.referee.stands import Faces, Turns


@dataclass(frozen=True)
class Habit:
    """Sites and sheets that the eye read otherwise than they were known to be, and what it read there.

    Light and angle mislead it the same way from picture to picture: what it reads there is no news while it reads the
    same. Where it reads another thing than it did, something has happened.
    """

    sites: Faces = field(default_factory=dict)
    sheets: Turns = field(default_factory=dict)
    rest: Mapping[str, Likelihoods] = field(default_factory=dict)
    """What each face of each site cost while the table was at rest."""
    taught: bool = True
    """Whether the table was seen at rest at all."""


UNTAUGHT = Habit(taught=False)
"""Nothing is known of the eye yet."""
