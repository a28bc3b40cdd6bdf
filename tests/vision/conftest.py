"""Virtual tables to look at: drawn, photographed askew, read back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import numpy as np
import pytest

from engine.board import Board
from engine.registry import find_game
from hardware.printing.raster import rasterise
from hardware.virtual.painting.render import Rendered, Renderer
from hardware.virtual.scene import Scene
from vision.frame import Frame
from vision.look import Eye


@cache
def board_of(game: str) -> Board:
    return find_game(game).board(2, {})


@cache
def pictures_of(game: str) -> Mapping[str, np.ndarray]:
    return {sheet.name: rasterise(sheet) for sheet in board_of(game).sheets}


@cache
def _eye(game: str) -> Eye:
    ids = {name: frozenset(mark.id for mark in board_of(name).fiducials) for name in ("memento-tuos", "rings")}
    return Eye(board_of(game), pictures_of(game), games=ids)


@cache
def _renderer(game: str) -> Renderer:
    return Renderer(board_of(game))


@pytest.fixture
def board() -> Board:
    return board_of("memento-tuos")


@pytest.fixture
def eye() -> Eye:
    return _eye("memento-tuos")


@pytest.fixture
def rings_eye() -> Eye:
    return _eye("rings")


@pytest.fixture
def without_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stacks are read by is tried by itself."""
    monkeypatch.setattr("vision.readers.stacks.second_opinion.Advisor.reconsider", lambda _, findings, *rest: findings)


@pytest.fixture
def render() -> Callable[[Scene], Rendered]:
    return lambda scene: _renderer(scene.board.game).render(scene)


@pytest.fixture
def photograph(render: Callable[[Scene], Rendered]) -> Callable[[Scene], Frame]:
    return lambda scene: Frame(render(scene).bgr)
