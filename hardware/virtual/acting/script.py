"""What a hand has to do to change what the table shows: carry pieces, turn sheets.

Nothing here knows a game: the steps follow from the faces before and after, the pieces that make up a face, and the
sheets that an action turns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import hypot

import numpy as np

from engine.board import Board, Point, turned
from engine.face import Face, Faces
from hardware.virtual.errors import SceneError, ScriptError
from hardware.virtual.scene import LooseCard, Stack

Pieces = tuple[str, ...]

BANK = "@bank"
"""Where pieces come from and go to: out of sight, or in a box beside the board."""
ASIDE = ("@aside-0", "@aside-1")
"""Where the player's hand puts down for a moment what it still needs."""


@dataclass(frozen=True, slots=True)
class Pile:
    """What stands at a place, how far off its centre, and how crooked."""

    pieces: Pieces
    off: Point = (0.0, 0.0)
    lean: Point = (0.0, 0.0)
    card: Face | None = None
    """What it shows, if it is a card …"""
    twist: float = 0.0
    """… and how far that is turned off its angle, degrees clockwise."""


@dataclass(frozen=True)
class Layout:
    """All piles by place (a site's name or one of `ASIDE`) and the positions of the turnable sheets."""

    board: Board
    piles: Mapping[str, Pile] = field(default_factory=dict)
    turns: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def showing(cls, board: Board, faces: Faces, turns: Mapping[str, int] | None = None, sloppy: float = 0.0) -> Layout:
        random = np.random.default_rng(len(faces))
        piles = {
            site: Pile(_pieces(board, site, face), *_untidy(random, sloppy), card=face if face.sheet else None)
            for site, face in faces.items()
        }
        return cls(board, piles, dict(turns or {}))

    def faces(self) -> dict[str, Face]:
        """What the sites show."""
        piled = self.board.faces.piled
        there = {site: self.piles[site] for site in self.board.sites if site in self.piles}
        return {site: pile.card or piled(pile.pieces) for site, pile in there.items()}

    def taken(self, place: str, count: int) -> tuple[Layout, Pieces]:
        """The layout without the top pieces of a pile, and those pieces."""
        pile = self.piles.get(place)
        if pile is None or len(pile.pieces) < count:
            raise ScriptError(f"there are not {count} pieces to take from {place}")
        left = pile.pieces[:-count]
        piles = {other: kept for other, kept in self.piles.items() if other != place}
        if left:
            piles[place] = replace(pile, pieces=left)
        return replace(self, piles=piles), pile.pieces[-count:]

    def put(
        self,
        place: str,
        pieces: Pieces,
        off: Point = (0.0, 0.0),
        lean: Point = (0.0, 0.0),
        card: Face | None = None,
        twist: float = 0.0,
    ) -> Layout:
        """The layout with these pieces, or a card that shows this, on top of what is there."""
        if place == BANK:
            return self
        pile = self.piles.get(place)
        on_top = Pile(pieces, off, lean, card, twist) if pile is None else replace(pile, pieces=pile.pieces + pieces)
        return replace(self, piles={**self.piles, place: on_top})

    def carried(self, sheet: str, steps: int) -> Layout:
        """The layout after turning a sheet by this many positions, with everything that stands on it."""
        moves = carry_map(self.board, sheet, steps)
        angle = steps * 360 / self.board.by_name[sheet].turns
        piles = {
            moves.get(place, place): replace(pile, off=turned(pile.off, angle), lean=turned(pile.lean, angle))
            if place in moves
            else pile
            for place, pile in self.piles.items()
        }
        turn = (self.turns.get(sheet, 0) + steps) % self.board.by_name[sheet].turns
        return replace(self, piles=piles, turns={**self.turns, sheet: turn})

    def stacks(self, asides: Mapping[str, Point]) -> tuple[Stack, ...]:
        """The piles as stacks of a scene."""
        return tuple(self._stack(place, pile, asides) for place, pile in self.piles.items() if pile.card is None)

    def cards(self) -> tuple[LooseCard, ...]:
        """The cards, as they lie in a scene."""
        return tuple(self._card(place, pile) for place, pile in self.piles.items() if pile.card is not None)

    def _card(self, place: str, pile: Pile) -> LooseCard:
        site = self.board.sites[place]
        at = (site.at[0] + pile.off[0], site.at[1] + pile.off[1])
        return LooseCard(pile.pieces[0], at, lying_angle(self.board, place, pile.card) + pile.twist, site.z)

    def _stack(self, place: str, pile: Pile, asides: Mapping[str, Point]) -> Stack:
        site = self.board.sites.get(place)
        at = site.at if site else asides[place]
        z = site.z if site else 0.0
        return Stack(pile.pieces, (at[0] + pile.off[0], at[1] + pile.off[1]), z, pile.lean, place if site else None)


@dataclass(frozen=True, slots=True)
class Carry:
    """Take the top pieces of one place to another; from the bank, the pieces named."""

    source: str
    target: str
    count: int
    pieces: Pieces = ()
    card: Face | None = None
    """What it shows when it is laid down, if it is a card."""


@dataclass(frozen=True, slots=True)
class TurnSheet:
    """Turn a sheet by this many positions clockwise."""

    sheet: str
    steps: int


Step = Carry | TurnSheet


def carry_map(board: Board, sheet: str, steps: int) -> dict[str, str]:
    """For every site on a sheet, the site to which a turn carries what stands there."""
    if sheet not in board.by_name:
        raise ScriptError(f"the board of {board.game} has no sheet '{sheet}' to turn")
    on_it = [site for site in board.sites.values() if site.sheet == sheet]
    whole = board.by_name[sheet]
    moves = {}
    for site in on_it:
        x, y = turned(site.at, steps * 360 / whole.turns, whole.centre)
        moves[site.name] = min(on_it, key=lambda other: hypot(other.at[0] - x, other.at[1] - y)).name
    return moves


def plan(
    board: Board, before: Faces, after: Faces, turns: Mapping[str, int] | None = None, land_first: bool = False
) -> list[Step]:
    """The steps from one set of faces to another. `land_first`: a capturing stack is put on the captured one and then
    rebuilt; otherwise the captured marker is taken off first."""
    layout = Layout.showing(board, before)
    steps: list[Step] = [TurnSheet(sheet, count) for sheet, count in (turns or {}).items() if count]
    layout = apply(layout, steps)
    more = _rearrange(board, {site: pile.pieces for site, pile in layout.piles.items()}, after, land_first)
    layout = apply(layout, more)
    # Faces that no regular action brings about are changed pile by pile.
    for site in board.sites:
        have = layout.piles[site].pieces if site in layout.piles else ()
        more += _rebuild(site, have, _pieces(board, site, after[site]) if site in after else ())
        if _is_turned(board, layout.piles.get(site), site, after):
            more.append(Carry(site, site, 1))
    return steps + [_showing(step, after) for step in more]


def _is_turned(board: Board, pile: Pile | None, site: str, after: Faces) -> bool:
    """Whether a card is only turned where it lies."""
    if pile is None or site not in after or pile.card in (None, after[site]):
        return False
    return pile.pieces == _pieces(board, site, after[site])


def _showing(step: Step, after: Faces) -> Step:
    """The same step, with the face that its card is going to show."""
    if isinstance(step, TurnSheet) or step.target not in after or not after[step.target].sheet:
        return step
    return replace(step, card=after[step.target])


def lying_angle(board: Board, place: str, card: Face | None) -> float:
    """How far a card on a site is turned."""
    return (board.sites[place].angle if place in board.sites else 0.0) + (card.angle if card is not None else 0.0)


def apply(layout: Layout, steps: Sequence[Step]) -> Layout:
    """The layout after these steps, with no hand to be seen."""
    for step in steps:
        if isinstance(step, TurnSheet):
            layout = layout.carried(step.sheet, step.steps)
        elif step.source == BANK:
            layout = layout.put(step.target, step.pieces, card=step.card)
        else:
            layout, held = layout.taken(step.source, step.count)
            layout = layout.put(step.target, held, card=step.card)
    return layout


def _rearrange(board: Board, before: Mapping[str, Pieces], after: Faces, land_first: bool) -> list[Step]:
    want = {site: _pieces(board, site, face) for site, face in after.items()}
    have = {site: pieces for site, pieces in before.items() if want.get(site) != pieces}
    need = {site: pieces for site, pieces in want.items() if before.get(site) != pieces}
    steps: list[Step] = []
    for source in _only_in(have, need):
        steps += _move(source, have, need, land_first)
    # A line is made before a pawn is taken for it, so arrivals on free places come first.
    for site in _only_in(need, have):
        steps += _rebuild(site, (), need.pop(site))
    for site in _only_in(have, need):
        steps.append(Carry(site, BANK, len(have.pop(site))))
    for site, pieces in need.items():
        steps += _rebuild(site, have.get(site, ()), pieces)
    return steps


def _only_in(one: Mapping[str, Pieces], other: Mapping[str, Pieces]) -> list[str]:
    return [site for site in one if site not in other]


def _move(source: str, have: dict[str, Pieces], need: dict[str, Pieces], land_first: bool) -> list[Step]:
    """Steps that take a whole pile elsewhere, if that explains anything; it is then removed from both lists."""
    pieces = have[source]
    alike = {site: wanted for site, wanted in need.items() if wanted[-1] == pieces[-1]}
    free = {site: alike[site] for site in _only_in(alike, have)}
    beaten = [site for site in alike if site not in free and len(pieces) > 1]
    parts = {site: wanted for site, wanted in free.items() if len(wanted) > 1}
    if same := [site for site, wanted in free.items() if wanted == pieces]:
        steps: list[Step] = [Carry(source, same[0], len(pieces))]
        done = same[:1]
    elif beaten:
        steps = _capture(source, beaten[0], pieces, have[beaten[0]], need[beaten[0]], land_first)
        done = beaten[:1]
    elif _makes(pieces, parts):
        steps, done = _split(source, pieces, parts), list(parts)
    else:
        return []
    for site in done:
        have.pop(site, None)
        del need[site]
    del have[source]
    return steps


def _makes(pieces: Pieces, parts: Mapping[str, Pieces]) -> bool:
    """Whether a pile can be divided into these parts, each with its own piece on top."""
    return len(parts) > 1 and sum(len(part) - 1 for part in parts.values()) == len(pieces) - 1


def _capture(source: str, target: str, upper: Pieces, lower: Pieces, wanted: Pieces, land_first: bool) -> list[Step]:
    """A stack comes down on another: the captured marker goes, and so does anything above the wanted height."""
    body, head = len(upper) - 1, 1
    surplus = len(lower) - 1 + body - (len(wanted) - 1)
    if not land_first:
        steps: list[Step] = [Carry(target, BANK, 1), Carry(source, target, len(upper))]
        if surplus:
            steps.append(Carry(target, ASIDE[0], head))
            steps += [Carry(target, BANK, 1)] * surplus
            steps.append(Carry(ASIDE[0], target, head))
        return steps
    steps = [Carry(source, target, len(upper)), Carry(target, ASIDE[0], head)]
    steps += [Carry(target, ASIDE[1], 1)] * body
    steps.append(Carry(target, BANK, 1))
    # Stone by stone: some go back on the stack, the others to the supply.
    back = max(0, min(body, len(wanted) - 1 - (len(lower) - 1)))
    steps += [Carry(ASIDE[1], target, 1)] * back
    steps += [Carry(ASIDE[1], BANK, 1)] * (body - back)
    steps += [Carry(target, BANK, 1)] * (surplus - (body - back))
    return [*steps, Carry(ASIDE[0], target, head)]


def _split(source: str, pieces: Pieces, parts: Mapping[str, Pieces]) -> list[Step]:
    """Part by part: the first takes the marker along, the others get one from the bank."""
    steps: list[Step] = []
    for number, (site, part) in enumerate(parts.items()):
        if number == 0:
            steps.append(Carry(source, site, len(part)))
        else:
            steps += [Carry(source, site, len(part) - 1), Carry(BANK, site, 1, part[-1:])]
    return steps


def _rebuild(site: str, have: Pieces, wanted: Pieces) -> list[Step]:
    """Take off what does not belong, then put on what is missing: a whole new stack goes on at once."""
    same = 0
    while same < min(len(have), len(wanted)) and have[same] == wanted[same]:
        same += 1
    steps: list[Step] = [Carry(site, BANK, 1)] * (len(have) - same)
    if same < len(wanted):
        steps.append(Carry(BANK, site, len(wanted) - same, wanted[same:]))
    return steps


def _pieces(board: Board, site: str, face: Face) -> Pieces:
    if site not in board.sites:
        raise SceneError(f"the board of {board.game} has no site '{site}'")
    if face.sheet in board.cards:
        return (face.sheet,)
    if face.pieces and all(piece in board.pieces for piece in face.pieces):
        return face.pieces
    raise SceneError(f"{board.game}: nothing on a site shows '{face}' (site {site})")


def _untidy(random: np.random.Generator, sloppy: float) -> tuple[Point, Point]:
    x, y, u, v = random.uniform(-1, 1, 4) * sloppy
    return (float(x), float(y)), (float(u) / 3, float(v) / 3)
