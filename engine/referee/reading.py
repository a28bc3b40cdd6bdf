"""What was seen on the table, and how certain it is: for every site a log-likelihood of all that could stand there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import exp, log

from engine.board import Print
from engine.face import Face

MEMORY = 2
"""So many pictures before count beside one: what is seen in three in a row has changed, moving or not."""

Likelihoods = Mapping[Face, float]
"""For every face that a site can show, the log-likelihood of what was seen if it shows that face; only differences
count."""


@dataclass(frozen=True, slots=True)
class Guess:
    """The most likely of several things, how likely it is, and the next one."""

    best: Face
    p: float
    second: Face | None = None


def posterior(likelihoods: Likelihoods) -> dict[Face, float]:
    """Probabilities, if all faces are equally likely beforehand."""
    top = max(likelihoods.values())
    weights = {face: exp(value - top) for face, value in likelihoods.items()}
    total = sum(weights.values())
    return {face: weight / total for face, weight in weights.items()}


def guess(likelihoods: Likelihoods) -> Guess:
    """The most likely face."""
    shares = posterior(likelihoods)
    ranked = sorted(shares, key=lambda face: shares[face], reverse=True)
    return Guess(ranked[0], shares[ranked[0]], ranked[1] if len(ranked) > 1 else None)


@dataclass(frozen=True, slots=True)
class Loose:
    """A card that lies on no site, or a figure that stands on none."""

    card: str
    """Its sheet, or its piece."""
    at: tuple[float, float]
    """Where its middle is, mm."""
    angle: float
    """How far it is turned, degrees clockwise."""
    p: float
    """How likely it is this card."""


@dataclass(frozen=True)
class Reading:
    """One look at the table."""

    sites: Mapping[str, Likelihoods]
    """Likelihoods for every site that was seen."""
    sheets: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """For every turnable sheet, the log-likelihood of each position."""
    hidden: frozenset[str] = frozenset()
    """Sites that something covers: unknown, not empty."""
    covered: bool = False
    """Whether a hand or another thing is over the board."""
    moving: frozenset[str] = frozenset()
    """Sites around which something has changed since the last picture: read, but perhaps not for long."""
    fields: Mapping[str, Mapping[Print, float]] = field(default_factory=dict)
    """For every field whose print was seen, the log-likelihood of everything that could be printed there."""
    loose: tuple[Loose, ...] = ()
    """What lies or stands on no site."""

    def guesses(self) -> dict[str, Guess]:
        return {site: guess(likelihoods) for site, likelihoods in self.sites.items()}

    def prints(self) -> dict[str, tuple[Print, float]]:
        """The likeliest print of every field whose print was seen, and how likely it is."""
        return {name: likeliest(prints) for name, prints in self.fields.items()}

    def turn(self, sheet: str) -> tuple[int, float]:
        """The most likely position of a sheet, and how likely it is."""
        values = self.sheets[sheet]
        best = max(range(len(values)), key=values.__getitem__)
        top = values[best]
        return best, 1 / sum(exp(value - top) for value in values)


def likeliest(prints: Mapping[Print, float]) -> tuple[Print, float]:
    """The most likely of several prints, and how likely it is."""
    best = max(prints, key=prints.__getitem__)
    return best, 1 / sum(exp(value - prints[best]) for value in prints.values())


def mixed(likelihoods: Likelihoods, doubt: float) -> dict[Face, float]:
    """The same with a share of doubt: with this probability what was seen says nothing."""
    shares = posterior(likelihoods)
    even = doubt / len(shares)
    return {face: log((1 - doubt) * share + even) for face, share in shares.items()}


UNNAMED = 14.0
"""How much less likely than the best a face is of which a reader says nothing."""


def gathered(before: Reading, count: int, now: Reading) -> Reading:
    """What a picture says together with so many pictures of the same table before it: an eye that wavers in one of them
    proves little."""
    share = 1 / (min(count, MEMORY) + 1)

    def together(known: Likelihoods, new: Likelihoods) -> Likelihoods:
        if known.keys() == new.keys():
            return {face: (1 - share) * known[face] + share * value for face, value in new.items()}
        least, lowest = max(known.values()) - UNNAMED, max(new.values()) - UNNAMED
        return {face: (1 - share) * known.get(face, least) + share * new.get(face, lowest) for face in {**known, **new}}

    sites = {**before.sites, **now.sites}
    sites |= {site: together(before.sites[site], now.sites[site]) for site in before.sites.keys() & now.sites.keys()}
    sheets = {
        name: tuple((1 - share) * known + share * new for known, new in zip(before.sheets[name], values, strict=True))
        if name in before.sheets
        else values
        for name, values in now.sheets.items()
    }
    return replace(now, sites=sites, sheets=sheets, hidden=now.hidden - sites.keys())


def without_moving(reading: Reading) -> Reading:
    """The same without the sites about which something moves."""
    still = {site: read for site, read in reading.sites.items() if site not in reading.moving}
    return replace(reading, sites=still)
