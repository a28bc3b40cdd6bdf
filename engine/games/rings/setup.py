"""A Rings position as a set-up: the empty track (`{}`), or one laid by hand.

By hand: `{"sites": {"b3": "red"}, "reserve": [9, 10], "spent": ["b3"], "last_turned": "b", "seat": 1}`; all may be left
out: then nobody has lost a pawn, none is spent, no ring has been turned and seat 0 is to move.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from engine.core import COLOURS, InvalidSetupError, Json, Word
from engine.face import spelled
from engine.games.rings.cells import INDEX, NAMES, OUT, PAWNS, RINGS, bits, cell_set
from engine.spoken import UnplayableError

if TYPE_CHECKING:
    from engine.games.rings.rules import RingsPosition


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


_KEYS = {"sites", "reserve", "spent", "last_turned", "seat"}


def read_setup(players: int, setup: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of the position that a set-up describes."""
    if strangers := {str(key) for key in setup.keys() - _KEYS}:
        raise InvalidSetupError(f"a Rings set-up has no {min(strangers)!r}, only {', '.join(sorted(_KEYS))}")
    pawns = _read_sites(players, setup.get("sites", {}))
    reserve = _read_reserve(pawns, setup.get("reserve", [PAWNS - own.bit_count() for own in pawns]))
    last_turned = setup.get("last_turned")
    if last_turned is not None and last_turned not in tuple(RINGS):
        raise InvalidSetupError(f"a Rings set-up: 'last_turned' must be a, b, c or null, not {last_turned!r}")
    return {
        "seat": _read_seat(pawns, reserve, setup.get("seat", 0)),
        "pawns": tuple(pawns),
        "reserve": tuple(reserve),
        "spent": _read_spent(sum(pawns), setup.get("spent", [])),
        "last_turned": None if last_turned is None else RINGS.index(last_turned),
    }


def _read_sites(players: int, sites: object) -> list[int]:
    if not isinstance(sites, Mapping):
        raise InvalidSetupError(
            'a Rings set-up: \'sites\' must say which pawn stands on which cell, such as {"b3": "red"}'
        )
    pawns = [0] * players
    for name, face in sites.items():
        if name not in INDEX:
            raise InvalidSetupError(f"a Rings set-up: there is no cell {name!r}")
        if face not in COLOURS[:players]:
            raise InvalidSetupError(f"a Rings set-up: {name} cannot hold {face!r} with {players} players")
        pawns[COLOURS.index(face)] |= 1 << INDEX[name]
    return pawns


def _read_reserve(pawns: list[int], reserve: object) -> list[int]:
    if not isinstance(reserve, list) or len(reserve) != len(pawns) or not all(type(count) is int for count in reserve):
        raise InvalidSetupError(f"a Rings set-up: 'reserve' must be a list of {len(pawns)} numbers, one a player")
    for colour, own, count in zip(COLOURS, pawns, reserve, strict=False):
        on_track = own.bit_count()
        if on_track > PAWNS or not 0 <= count <= PAWNS - on_track:
            raise UnplayableError(
                _("{colour} has {number} pawns, not {on_track} on the track and {reserve} in reserve."),
                colour=Word(colour),
                number=PAWNS,
                on_track=on_track,
                reserve=count,
            )
    return reserve


def _read_spent(occupied: int, spent: object) -> int:
    if not isinstance(spent, list):
        raise InvalidSetupError("a Rings set-up: 'spent' must be a list of cells")
    for name in spent:
        if not isinstance(name, str) or name not in INDEX or not occupied >> INDEX[name] & 1:
            raise InvalidSetupError(f"a Rings set-up: no pawn stands on {name!r} that could be spent")
    return cell_set(INDEX[name] for name in spent)


def _read_seat(pawns: list[int], reserve: list[int], seat: object) -> int:
    if type(seat) is not int or not 0 <= seat < len(pawns):
        raise InvalidSetupError(f"a Rings set-up: the seat to move must be 0 to {len(pawns) - 1}, not {seat!r}")
    playing = [own.bit_count() + count > OUT for own, count in zip(pawns, reserve, strict=True)]
    if not playing[seat]:
        raise UnplayableError(_("{colour} is out and cannot be to move."), colour=Word(COLOURS[seat]))
    if sum(playing) < 2:
        raise UnplayableError(_("The match is over with only one player left."))
    return seat


def write_setup(position: RingsPosition) -> Json:
    """A set-up that makes this position again."""
    return {
        "sites": spelled(position.faces()),
        "reserve": list(position.reserve),
        "spent": [NAMES[cell] for cell in bits(position.spent)],
        "last_turned": None if position.last_turned is None else RINGS[position.last_turned],
        "seat": position.seat,
    }
