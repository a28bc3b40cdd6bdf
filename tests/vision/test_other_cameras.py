"""Cameras and renderers have curves and colours of their own: the printed discs tell which, and the board is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import pytest
from pictured import seen

from engine.board import Board, Point
from hardware.virtual.sample import random_scene
from hardware.virtual.scene import Scene
from vision.flatten.light import Illumination, estimate
from vision.frame import Frame, Image
from vision.look import Eye

Picture = Callable[[Image], Image]
FACES = {"T7": "red1", "L7": "blue2", "R7": "green3", "I5": "yellow2", "L3": "red3", "R2": "yellow1", "T2": "green1"}
EVEN = Illumination(np.ones(3), np.zeros(6))


def eight_bits(values: np.ndarray) -> Image:
    return np.clip(np.rint(values), 0, 255).astype(np.uint8)


def curve(power: float) -> Picture:
    return lambda picture: eight_bits(255 * (picture / 255.0) ** power)


def pale(depth: float) -> Picture:
    """Every colour nearer to its grey."""
    return lambda picture: eight_bits(depth * picture + (1 - depth) * picture.mean(axis=-1, keepdims=True))


CAMERAS: Mapping[str, Picture] = {
    "flat": curve(0.35),
    "hard": curve(1.9),
    "pale": pale(0.35),
    "flat and pale": lambda picture: pale(0.5)(curve(0.6)(picture)),
}


def print_of(eye: Eye, bright: float | np.ndarray = 0.8, power: float = 1.0) -> Image:
    """The flat picture of the board's own print in white light that is not bright enough to clip; as a camera shows it
    that makes this power of it."""
    return shown((bright * eye.plane.expected((0,) * len(eye.board.turnable))) ** power)


def shown(light: np.ndarray) -> Image:
    """Linear values as a picture has them."""
    return eight_bits(255 * np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055))


def covered(eye: Eye, flat: Image, spots: list[Point], wide: int, colour: tuple[int, int, int]) -> Image:
    """The flat picture with something of one colour over places of the board, so many pixels to each side."""
    under = flat.copy()
    for x, y in eye.plane.to_flat(np.array(spots)).astype(int):
        under[max(0, y - wide) : y + wide, max(0, x - wide) : x + wide] = colour
    return under


@pytest.mark.parametrize(("name", "seed"), [("flat", 32), ("hard", 12), ("pale", 32), ("flat and pale", 10)])
def test_the_board_is_read_as_others_show_it(
    name: str, seed: int, board: Board, eye: Eye, photograph: Callable[[Scene], Frame]
) -> None:
    frame = photograph(random_scene(board, board.faces.read(FACES), seed, hand=False))
    look = eye.look(Frame(CAMERAS[name](frame.bgr)))
    assert seen(look.reading) == FACES
    assert not look.reading.hidden


@pytest.mark.parametrize(("power", "told"), [(0.6, 0.7), (0.8, 0.93), (1.0, 1.0), (1.1, 1.0), (1.6, 1.38)])
def test_greys_tell_the_contrast(power: float, told: float, eye: Eye) -> None:
    assert eye.flattener.patches.contrast(curve(power)(print_of(eye))) == pytest.approx(told, rel=0.05)


def test_no_contrast_is_too_hard(eye: Eye) -> None:
    assert eye.flattener.patches.contrast(curve(4.0)(print_of(eye))) < 2.5


def test_some_greys_may_be_covered(eye: Eye) -> None:
    flat = curve(0.6)(print_of(eye))
    greys = [patch.at for patch in eye.board.patches if patch.colour == "#8a8a8a"]
    hand = covered(eye, flat, greys[:4], 20, (120, 150, 205))
    for under in (hand, covered(eye, hand, greys[:4], 10, (110, 138, 190))):
        assert eye.flattener.patches.contrast(under) == pytest.approx(eye.flattener.patches.contrast(flat), rel=0.05)


def test_shadows_and_brightness_change_no_contrast(eye: Eye) -> None:
    half = print_of(eye)
    half[:, : half.shape[1] // 2] = print_of(eye, 0.2)[:, : half.shape[1] // 2]
    for picture in (half, print_of(eye, 0.4), print_of(eye, 0.1)):
        assert eye.flattener.patches.contrast(picture) == pytest.approx(1.0, abs=0.02)


def test_greys_that_are_not_seen_tell_nothing(eye: Eye) -> None:
    flat = print_of(eye)
    assert eye.flattener.patches.contrast(np.zeros_like(flat)) == 1
    assert eye.flattener.patches.contrast(np.full_like(flat, 255)) == 1
    assert eye.flattener.patches.contrast(print_of(eye, 2.5)) == 1
    assert eye.flattener.patches.contrast(print_of(eye, 0.0005)) == 1
    greys = [patch.at for patch in eye.board.patches if patch.colour == "#8a8a8a"]
    assert eye.flattener.patches.contrast(covered(eye, flat, greys, 30, (120, 150, 205))) == 1


@pytest.mark.parametrize(("depth", "told"), [(0.25, 2.0), (0.4, 1.46), (0.7, 1.0), (1.0, 1.0), (1.3, 1.0)])
def test_colours_tell_how_pale_they_are(depth: float, told: float, eye: Eye) -> None:
    assert eye.flattener.patches.paleness(pale(depth)(print_of(eye)), EVEN) == pytest.approx(told, abs=0.12)


def test_neither_warm_light_nor_a_soft_curve_makes_colours_pale(eye: Eye) -> None:
    warm, colours = np.array([0.25, 0.6, 0.95]), eye.plane.expected((0,) * len(eye.board.turnable))
    pastel = 0.2 * colours + 0.8 * colours.mean(axis=-1, keepdims=True)
    told = eye.flattener.patches.paleness(shown(warm * pastel), replace(EVEN, balance=warm / warm[1]))
    assert told == pytest.approx(eye.flattener.patches.paleness(shown(0.6 * pastel), EVEN), abs=0.05)
    assert told > 1.2
    assert eye.flattener.patches.paleness(print_of(eye, power=0.3), replace(EVEN, contrast=0.3)) == 1


def test_how_light_falls_off_is_told_whatever_the_curve(eye: Eye) -> None:
    width = eye.plane.size[0]
    uneven = np.linspace(0.3, 0.8, width)[None, :, None]
    soft, usual = (estimate(print_of(eye, uneven, power), eye.flattener.plain, power) for power in (0.5, 1.0))
    assert soft.slope == pytest.approx(usual.slope, abs=0.05)


def test_hands_make_no_picture_pale(eye: Eye) -> None:
    flat = print_of(eye)
    colours = [patch.at for patch in eye.board.patches if patch.colour in ("#d0202e", "#f4c20d", "#17853b", "#1f55c4")]
    for many in (5, len(colours)):
        assert eye.flattener.patches.paleness(covered(eye, flat, colours[:many], 20, (120, 150, 205)), EVEN) == 1
    assert eye.flattener.patches.paleness(np.zeros_like(flat), EVEN) == 1


def test_what_is_made_deeper_leaves_greys_grey(eye: Eye) -> None:
    part = (slice(0, 8), slice(0, 8))
    terms = np.zeros((6, 1, 1), np.float32)
    flat = np.full((8, 8, 3), 120, np.uint8)
    deeper, usual = replace(EVEN, paleness=1.5), EVEN
    assert np.ptp(deeper.normalise(flat, terms, part).astype(int)) == 0
    flat[..., 2] = 160
    assert np.ptp(deeper.normalise(flat, terms, part)) > 1.4 * np.ptp(usual.normalise(flat, terms, part))
