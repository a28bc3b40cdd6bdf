"""From the evidence of piece colours and printed rings to a likelihood for every face of every site."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log, prod

from engine.face import EMPTY, Face

DOUBT = 0.003
"""How often, at best, a look at a site is simply wrong."""
SUREST = 0.998
"""The most that a patch of colour can say for a piece on a site."""
BARE = 0.95
"""How many of the sites that look like a stack without a marker really are: hands and crumbs look like wood too."""
STUBBORN = 0.002
"""How likely a piece seen on a site is when the site's ring is seen too."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A piece seen somewhere: with probability `share` it shows this face on this site."""

    site: int
    face: Face
    piece: int
    share: float


def faces_of_site(
    claims: Sequence[Claim], free: float, bare: Mapping[Face, float], faces: Sequence[Face]
) -> dict[Face, float]:
    """Log-likelihoods of all faces of one site.

    `free`: log-odds that its ring is seen; `bare`: probabilities of the faces without a colour, if it looks like any.
    """
    by_piece: dict[int, float] = {}
    for claim in claims:
        by_piece[claim.piece] = by_piece.get(claim.piece, 0.0) + claim.share
    nobody = prod(1 - min(share, SUREST) for share in by_piece.values())
    ring = 1 / (1 + exp(-free))
    unknown = nobody * (1 - ring) * BARE
    weights = {EMPTY: nobody * ring + nobody * (1 - ring) * (1 - BARE)}
    weights |= {face: unknown * share for face, share in bare.items()}
    for claim in claims:
        others = nobody / (1 - min(by_piece[claim.piece], SUREST))
        weights[claim.face] = weights.get(claim.face, 0.0) + others * claim.share * (STUBBORN + 1 - ring)
    # If it does not look like a stack without a marker either, it may be anything.
    any_face = 0.0 if bare else unknown / len(faces)
    total = sum(weights.values()) + any_face * len(faces)
    even = (1 - DOUBT) * any_face / total + DOUBT / len(faces)
    told = {face: log((1 - DOUBT) * weight / total + even) for face, weight in weights.items()}
    return dict.fromkeys(faces, log(even)) | told
