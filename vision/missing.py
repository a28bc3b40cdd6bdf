"""Why a board was not found, in words that help."""

from __future__ import annotations

from collections.abc import Mapping

from engine.board import Board
from vision.fiducials import Found


class BoardNotFoundError(ValueError):
    """The board is not in the picture; the text says why, as far as that can be told."""


def pose_ids(board: Board) -> frozenset[int]:
    """The ids of the markers by which a board is found."""
    return frozenset(mark.marker for mark in board.fiducials)


def why_not_found(found: Found, board: Board, games: Mapping[str, frozenset[int]]) -> str:
    """What the markers in the picture say about the board that is not in it."""
    own = pose_ids(board)
    seen = found.corners.keys() & own
    if found.twice & own:
        return f"there is more than one {board.game} board in the picture: show only one"
    if not found.corners:
        return "no black squares found: is the board in the picture, in focus and well lit?"
    if not seen:
        others = sorted(game for game, ids in games.items() if game != board.game and ids & found.corners.keys())
        if others:
            return f"the board in the picture is for {' or '.join(others)}, not {board.game}"
        return f"the black squares in the picture do not belong to {board.game}"
    if len(seen) < 2:
        return f"only one black square of the {board.game} board is visible: uncover at least two, better four"
    return f"{len(seen)} black squares of {board.game} are visible, but out of place: is the board flat and complete?"
