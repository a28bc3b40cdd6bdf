"""Sheets that people turn by hand: off their exact position, in poor light, covered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from pictured import seen

from engine.board import Board
from hardware.virtual.scene import Arm, Lying, Scene, Stack, on_site
from vision.flatten.colour import BRIGHTEST
from vision.flatten.sheet_slack import turned_about
from vision.frame import Frame
from vision.look import Eye

Photograph = Callable[[Scene], Frame]
TURNS = {"ring-a": 3, "ring-b": 0, "ring-c": 6}
OFF = {"ring-a": -5.0, "ring-b": 3.5, "ring-c": -4.0}
PAWNS = {"a2": "pawn-red", "b5": "pawn-blue", "c1": "pawn-green", "c4": "pawn-red"}


def askew(board: Board, off: dict[str, float]) -> Scene:
    """Rings turned not quite to their positions, with pawns that went along."""
    stacks = []
    for name, pawn in PAWNS.items():
        site = board.sites[name]
        upright = on_site(board, name, (pawn,))
        at = turned_about(np.array([site.at]), off[site.sheet])[0]
        stacks.append(Stack(upright.pieces, (float(at[0]), float(at[1])), site.z, site=name))
    lying = {name: Lying(turn + off[name] * board.by_name[name].turns / 360) for name, turn in TURNS.items()}
    return replace(Scene.showing(board, {}, seed=4), stacks=tuple(stacks), sheets=lying)


def test_rings_turned_a_few_degrees_off_are_read_where_they_lie(rings_eye: Eye, photograph: Photograph) -> None:
    look = rings_eye.look(photograph(askew(rings_eye.board, OFF)))
    assert {name: look.reading.turn(name)[0] for name in TURNS} == TURNS
    assert not look.reading.hidden
    assert seen(look.reading) == {site: pawn.removeprefix("pawn-") for site, pawn in PAWNS.items()}


def test_how_far_a_ring_is_off_is_told(rings_eye: Eye, photograph: Photograph) -> None:
    frame = photograph(askew(rings_eye.board, OFF))
    codes = rings_eye.view(rings_eye.look(frame)).codes
    assert rings_eye.slack_reader.read(codes, tuple(TURNS.values())) == pytest.approx(OFF, abs=0.6)


def test_a_hand_over_a_ring_does_not_turn_it(rings_eye: Eye, photograph: Photograph) -> None:
    exact = dict.fromkeys(OFF, 0.0)
    hand = Arm(grip=(60.0, 40.0, 40.0), comes_from=150.0, sleeve="#23345e")
    frame = photograph(replace(askew(rings_eye.board, exact), arms=(hand,)))
    codes = rings_eye.view(rings_eye.look(frame)).codes
    assert rings_eye.slack_reader.read(codes, tuple(TURNS.values())) == pytest.approx(exact, abs=0.8)


def printed(eye: Eye, turns: tuple[int, ...], light: float, haze: float) -> np.ndarray:
    """The flat picture of the empty board, darker or under haze."""
    shown = eye.plane.expected(turns) * light + haze
    return np.rint(255 * np.sqrt(np.clip(shown / BRIGHTEST, 0.0, 1.0))).astype(np.uint8)


def best(told: tuple[float, ...]) -> int:
    return max(range(len(told)), key=told.__getitem__)


@pytest.mark.parametrize(("light", "haze"), [(1.0, 0.0), (0.05, 0.0), (0.3, 0.5)], ids=["lit", "shadow", "glare"])
def test_turns_in_any_light(rings_eye: Eye, light: float, haze: float) -> None:
    told = rings_eye.turn_reader.read(printed(rings_eye, (3, 0, 6), light, haze))
    assert [best(likelihoods) for likelihoods in told.values()] == [3, 0, 6]


def test_turns_in_light_that_falls_off(rings_eye: Eye) -> None:
    codes = printed(rings_eye, (3, 0, 6), 1.0, 0.0).astype(float)
    codes *= np.linspace(0.25, 1.0, codes.shape[1])[None, :, None]
    told = rings_eye.turn_reader.read(np.rint(codes).astype(np.uint8))
    assert [best(likelihoods) for likelihoods in told.values()] == [3, 0, 6]


@pytest.mark.parametrize("grey", [0, 40, 255], ids=["dark", "grey", "glare"])
def test_a_sheet_that_shows_nothing_says_nothing(rings_eye: Eye, grey: int) -> None:
    noise = np.random.default_rng(1).normal(grey, 2.0, (*rings_eye.plane.size[::-1], 3))
    for likelihoods in rings_eye.turn_reader.read(np.clip(noise, 0, 255).astype(np.uint8)).values():
        assert min(likelihoods) > -2.5
