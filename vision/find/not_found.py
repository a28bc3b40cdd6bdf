"""Why a board was not found, in words that help."""

from __future__ import annotations

from collections.abc import Mapping

from engine.board import Board
from vision.find.fiducials import FoundFiducials


class BoardNotFoundError(ValueError):
    """The board is not in the picture; the text says why, as far as that can be told."""


def pose_ids(board: Board) -> frozenset[int]:
    """The ids of the fiducials by which a board is found."""
    return frozenset(mark.id for mark in board.fiducials)


def sought_ids(board: Board, games: Mapping[str, frozenset[int]]) -> frozenset[int]:
    """The ids to look for in a picture: the board's own, and those that tell which other board it may be."""
    return pose_ids(board).union(*games.values())


def why_not_found(found: FoundFiducials, board: Board, games: Mapping[str, frozenset[int]]) -> str:
    """What the fiducials in the picture say about the board that is not in it."""
    own = pose_ids(board)
    seen = found.corners.keys() & own
    if found.twice & own:
        return f"there is more than one board of {board.game} in the picture: show only one"
    if not found.corners:
        return "no printed squares in the picture: is the board in it, in focus and lit?"
    counts = {game: len(ids & found.corners.keys()) for game, ids in games.items()}
    most = max(counts.values(), default=0)
    # A speck may be taken for a fiducial: the board of which most are seen is there.
    if most > len(seen):
        others = sorted(game for game, count in counts.items() if count == most)
        return f"the board in the picture is that of {' or '.join(others)}, not of {board.game}"
    if not seen:
        return f"the printed squares in the picture are not those of {board.game}"
    if len(seen) < 2:
        return f"only one printed square of the board of {board.game} is in sight: uncover at least two, better four"
    told = f"{len(seen)} printed squares of {board.game} are in sight"
    return f"{told}, but not where its board has them: is it flat and whole?"
