"""A reading as evidence: how much it would cost to believe in each thing that may stand on a site."""

from __future__ import annotations

from collections.abc import Sequence, Set

from engine.face import EMPTY, Face
from engine.referee.habit import UNTAUGHT, Habit
from engine.referee.reading import Likelihoods, Reading
from engine.referee.stands import Effect, Stand

__all__ = ["CLEAR", "DOUBT", "NEWS", "UNTAUGHT", "WORST", "Evidence", "Habit", "Stand", "is_certain"]

WORST = 14.0
"""The most that one site or sheet may cost: a single misread site must not outweigh all the others for ever."""
DOUBT = 3.5
"""A site that costs no more than this is no evidence against anything: the eye may simply be mistaken."""
CLEAR = 3.0
"""A site that costs more than this clearly does not show what is believed."""
EXCUSED = 8.0
"""A level that costs more than this was not just misread: something else stands there."""
NEWS = 4.0
"""How many times more a site's evidence counts given what it showed when the table was last at rest."""
CERTAIN = 5.0
"""How much likelier one position of a sheet must be than any other to be certain."""
SETTLED = 2.0
"""Extra cost of believing that a site changed though it looks the same, or did not though it looks different."""


class Evidence:
    """Costs: 0 for the likeliest face of a site, more for the others, up to WORST. Hidden sites cost nothing."""

    def __init__(
        self, reading: Reading, stand: Stand | None = None, habit: Habit = UNTAUGHT, unsure: Set[str] = frozenset()
    ) -> None:
        """`unsure` are sheets whose earlier position is not known: they are no evidence."""
        self.sites = {site: _costs(likelihoods) for site, likelihoods in reading.sites.items()}
        self.hidden = reading.hidden - self.sites.keys()
        sheets = {name: _turn_costs(values) for name, values in reading.sheets.items()}
        self.sheets = {name: costs for name, costs in sheets.items() if name not in unsure}
        self.certain = {
            name: sheets[name].index(0.0) for name in sheets.keys() & unsure if is_certain(reading.sheets[name])
        }
        """Positions of unsure sheets that have now been seen clearly."""
        self._raw = {site: dict(costs) for site, costs in self.sites.items()}
        self._best = {site: min(costs, key=costs.__getitem__) for site, costs in self.sites.items()}
        self._turn = {name: costs.index(0.0) for name, costs in self.sheets.items()}
        self._usual: set[str] = set()
        self._hasty = bool(reading.moving)
        if stand is not None:
            for site in self.sites if habit.taught else ():
                self._remember_site(site, stand.faces.get(site, EMPTY), habit)
            for name, turn in habit.sheets.items():
                self._remember_sheet(name, stand.turns.get(name, 0), turn)

    def _remember_site(self, site: str, known: Face, habit: Habit) -> None:
        """Weigh a site that is known to show this face by what was read there while the table was at rest."""
        best, rest = self.best(site), habit.rest.get(site, {})
        usual = habit.sites.get(site, known)
        if best == usual:
            self._sharpen(site, {known, best}, SETTLED)
            # Looking like another kind of thing is excused only as far as it already did then.
            then = WORST if best.likeness == known.likeness else rest.get(known, WORST)
            self.sites[site][known] = left = max(0.0, self.site(site, known) - then)
            if left <= CLEAR:
                self._usual.add(site)
            return
        more = rest.get(best, 0.0)
        if best.likeness != usual.likeness:
            # It is news that the same is not here; which other thing is, the eye knows no better than it says.
            self._sharpen(site, {face for face in self.sites[site] if face.likeness != usual.likeness})
            more = min(SETTLED, more)
        elif self._hasty:
            # While something moves the eye does not measure levels: that one looks unlike before is no news.
            return
        # Another level than before: how sure the eye was then counts as well as how sure it is now.
        self.sites[site][known] = min(WORST, self.site(site, known) + more)

    def _remember_sheet(self, name: str, known: int, usual: int) -> None:
        """A sheet that is read as it always was probably lies as it is known to lie."""
        costs = list(self.sheets.get(name, ()))
        if costs and costs[usual % len(costs)] == 0.0:
            costs[known % len(costs)] = 0.0
            self.sheets[name] = tuple(costs)

    def _sharpen(self, site: str, likely: Set[Face], more: float = 0.0) -> None:
        """This is the same as before, or another kind of thing: the eye may misread its level, but hardly more."""
        costs = self.sites[site]
        for face, cost in costs.items():
            if face not in likely:
                costs[face] = min(WORST, NEWS * cost + more)

    def best(self, site: str) -> Face:
        """The likeliest face of a site, as the eye read it."""
        return self._best[site]

    def site(self, site: str, face: Face) -> float:
        costs = self.sites.get(site)
        return 0.0 if costs is None else costs.get(face, WORST)

    def sheet(self, name: str, turn: int) -> float:
        costs = self.sheets.get(name)
        return 0.0 if costs is None else costs[turn % len(costs)]

    def surprise(self, stand: Stand) -> float:
        """How badly what was seen fits this stand."""
        faces, turns = stand.faces, stand.turns
        total = sum(costs.get(faces.get(site, EMPTY), WORST) for site, costs in self.sites.items())
        return total + sum(costs[turns.get(name, 0) % len(costs)] for name, costs in self.sheets.items())

    def strain(self, stand: Stand) -> float:
        """The same, counting only what cannot be put down to misreading: above 0 the table hardly stands like this."""
        faces, turns = stand.faces, stand.turns
        total = 0.0
        for site, costs in self.sites.items():
            if (cost := costs.get(faces.get(site, EMPTY), WORST)) > DOUBT:
                total += cost - DOUBT
        for name, turned in self.sheets.items():
            if (cost := turned[turns.get(name, 0) % len(turned)]) > DOUBT:
                total += cost - DOUBT
        return total

    def change(self, stand: Stand, effect: Effect) -> float:
        """By how much an action's effect would change the surprise."""
        faces, sites = stand.faces, self.sites
        total = 0.0
        for site, face in effect.changes:
            if (costs := sites.get(site)) is not None:
                total += costs.get(face, WORST) - costs.get(faces.get(site, EMPTY), WORST)
        for name, steps in effect.turns:
            turn = stand.turns.get(name, 0)
            total += self.sheet(name, turn + steps) - self.sheet(name, turn)
        return total

    def doubts_one_level(self, stand: Stand, then: Stand, most: float) -> bool:
        """Whether the only evidence against a change from one stand to the other is one level that it leaves alone: one
        that looks different from before, though not clearly wrong by itself, while whatever the change touches fits
        (surprises by no more than `most`)."""
        wrong, touched = [], 0.0
        for site, costs in self.sites.items():
            face = then.faces.get(site, EMPTY)
            cost = costs.get(face, WORST)
            if stand.faces.get(site, EMPTY) != face:
                touched += cost
            elif cost > DOUBT:
                wrong.append(self.best(site).likeness == face.likeness and self._raw[site].get(face, WORST) <= DOUBT)
        turned = all(self.sheet(name, then.turns.get(name, 0)) <= DOUBT for name in self.sheets)
        return turned and wrong == [True] and touched <= most

    def denied_level(self, stand: Stand, then: Stand) -> float:
        """How much, beyond doubt, the level of what was put down speaks against the change between two stands."""
        for site, costs in self.sites.items():
            face = then.faces.get(site, EMPTY)
            if face not in (EMPTY, stand.faces.get(site, EMPTY)) and (cost := costs.get(face, WORST)) > DOUBT:
                return cost - DOUBT if self.best(site).likeness == face.likeness else 0.0
        return 0.0

    def differing(self, stand: Stand) -> tuple[str, ...]:
        """Sites that clearly do not show what should stand there."""
        faces = stand.faces
        return tuple(site for site, costs in self.sites.items() if costs.get(faces.get(site, EMPTY), WORST) > CLEAR)

    def misses(self, stand: Stand, then: Stand) -> bool:
        """Whether a site that reads as it always did would have changed between two stands."""
        return any(stand.faces.get(site) != then.faces.get(site) for site in self._usual)

    def conceals(self, stand: Stand, then: Stand) -> bool:
        """Whether a site that cannot be seen would have changed between two stands."""
        changed = (stand.faces.keys() | then.faces.keys()) - self.sites.keys()
        return any(stand.faces.get(site) != then.faces.get(site) for site in changed)

    def tells_apart(self, one: Stand, other: Stand) -> bool:
        """Whether two stands differ in anything that can be seen."""
        turned = any(
            (one.turns.get(name, 0) - other.turns.get(name, 0)) % len(costs) for name, costs in self.sheets.items()
        )
        return turned or any(one.faces.get(site) != other.faces.get(site) for site in self.sites)

    def worst(self, stand: Stand) -> str:
        """The site or sheet that fits worst."""
        costs = {site: self.site(site, stand.faces.get(site, EMPTY)) for site in self.sites}
        costs |= {name: self.sheet(name, stand.turns.get(name, 0)) for name in self.sheets}
        return max(costs, key=costs.__getitem__, default="")

    def turned(self, stand: Stand) -> dict[str, int]:
        """Sheets that clearly do not lie as they should: how far they were turned, the short way round."""
        steps = {
            name: (self._turn[name] - stand.turns.get(name, 0)) % len(costs)
            for name, costs in self.sheets.items()
            if self.sheet(name, stand.turns.get(name, 0)) > CLEAR
        }
        return {
            name: by if 2 * by <= len(self.sheets[name]) else by - len(self.sheets[name]) for name, by in steps.items()
        }

    def picture(self, stand: Stand) -> Stand:
        """The table as it is seen: the stand, except where it clearly differs."""
        faces = dict(stand.faces)
        for site in self.differing(stand):
            if (face := self.best(site)) == EMPTY:
                faces.pop(site, None)
            else:
                faces[site] = face
        turns = {**stand.turns}
        for name, steps in self.turned(stand).items():
            turns[name] = turns.get(name, 0) + steps
        return Stand(faces, turns)

    def is_same_but_for_levels(self, stand: Stand) -> bool:
        """Whether the only evidence against a stand is levels that the eye may have misread."""
        for site in self.differing(stand):
            face = stand.faces.get(site, EMPTY)
            if self.best(site).likeness != face.likeness or self.site(site, face) > EXCUSED:
                return False
        return not self.turned(stand)

    def habit(self, stand: Stand) -> Habit:
        """Where the eye is mistaken, if this is how the table stands: any level, other things only if unclear."""
        sites = {}
        for site in self.sites:
            known, best = stand.faces.get(site, EMPTY), self.best(site)
            if best != known and (best.likeness == known.likeness or self.site(site, known) <= CLEAR):
                sites[site] = best
        sheets = {
            name: turn
            for name, turn in self._turn.items()
            if turn != stand.turns.get(name, 0) % len(self.sheets[name])
            and self.sheet(name, stand.turns.get(name, 0)) <= CLEAR
        }
        return Habit(sites, sheets, self._raw)


def is_certain(values: Sequence[float]) -> bool:
    """Whether one position of a sheet is far likelier than the next, by their log-likelihoods."""
    *_, second, best = sorted(values)
    return best - second > CERTAIN


def _costs(likelihoods: Likelihoods) -> dict[Face, float]:
    best = max(likelihoods.values())
    return {face: min(WORST, best - value) for face, value in likelihoods.items()}


def _turn_costs(values: Sequence[float]) -> tuple[float, ...]:
    best = max(values)
    return tuple(min(WORST, best - value) for value in values)
