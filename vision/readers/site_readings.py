"""From the evidence of piece colours and printed rings to a likelihood for every face of every site."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log, prod

from engine.face import EMPTY, Face
from vision.readers.settings import VERDICTS


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
    nobody = prod(1 - min(share, VERDICTS.surest) for share in by_piece.values())
    ring = 1 / (1 + exp(-free))
    unknown = nobody * (1 - ring) * VERDICTS.bare
    weights = {EMPTY: nobody * ring + nobody * (1 - ring) * (1 - VERDICTS.bare)}
    weights |= {face: unknown * share for face, share in bare.items()}
    for claim in claims:
        others = nobody / (1 - min(by_piece[claim.piece], VERDICTS.surest))
        weights[claim.face] = weights.get(claim.face, 0.0) + others * claim.share * (VERDICTS.stubborn + 1 - ring)
    # If it does not look like a stack without a marker either, it may be anything.
    any_face = 0.0 if bare else unknown / len(faces)
    total = sum(weights.values()) + any_face * len(faces)
    even = (1 - VERDICTS.doubt) * any_face / total + VERDICTS.doubt / len(faces)
    told = {face: log((1 - VERDICTS.doubt) * weight / total + even) for face, weight in weights.items()}
    return dict.fromkeys(faces, log(even)) | told
