"""A set-up of Triominos: a fresh deal, one whose cards nobody has seen, or a position in progress.

Fresh: `{"racks": [["134", …], …], "first": "134", "pot": ["J", …]}`; at a real table `racks` and `pot` are null, and
`first` is how the first card lies.
In progress, racks and pot are what is left, and `position` says the rest: `{"table": {"0,0": "134", …},
"chips": [4, 5], "seat": 1, "passes": 0, "turns_left": null, "joker": null}`, with `rack_sizes` and `pot_size` where
racks are null.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from random import Random
from typing import TYPE_CHECKING, Any, NoReturn

from engine.core import InvalidSetupError, Json
from engine.face import spelled
from engine.games.triominos.actions import read_site
from engine.games.triominos.cards import CARD_OF, CARDS, JOKER, JOKER_FACE, UNSEEN, matches
from engine.games.triominos.lattice import FIRST, Cell, site
from engine.games.triominos.purse import START
from engine.games.triominos.table import LaidCards

if TYPE_CHECKING:
    from engine.games.triominos.rules import TriominosPosition

RACK = 6
_KEYS = {"racks", "first", "pot"}
_POSITION_KEYS = {"table", "chips", "seat", "passes", "turns_left", "joker"}
_SIZES = {"rack_sizes", "pot_size"}

_Hands = tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]


def deal(players: int, random: Random) -> Json:
    """Shuffled cards as a set-up."""
    cards = list(CARDS)
    random.shuffle(cards)
    racks = [sorted(cards[RACK * seat : RACK * (seat + 1)]) for seat in range(players)]
    pot = cards[RACK * players :]
    first = pot.pop(0)
    if first == JOKER:
        first = pot.pop(0)
        pot.insert(random.randrange(len(pot) + 1), JOKER)
    return {"racks": racks, "first": first, "pot": pot}


def read_setup(players: int, setup: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of the position that a set-up describes."""
    _check_keys("", setup.keys() - {"position"}, _KEYS)
    first = setup["first"]
    if (setup["racks"] is None) != (setup["pot"] is None):
        _refuse("'racks' and 'pot' must both be known or both be null")
    # At a real table it lies as somebody has laid it.
    allowed = CARDS if setup["racks"] is not None else CARD_OF
    if not isinstance(first, str) or first not in allowed or first in (JOKER, JOKER_FACE):
        _refuse(f"'first' must be a card other than the joker, such as '134', not {first!r}")
    if "position" in setup:
        return _read_position(players, setup)
    table = LaidCards().lay(FIRST, first)
    if setup["racks"] is None:
        racks, pot = _unseen([RACK] * players, len(CARDS) - 1 - RACK * players)
    else:
        racks, pot = _read_hands(players, setup, table)
        if any(len(rack) != RACK for rack in racks):
            _refuse(f"every rack must hold {RACK} cards")
    return {"seat": 0, "table": table, "racks": racks, "pot": pot, "chips": (START,) * players}


def _refuse(why: str) -> NoReturn:
    raise InvalidSetupError(f"a Triominos set-up: {why}")


def _check_keys(where: str, keys: Set[str], wanted: Set[str]) -> None:
    if missing := wanted - keys:
        _refuse(f"there is no {min(missing)!r}{where}")
    if strangers := keys - wanted:
        _refuse(f"there can be no {min(strangers, key=str)!r}{where}")


def _unseen(sizes: list[int], pot: int) -> _Hands:
    return tuple((UNSEEN,) * size for size in sizes), (UNSEEN,) * pot


def _read_hands(players: int, setup: Mapping[str, Any], table: LaidCards) -> _Hands:
    """Racks and pot, which together with the table must hold every card once."""
    racks, pot = setup["racks"], setup["pot"]
    if not isinstance(racks, list) or len(racks) != players:
        _refuse(f"'racks' must be a list of {players} racks")
    for cards in (*racks, pot):
        if not isinstance(cards, list) or not all(isinstance(card, str) and card in CARDS for card in cards):
            _refuse("every rack and the pot must be a list of cards, such as '134' or 'J'")
    together = sorted([*table.places, *pot, *(card for rack in racks for card in rack)])
    for card in CARDS:
        if (number := together.count(card)) != 1:
            _refuse(f"the card {card} must be there once, not {number} times")
    return tuple(tuple(sorted(rack)) for rack in racks), tuple(pot)


def _read_position(players: int, setup: Mapping[str, Any]) -> dict[str, Any]:
    given = setup["position"]
    if not isinstance(given, Mapping):
        _refuse("'position' must be a JSON object")
    unseen = setup["racks"] is None
    _check_keys(" in 'position'", given.keys(), _POSITION_KEYS | (_SIZES if unseen else set()))
    table = _read_table(given["table"], setup["first"])
    racks, pot = _read_sizes(players, given, table) if unseen else _read_hands(players, setup, table)
    if not _is_numbers(given["chips"], players):
        _refuse(f"'chips' must be a list of {players} numbers")
    _check_number("seat", given["seat"], 0, players - 1)
    _check_number("passes", given["passes"], 0, players - 1)
    if pot and given["turns_left"] is not None:
        _refuse("'turns_left' must be null while there are cards in the pot")
    if not pot:
        _check_number("turns_left", given["turns_left"], 1, players)
    return {
        "seat": given["seat"],
        "table": table,
        "racks": racks,
        "pot": pot,
        "chips": tuple(given["chips"]),
        "joker_with": _read_joker(given["joker"], table, racks),
        "passes": given["passes"],
        "turns_left": given["turns_left"],
    }


def _read_table(given: object, first: str) -> LaidCards:
    """Lay the cards again one by one, starting from the first card."""
    if not isinstance(given, Mapping):
        _refuse('\'table\' must say which card lies where, such as {"0,0": "134"}')
    left: dict[Cell, str] = {}
    for name, face in given.items():
        cell = read_site(name) if isinstance(name, str) else None
        if cell is None:
            _refuse(f"there is no cell {name!r}")
        if not isinstance(face, str) or face not in CARD_OF:
            _refuse(f"no card lies as {face!r} ({name})")
        left[cell] = face
    if left.pop(FIRST, None) != first:
        _refuse(f"the first card {first} must lie on {site(FIRST)} as it is written")
    table = LaidCards().lay(FIRST, first)
    while left:
        cell = min(table.frontier & left.keys(), default=None)
        if cell is None:
            _refuse(f"the card on {site(min(left))} shares no side with the others")
        face = left.pop(cell)
        if CARD_OF[face] in table.places:
            _refuse(f"the card {CARD_OF[face]} lies on the table twice")
        if not matches(face, table.asked(cell)):
            _refuse(f"{face} does not fit on {site(cell)}")
        table = table.lay(cell, face)
    return table


def _read_sizes(players: int, given: Mapping[str, Any], table: LaidCards) -> _Hands:
    sizes, pot = given["rack_sizes"], given["pot_size"]
    if not _is_numbers(sizes, players):
        _refuse(f"'rack_sizes' must be a list of {players} numbers")
    hidden = len(CARDS) - len(table.faces)
    _check_number("pot_size", pot, 0, hidden)
    if sum(sizes) + pot != hidden:
        _refuse(f"racks and pot must hold the {hidden} cards that are not on the table, not {sum(sizes) + pot}")
    return _unseen(sizes, pot)


def _read_joker(seat: object, table: LaidCards, racks: tuple[tuple[str, ...], ...]) -> int | None:
    if seat is None:
        return None
    if not isinstance(seat, int) or isinstance(seat, bool) or not 0 <= seat < len(racks):
        _refuse(f"'joker' must be null or the seat whose rack is known to hold it, not {seat!r}")
    if table.joker is not None or not {JOKER, UNSEEN} & set(racks[seat]):
        _refuse(f"the joker cannot be in the rack of seat {seat}")
    return seat


def _is_number(number: object) -> bool:
    return type(number) is int and number >= 0


def _is_numbers(numbers: object, length: int) -> bool:
    return isinstance(numbers, list) and len(numbers) == length and all(map(_is_number, numbers))


def _check_number(name: str, number: object, least: int, most: int) -> None:
    if type(number) is not int or not least <= number <= most:
        _refuse(f"'{name}' must be a number from {least} to {most}, not {number!r}")


def write_setup(position: TriominosPosition) -> Json:
    """A set-up that makes this position again: the page's three keys, and `position` once it has been played on."""
    table, unseen = position.table, position.hidden
    setup: Json = {
        "racks": None if unseen else [list(rack) for rack in position.racks],
        "first": table.faces[FIRST],
        "pot": None if unseen else list(position.pot),
    }
    sizes = [len(rack) for rack in position.racks]
    untouched = position.chips == (START,) * position.players and sizes == [RACK] * position.players
    if len(table.faces) == 1 and untouched and (position.seat, position.passes, position.joker_with) == (0, 0, None):
        return setup
    setup["position"] = {
        "table": spelled(position.faces()),
        "chips": list(position.chips),
        "seat": position.seat,
        "passes": position.passes,
        "turns_left": position.turns_left,
        "joker": position.joker_with,
    }
    if unseen:
        setup["position"] |= {"rack_sizes": sizes, "pot_size": len(position.pot)}
    return setup
