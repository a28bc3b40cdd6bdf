"""What was seen on the table, with its doubt: for every site a log-likelihood over all that could stand there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import exp, log

from engine.face import Face

Likelihoods = Mapping[Face, float]
"""For every face that a site can show, the log-likelihood of what was seen if it did; only differences count."""


@dataclass(frozen=True, slots=True)
class Guess:
    """The most likely of several things, how likely it is, and the next one."""

    best: Face
    p: float
    second: Face | None = None


def posterior(likelihoods: Likelihoods) -> dict[Face, float]:
    """Probabilities, if every face were as likely before looking."""
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
class Print:
    """What is printed on a field: so many pips on a ground of this colour."""

    pips: int
    colour: str


@dataclass(frozen=True, slots=True)
class Loose:
    """A card that lies on no site."""

    card: str
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
    """Of every site that was seen."""
    sheets: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """For every turnable sheet the log-likelihood of each position."""
    hidden: frozenset[str] = frozenset()
    """Sites that something covers: unknown, not empty."""
    covered: bool = False
    """Whether a hand or another thing is over the board."""
    moving: frozenset[str] = frozenset()
    """Sites about which something changed since the picture before: read, but perhaps not for long."""
    fields: Mapping[str, Mapping[Print, float]] = field(default_factory=dict)
    """Of every field whose print was seen the log-likelihood of all that could be printed there."""
    loose: tuple[Loose, ...] = ()
    """Cards that lie on no site."""

    def guesses(self) -> dict[str, Guess]:
        return {site: guess(likelihoods) for site, likelihoods in self.sites.items()}

    def turn(self, sheet: str) -> tuple[int, float]:
        """The most likely position of a sheet, and how likely it is."""
        values = self.sheets[sheet]
        best = max(range(len(values)), key=values.__getitem__)
        top = values[best]
        return best, 1 / sum(exp(value - top) for value in values)


def mixed(likelihoods: Likelihoods, doubt: float) -> dict[Face, float]:
    """The same with a share of doubt: with this probability what was seen says nothing."""
    shares = posterior(likelihoods)
    even = doubt / len(shares)
    return {face: log((1 - doubt) * share + even) for face, share in shares.items()}
