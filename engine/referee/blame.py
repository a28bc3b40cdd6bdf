"""Which rule was broken: what is seen is matched with the mistakes that people make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import chain, islice, permutations

from engine.core import Position, Proof, Refusal
from engine.face import EMPTY, Face, Faces
from engine.referee.evidence import CLEAR, DOUBT, Evidence
from engine.referee.explain import played_twice
from engine.referee.reading import Likelihoods
from engine.referee.stands import Stand, Turns

PICTURES = 40
"""How many of the pictures that the evidence allows are tried, likeliest first, before a mistake is left unnamed."""
UNKNOWN = "unknown"
"""The rule of what no mistake explains that the game knows."""
UNCHANGED = 1.0
"""What it costs to believe that a site changed when it need not have."""


def blame(position: Position, stand: Stand, evidence: Evidence) -> tuple[Refusal, ...]:
    """The rules that were broken, the most telling first; where no mistake of the game fits, the sites that differ."""
    sites, turned = evidence.differing(stand), evidence.turned(stand)
    if position.outcome is not None:
        return (Refusal("game-over", sites),)
    fallback: tuple[Refusal, ...] = ()
    # A level is easier to misread than a kind: if nothing fits, sites that differ only in level are taken as unchanged.
    pictures = chain(_pictures(stand, evidence), _pictures(stand, evidence, levels=False))
    for seen in chain(pictures, islice(_out_of_sight(stand, evidence), PICTURES)):
        named = tuple(position.rules.diagnose(position, seen, turned))
        proof = named[0].proof if named else Proof.COUNT
        if proof is Proof.DEED:
            return named
        if played_twice(position, seen, turned):
            return (_by_sites("two-actions", sites, turned),)
        if proof is Proof.MAYBE_TWO:
            return named
        fallback = fallback or named
    return fallback or (_by_sites(UNKNOWN, sites, turned),)


def _by_sites(rule: str, sites: tuple[str, ...], turned: Turns) -> Refusal:
    return Refusal(rule, sites, {"sites": ", ".join(sites or turned)})


def _pictures(stand: Stand, evidence: Evidence, levels: bool = True) -> Iterator[Faces]:
    """What the table may show, likeliest first. Sites in doubt are tried both ways; without `levels`, sites that differ
    only in level are taken as unchanged."""
    doubtful: list[list[tuple[float, Face]]] = []
    names: list[str] = []
    certain = dict(stand.faces)
    for site, costs in evidence.sites.items():
        known = stand.faces.get(site, EMPTY)
        if not levels and evidence.best(site).likeness == known.likeness:
            continue
        options = _options(costs, known)
        certain[site] = options[0][1]
        if len(options) > 1:
            names.append(site)
            doubtful.append(options)
    for choice in _cheapest(doubtful):
        seen = certain | {name: options[k][1] for name, options, k in zip(names, doubtful, choice, strict=True)}
        yield {site: face for site, face in seen.items() if face != EMPTY}


def _options(costs: Likelihoods, known: Face) -> list[tuple[float, Face]]:
    """What may be on a site that was known to show this, likeliest first, and what each costs."""
    changed = costs.get(known, DOUBT + 1) > CLEAR
    options = sorted(
        (cost + (0.0 if changed or face == known else UNCHANGED), face)
        for face, cost in costs.items()
        if cost <= DOUBT and not (changed and face == known)
    )
    if not changed and options[0][1] != known:
        # Unless it is clearly something else, it is taken to be what it was.
        options.sort(key=lambda option: option[1] != known)
        options[0] = (0.0, known)
    return options


def _out_of_sight(stand: Stand, evidence: Evidence) -> Iterator[Faces]:
    """What the table may show if nothing came or went, as when a sheet is turned: whatever can no longer be seen is on
    a hidden site."""
    for seen in _pictures(stand, evidence):
        visible = {site: face for site, face in seen.items() if site not in evidence.hidden}
        left = Counter(stand.faces.values())
        left.subtract(visible.values())
        if all(count >= 0 for count in left.values()):
            for sites in permutations(sorted(evidence.hidden), left.total()):
                yield visible | dict(zip(sites, left.elements(), strict=True))


def _cheapest(options: list[list[tuple[float, Face]]]) -> Iterator[tuple[int, ...]]:
    """Combinations with one option for each site, cheapest first, at most PICTURES of them."""
    first = (0,) * len(options)
    heap, known = [(0.0, first)], {first}
    for _ in range(PICTURES):
        if not heap:
            return
        cost, choice = heappop(heap)
        yield choice
        for place, each in enumerate(options):
            if choice[place] + 1 < len(each):
                more = (*choice[:place], choice[place] + 1, *choice[place + 1 :])
                if more not in known:
                    known.add(more)
                    heappush(heap, (cost + each[choice[place] + 1][0] - each[choice[place]][0], more))
