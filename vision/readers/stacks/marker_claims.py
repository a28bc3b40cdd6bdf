"""What the markers in a picture claim of the sites, and how far that is trusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from vision.frame import Floats
from vision.readers.blobs import Blob
from vision.readers.stacks.settings import TABLE


@dataclass(frozen=True, eq=False)
class MarkerClaims:
    """For every blob and height: the site whose stack it would be (or -1), where its foot is, the log-likelihood."""

    blobs: Sequence[Blob]
    sites: Floats
    feet: Floats
    values: Floats
    stray: Floats
    """Of every blob: the log-likelihood that it stands on no site."""
    lean: Floats
    """Of every blob: how far, per millimetre of height, things there are seen to lean away."""

    @cached_property
    def shares(self) -> Floats:
        """Probabilities of every blob's heights; what is missing to 1 is the chance that it stands on no site."""
        values = np.where(self.sites >= 0, self.values, -np.inf)
        stray = self.stray[:, None]
        top = np.maximum(values.max(axis=1, keepdims=True), stray)
        weights = np.exp(values - top)
        shares = weights / (weights.sum(axis=1, keepdims=True) + np.exp(stray - top))
        slipped = (
            shares
            * np.array(TABLE.crooked)
            / 2
            * (TABLE.usual_slant / np.maximum(self.lean, TABLE.least_slant))[:, None]
        )
        mixed = shares - 2 * slipped
        mixed[:, 1:] += slipped[:, :-1]
        mixed[:, :-1] += slipped[:, 1:]
        mixed[:, 0] += slipped[:, 0]
        mixed[:, -1] += slipped[:, -1]
        return np.asarray(mixed)


def trusted(claims: MarkerClaims) -> MarkerClaims:
    """The same, with heights told from a slant as they are, and from above with less trust."""
    trust = TABLE.from_above + (1 - TABLE.from_above) * np.minimum(1.0, claims.lean / TABLE.slant)
    top = np.where(claims.sites >= 0, claims.values, TABLE.stray).max(axis=1, keepdims=True)
    return replace(claims, values=top + trust[:, None] * (claims.values - top))
