"""A second opinion on what is in doubt: a network that was trained on many tables looks at it too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set

import numpy as np

from engine.face import EMPTY, Face
from engine.referee.reading import Likelihoods, guess
from vision.flatten.flat_view import FlatView
from vision.frame import Floats, Mask
from vision.readers.reader import Findings
from vision.readers.settings import VERDICTS
from vision.readers.stacks.settings import OPINION
from vision.readers.stacks.site_network import KINDS, SiteOdds


class Advisor:
    """Asks the network about sites that are hidden or in doubt."""

    def __init__(
        self,
        names: Sequence[str],
        stacks: Sequence[Sequence[Face]],
        tell: Callable[[FlatView, Floats], SiteOdds],
        familiar: bool = True,
    ) -> None:
        """`stacks`: without a marker and under each colour, the lowest first; `tell`: see `SiteNetwork.tell`;
        `familiar`: whether the markers have about the colours that it knows."""
        self._names = tuple(names)
        self._numbers = {name: number for number, name in enumerate(names)}
        kinds = {faces[0].kind: faces for faces in stacks}
        self._faces: tuple[Face, ...] = (EMPTY, *(face for kind in KINDS[1:] for face in kinds[kind]))
        self._tell, self._familiar = tell, familiar

    def reconsider(
        self, findings: Findings, view: FlatView, blind: Set[int], rough: bool, burnt: Set[int] = frozenset()
    ) -> Findings:
        """The same with the sites read that nothing hides, without what is only held over a site, and surer of what
        was in doubt. It is not asked about `blind` sites, which can hardly be seen; of the colours of `burnt` ones,
        in which a lamp is mirrored, it is not believed everything."""
        hidden = self._mask(findings.hidden)
        if rough and not 0 < hidden.sum() <= OPINION.few:
            return findings
        near_hand = self._mask(name for name, read in findings.sites.items() if guess(read).best != EMPTY)
        near_hand &= _near(hidden, view)
        doubtful = np.zeros_like(hidden)
        if not rough:
            doubtful = self._mask(name for name, read in findings.sites.items() if guess(read).p < OPINION.doubtful)
        near_hand[list(blind)] = doubtful[list(blind)] = False
        asked = np.flatnonzero(hidden | near_hand | doubtful)
        if not len(asked):
            return findings
        told = self._tell(view, view.sites[asked])
        covered = np.zeros_like(hidden)
        covered[asked] = (told.covered > OPINION.covered) & (hidden | near_hand)[asked]
        # What covers one site may reach to those about it.
        in_sight = ~_near(covered, view)
        sites = {name: read for name, read in findings.sites.items() if not covered[self._numbers[name]]}
        for row, site in enumerate(asked):
            name = self._names[site]
            kinds = _wary(told.kinds[row]) if int(site) in burnt else told.kinds[row]
            own = self._likelihoods(kinds, told.levels[row])
            clear = in_sight[site] or told.kinds[row].max() > OPINION.clear
            if hidden[site] and told.covered[row] < OPINION.seen and clear:
                sites[name] = own
            elif doubtful[site] and not covered[site]:
                sites[name] = {face: value + own[face] for face, value in sites[name].items()}
        return Findings(sites, (findings.hidden | findings.sites.keys()) - sites.keys())

    def _mask(self, names: Iterable[str]) -> Mask:
        mask = np.zeros(len(self._names), dtype=bool)
        mask[[self._numbers[name] for name in names]] = True
        return mask

    def _likelihoods(self, kinds: Floats, levels: Floats) -> Likelihoods:
        if not self._familiar:
            kinds = np.append(kinds[:2], np.full(len(kinds) - 2, kinds[2:].mean()))
        heights = levels**OPINION.trust
        shares = np.append(kinds[0], kinds[1:, None] * heights / heights.sum())
        logs = np.log((1 - VERDICTS.doubt) * shares / shares.sum() + VERDICTS.doubt / len(shares))
        return dict(zip(self._faces, logs.tolist(), strict=True))


def _wary(kinds: Floats) -> Floats:
    """The same, less sure of the colour."""
    colours = kinds[2:] ** OPINION.trust
    return np.append(kinds[:2], colours * kinds[2:].sum() / colours.sum())


def _near(some: Mask, view: FlatView) -> Mask:
    """Which sites are near to some of them, or among them."""
    if not some.any():
        return some
    return np.asarray(np.linalg.norm(view.sites[:, None] - view.sites[some], axis=-1).min(axis=1) < OPINION.reach)
