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

READERS: Mapping[str, Callable[[Board, Pictures, Paints | None], Reader]] = {
    "stacks": lambda board, _, paints: StackReader(board, paints),
    "pawns": lambda board, _, paints: PawnReader(board, paints),
    "figures": lambda board, _, paints: FigureReader(board, paints),
    "cards": lambda board, pictures, _: CardReader(board, pictures),
    "chips": lambda board, *_: ChipReader(board),
    "dice": lambda board, *_: DiceReader(board),
}


def readers_of(board: Board, pictures: Pictures, paints: Paints | None = None) -> dict[str, Reader]:
    """The readers that a board names, as far as they exist; `pictures`: its print."""
    named = [name for name in board.readers if name in READERS and board.sites]
    return {name: READERS[name](board, pictures, paints) for name in named}


def unread(board: Board) -> tuple[str, ...]:
    """Everything that must be read on a board but that no reader can read yet."""
    return without_reader(board.readers)


def without_reader(wanted: Iterable[str]) -> tuple[str, ...]:
    """Those of what must be read that no reader can read yet."""
    return tuple(name for name in wanted if name not in READERS)
