"""The readers, by the names that boards use for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from engine.board import Board
from vision.flatten.sheet_art import Pictures
from vision.readers.cards.reader import CardReader
from vision.readers.chips import ChipReader
from vision.readers.dice import DiceReader
from vision.readers.figures import FigureReader
from vision.readers.paints import Paints
from vision.readers.pawns import PawnReader
from vision.readers.reader import Reader
from vision.readers.stacks.reader import StackReader

PAINTED: Mapping[str, Callable[[Board, Paints | None], Reader]] = {
    "stacks": StackReader,
    "pawns": PawnReader,
    "figures": FigureReader,
}
"""Those that tell pieces by their colours."""
PRINTED: Mapping[str, Callable[[Board, Pictures], Reader]] = {
    "cards": CardReader,
    "chips": lambda board, _: ChipReader(board),
    "dice": lambda board, _: DiceReader(board),
}
"""Those that look at print, or at what has one colour in every set."""
READERS = (*PAINTED, *PRINTED)


def readers_of(board: Board, pictures: Pictures, paints: Paints | None = None) -> dict[str, Reader]:
    """The readers that a board names, as far as they exist; `pictures`: its print."""
    made = painted_readers(board, paints) | {name: PRINTED[name](board, pictures) for name in _named(board, PRINTED)}
    return {name: made[name] for name in board.readers if name in made}


def painted_readers(board: Board, paints: Paints | None) -> dict[str, Reader]:
    """Those of a board's readers that ask which colours its pieces have."""
    return {name: PAINTED[name](board, paints) for name in _named(board, PAINTED)}


def _named(board: Board, readers: Iterable[str]) -> list[str]:
    return [name for name in board.readers if name in readers and board.sites]


def unread(board: Board) -> tuple[str, ...]:
    """Everything that must be read on a board but that no reader can read yet."""
    return without_reader(board.readers)


def without_reader(wanted: Iterable[str]) -> tuple[str, ...]:
    """Those of what must be read that no reader can read yet."""
    return tuple(name for name in wanted if name not in READERS)
