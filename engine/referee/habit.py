"""How the eye usually misreads a table at rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.face import Faces
from engine.referee.reading import Likelihoods
from engine.referee.stands import Turns


@dataclass(frozen=True)
class Habit:
    """Sites and sheets that the eye misread, and what it read there.

    Light and angle mislead it the same way from picture to picture: as long as it reads the same, nothing is new. When
    it reads something else, something has happened.
    """

    sites: Faces = field(default_factory=dict)
    sheets: Turns = field(default_factory=dict)
    rest: Mapping[str, Likelihoods] = field(default_factory=dict)
    """What each face of each site cost while the table was at rest."""
    taught: bool = True
    """Whether the table has ever been seen at rest."""


UNTAUGHT = Habit(taught=False)
"""Nothing is known about the eye yet."""
