"""What one look at stacks has found out so far, site by site: each step of the reader adds to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.face import Face
from vision.flatten.flat_view import FlatView
from vision.frame import Floats, Image, Mask
from vision.readers.reader import Findings
from vision.readers.site_readings import Claim, faces_of_site


@dataclass(eq=False)
class StackEvidence:
    """All by the numbers of the sites."""

    view: FlatView
    labels: Image
    """Which marker's colour each pixel has."""
    fronts: Image
    """Which site's stack stands before each pixel, from 1."""
    told: Sequence[list[Claim]]
    """What markers say of each site."""
    taken: Floats
    """How sure it has one …"""
    whole: Mask
    """… and whether that has a marker's shape, as far as other stacks leave it in sight."""
    markers: Image
    """The labels of the markers, by the site's number and 1."""
    free: Floats
    """Log-odds that a site is free, by what is printed on it."""
    strange: Mask
    """Which do not look as printed."""
    bare: dict[int, Mapping[Face, float]] = field(default_factory=dict)
    """How likely each face is of what stands there without a marker that could be told."""
    hidden: set[int] = field(default_factory=set)
    blind: set[int] = field(default_factory=set)
    """Sites of which next to nothing can be seen, behind stacks."""
    burnt: set[int] = field(default_factory=set)
    """Sites on which the lamp leaves a marker no colour of its own."""

    @property
    def unmarked(self) -> Mask:
        return np.asarray(self.taken < 0.5)

    def add(self, claim: Claim) -> None:
        self.told[claim.site].append(claim)

    def leave_open(self, site: int, faces: Sequence[Face], free: float) -> None:
        """Any of these faces may be there, or none with these log-odds."""
        self.bare[site] = dict.fromkeys(faces, 1 / len(faces))
        self.free[site] = free

    def readings(self, names: Sequence[str], where: Mask, faces: Sequence[Face]) -> Findings:
        """Likelihoods of the faces of all sites `where` they were asked for, and the hidden ones."""
        sites = {
            name: faces_of_site(self.told[number], float(self.free[number]), self.bare.get(number, {}), faces)
            for number, name in enumerate(names)
            if where[number] and number not in self.hidden
        }
        return Findings(sites, frozenset(names[number] for number in self.hidden))
