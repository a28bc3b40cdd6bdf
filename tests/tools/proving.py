"""Whether what a hint says is true, found out by trying everything: legal actions, positions after them, what is seen.

Neither the search nor a game's own remarks or shortcuts are asked. A code that is not known here is an error.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from proving_rings import is_spent_after, lines_made

from engine.core import COLOURS, Action, Position
from engine.face import Face
from engine.players.facts import Reason
from engine.players.search import Thought

HEIGHTS = {"Single": 1, "Double": 2, "Tripple": 3}


@dataclass(frozen=True)
class Claim:
    """One sentence about an action in a position."""

    position: Position
    action: Action
    reason: Reason
    thought: Thought
    deals: tuple[int, int] | None = None
    """How many of how many deals the action fits, where something is hidden."""

    @cached_property
    def after(self) -> Position:
        return self.position.after(self.action)

    @property
    def seat(self) -> int:
        assert self.position.seat is not None
        return self.position.seat

    def fact(self, name: str) -> str:
        return str(self.reason.facts[name])

    @property
    def other(self) -> int:
        return COLOURS.index(self.fact("colour"))

    def is_true(self) -> bool:
        return PROOFS[self.reason.code](self)


def wins(position: Position) -> list[str]:
    """Every action that wins at once, alone."""
    afters = ((action, position.after(action).outcome) for action in position.legal())
    return [str(action) for action, outcome in afters if outcome and outcome.winners == (position.seat,)]


def asked(position: Position, seat: int) -> Position | None:
    """The table as if it were this player's turn; None for who is out."""
    is_over = position.outcome is not None or seat in position.view(None).get("out", ())
    return None if is_over else position.turned_to(seat)


def could_win(position: Position, seat: int) -> list[str]:
    turned = asked(position, seat)
    return wins(turned) if turned is not None else []


def own(position: Position, seat: int) -> dict[str, Face]:
    return {site: face for site, face in position.faces().items() if face.kind == COLOURS[seat]}


def others(claim: Claim) -> list[int]:
    return [seat for seat in range(claim.position.players) if seat != claim.seat]


def taken_sites(position: Position, action: Action) -> set[str]:
    """Where the pieces that an action takes stand now, before it, by what is written."""
    text = str(action)
    taken = text.partition("x")[2].partition(">")[0]
    sites = set(taken.split(",")) if taken else set()
    if ring := re.match(r"([abc])([<>])", text):
        # Written as they stand after the ring was turned.
        back = -1 if ring[2] == ">" else 1
        sites = {f"{s[0]}{(int(s[1]) - 1 + back) % 8 + 1}" if s[0] == ring[1] else s for s in sites}
    return sites


def losable(position: Position, seat: int) -> set[str]:
    """The sites of all pieces of a player that one of the others could take next."""
    found: set[str] = set()
    for other in range(position.players):
        turned = asked(position, other) if other != seat else None
        for action in turned.legal() if turned is not None else ():
            found |= taken_sites(position, action) & own(position, seat).keys()
    return found


def costs(position: Position, action: Action) -> Counter[str]:
    """How many pieces of which colour leave their places on the board for good, or are set back."""
    before = position.faces()
    return Counter(before[site].kind for site in taken_sites(position, action))


# What every game has


def _wins(claim: Claim) -> bool:
    outcome = claim.after.outcome
    return outcome is not None and outcome.winners == (claim.seat,) and claim.fact("winner") == COLOURS[claim.seat]


def _shares(claim: Claim) -> bool:
    outcome = claim.after.outcome
    return outcome is not None and claim.seat in outcome.winners and len(outcome.winners) > 1


def _stops(claim: Claim) -> bool:
    before = could_win(claim.position, claim.other)
    region = claim.reason.facts.get("region")
    told = claim.fact("action")
    if region is not None:
        # A sheet of this name ends in the letter with which its sites begin: tile-T, ring-a.
        regions = claim.position.rules.game.regions
        letter = next(sheet[-1] for sheet, name in regions.items() if name == str(region))
        turned = claim.position.turned_to(claim.other)
        changed = turned.faces().items() ^ turned.after(turned.rules.parse(told)).faces().items()
        if not any(site[0] == letter for site, _ in changed):
            return False
    return told in before and not could_win(claim.after, claim.other)


def holding(position: Position) -> list[Action]:
    """The actions that do not lose at once: the match is won, or goes on and the next player cannot win."""
    kept = []
    for action in position.legal():
        after = position.after(action)
        if (position.seat in after.outcome.winners) if after.outcome else not wins(after):
            kept.append(action)
    return kept


def _few(claim: Claim) -> bool:
    kept, facts = holding(claim.position), claim.reason.facts
    number, count = facts.get("number", 1), facts.get("count", len(claim.position.legal()))
    return claim.action in kept and (len(kept), len(claim.position.legal())) == (number, count)


def _replies(claim: Claim) -> tuple[int, int]:
    """How many answers there are after which the player cannot win, and how many in all."""
    afters = [claim.after.after(reply) for reply in claim.after.legal()]
    stopping = [
        after.outcome.winners != (claim.seat,) if after.outcome else not could_win(after, claim.seat)
        for after in afters
    ]
    return sum(stopping), len(stopping)


def _answers(claim: Claim) -> bool:
    return _replies(claim) == (claim.reason.facts["number"], claim.reason.facts["count"])


def is_won(position: Position, seat: int, actions: int) -> bool:
    """Whether this player, with so many actions of his own, wins against every answer; the last action may be the
    other's."""
    if position.outcome is not None:
        return position.outcome.winners == (seat,)
    if position.seat != seat:
        return all(is_won(position.after(action), seat, actions) for action in position.legal())
    # A game's own look for a win at once is held against trying everything by a test of its own.
    if position.rules.winning(position) is not None:
        return actions > 0
    return actions > 0 and any(is_won(position.after(action), seat, actions - 1) for action in position.legal())


def _leads(claim: Claim) -> bool:
    return claim.position.players == 2 and is_won(claim.after, claim.seat, int(claim.fact("number")) - 1)


def _attacks(claim: Claim) -> bool:
    mine = claim.after.turned_to(claim.seat)
    action = claim.position.rules.parse(claim.fact("action"))
    return action in mine.legal() and bool(costs(mine, action).keys() - {COLOURS[claim.seat]})


def _saves(claim: Claim) -> bool:
    before, after = len(losable(claim.position, claim.seat)), len(losable(claim.after, claim.seat))
    facts = claim.reason.facts
    return before > after and (after, before) == (facts.get("number", 0), facts.get("count", before))


def _hopeless(claim: Claim) -> bool:
    """Every action loses at once; or, between two, every action loses to the best play within two answers."""
    if not holding(claim.position):
        return True
    if claim.position.players > 2:
        return False
    rival = 1 - claim.seat
    return all(is_won(claim.position.after(action), rival, 2) for action in claim.position.legal())


def _best(claim: Claim) -> bool:
    return claim.action == claim.thought.best.action and claim.reason.facts["number"] == claim.thought.depth


def _guess(claim: Claim) -> bool:
    return (claim.reason.facts["number"], claim.reason.facts["count"]) == claim.deals


# What games say


def _takes(claim: Claim) -> bool:
    told = claim.fact("sites") if "sites" in claim.reason.facts else claim.fact("site")
    before, named = claim.position.faces(), set(told.split(", "))
    written = set(str(claim.action).partition("x")[2].partition(">")[0].split(","))
    if not named <= written or costs(claim.position, claim.action)[claim.fact("colour")] != len(named):
        return False
    if "figure" in claim.reason.facts:
        return (before[told].kind, before[told].level) == (claim.fact("colour"), HEIGHTS[claim.fact("figure")])
    gone = len(own(claim.position, claim.other)) - len(own(claim.after, claim.other))
    return gone == (0 if claim.reason.code == "beats" else len(named))


def _out(claim: Claim) -> bool:
    return claim.other in claim.after.view(None)["out"] and claim.other not in claim.position.view(None)["out"]


def _joins(claim: Claim) -> bool:
    site, origin = claim.fact("site"), str(claim.action).split("x")[0]
    before, after = own(claim.position, claim.seat), own(claim.after, claim.seat)
    height = HEIGHTS[claim.fact("figure")]
    joined = before[site].level + before[origin].level == height
    mine = (after[site].kind, after[site].level) == (COLOURS[claim.seat], height)
    return joined and mine and len(after) == len(before) - 1


def _stones(claim: Claim) -> bool:
    return bool(claim.after.view(None)["stones"] - claim.position.view(None)["stones"] == 3)


def _held(claim: Claim, sites: Iterator[str]) -> bool:
    counted = list(sites)
    before, after = (sum(site in own(each, claim.seat) for site in counted) for each in (claim.position, claim.after))
    return after > before and after == claim.reason.facts["number"]


def _unspent(claim: Claim) -> bool:
    origin = str(claim.action).partition("-")[0]
    was = origin in claim.position.view(None)["spent"]
    return was and not is_spent_after(claim.position, claim.action, claim.fact("site"))


def _lines(claim: Claim) -> bool:
    return lines_made(claim.position, claim.action) == claim.reason.facts.get("number", 1)


def _home(claim: Claim) -> bool:
    def come(position: Position) -> int:
        view = position.view(None)
        return sum(s.startswith(f"{COLOURS[claim.seat]}@") and s not in view["unopened"] for s in view["sites"])

    return come(claim.after) == come(claim.position) + 1 == claim.reason.facts["number"]


def _safe(claim: Claim) -> bool:
    site = claim.fact("site")
    field = claim.position.setup()["fields"][site]["colour"]
    return (
        field == COLOURS[claim.seat]
        and site in own(claim.after, claim.seat)
        and site not in losable(claim.after, claim.seat)
    )


def _cell(text: str) -> tuple[int, int]:
    x, y = map(int, text.split(","))
    return x, y


def _corners(cell: tuple[int, int]) -> list[tuple[int, int]]:
    x, y = cell
    return [(x, y), (x + 1, y + 1), (x - 1, y + 1)] if (x + y) % 2 == 0 else [(x, y + 1), (x - 1, y), (x + 1, y)]


def _round(corner: tuple[int, int]) -> set[tuple[int, int]]:
    x, y = corner
    near = {(x + dx, y + dy) for dx in range(-2, 3) for dy in range(-2, 3)}
    return {cell for cell in near if corner in _corners(cell)}


def _hexagon(claim: Claim) -> bool:
    lying = {_cell(site) for site in claim.after.faces()}
    return any(_round(corner) <= lying for corner in _corners(_cell(claim.fact("site"))))


def _bridge(claim: Claim) -> bool:
    lying, cell = {_cell(site) for site in claim.position.faces()}, _cell(claim.fact("site"))
    corners = _corners(cell)
    beside = [each for each in lying if len(set(_corners(each)) & set(corners)) == 2]
    (opposite,) = set(corners) - set(_corners(beside[0])) if beside else {(0, 0)}
    return len(beside) == 1 and bool(_round(opposite) & lying)


def _last_card(claim: Claim) -> bool:
    sizes = [each.view(None)["rack_sizes"][claim.seat] for each in (claim.position, claim.after)]
    return sizes == [1, 0]


def _joker(claim: Claim) -> bool:
    site = claim.fact("site")
    racks = [each.view(claim.seat)["rack"] for each in (claim.position, claim.after)]
    return claim.position.faces()[site].name == "JJJ" != claim.after.faces()[site].name and [
        "J" in rack for rack in racks
    ] == [
        False,
        True,
    ]


def _chips(claim: Claim) -> bool:
    chips = [each.view(None)["chips"][claim.seat] for each in (claim.position, claim.after)]
    return bool(chips[1] - chips[0] == claim.reason.facts["number"])


PROOFS: dict[str, Callable[[Claim], bool]] = {
    "single": lambda claim: claim.position.legal() == (claim.action,) or list(claim.position.legal()) == [claim.action],
    "wins": _wins,
    "shares": _shares,
    "stops": _stops,
    "stops.there": _stops,
    "only": _few,
    "few": _few,
    "threatens": lambda claim: claim.fact("action") in could_win(claim.after, claim.seat),
    "answers": _answers,
    "forced": lambda claim: _replies(claim)[0] == 0,
    "leads": _leads,
    "attacks": _attacks,
    "guards": _saves,
    "saves": _saves,
    "hopeless": _hopeless,
    "best": _best,
    "guess": _guess,
    "takes": _takes,
    "beats": _takes,
    "out": _out,
    "joins": _joins,
    "stones": _stones,
    "middles": lambda claim: _held(claim, (f"{tile}7" for tile in "TLRI")),
    "triangle": lambda claim: _held(claim, (f"{claim.fact('tile')}{point}" for point in "4567")),
    "line": _lines,
    "lines": _lines,
    "unspent": _unspent,
    "home": _home,
    "safe": _safe,
    "hexagon": _hexagon,
    "bridge": _bridge,
    "last-card": _last_card,
    "joker": _joker,
    "chips": _chips,
}
