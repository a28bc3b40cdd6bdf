"""Scenes of the virtual table, and what was read of them, with faces by their names: tests say `red2`."""

from __future__ import annotations

from collections.abc import Mapping

from engine.board import Board
from engine.face import EMPTY
from engine.referee.reading import Reading
from hardware.virtual.scene import Scene


def showing(
    board: Board,
    names: Mapping[str, str],
    turns: Mapping[str, float] | None = None,
    sloppy: float = 0.0,
    seed: int = 0,
) -> Scene:
    return Scene.showing(board, board.faces.read(names), turns, sloppy, seed)


def seen(reading: Reading) -> dict[str, str]:
    """What most likely stands on the occupied sites."""
    return {site: guess.best.name for site, guess in reading.guesses().items() if guess.best != EMPTY}


def best(reading: Reading, site: str) -> str:
    return reading.guesses()[site].best.name


def values(reading: Reading, site: str) -> dict[str, float]:
    """The log-likelihoods of a site."""
    return {face.name: value for face, value in reading.sites[site].items()}
