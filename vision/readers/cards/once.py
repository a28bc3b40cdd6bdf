"""Every card is there only once: where one is certainly seen, no other place shows it."""

from __future__ import annotations

from collections.abc import Mapping
from math import log

from engine.face import Face
from engine.referee.reading import Likelihoods, posterior
from vision.readers.cards.settings import CELLS


def each_card_once(places: Mapping[str, Likelihoods]) -> dict[str, Likelihoods]:
    """What every place shows, once it is known what the others do."""
    shares = {site: posterior(likelihoods) for site, likelihoods in places.items()}
    for _ in range(CELLS.rounds):
        taken: dict[str, float] = {}
        for faces in shares.values():
            for card, share in _cards(faces).items():
                taken[card] = taken.get(card, 0.0) + share
        shares = {site: _given(places[site], taken, _cards(faces)) for site, faces in shares.items()}
    return {site: {face: log(max(share, 1e-9)) for face, share in faces.items()} for site, faces in shares.items()}


def _cards(faces: Mapping[Face, float]) -> dict[str, float]:
    """How likely each card is, whichever way round it lies."""
    found: dict[str, float] = {}
    for face, share in faces.items():
        if face.sheet:
            found[face.sheet] = found.get(face.sheet, 0.0) + share
    return found


def _given(likelihoods: Likelihoods, taken: Mapping[str, float], own: Mapping[str, float]) -> dict[Face, float]:
    """The shares of a place's faces where the other places have taken some of the cards."""
    free = {card: max(CELLS.twice, 1.0 - (taken[card] - share)) for card, share in own.items()}
    return posterior({face: value + log(free.get(face.sheet, 1.0)) for face, value in likelihoods.items()})
