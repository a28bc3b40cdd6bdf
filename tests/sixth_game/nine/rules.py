"""Nine Fields: what may be done, and what follows from it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.core import (
    COLOURS,
    Action,
    InvalidActionError,
    InvalidSetupError,
    Json,
    Outcome,
    Pass,
    Position,
    Refusal,
    Rules,
    Word,
)
from engine.face import Face, FaceSet, spelled

FIELDS = tuple(f"{column}{row}" for row in "123" for column in "abc")
ROWS = tuple(
    frozenset(row)
    for row in (
        *(FIELDS[k : k + 3] for k in (0, 3, 6)),
        *(FIELDS[k::3] for k in range(3)),
        FIELDS[::4],
        FIELDS[2:7:2],
    )
)
PAWNS = 5
FACES = FaceSet(Face(colour, colour, pieces=(f"pawn-{colour}",)) for colour in COLOURS[:2])
BY_SEAT = FACES.lawful


@dataclass(frozen=True, slots=True)
class Place(Action):
    """A pawn placed on a field."""

    field: str

    def __str__(self) -> str:
        return f"+{self.field}"


class NineFields(Rules):
    """Two players, nine fields, nothing hidden."""

    def begin(self, players: int, setup: Mapping[str, Any]) -> NinePosition:
        sites, seat = setup.get("sites", {}), setup.get("seat", 0)
        if setup.keys() - {"sites", "seat"} or not isinstance(sites, Mapping) or seat not in (0, 1):
            raise InvalidSetupError("a set-up of Nine Fields has 'sites' with a colour each, and a 'seat' 0 or 1")
        if strangers := [site for site, face in sites.items() if site not in FIELDS or face not in FACES]:
            raise InvalidSetupError(f"a set-up of Nine Fields: {strangers[0]} cannot hold {sites[strangers[0]]!r}")
        own = tuple(frozenset(site for site, face in sites.items() if face == each.name) for each in BY_SEAT)
        return NinePosition(self, players, seat, own)

    def parse(self, text: str) -> Action:
        if text == "--":
            return Pass()
        if not re.fullmatch(r"\+[abc][123]", text):
            raise InvalidActionError(f"{text!r} is not an action of Nine Fields (such as +b2)")
        return Place(text[1:])

    def diagnose(self, position: Position, seen: Mapping[str, Face], turned: Mapping[str, int]) -> Iterable[Refusal]:
        before = position.faces()
        new = [site for site in FIELDS if site in seen and before.get(site) != seen[site]]
        gone = [site for site in before if site not in seen]
        if gone:
            yield _refusal("move", [*gone, *new])
        elif len(new) > 1:
            yield _refusal("place.two", new)
        elif new and new[0] in before:
            yield _refusal("place.occupied", new)
        elif new and position.seat is not None and seen[new[0]] != BY_SEAT[position.seat]:
            yield Refusal("not-your-turn", tuple(new), {"colour": Word(COLOURS[position.seat])})


def _refusal(rule: str, sites: Iterable[str]) -> Refusal:
    listed = tuple(sites)
    return Refusal(rule, listed, {"sites": ", ".join(listed)})


@dataclass(frozen=True, slots=True)
class NinePosition(Position):
    """Who stands where, and whose turn it is."""

    rules: NineFields
    players: int
    seat: int | None
    own: tuple[frozenset[str], ...]
    """For each seat the fields of its pawns."""
    outcome: Outcome | None = None

    def legal(self) -> list[Action]:
        if self.seat is None:
            return []
        return [Place(field) for field in FIELDS if field not in self.own[0] | self.own[1]]

    def after(self, action: Action) -> NinePosition:
        assert isinstance(action, Place)
        assert self.seat is not None
        placed = self.own[self.seat] | {action.field}
        own = (placed, self.own[1]) if self.seat == 0 else (self.own[0], placed)
        outcome = None
        if any(row <= placed for row in ROWS):
            outcome = Outcome((self.seat,), "row")
        elif len(own[0]) + len(own[1]) == len(FIELDS):
            outcome = Outcome((0, 1), "full")
        return NinePosition(self.rules, self.players, None if outcome else 1 - self.seat, own, outcome)

    def objections(self, action: Action) -> Iterable[Refusal]:
        if isinstance(action, Place) and action.field in self.faces():
            yield _refusal("place.occupied", [action.field])

    def faces(self) -> dict[str, Face]:
        return {field: BY_SEAT[seat] for seat, own in enumerate(self.own) for field in FIELDS if field in own}

    def view(self, viewer: int | None) -> Json:
        return {
            "seat": self.seat,
            "sites": spelled(self.faces()),
            "left": [PAWNS - len(own) for own in self.own],
            "result": self.outcome and self.outcome.record(),
        }

    def setup(self) -> Json:
        return {"sites": spelled(self.faces()), "seat": self.seat}

    def draw(self) -> str:
        faces = self.faces()
        signs = [f"{faces[field].name[0].upper() if field in faces else '.'}" for field in FIELDS]
        return "\n".join(" ".join(signs[k : k + 3]) for k in (0, 3, 6))
