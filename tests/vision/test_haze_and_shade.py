"""Haze, gloss and deep shade: what is still there to be seen is seen, and no surer than it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest
from pictured import best, seen, showing, values

from engine.board import Board
from engine.face import EMPTY, Face, spelled
from engine.referee.reading import posterior
from firmware.bench.rigs.trial import Trial
from firmware.settings.eyes import make_eye
from hardware.virtual.camera import Pose
from hardware.virtual.painting.render import Rendered
from hardware.virtual.sample import random_scene, set_askew
from hardware.virtual.scene import PLAIN_LIGHT, Cup, Light, Scene, on_site
from vision.flatten.colour import linear
from vision.frame import Frame
from vision.look import Eye, Look
from vision.readers.palette import Palette, burnt
from vision.readers.piece_outlines import (
    OutlinedPiece,
    best_outline,
    burnt_white_share,
    clipped_fits,
    glossed_tops,
    tinted_tops,
)
from vision.readers.site_readings import Claim, faces_of_site

Photograph = Callable[[Scene], Frame]
FACES = {"T7": "red1", "L7": "blue2", "R7": "green3", "I5": "yellow2", "L3": "red3"}
POSE = Pose(distance=620, tilt=30, direction=40, hfov=68)
SKIN = np.array([120.0, 150.0, 205.0])


@pytest.fixture
def table(board: Board, photograph: Photograph) -> Frame:
    return photograph(replace(showing(board, FACES, seed=4), pose=POSE))


def about(
    frame: Frame, eye: Eye, site: str, wide: float, change: Callable[[np.ndarray], np.ndarray], up: float = 0.0
) -> Frame:
    """The picture with its light changed (linear, 0 to 1) so many millimetres round a site."""
    pose = eye.look(frame).pose
    x, y = eye.board.sites[site].at
    z = eye.board.sites[site].z + up
    middle, edge = pose.project(np.array([(x, y, z), (x + wide, y, z)]))
    cover = np.zeros(frame.bgr.shape[:2], np.float32)
    cv2.circle(cover, np.rint(middle).astype(int).tolist(), round(float(np.linalg.norm(edge - middle))), 1.0, -1)
    share = cv2.GaussianBlur(cover, (0, 0), 1.5)[..., None]
    light = (frame.bgr / 255.0) ** 2.2
    changed = light * (1 - share) + change(light) * share
    noise = np.random.default_rng(5).normal(0.0, 1.5, frame.bgr.shape)
    return Frame(np.clip(255 * changed ** (1 / 2.2) + noise, 0, 255).astype(np.uint8))


def hazy(share: float) -> Callable[[np.ndarray], np.ndarray]:
    return lambda light: light * (1 - share) + share


def shaded(share: float) -> Callable[[np.ndarray], np.ndarray]:
    return lambda light: light * share


def read(look: Look) -> dict[str, str]:
    return seen(look.reading)


@pytest.mark.parametrize("change", [hazy(0.4), hazy(0.6), shaded(0.02)], ids=["haze", "thick haze", "shade"])
def test_a_free_site_is_told_by_its_pattern(change: Callable[[np.ndarray], np.ndarray], table: Frame, eye: Eye) -> None:
    look = eye.look(about(table, eye, "R2", 24.0, change))
    assert "R2" not in look.reading.hidden
    assert read(look) == FACES


def laid(frame: Frame, eye: Eye, corners: np.ndarray, up: float, colour: tuple[int, int, int]) -> Frame:
    """The picture with something flat between these places, so many millimetres above the board."""
    pixels = eye.look(frame).pose.project(np.column_stack([corners, np.full(len(corners), up)]))
    bgr = frame.bgr.copy()
    cv2.fillConvexPoly(bgr, np.rint(pixels).astype(np.int32), colour, cv2.LINE_AA)
    return Frame(cv2.GaussianBlur(bgr, (0, 0), 0.7))


def strip(at: tuple[float, float], way: tuple[float, float], begins: float, ends: float, wide: float) -> np.ndarray:
    """Corners of a strip along a way from a place, millimetres."""
    along = np.array(way) / np.hypot(*way)
    across = wide / 2 * np.array([-along[1], along[0]])
    near, far = np.array(at) + begins * along, np.array(at) + ends * along
    return np.array([near - across, near + across, far + across, far - across])


def test_a_pattern_may_be_covered_in_part(table: Frame, eye: Eye) -> None:
    hazed = about(table, eye, "R2", 24.0, hazy(0.4))
    thin = strip(eye.board.sites["R2"].at, (-0.99, 0.14), 10.0, 40.0, 14.0)
    assert "R2" not in eye.look(laid(hazed, eye, thin, 2.0, (60, 60, 200))).reading.hidden
    most = strip(eye.board.sites["R2"].at, (-0.99, 0.14), -7.0, 40.0, 60.0)
    assert "R2" in eye.look(laid(hazed, eye, most, 2.0, (60, 60, 200))).reading.hidden


def test_what_has_no_pattern_stays_hidden(table: Frame, eye: Eye) -> None:
    look = eye.look(about(table, eye, "R2", 24.0, lambda light: 0 * light + (SKIN / 255) ** 2.2))
    assert "R2" in look.reading.hidden


def test_a_red_pawn_in_deep_shade_is_no_dark_disc_in_its_ring(rings_eye: Eye, photograph: Photograph) -> None:
    pawns = {"c1": "red", "c3": "green", "b5": "blue"}
    scene = showing(rings_eye.board, pawns, seed=8)
    frame = photograph(replace(scene, pose=Pose(distance=640, tilt=3, direction=150, hfov=68)))
    assert read(rings_eye.look(about(frame, rings_eye, "c1", 30.0, shaded(0.05)))) == pawns


@pytest.mark.parametrize("site", ["T7", "L7", "I5"])
def test_a_marker_in_deep_shade_has_its_colour(site: str, table: Frame, eye: Eye) -> None:
    look = eye.look(about(table, eye, site, 46.0, shaded(0.03)))
    assert site not in look.reading.hidden
    assert best(look.reading, site).rstrip("12345") == FACES[site].rstrip("12345")


@pytest.mark.parametrize("site", ["L7", "I5"])
def test_deep_shade_may_be_full_of_noise(site: str, table: Frame, eye: Eye) -> None:
    dark = about(table, eye, site, 46.0, shaded(0.03)).bgr
    noisy = dark + np.random.default_rng(1).normal(0, 16, dark.shape)
    look = eye.look(Frame(np.clip(noisy, 0, 255).astype(np.uint8)))
    assert best(look.reading, site).rstrip("12345") == FACES[site].rstrip("12345")


def test_heights_at_which_a_piece_fits_nearly_as_well_stay_open() -> None:
    found = best_outline(np.array([(0.9, 0.0), (0.8, 0.0), (0.6, 0.7), (0.0, 0.0)]))
    assert found == OutlinedPiece((0,), (0, 1))
    assert best_outline(np.zeros((4, 2))) is None


def test_a_sleeve_in_deep_shade_is_no_marker(table: Frame, eye: Eye) -> None:
    blue = np.array([0.5, 0.08, 0.02])
    look = eye.look(about(table, eye, "R2", 40.0, lambda light: 0 * light + 0.03 * blue))
    assert "R2" in look.reading.hidden


def test_a_marker_pale_with_gloss_has_its_colour(table: Frame, eye: Eye) -> None:
    look = eye.look(about(table, eye, "T7", 12.0, hazy(0.6), up=16.0))
    assert best(look.reading, "T7") == "red1"


PALE_BLUE, PALE_RED, BLUE_GROUND = (0.68, 0.54, 0.47), (0.5, 0.49, 0.71), tuple(linear("#5a5f7d"))


@pytest.mark.parametrize(
    ("top", "about_it", "colour"),
    [
        (PALE_BLUE, BLUE_GROUND, "blue"),
        (PALE_RED, BLUE_GROUND, "red"),
        ((0.19, 0.49, 0.29), BLUE_GROUND, "green"),
        (PALE_BLUE, PALE_BLUE, None),
        (tuple(0.8 * linear("#d9c7a3")), BLUE_GROUND, None),
        (tuple(linear("#e3bfa6")), BLUE_GROUND, None),
        ((0.33, 0.31, 0.3), BLUE_GROUND, None),
        ((0.6, 0.6, 0.2), BLUE_GROUND, None),
        ((0.366, 0.56, 0.694), BLUE_GROUND, None),
        ((0.024, 0.018, 0.014), BLUE_GROUND, None),
    ],
    ids=[
        "pale blue",
        "pale red",
        "pale green",
        "goes on",
        "wood",
        "skin",
        "grey",
        "between two",
        "yellow wood",
        "dark",
    ],
)
def test_one_pale_tint_that_ends_at_the_rim_is_a_piece(
    top: tuple[float, ...], about_it: tuple[float, ...], colour: str | None, board: Board
) -> None:
    palette, random = Palette(board), np.random.default_rng(2)
    inside, outside = (
        np.array(look) * random.uniform(0.97, 1.03, (1, count, 1)) for look, count in ((top, 19), (about_it, 48))
    )
    fits = tinted_tops(inside, outside, palette)[0]
    assert [name for name, fit in zip(palette.names, fits, strict=True) if fit > 0] == ([colour] if colour else [])
    inside[:, :6] *= (0.4, 0.9, 1.4)
    assert not tinted_tops(inside, outside, palette).any(), "a third of it has another tint"


BARE_LIGHTS = {
    "east": Light(lamp=(350.0, 60.0, 420.0), radius=15.0, ambient=0.15),
    "north-west": Light(lamp=(-250.0, -330.0, 500.0), radius=15.0, ambient=0.15),
    "candle, red at its limit": Light(lamp=(350.0, 60.0, 420.0), kelvin=3000, room_kelvin=3000, ambient=0.3),
    "from everywhere": Light(ambient=1.0),
}


@pytest.mark.parametrize("stones", [1, 2, 3])
@pytest.mark.parametrize("light", BARE_LIGHTS.values(), ids=BARE_LIGHTS.keys())
def test_a_stack_without_a_marker_and_its_height(
    light: Light, stones: int, board: Board, eye: Eye, photograph: Photograph
) -> None:
    bare = {site: str(stones) for site in ("I6", "T7", "R2", "L1", "T1")}
    stacks = tuple(on_site(board, site, ("stone",) * stones) for site in bare)
    pose = Pose(distance=620, tilt=35, direction=120, hfov=68) if light.ambient > 0.2 else POSE
    assert read(eye.look(photograph(Scene(board, stacks, pose=pose, light=light)))) == bare


@pytest.mark.parametrize("gain", [2.2, 2.8])
def test_wood_burnt_by_the_light_is_still_wood(gain: float, board: Board, eye: Eye, photograph: Photograph) -> None:
    bare = {"L7": "2", "I5": "1", "L3": "3"}
    stacks = tuple(on_site(board, site, ("stone",) * int(stones)) for site, stones in bare.items())
    light = gain * (photograph(Scene(board, stacks, pose=POSE, seed=4)).bgr / 255.0) ** 2.2
    knee = 0.75
    shown = np.where(light > knee, 1 - (1 - knee) * np.exp((knee - light) / (1 - knee)), light)
    assert read(eye.look(Frame(np.rint(255 * shown ** (1 / 2.2)).astype(np.uint8)))) == bare


@pytest.mark.parametrize("exposure", [2.5, 3.0])
def test_a_yellow_marker_burnt_by_the_light_is_still_yellow(
    exposure: float, board: Board, eye: Eye, photograph: Photograph
) -> None:
    """Red and green are at the picture's limit; nothing but yellow is so and has so little blue."""
    scene = showing(board, {"T7": "yellow1", "L7": "yellow2", "R2": "red1"}, seed=4)
    stacks = (*scene.stacks, on_site(board, "R7", ("stone", "stone")))
    light, pose = replace(PLAIN_LIGHT, exposure=exposure), replace(POSE, tilt=20)
    seen = read(eye.look(photograph(replace(scene, stacks=stacks, light=light, pose=pose))))
    assert {site: face[:-1] for site, face in seen.items()} == {"T7": "yellow", "L7": "yellow", "R2": "red", "R7": ""}


def test_wood_at_the_limit_of_the_picture_has_more_blue_than_a_yellow_marker(board: Board) -> None:
    palette = Palette(board)
    wood = np.minimum(1.28 * linear("#d9c7a3"), 0.72)
    marker = 0.5 * np.array([0.45, 1.0, 1.0])
    fits = clipped_fits(np.stack([wood, marker]), burnt(palette.colours))
    assert wood[2] == wood[1] == 0.72, "red and green are at their limit"
    assert fits[0].max() <= 0
    assert palette.names[fits[1].argmax()] == "yellow"
    assert fits[1].max() > 0


@pytest.mark.parametrize("ends", [12.0, 60.0])
def test_a_finger_is_no_stack_without_a_marker(ends: float, table: Frame, eye: Eye) -> None:
    finger = strip(eye.board.sites["R2"].at, (-0.6, 0.8), -60.0, ends, 24.0)
    assert "R2" in eye.look(laid(table, eye, finger, 8.0, (140, 170, 200))).reading.hidden


def test_cream_paper_behind_a_sleeve_is_no_stack(board: Board, eye: Eye, photograph: Photograph) -> None:
    pose = Pose(distance=710.5, tilt=27.5, direction=217.9, roll=-115.7, aim=(-0.06, -38.0), hfov=77.4, k1=-0.085)
    light = Light(
        (174.0, 85.0, 622.0),
        radius=127,
        ambient=0.653,
        kelvin=3935,
        room_kelvin=5717,
        balanced_for=4757,
        gains=(0.972, 1.0, 1.032),
        exposure=0.766,
    )
    frame = photograph(replace(Scene.showing(board, {}, seed=4), pose=pose, light=light))
    at, seen = board.sites["R1"].at, eye.look(frame).pose.eye
    sleeve = strip(at, (seen[0] - at[0], seen[1] - at[1]), -3.0, 70.0, 44.0)
    assert "R1" in eye.look(laid(frame, eye, sleeve, 10.0, (40, 40, 42))).reading.hidden


def test_no_ring_is_surer_than_it_is() -> None:
    red1, red2 = Face("red1", "red", 1), Face("red2", "red", 2)
    faces = (EMPTY, red1, red2)
    weak, sure = (faces_of_site((), free, {}, faces)[EMPTY] for free in (1.0, 7.0))
    assert np.exp(weak) < 0.85
    assert np.exp(sure) > 0.99
    claimed = faces_of_site((Claim(0, red1, 0, 0.99),), 1.0, {}, faces)
    assert np.exp(claimed[red1]) > 0.8


@pytest.mark.usefixtures("without_network")
def test_a_dark_side_in_light_surroundings_is_not_surely_a_free_site(eye: Eye, photograph: Photograph) -> None:
    pose = Pose(distance=620, tilt=36, direction=40, hfov=68)
    frame = photograph(replace(showing(eye.board, FACES, seed=4), pose=pose))
    assert eye.look(frame).reading.guesses()["L2"].p > 0.99
    at = np.array(eye.board.sites["L2"].at)
    turns = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    rim = np.column_stack([np.cos(turns), np.sin(turns)])
    for up in np.linspace(0.0, 20.0, 11):
        frame = laid(frame, eye, at + 11.5 * rim, float(up), (20, 24, 26))
    reading = eye.look(laid(frame, eye, at + 10.0 * rim, 24.0, (200, 205, 250))).reading
    guess = reading.guesses().get("L2")
    assert guess is None or guess.best != EMPTY or guess.p < 0.93, "the marker on it is burnt by the light"


def test_a_marker_whose_middle_is_burnt_white_is_told_by_the_rest(photograph: Photograph) -> None:
    """A lamp in a glossy marker leaves no colour in its middle, and half of its rim has lost some."""
    trial = Trial.drawn(7537, left_lying=0.04, table=("memento-tuos", "original"))
    board = trial.scene.board
    shot = next(shot for shot in trial.player.scenes(trial.deeds) if shot.t > 9.05)
    frame = photograph(shot.scene)
    tops = [
        shot.scene.camera.project((*stack.at, stack.z + sum(board.pieces[name].height for name in stack.pieces)))
        for stack in shot.scene.stacks
        if stack.site in shot.truth.faces
    ]
    assert any(np.median(frame.bgr[int(v), int(u)]) > 250 for u, v in tops), "none is burnt white"
    reading = make_eye(board).look(frame).reading
    assert seen(reading) == spelled(shot.truth.faces)


def test_a_marker_half_behind_a_mug_is_seen_on_its_stone(render: Callable[[Scene], Rendered]) -> None:
    """The mug is as grey as wood in the shade: without the red on it this would be a high stack of stones."""
    trial = Trial.drawn(12515, left_lying=0.04, table=("memento-ludis", None))
    board = trial.scene.board
    shot = next(shot for shot in trial.player.scenes(trial.deeds) if shot.t > 1.45)
    picture = render(shot.scene)
    assert any(isinstance(thing, Cup) for thing in shot.scene.things)
    assert 0.2 < picture.sites["L2"].covered < 0.8
    reading = make_eye(board).look(Frame(picture.bgr)).reading
    assert best(reading, "L2") == "red1" == shot.truth.faces["L2"].name
    assert reading.guesses()["L2"].p > 0.8
    told = values(reading, "L2")
    assert all(told[str(n)] < told["red1"] - 4.0 for n in range(1, 7)), "no bare stones"


def test_what_is_burnt_white_has_two_channels_at_the_limit() -> None:
    looks = np.array([[(0.1, 0.5, 0.5), (0.4, 0.5, 0.5), (0.2, 0.4, 0.5), (0.05, 0.1, 0.1)]])
    assert burnt_white_share(looks)[0] == 0.5, "the third has one, the last is dark"


def test_on_an_empty_board_with_its_tiles_askew_all_sites_are_free(eye: Eye, photograph: Photograph) -> None:
    scene = set_askew(random_scene(eye.board, {}, 47), 1.2, 47)
    assert max(abs(lying.turn - round(lying.turn)) for lying in scene.sheets.values()) > 0.01
    look = eye.look(photograph(scene))
    assert {(guess.best, guess.p > 0.95) for guess in look.reading.guesses().values()} == {(EMPTY, True)}


@pytest.mark.parametrize(
    ("site", "top", "colours"),
    [
        ("L3", (0.72, 0.63, 0.8), {"red"}),
        ("I5", (0.36, 0.57, 0.85), {"yellow"}),
        ("L7", (1.0, 1.0, 1.0), {"red", "yellow", "green", "blue"}),
    ],
    ids=["a little red is left", "as pale as skin", "nothing is left"],
)
def test_a_marker_in_which_the_lamp_is_mirrored(
    site: str, top: tuple[float, ...], colours: set[str], board: Board, eye: Eye, photograph: Photograph
) -> None:
    """Brighter than white paper, and it ends at its rim: no hand. Where no colour is left it may have any, whatever the
    second opinion guesses."""
    tall, light = int(FACES[site][-1]), replace(PLAIN_LIGHT, exposure=0.5)
    frame = photograph(replace(showing(board, FACES, seed=4), pose=POSE, light=light))
    look = eye.look(about(frame, eye, site, 11.7, lambda light: 0 * light + np.array(top), up=22.0 * tall + 3.0))
    share = {face.name: p for face, p in posterior(look.reading.sites[site]).items()}
    assert {face for face, p in share.items() if p > 0.05} == {f"{colour}{tall}" for colour in colours}
    assert max(share.values()) < 0.7 or len(colours) == 1


def test_a_pawn_of_which_no_colour_is_left_may_have_any(
    rings_eye: Eye, photograph: Photograph, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = photograph(replace(showing(rings_eye.board, {"b5": "blue"}, seed=8), pose=POSE))
    covered = about(frame, rings_eye, "c1", 24.0, lambda light: 0 * light + (SKIN / 255) ** 2.2)
    assert "c1" in rings_eye.look(covered).reading.hidden
    monkeypatch.setattr(
        "vision.readers.pawns.outlined_pieces", lambda at, *_: [OutlinedPiece((0, 1, 2, 3), (0,))] * len(at)
    )
    share = {face.name: p for face, p in posterior(rings_eye.look(covered).reading.sites["c1"]).items()}
    assert all(0.2 < share[colour] < 0.3 for colour in ("red", "yellow", "green", "blue"))


def test_a_top_that_is_burnt_in_part_is_no_burnt_marker(board: Board) -> None:
    palette, top, side = Palette(board), np.full((1, 19, 3), 1.2), np.full((1, 9, 3), 0.2)
    assert (glossed_tops(top, side, palette) == 1.0).all()
    top[:, :6] = 0.4
    assert not glossed_tops(top, side, palette).any()


def test_a_burnt_marker_over_a_green_rim_is_not_yellow(board: Board) -> None:
    """Blurred into the wood below it, a thin green rim comes near yellow's hue, but stays as pale as wood."""
    palette, top = Palette(board), np.full((1, 19, 3), 1.7)
    wood, yellow = np.array([0.12, 0.17, 0.21]), np.array([0.04, 0.3, 0.45])
    half_green = np.full((1, 9, 3), [0.13, 0.2, 0.21])
    assert (glossed_tops(top, half_green, palette) == 1.0).all(), "it may be any"
    assert (glossed_tops(top, np.full((1, 9, 3), wood), palette) == 1.0).all()
    assert (glossed_tops(top, np.full((1, 9, 3), yellow), palette)[0] > 0).tolist() == [False, True, False, False]


def test_a_stone_in_which_the_lamp_is_mirrored_is_no_marker(board: Board, eye: Eye, photograph: Photograph) -> None:
    stones = on_site(board, "L7", ("stone", "stone"))
    frame = photograph(Scene(board, (stones,), pose=POSE, light=replace(PLAIN_LIGHT, exposure=0.5)))
    glare = about(frame, eye, "L7", 11.7, lambda light: 0 * light + np.array([0.4, 0.55, 0.75]), up=40.0)
    assert not read(eye.look(glare)).get("L7", "").rstrip("123456")
