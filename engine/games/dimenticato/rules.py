"""The rules of Dimenticato: what is legal, and what it leads to."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from engine.core import (
    COLOURS,
    Action,
    IllegalActionError,
    Json,
    Outcome,
    Position,
    Recollection,
    Refusal,
    Remark,
    Rules,
)
from engine.face import Face, spelled
from engine.games.dimenticato import actions as notation
from engine.games.dimenticato.actions import PASS, Move, Open, Shift, WrongCall
from engine.games.dimenticato.dice import Dice, deal, redeal
from engine.games.dimenticato.drawing import draw
from engine.games.dimenticato.faces import BY_SEAT
from engine.games.dimenticato.mistakes import diagnose
from engine.games.dimenticato.plan import Plan, bits
from engine.games.dimenticato.refusals import objections
from engine.games.dimenticato.remarks import remarks
from engine.games.dimenticato.setup import read_setup, write_setup
from engine.games.dimenticato.survey import survey
from engine.games.dimenticato.walk import landings, openings, set_backs
from engine.games.dimenticato.worth import winning, worth
from engine.referee.reading import Reading
from engine.survey import Survey


class Dimenticato(Rules):
    """Dimenticato: covered dice on a double track."""

    @property
    def extra_lap(self) -> bool:
        return bool(self.options["extra_lap"])

    def deal(self, players: int, random: Random) -> Json:
        return deal(players, random)

    def survey(self, players: int, readings: Sequence[Reading], told: Mapping[str, Any]) -> Survey:
        return survey(players, readings, told)

    def begin(self, players: int, setup: Mapping[str, Any]) -> DimenticatoPosition:
        return DimenticatoPosition(self, players, **read_setup(players, setup))

    def parse(self, text: str) -> Action:
        return notation.parse(text)

    def worth(self, position: Position) -> Sequence[int]:
        assert isinstance(position, DimenticatoPosition)
        return worth(position)

    def winning(self, position: Position) -> Action | None:
        assert isinstance(position, DimenticatoPosition)
        return winning(position)

    def remarks(self, position: Position, action: Action) -> Iterable[Remark]:
        assert isinstance(position, DimenticatoPosition)
        return remarks(position, action)

    def recollections(self, positions: Sequence[Position], actions: Sequence[Action]) -> Iterable[Recollection]:
        from engine.games.dimenticato.memory import recollections

        return recollections(positions, actions)

    def recall(self, position: Position, earlier: Sequence[Position], viewer: int, random: Random) -> Position:
        """Dice that were visible or revealed in an earlier position are remembered."""
        assert isinstance(position, DimenticatoPosition)
        seen = 0
        for before in earlier:
            assert isinstance(before, DimenticatoPosition)
            seen |= before.plan.track & ~before.covered | before.known
        covered = position.covered & ~seen
        return replace(position, dice=redeal(position.plan, position.dice, covered, position.known & covered, random))

    def sayable(self, position: Position) -> Sequence[Action]:
        """A wrong number under any own figure on the track, or that nothing can move."""
        assert isinstance(position, DimenticatoPosition)
        if position.seat is None:
            return ()
        own = position.figures[position.seat] & position.plan.track
        return (PASS, *(WrongCall(site) for site in position.names(own)))

    def diagnose(self, position: Position, seen: Mapping[str, Face], turned: Mapping[str, int]) -> Iterable[Refusal]:
        assert isinstance(position, DimenticatoPosition)
        return diagnose(position, seen)

    def placed(self, position: Position, sites: Mapping[str, str], seat: int | None) -> Json:
        """The dice stay as they are; who is still at home has not been out, unless he is known to have been."""
        assert isinstance(position, DimenticatoPosition)
        unopened = [name for name in position.names(position.unopened) if name in sites]
        known = [name for name in position.names(position.known) if name in sites]
        figures = {"sites": dict(sites), "unopened": unopened, "known": known}
        mover = position.seat if seat is None else seat
        return position.setup() | {"position": figures | {"seat": mover}}

    def discreet(self, position: Position, setup: Json) -> Json:
        """Without the dice that are covered now."""
        assert isinstance(position, DimenticatoPosition)
        covered = set(position.names(position.covered))
        kept = {name: die for name, die in setup.get("fields", {}).items() if name not in covered}
        told = setup | ({"fields": kept} if "fields" in setup else {})
        begun = {name: value for name, value in told.get("position", {}).items() if name != "known"}
        return told | ({"position": begun} if begun else {})

    def retold(self, position: Position, action: Action) -> str:
        """Without the field that a figure came from if that is covered now: how far it went was the number of its
        die."""
        assert isinstance(position, DimenticatoPosition)
        if isinstance(action, Move) and action.origin in position.names(position.covered):
            return "…" + str(action).removeprefix(f"{action.origin}:{action.number}")
        return str(action)

    def declared(self, position: Position, action: Action) -> Action:
        """A move is a call, and so nobody can try numbers in vain; one that no number allows is refused as it is."""
        assert isinstance(position, DimenticatoPosition)
        site = position.plan.index.get(action.origin) if isinstance(action, Move) else None
        if site is None or not isinstance(action, Move) or WrongCall(action.origin) not in self.sayable(position):
            return super().declared(position, action)
        supposed = position.supposing(position.figures[position.mover] & position.plan.track, action.number)
        if action not in supposed.legal():
            raise IllegalActionError(action, supposed.refusals(action))
        return action if position.dice.pips[site] == action.number else self.attempt(position, action)

    def looked_under(self, position: Position, site: str) -> Action | None:
        """Whoever lifts a figure of his own and puts it back has called a wrong number, once his openings are done."""
        assert isinstance(position, DimenticatoPosition)
        wrong = WrongCall(site)
        return wrong if wrong in position.legal() else None

    def callable(self, position: Position) -> Sequence[str]:
        assert isinstance(position, DimenticatoPosition)
        if position.seat is None or position.figures[position.seat] & position.unopened:
            return ()
        return position.names(position.figures[position.seat] & position.plan.track)

    def called(self, position: Position, site: str, number: int) -> Action | None:
        assert isinstance(position, DimenticatoPosition)
        legal, wrong = position.legal(), WrongCall(site)
        place = position.plan.index.get(site)
        if place is None or not position.covered >> place & 1 or position.owner(place) != position.seat:
            raise IllegalActionError(wrong, position.refusals(wrong) or (Refusal("unknown", (), {"action": site}),))
        if legal == (PASS,):
            # Whatever is said where nothing can move, the turn is over.
            return PASS
        if wrong not in legal:
            raise IllegalActionError(wrong, position.refusals(wrong))
        can_move = any(isinstance(action, Move) and action.origin == site for action in legal)
        return None if position.dice.pips[place] == number and can_move else wrong

    def attempt(self, position: Position, action: Action) -> Action:
        """A number that is not the one under the figure is a wrong call; where nothing can move, it is a pass."""
        legal = position.legal()
        if isinstance(action, WrongCall) and legal == (PASS,):
            return PASS
        if action in legal or not isinstance(action, Move):
            return action
        wrong = WrongCall(action.origin)
        return wrong if wrong in legal else PASS


@dataclass(frozen=True, slots=True)
class DimenticatoPosition(Position):
    """The dice, who stands where, who has not been out yet, and whose turn it is."""

    rules: Dimenticato
    players: int
    seat: int | None
    plan: Plan
    dice: Dice
    figures: tuple[int, ...]
    """For each seat, the sites its figures stand on."""
    unopened: int
    """Start fields whose figure has not been out."""
    known: int = 0
    """Covered fields whose number a wrong call has revealed."""
    outcome: Outcome | None = None

    # State

    @property
    def occupied(self) -> int:
        sites = 0
        for own in self.figures:
            sites |= own
        return sites

    @property
    def mover(self) -> int:
        """Whose turn it is, in a match that goes on."""
        assert self.seat is not None
        return self.seat

    def owner(self, site: int) -> int | None:
        for seat, own in enumerate(self.figures):
            if own >> site & 1:
                return seat
        return None

    def site(self, text: str) -> int:
        """The site that a player's action means when it is his turn; the plan must have it."""
        site = self.plan.find(text, self.mover)
        assert site is not None
        return site

    def names(self, sites: int) -> list[str]:
        return [self.plan.names[site] for site in bits(sites)]

    # Legal actions

    def legal(self) -> Sequence[Action]:
        if self.seat is None:
            return ()
        if opening := self.opening():
            return opening
        found = [*self._moves(), *self._shifts()]
        if not found:
            return (PASS,)
        texts = self.plan.texts
        return found + [WrongCall(texts[field]) for field in bits(self.figures[self.seat] & self.plan.track)]

    def opening(self) -> list[Action]:
        """Every way in which a figure of the player to move can leave home."""
        seat, texts = self.mover, self.plan.texts
        return [
            Open(texts[start], texts[target], set_back)
            for start in bits(self.figures[seat] & self.unopened)
            for target, set_back in self._landed(start, openings(self.plan, seat, start))
        ]

    def _moves(self) -> Iterator[Action]:
        seat, texts = self.mover, self.plan.texts
        for origin in bits(self.figures[seat] & self.plan.track):
            number = self.dice.pips[origin]
            within_reach = landings(self.plan, seat, self.rules.extra_lap, origin, number)
            for target, set_back in self._landed(origin, within_reach):
                yield Move(texts[origin], number, texts[target], set_back)

    def _landed(self, origin: int, within_reach: int) -> Iterator[tuple[int, str | None]]:
        """The sites within reach on which a figure may land, each with every set-back field if it captures there."""
        occupied = self.occupied
        for target in bits(within_reach & ~occupied):
            yield target, None
        for target in bits(within_reach & occupied & ~self.figures[self.mover]):
            if not self.is_safe(target):
                for field in bits(self.set_backs(target, origin)):
                    yield target, self.plan.texts[field]

    def _shifts(self) -> Iterator[Action]:
        block = self.plan.blocks[self.mover]
        own, texts = self.figures[self.mover], self.plan.texts
        for origin in bits(own & block & ~self.unopened):
            for target in bits(block & ~own):
                yield Shift(texts[origin], texts[target])

    def is_safe(self, field: int) -> bool:
        """Whether the figure on this field stands on its own colour."""
        owner = self.owner(field)
        return owner is not None and bool(self.dice.of_colour[owner] >> field & 1)

    def set_backs(self, target: int, origin: int) -> int:
        """Where the figure on a field can be set back to, if it is captured by one from this origin."""
        owner = self.owner(target)
        assert owner is not None
        return set_backs(self.plan, target, owner) & ~(self.occupied & ~(1 << origin))

    def objections(self, action: Action) -> Iterable[Refusal]:
        return objections(self, action)

    # Consequences

    def after(self, action: Action) -> DimenticatoPosition:
        match action:
            case Open() | Move():
                return self._moved(action.origin, action.target, action.set_back)
            case Shift():
                return self._moved(action.origin, action.target, None)
            case WrongCall():
                return self._next(self.figures, self.unopened, self.known | 1 << self.site(action.origin))
            case _:
                return self._next(self.figures, self.unopened, self.known)

    def _moved(self, origin_text: str, target_text: str, set_back_text: str | None) -> DimenticatoPosition:
        origin, target = 1 << self.site(origin_text), 1 << self.site(target_text)
        set_back = 0 if set_back_text is None else 1 << self.site(set_back_text)
        mover = self.mover
        figures = tuple(
            own & ~origin | target if seat == mover else own & ~target | set_back if own & target else own
            for seat, own in enumerate(self.figures)
        )
        return self._next(figures, self.unopened & ~origin, self.known & ~(origin | target | set_back))

    def _next(self, figures: tuple[int, ...], unopened: int, known: int) -> DimenticatoPosition:
        """The turn goes to the next player, unless the mover has come home."""
        mover = self.mover
        block = self.plan.blocks[mover]
        home = figures[mover] == block and not unopened & block
        outcome = Outcome((mover,), "home") if home else None
        seat = None if home else (mover + 1) % self.players
        return DimenticatoPosition(
            self.rules, self.players, seat, self.plan, self.dice, figures, unopened, known, outcome
        )

    # Views

    @property
    def covered(self) -> int:
        """The dice that nobody sees."""
        return self.occupied & self.plan.track

    def faces(self) -> Mapping[str, Face]:
        return {name: BY_SEAT[seat] for seat, own in enumerate(self.figures) for name in self.names(own)}

    def supposing(self, fields: int, number: int) -> DimenticatoPosition:
        """The same with this number on all of these fields, and nobody known to stand on his own colour."""
        pips = tuple(number if fields >> field & 1 else own for field, own in enumerate(self.dice.pips))
        colours = list(self.dice.colours)
        for seat, figures in enumerate(self.figures):
            for field in bits(figures & self.plan.track):
                colours[field] = (seat + 1) % len(COLOURS)
        return replace(self, dice=Dice(pips, tuple(colours)))

    def view(self, viewer: int | None) -> Json:
        """Every viewer sees the same: nobody, not even its owner, sees the die under a figure.

        What is legal depends on the covered dice, so it is not told here.
        """
        plan = self.plan
        return {
            "seat": self.seat,
            "width": plan.width,
            "height": plan.height,
            "big": list(plan.big),
            "sites": spelled(self.faces()),
            "unopened": self.names(self.unopened),
            "fields": self.dice.written(plan, plan.track & ~self.covered),
            "known": {plan.names[field]: self.dice.pips[field] for field in bits(self.known)},
            "result": self.outcome and self.outcome.record(),
        }

    def redeal(self, viewer: int | None, random: Random) -> DimenticatoPosition:
        return replace(self, dice=redeal(self.plan, self.dice, self.covered, self.known, random))

    def setup(self) -> Json:
        return write_setup(self)

    def draw(self) -> str:
        return draw(self)

    def key(self) -> Hashable:
        return self.seat, self.figures, self.unopened, self.known, self.dice.pips, self.dice.colours
