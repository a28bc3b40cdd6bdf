"""The set-up as the table shows it: the dice on all cards, with the figures at home."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import exp
from typing import Any

from engine.board import Print
from engine.core import COLOURS, Json, Refusal, Word
from engine.face import EMPTY, Face
from engine.games.dimenticato.board import fields_near
from engine.games.dimenticato.faces import BY_SEAT
from engine.games.dimenticato.plan import DEFAULT_PLANS, Plan
from engine.games.dimenticato.walk import NUMBERS
from engine.referee.reading import Loose, Reading
from engine.survey import Survey

SURE = 0.9
"""How likely a die must be to be known."""
STANDING = 0.9
"""How likely a figure must be to stand where it should not, or not to stand where it should."""
CHOICES = 6
"""So many dice people may choose from, where the eye is not sure."""


def survey(players: int, readings: Sequence[Reading], told: Mapping[str, Any]) -> Survey:
    """What the last looks at a table tell, together; people may have told some of the dice."""
    plan = Plan(*DEFAULT_PLANS[players])
    last = readings[-1]
    flaws = [*_standing(plan, last)]
    strays = [_stray(plan, each) for each in last.loose]
    standing = {name for flaw in flaws for name in flaw.sites}
    known: dict[str, Print] = {}
    doubts: dict[str, tuple[Json, ...]] = {}
    blind = [names for names in plan.quartets if all(name in last.hidden for name in names)]
    flaws += [*strays, *(_flaw("setup.card", names) for names in blind)]
    for name in plan.names[: plan.size]:
        if (die := _told(told.get(name))) is not None:
            known[name] = die
            continue
        ranked = _ranked([reading.fields[name] for reading in readings if name in reading.fields])
        if ranked and ranked[0][1] >= SURE:
            known[name] = ranked[0][0]
        elif name not in standing and not any(name in names for names in blind):
            doubts[name] = tuple(_record(die) for die, _ in ranked[:CHOICES])
    if doubts:
        flaws.append(_flaw("setup.unsure", tuple(doubts)))
    alike = () if told.get("alike") else tuple(_alike(plan, known))
    if flaws or alike or len(known) < plan.size:
        return Survey(flaws=(*flaws, *alike), doubts=doubts)
    fields = {name: _record(known[name]) for name in plan.names[: plan.size]}
    setup: Json = {"width": plan.width, "height": plan.height, "big": list(plan.big), "fields": fields}
    return Survey(setup, {"setup": setup})


def _standing(plan: Plan, reading: Reading) -> Iterator[Refusal]:
    """Figures that stand on the track, and start fields where none or another one stands."""
    for number, name in enumerate(plan.names):
        owner = plan.block_owner(number)
        due = EMPTY if owner is None else BY_SEAT[owner]
        seen = reading.sites.get(name)
        if seen is None:
            if owner is not None:
                yield _flaw("setup.home", (name,), colour=Word(COLOURS[owner]))
            continue
        best = max(seen, key=seen.__getitem__)
        if best == due:
            continue
        if owner is None and _share(seen, best) >= STANDING:
            yield _flaw("setup.figure", (name,), colour=Word(best.kind))
        elif owner is not None:
            yield _flaw("setup.home", (name,), colour=Word(COLOURS[owner]))


def _stray(plan: Plan, figure: Loose) -> Refusal:
    """A figure that stands on no field."""
    colour = Word(figure.card.partition("-")[2])
    return _flaw("setup.stray", fields_near(plan, figure.at), colour=colour)


def _share(seen: Mapping[Face, float], face: Face) -> float:
    return 1 / sum(exp(value - seen[face]) for value in seen.values())


def _alike(plan: Plan, known: Mapping[str, Print]) -> Iterator[Refusal]:
    """Two small cards with the same dice in the same order: of two hundred decks one has such cards, so people are
    asked."""
    small = [names for card, names in enumerate(plan.quartets) if card not in plan.big]
    for one, other in combinations(small, 2):
        if known.keys() >= {*one, *other} and _is_turned(_dice(known, one), _dice(known, other)):
            yield _flaw("setup.alike", (*one, *other))


def _dice(known: Mapping[str, Print], names: Sequence[str]) -> list[Print]:
    return [known[name] for name in names]


def _is_turned(one: list[Print], other: list[Print]) -> bool:
    return any(one[turn:] + one[:turn] == other for turn in range(len(one)))


def _ranked(looks: Sequence[Mapping[Print, float]]) -> list[tuple[Print, float]]:
    """All dice with how likely each is, the likeliest first; looks that differ are mistaken differently."""
    if not looks:
        return []
    mean = {die: sum(look[die] for look in looks) / len(looks) for die in looks[0]}
    top = max(mean.values())
    weights = {die: exp(value - top) for die, value in mean.items()}
    total = sum(weights.values())
    return sorted(((die, weight / total) for die, weight in weights.items()), key=lambda each: -each[1])


def _told(die: object) -> Print | None:
    """A die as people have told it."""
    if not isinstance(die, Mapping) or die.get("pips") not in NUMBERS or die.get("colour") not in COLOURS:
        return None
    return Print(die["pips"], die["colour"])


def _record(die: Print) -> Json:
    return {"pips": die.pips, "colour": die.colour}


def _flaw(code: str, sites: tuple[str, ...], **facts: Word) -> Refusal:
    return Refusal(code, sites, {"sites": ", ".join(sites), **facts})
