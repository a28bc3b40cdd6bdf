"""A Memento position as a set-up: the empty board (`{}`), or one laid by hand.

By hand: `{"sites": {"T1": "red2"}, "seat": 1, "entered": [0], "turned": [], "just_turned": false}`; all but the sites
may be left out, and then follow from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from engine.core import COLOURS, InvalidSetupError, Json, Word
from engine.face import spelled
from engine.games.memento.faces import FACES
from engine.games.memento.points import INDEX, MARKERS, stones_for
from engine.spoken import UnplayableError

if TYPE_CHECKING:
    from engine.games.memento.rules import MementoPosition


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


_FIGURES = {face.name: (COLOURS.index(face.kind), face.level) for face in FACES.lawful}
_KEYS = {"sites", "seat", "entered", "turned", "just_turned"}


def read_setup(players: int, setup: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of the position that a set-up describes."""
    if strangers := setup.keys() - _KEYS:
        raise InvalidSetupError(f"a Memento set-up has no {min(strangers)!r}, only {', '.join(sorted(_KEYS))}")
    figures, heights = _read_sites(players, setup.get("sites", {}))
    entered = _seats(players, "entered", setup.get("entered", [seat for seat in range(players) if figures[seat]]))
    if any(figures[seat] and not entered >> seat & 1 for seat in range(players)):
        raise InvalidSetupError("a Memento set-up: a player with figures must be among the 'entered'")
    seat = setup.get("seat", 0)
    if not _is_seat(seat, players):
        raise InvalidSetupError(f"a Memento set-up: the seat to move must be 0 to {players - 1}, not {seat!r}")
    if entered >> seat & 1 and not figures[seat]:
        raise UnplayableError(_("{colour} is out and cannot be to move."), colour=Word(COLOURS[seat]))
    if not isinstance(just_turned := setup.get("just_turned", False), bool):
        raise InvalidSetupError("a Memento set-up: 'just_turned' must be true or false")
    return {
        "seat": seat,
        "figures": tuple(figures),
        "doubles": heights[2],
        "tripples": heights[3],
        "entered": entered,
        "turned": _seats(players, "turned", setup.get("turned", [])),
        "just_turned": just_turned,
    }


def _read_sites(players: int, sites: object) -> tuple[list[int], list[int]]:
    if not isinstance(sites, Mapping):
        raise InvalidSetupError(
            'a Memento set-up: \'sites\' must say what stands on which point, such as {"T1": "red2"}'
        )
    figures, heights = [0] * players, [0] * 4
    stones = 0
    for name, face in sites.items():
        if name not in INDEX:
            raise InvalidSetupError(f"a Memento set-up: there is no point {name!r}")
        seat, height = _FIGURES.get(face, (players, 0)) if isinstance(face, str) else (players, 0)
        if seat >= players:
            raise InvalidSetupError(f"a Memento set-up: {name} cannot hold {face!r} with {players} players")
        figures[seat] |= 1 << INDEX[name]
        heights[height] |= 1 << INDEX[name]
        stones += height
    if stones > stones_for(players):
        raise UnplayableError(
            _("{number} stones on the board, but there are {wanted}."),
            number=stones,
            wanted=stones_for(players),
        )
    if any(own.bit_count() > MARKERS for own in figures):
        raise UnplayableError(_("A player has only {number} markers."), number=MARKERS)
    return figures, heights


def _seats(players: int, name: str, seats: object) -> int:
    if not isinstance(seats, list) or not all(_is_seat(seat, players) for seat in seats):
        raise InvalidSetupError(f"a Memento set-up: '{name}' must be a list of seats from 0 to {players - 1}")
    return sum(1 << seat for seat in set(seats))


def _is_seat(seat: object, players: int) -> bool:
    return type(seat) is int and 0 <= seat < players


def write_setup(position: MementoPosition) -> Json:
    """A set-up that makes this position again."""

    def listed(seats: int) -> list[int]:
        return [seat for seat in range(position.players) if seats >> seat & 1]

    return {
        "sites": spelled(position.faces()),
        "seat": position.seat,
        "entered": listed(position.entered),
        "turned": listed(position.turned),
        "just_turned": position.just_turned,
    }
