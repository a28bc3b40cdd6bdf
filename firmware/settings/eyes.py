"""Makes an eye from the board, its printed pictures and the lens."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from engine.board import Board
from engine.core import Game
from engine.registry import all_games, find_game
from firmware.machine.errors import UsageError
from firmware.machine.files import read_first_object
from hardware.printing.backlit import backlit, ring_beyond
from hardware.printing.raster import rasterise
from vision.find.lens import Lens
from vision.flatten.colour import linear
from vision.flatten.sheet_art import Pictures
from vision.look import Eye
from vision.readers.paints import Paints
from vision.readers.registry import unread, without_reader
from vision.reprint import Reprint

LARGEST_TERM = 1e9
"""Upper limit for the numbers of a lens."""
AGAIN = "measure it again with `magister calibrate lens`"
_TERMS = ("fx", "fy", "cx", "cy", "k1", "k2", "p1", "p2", "k3")


def can_follow(game: Game) -> bool:
    """Whether the eye can follow a game: it can read all that the game's board wants read."""
    return not _unread(game)


def refereed() -> tuple[str, ...]:
    """The games that can be followed by eye alone."""
    return tuple(game.name for game in all_games() if can_follow(game))


def check_refereed(game: str) -> None:
    """Refuse a game the camera cannot follow, before anything is opened."""
    if missing := _unread(find_game(game)):
        raise UsageError(f"{game} cannot be refereed yet: nothing reads its {' and '.join(missing)}")


def check_readable(board: Board) -> None:
    """Refuse a board of which nothing at all can be read."""
    if (missing := unread(board)) == board.readers:
        raise UsageError(f"{board.game} cannot be read yet: nothing reads its {' and '.join(missing or ('board',))}")


def _unread(game: Game) -> tuple[str, ...]:
    """What nothing reads yet of all that must be read at a game's table."""
    wanted = _wanted(game.bare_board, max(game.seats))
    return without_reader(wanted) if wanted else ("board",)


@lru_cache(maxsize=64)
def _wanted(bare_board: Callable[[int], Board], players: int) -> tuple[str, ...]:
    """What must be read on a board, which is asked whenever the page is told anything: drawing it takes far longer."""
    return tuple(bare_board(players).readers)


def make_eye(board: Board, lens: Lens | None = None, paints: Paints | None = None) -> Eye:
    """An eye for this board, which also knows the fiducials of the other games' boards."""
    return eye_for(board, lens, {name: colour for name, colour in (paints or {}).items() if name in board.pieces})


def eye_for(board: Board, lens: Lens | None, paints: Paints) -> Eye:
    """An eye that looks for pieces of these colours, all of which are on the board."""
    games = {game.name: frozenset(game.fiducials) for game in all_games()}
    return Eye(board, _pictures(board), lens, games, paints, reprint=_reprint(board, lens))


def _reprint(board: Board, lens: Lens | None) -> Reprint | None:
    """The print for lights under the board, where that looks otherwise beside the pieces."""
    radius = ring_beyond(board)
    return None if radius is None else Reprint(radius, lambda: _eye_backlit(board, lens))


def _eye_backlit(board: Board, lens: Lens | None) -> Eye:
    light = backlit(board)
    return Eye(light, _pictures(light), lens)


def _pictures(board: Board) -> Pictures:
    return {sheet.name: rasterise(sheet) for sheet in board.sheets}


def _pieces_of_all_games() -> list[str]:
    return sorted({name for game in all_games() for name in game.board(max(game.seats)).pieces})


def read_lens(path: Path | None) -> Lens | None:
    """Read a lens written by `magister calibrate lens`."""
    if path is None:
        return None
    data = read_first_object(path)
    size, terms = data.get("size"), {name: data[name] for name in _TERMS if name in data}
    if not (isinstance(size, list) and len(size) == 2 and all(map(_is_side, size))):
        raise UsageError(f'{path} is not a lens: it must have a "size" of two whole numbers; {AGAIN}')
    if not {"fx", "fy", "cx", "cy"} <= terms.keys() or not all(type(term) in (int, float) for term in terms.values()):
        raise UsageError(f"{path} is not a lens: fx, fy, cx and cy must be numbers (also k1 … k3, if present); {AGAIN}")
    if wild := next((name for name, term in terms.items() if not abs(term) < LARGEST_TERM), ""):
        raise UsageError(f"{path} is not a lens: {wild} is not a usable number; {AGAIN}")
    lens = Lens((size[0], size[1]), **{name: float(term) for name, term in terms.items()})
    if flaw := lens.flaw():
        raise UsageError(f"{path} is not a lens: {flaw}; {AGAIN}")
    return lens


def read_colours(path: Path | None) -> Paints | None:
    """Read the colours written by `magister calibrate colours`."""
    if path is None:
        return None
    colours = read_first_object(path).get("colours")
    if not isinstance(colours, dict) or not all(_is_colour(colour) for colour in colours.values()):
        raise UsageError(f'{path} holds no colours: it must have "colours", from piece names to #rrggbb')
    known = _pieces_of_all_games()
    if strangers := colours.keys() - set(known):
        raise UsageError(f"{path}: no game has a piece {min(strangers)!r}; there are: {', '.join(known)}")
    return {name: linear(colour) for name, colour in colours.items()}


def _is_side(side: object) -> bool:
    return type(side) is int and 0 < side < LARGEST_TERM


def _is_colour(text: object) -> bool:
    return isinstance(text, str) and re.fullmatch("#[0-9a-fA-F]{6}", text) is not None
