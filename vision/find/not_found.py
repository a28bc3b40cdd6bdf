"""Why a board was not found, in words that help."""

from __future__ import annotations

from collections.abc import Mapping

from engine.board import Board
from vision.find.fiducials import FoundFiducials


class BoardNotFoundError(ValueError):
    """The board is not in the picture; the text says why, as far as that is known."""

    def __init__(self, text: str, others: tuple[str, ...] = ()) -> None:
        super().__init__(text)
        self.others = others
        """The games of which the board in the picture may be instead; it may be this one's, for more or fewer."""


class LensContradictedError(BoardNotFoundError):
    """The lens that is given is not the one that took this picture."""

    def __init__(self, given: float, seen: float) -> None:
        super().__init__(
            f"the lens file is for another camera, or for another part of its picture: it says {given:.0f} degrees of "
            f"view, and the board shows {seen:.0f}; measure it with `magister calibrate shoot`, or leave it out"
        )
        self.given, self.seen = given, seen
        """Degrees, along the picture's longer side."""


def pose_ids(board: Board) -> frozenset[int]:
    """The ids of the fiducials by which a board is found."""
    return frozenset(mark.id for mark in board.fiducials)


def sought_ids(board: Board, games: Mapping[str, frozenset[int]]) -> frozenset[int]:
    """The ids to look for in a picture: the board's own, and those that tell which other board it may be."""
    return pose_ids(board).union(*games.values())


def other_games(found: FoundFiducials, board: Board, games: Mapping[str, frozenset[int]]) -> tuple[str, ...]:
    """The games of which there is a board in the picture instead of this one."""
    counts = {game: len(ids & found.corners.keys()) for game, ids in games.items()}
    most = max(counts.values(), default=0)
    # A speck may be mistaken for a fiducial, so it is the board with most of its fiducials in sight.
    if most <= len(found.corners.keys() & pose_ids(board)):
        return ()
    return tuple(sorted(game for game, count in counts.items() if count == most))


def why_not_found(found: FoundFiducials, board: Board, games: Mapping[str, frozenset[int]]) -> str:
    """What the fiducials in the picture say about the board that is not in it."""
    own = pose_ids(board)
    seen = found.corners.keys() & own
    if found.twice & own:
        return f"there is more than one {board.game} board in the picture: show only one"
    if not found.corners:
        return "no black squares found: is the board in the picture, in focus and well lit?"
    others = other_games(found, board, games)
    if board.game in others:
        return f"the {board.game} board in the picture is for a different number of players"
    if others:
        return f"the board in the picture is for {' or '.join(others)}, not {board.game}"
    if not seen:
        return f"the black squares in the picture do not belong to {board.game}"
    if len(seen) < 2:
        return f"only one black square of the {board.game} board is visible: uncover at least two, better four"
    return f"{len(seen)} black squares of {board.game} are visible, but out of place: is the board flat and complete?"
