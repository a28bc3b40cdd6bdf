"""How the sheets lie, read from pictures laid flat: faint print, slanting light, hands and pieces on top."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.flatten.colour import BRIGHTEST, linear
from vision.flatten.sheet_turns import ToneLikelihoods
from vision.look import Eye

Floats = np.ndarray
TURNS = (1, 2, 0, 1)


def gaps(eye: Eye, shown: Floats, turns: tuple[int, ...]) -> dict[str, float]:
    """By how much each sheet's true position is likelier than any other, if the flat picture looks so."""
    codes = np.rint(255 * np.sqrt(np.clip(shown / BRIGHTEST, 0, 1))).astype(np.uint8)
    found = eye.turn_reader.read(codes)
    return {
        name: values[turn] - max(value for k, value in enumerate(values) if k != turn)
        for (name, values), turn in zip(found.items(), turns, strict=True)
    }


def lying(eye: Eye) -> tuple[Floats, tuple[int, ...]]:
    """The empty board with its sheets turned, as it would look in even light."""
    turns = TURNS[: len(eye.board.turnable)]
    return np.asarray(eye.plane.expected(turns), dtype=float), turns


def slanting(shape: tuple[int, ...]) -> Floats:
    """Light that falls off to a seventh from one corner to the other."""
    rows, columns = np.mgrid[: shape[0], : shape[1]]
    return np.asarray(np.exp(-columns / shape[1] - rows / shape[0])[..., None])


@pytest.mark.parametrize("game", ["eye", "rings_eye"])
def test_light_that_falls_off_hides_no_faint_print(game: str, request: pytest.FixtureRequest) -> None:
    eye: Eye = request.getfixturevalue(game)
    plain, turns = lying(eye)
    in_glare = 0.25 * plain + 0.3
    assert min(gaps(eye, in_glare * slanting(plain.shape), turns).values()) > 40


@pytest.mark.parametrize("skin", ["#e6b48c", "#7b4a33"])
def test_a_hand_over_half_a_sheet_says_nothing_of_it(eye: Eye, skin: str) -> None:
    plain, turns = lying(eye)
    sure = gaps(eye, plain, turns)
    sheet = eye.board.turnable[0]
    x, y = eye.plane.to_flat(np.array(sheet.at)).astype(int)
    covered = plain.copy()
    covered[: y + 60, x:] = linear(skin)
    half = gaps(eye, covered, turns)
    assert 20 < half[sheet.name] < 0.9 * sure[sheet.name]


@pytest.mark.parametrize("mark", range(8))
def test_two_marks_of_a_ring_in_sight_tell_how_it_lies(rings_eye: Eye, mark: int) -> None:
    """All but two neighbours lie under a hand."""
    plain, turns = lying(rings_eye)
    rows, columns = np.mgrid[: plain.shape[0], : plain.shape[1]]
    x, y = np.moveaxis(rings_eye.plane.to_board(np.dstack([columns, rows])), -1, 0)
    bearing = np.rad2deg(np.arctan2(x, -y)) % 360
    covered = plain.copy()
    covered[(bearing - 45 * mark) % 360 > 90] = linear("#e6b48c")
    assert min(gaps(rings_eye, covered, turns).values()) > 2


def test_of_a_sheet_that_is_covered_nothing_is_said(eye: Eye) -> None:
    plain, turns = lying(eye)
    covered = np.full_like(plain, 1.0) * linear("#c04020")
    assert set(gaps(eye, covered, turns).values()) == {0.0}
    name, marks = next(iter(eye.turn_reader.sheets.items()))
    few = covered.reshape(-1, 3).copy()
    few[marks.places[:15]] = plain.reshape(-1, 3)[marks.places[:15]]
    assert gaps(eye, few.reshape(plain.shape), turns)[name] == 0.0


@pytest.mark.parametrize("game", ["eye", "rings_eye"])
def test_pieces_on_their_sites_change_nothing(game: str, request: pytest.FixtureRequest) -> None:
    eye: Eye = request.getfixturevalue(game)
    plain, turns = lying(eye)
    crowded = plain.astype(np.float32)
    for number, site in enumerate(eye.board.sites.values()):
        colour = linear(("#d0202e", "#d9c7a3", "#f2c230")[number % 3])
        x, y = np.rint(eye.plane.to_flat(np.array(site.at))).astype(int).tolist()
        cv2.circle(crowded, (x, y), round(11 * eye.plane.px_per_mm), colour.tolist(), -1)
    assert gaps(eye, crowded, turns) == pytest.approx(gaps(eye, plain, turns))


@pytest.mark.parametrize(("light", "sure"), [(1.0, 8), (0.15, 6)])
@pytest.mark.parametrize("towards", range(0, 360, 45))
def test_white_marks_in_black_shadow_are_not_taken_for_black_ones(
    rings_eye: Eye, towards: int, light: float, sure: float
) -> None:
    plain, turns = lying(rings_eye)
    shaded = plain * light
    way = np.array([np.cos(np.deg2rad(towards)), np.sin(np.deg2rad(towards))])
    for number, site in enumerate(rings_eye.board.sites.values()):
        if number % 3 == 2:
            continue
        one, other = (np.rint(rings_eye.plane.to_flat(np.array(site.at) + far * way)).astype(int) for far in (0, 26))
        shadow = np.zeros(plain.shape[:2], np.uint8)
        cv2.line(shadow, one.tolist(), other.tolist(), 1, round(18 * rings_eye.plane.px_per_mm))
        shaded[shadow > 0] = 0.03 * light * plain[shadow > 0]
    assert min(gaps(rings_eye, shaded, turns).values()) > sure


def test_a_shadow_on_white_is_likelier_than_gloss_on_black_and_both_than_anything_else() -> None:
    tones = np.log(np.array([0.8] * 20 + [0.05] * 20))
    told = {}
    for name, mistaken in {"shadow": slice(20, 28), "gloss": slice(0, 8)}.items():
        printed = np.array([tones, tones])
        printed[0, mistaken] = tones[-1 - mistaken.start]
        right, wrong = ToneLikelihoods().of(tones, printed, 1.0)[::-1]
        told[name] = right - wrong
    assert 1.0 < told["shadow"] < 0.8 * told["gloss"] < 12.0
