"""The readers, by the names that boards use for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from engine.board import Board
from vision.readers.cards.reader import CardReader
from vision.readers.chips import ChipReader
from vision.readers.dice import DiceReader
from vision.readers.figures import FigureReader
from vision.readers.paints import Paints
from vision.readers.pawns import PawnReader
from vision.readers.reader import Reader
from vision.readers.stacks.reader import StackReader

READERS: Mapping[str, Callable[[Board, Paints | None], Reader]] = {
    "stacks": StackReader,
    "pawns": PawnReader,
    "figures": FigureReader,
    "cards": CardReader,
    "chips": ChipReader,
    "dice": DiceReader,
}


def readers_of(board: Board, paints: Paints | None = None) -> dict[str, Reader]:
    """The readers that a board names, as far as they exist."""
    return {name: READERS[name](board, paints) for name in board.readers if name in READERS and board.sites}


def unread(board: Board) -> tuple[str, ...]:
    """Everything that must be read on a board but that no reader can read yet."""
    return without_reader(board.readers)


def without_reader(wanted: Iterable[str]) -> tuple[str, ...]:
    """Those of what must be read that no reader can read yet."""
    return tuple(name for name in wanted if name not in READERS)
