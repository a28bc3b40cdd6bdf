"""A Dimenticato set-up: the plan with its dice, and for a match in progress where the figures stand.

`{"width": 5, "height": 5, "big": [2, 6, 10, 14], "fields": {"a1": {"pips": 3, "colour": "red"}, …}}`; in progress also
`"position": {"sites": {"g1": "red", "red@1": "red", …}, "unopened": ["red@1"], "known": ["g1"], "seat": 1}`, of which
all but the sites may be left out: then every figure has been out, no covered number is known, and red is to move.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from engine.core import COLOURS, InvalidSetupError, Json, Word
from engine.face import spelled
from engine.games.dimenticato.dice import Dice
from engine.games.dimenticato.plan import Plan
from engine.games.dimenticato.walk import NUMBERS
from engine.spoken import UnplayableError

if TYPE_CHECKING:
    from engine.games.dimenticato.rules import DimenticatoPosition


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


_KEYS = {"width", "height", "big", "fields", "position"}
_POSITION_KEYS = {"sites", "unopened", "known", "seat"}
_SHORTEST_SIDE = 3
_CARDS_A_SEAT = 4
FIGURES = 4


def read_setup(players: int, setup: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of the position that a set-up describes."""
    _check_keys("set-up", setup, _KEYS, _KEYS - {"position"})
    plan = _read_plan(players, _read_side("width", setup["width"]), _read_side("height", setup["height"]), setup["big"])
    dice = _read_dice(plan, setup["fields"])
    return {"plan": plan, "dice": dice} | _read_position(plan, setup.get("position", _start(plan)))


def _check_keys(what: str, given: Mapping[str, Any], known: set[str], needed: set[str]) -> None:
    if strangers := given.keys() - known:
        raise InvalidSetupError(f"a Dimenticato {what} has no {_first(strangers)!r}, only {', '.join(sorted(known))}")
    if missing := needed - given.keys():
        raise InvalidSetupError(f"a Dimenticato {what} needs {_first(missing)!r}")


def _first(names: set[Any]) -> str:
    return min(map(str, names))


def _read_side(name: str, cards: object) -> int:
    if type(cards) is not int or cards < _SHORTEST_SIDE:
        raise InvalidSetupError(f"a Dimenticato set-up: '{name}' must be a number of cards (3 or more), not {cards!r}")
    return cards


def _read_plan(players: int, width: int, height: int, big: object) -> Plan:
    cards = 2 * (width + height) - 4
    if cards != _CARDS_A_SEAT * players:
        raise InvalidSetupError(
            f"a Dimenticato set-up: {width}×{height} makes {cards} cards; {players} players need {4 * players}"
        )
    if not isinstance(big, list | tuple) or len(big) != players or not all(_is_below(card, cards) for card in big):
        raise InvalidSetupError(
            f"a Dimenticato set-up: 'big' must list the big cards of {players} players as positions 0 to {cards - 1}"
        )
    if any((after - before) % cards != _CARDS_A_SEAT for before, after in zip(big, (*big[1:], big[0]), strict=True)):
        raise InvalidSetupError("a Dimenticato set-up: each big card must come 4 positions after the one before")
    plan = Plan(width, height, tuple(big))
    if corners := plan.corners.intersection(big):
        raise InvalidSetupError(f"a Dimenticato set-up: the big card at {min(corners)} is on a corner")
    return plan


def _is_below(number: object, limit: int) -> bool:
    return type(number) is int and 0 <= number < limit


def _read_dice(plan: Plan, fields: object) -> Dice:
    if not isinstance(fields, Mapping):
        raise InvalidSetupError(
            'a Dimenticato set-up: \'fields\' gives each field a die, such as {"a1": {"pips": 3, "colour": "red"}}'
        )
    names = plan.names[: plan.size]
    if strangers := fields.keys() - set(names):
        raise InvalidSetupError(f"a Dimenticato set-up: there is no field {_first(strangers)!r} on this plan")
    if missing := [name for name in names if name not in fields]:
        raise InvalidSetupError(f"a Dimenticato set-up: there is no die on {missing[0]}")
    dice = [_read_die(name, fields[name]) for name in names]
    return Dice(tuple(pips for pips, _ in dice), tuple(colour for _, colour in dice))


def _read_die(name: str, die: object) -> tuple[int, int]:
    if not isinstance(die, Mapping) or die.keys() != {"pips", "colour"}:
        raise InvalidSetupError(f"a Dimenticato set-up: the die on {name} must have 'pips' and 'colour', not {die!r}")
    pips, colour = die["pips"], die["colour"]
    if type(pips) is not int or pips not in NUMBERS:
        raise InvalidSetupError(f"a Dimenticato set-up: the die on {name} must show 1 to 6, not {pips!r}")
    if colour not in COLOURS:
        raise InvalidSetupError(f"a Dimenticato set-up: the die on {name} must be {'/'.join(COLOURS)}, not {colour!r}")
    return pips, COLOURS.index(colour)


def _start(plan: Plan) -> Json:
    """Everybody's figures at home."""
    home = plan.names[plan.size :]
    return {"sites": {name: name.partition("@")[0] for name in home}, "unopened": list(home), "known": [], "seat": 0}


def _read_position(plan: Plan, position: object) -> dict[str, Any]:
    if not isinstance(position, Mapping):
        raise InvalidSetupError("a Dimenticato set-up: 'position' must be a JSON object")
    _check_keys("position", position, _POSITION_KEYS, {"sites"})
    players = len(plan.big)
    figures = _read_figures(plan, position["sites"])
    home = sum(own & plan.blocks[seat] for seat, own in enumerate(figures))
    unopened = _read_sites(plan, "unopened", position.get("unopened", []), home)
    known = _read_sites(plan, "known", position.get("known", []), sum(figures) & plan.track)
    for seat, block in enumerate(plan.blocks):
        if figures[seat] == block and not block & unopened:
            raise UnplayableError(_("{colour} has come home: the match is over."), colour=Word(COLOURS[seat]))
    seat = position.get("seat", 0)
    if not _is_below(seat, players):
        raise InvalidSetupError(f"a Dimenticato set-up: the seat to move must be 0 to {players - 1}, not {seat!r}")
    return {"figures": figures, "unopened": unopened, "known": known, "seat": seat}


def _read_figures(plan: Plan, sites: object) -> tuple[int, ...]:
    if not isinstance(sites, Mapping):
        raise InvalidSetupError(
            'a Dimenticato set-up: \'sites\' must say whose figure stands where, such as {"g1": "red", "red@1": "red"}'
        )
    figures = [0] * len(plan.big)
    for name, colour in sites.items():
        if name not in plan.index:
            raise InvalidSetupError(f"a Dimenticato set-up: there is no field {name!r} on this plan")
        if colour not in COLOURS[: len(plan.big)]:
            raise InvalidSetupError(f"a Dimenticato set-up: {name} cannot hold {colour!r} with {len(plan.big)} players")
        seat, site = COLOURS.index(colour), plan.index[name]
        if plan.block_owner(site) not in (None, seat):
            raise InvalidSetupError(f"a Dimenticato set-up: {colour} cannot stand on another seat's start field {name}")
        figures[seat] |= 1 << site
    for seat, own in enumerate(figures):
        if own.bit_count() != FIGURES:
            raise UnplayableError(
                _("{colour} must have {wanted} figures, not {number}."),
                colour=Word(COLOURS[seat]),
                wanted=FIGURES,
                number=own.bit_count(),
            )
    return tuple(figures)


def _read_sites(plan: Plan, key: str, names: object, among: int) -> int:
    """A set of sites, each of which must be in another set."""
    if not isinstance(names, list | tuple):
        raise InvalidSetupError(f"a Dimenticato set-up: '{key}' must be a list of fields, not {names!r}")
    sites = 0
    for name in names:
        site = plan.index.get(name) if isinstance(name, str) else None
        if site is None or not among >> site & 1:
            where = "in its start field" if key == "unopened" else "on the track"
            raise InvalidSetupError(f"a Dimenticato set-up: '{key}' names {name!r}, but no figure stands there {where}")
        sites |= 1 << site
    return sites


def write_setup(position: DimenticatoPosition) -> Json:
    """A set-up that makes this position again; the start is written without the figures."""
    plan = position.plan
    written: Json = {
        "width": plan.width,
        "height": plan.height,
        "big": list(plan.big),
        "fields": position.dice.written(plan, plan.track),
    }
    figures: Json = {
        "sites": spelled(position.faces()),
        "unopened": position.names(position.unopened),
        "known": position.names(position.known),
        "seat": position.seat,
    }
    return written if figures == _start(plan) else written | {"position": figures}
