"""A board with lights under it has another print: the eye notices which one it sees, and expects that."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.registry import find_game
from firmware.bench.backlit import light_up
from firmware.bench.vision import draw_scene
from firmware.settings.eyes import make_eye
from hardware.printing.backlit import backlit, ring_beyond
from hardware.virtual.painting.render import Renderer
from vision.frame import Frame
from vision.look import Eye

MEMENTO = find_game("memento-tuos").board(2, {})


@pytest.fixture(scope="module")
def eye() -> Eye:
    return make_eye(MEMENTO)


def test_only_where_pieces_cover_the_sites_rings_are_there_others() -> None:
    widest = max(piece.diameter for piece in MEMENTO.pieces.values())
    radius = ring_beyond(MEMENTO)
    assert radius is not None
    assert widest / 2 < radius < widest
    assert ring_beyond(find_game("rings").board(2, {})) is None
    assert make_eye(find_game("rings").board(2, {})).reprint is None


@pytest.mark.parametrize("seed", [41, 43])
def test_the_print_that_is_seen_is_the_one_expected(eye: Eye, seed: int) -> None:
    scene, faces, _ = draw_scene(MEMENTO, seed)
    assert faces
    usual = eye.look(Frame(Renderer(MEMENTO).render(scene).bgr))
    assert not usual.reprinted
    assert eye.of(usual) is eye
    light = replace(scene, board=backlit(MEMENTO))
    for shown in (light, light_up(light, np.random.default_rng(seed))):
        frame = Frame(Renderer(light.board).render(shown).bgr)
        look = eye.look(frame)
        assert look.reprinted
        assert eye.of(look) is not eye
        assert np.abs(eye.view(look).expected - eye.view(replace(look, reprinted=False)).expected).max() > 0.3
        # What follows in a film is read as the same print, also by an eye that has learnt other colours.
        again = eye.with_paints(eye.paints).look(frame, look)
        assert again.reprinted
        assert again.reading.sites.keys() == look.reading.sites.keys()


def test_an_eye_that_reads_less_reads_less_of_either_print(eye: Eye) -> None:
    scene, _, _ = draw_scene(MEMENTO, 41)
    light = replace(scene, board=backlit(MEMENTO))
    look = eye.look(Frame(Renderer(light.board).render(light).bgr))
    less = eye.without(["stacks"])
    assert less.of(look).readers == {}
    assert eye.of(look).readers.keys() == eye.readers.keys()
