"""What a reader is: it finds one kind of thing on the board (stacks, pawns, dice …), and says how sure it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from typing import Protocol

from engine.board import Print
from engine.referee.reading import Likelihoods, Loose
from vision.flatten.flat_view import FlatView


@dataclass(frozen=True, eq=False)
class Findings:
    """What a reader found; see `engine.referee.reading.Reading`."""

    sites: Mapping[str, Likelihoods] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()
    """Sites and fields covered by something that is not a piece."""
    fields: Mapping[str, Mapping[Print, float]] = field(default_factory=dict)
    loose: tuple[Loose, ...] = ()

    @property
    def places(self) -> frozenset[str]:
        """The sites and fields that it says something about."""
        return self.hidden | self.sites.keys() | self.fields.keys()


NOTHING = Findings()


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something in the flat picture that may be a piece."""

    kind: str
    """What it would be (see `Face.kind`)."""
    at: tuple[float, float]
    """Where its middle appears on the plane of the sheets, and how large it looks; millimetres."""
    radius: float


@dataclass(eq=False)
class Notes:
    """What a reader thought along the way, for people who want to know why."""

    candidates: list[Candidate] = field(default_factory=list)
    heard: list[tuple[str, Findings]] = field(default_factory=list)
    """What it believed after each of its witnesses, in the order they were heard."""


class Reader(Protocol):
    """Finds one kind of thing on the flat board."""

    def read(
        self,
        view: FlatView,
        rough: bool = False,
        known: Set[str] = frozenset(),
        notes: Notes | None = None,
        before: Findings = NOTHING,
    ) -> Findings:
        """All that it finds, except on the known sites. A rough look, while something moves, may leave out what takes
        long. `notes` are taken if they are asked for; `before` is what was found by the readers before it."""


def merged(findings: Iterable[Findings]) -> Findings:
    """What several readers found on one board. Anything that one of them can read is not hidden, even if it is to
    another."""
    every = tuple(findings)
    sites: dict[str, Likelihoods] = {}
    for each in every:
        for site, likelihoods in each.sites.items():
            sites[site] = _together(sites[site], likelihoods) if site in sites else likelihoods
    fields = {name: prints for each in every for name, prints in each.fields.items()}
    hidden = frozenset[str]().union(*(each.hidden for each in every))
    loose = tuple(card for each in every for card in each.loose)
    return Findings(sites, hidden - sites.keys() - fields.keys(), fields, loose)


def _together(one: Likelihoods, other: Likelihoods) -> Likelihoods:
    """Combines two readers that look at the same site: neither says anything about a face that it does not know."""
    least, lowest = min(one.values()), min(other.values())
    return {face: one.get(face, least) + other.get(face, lowest) for face in {**one, **other}}
