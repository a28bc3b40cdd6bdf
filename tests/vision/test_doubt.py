"""What cannot be seen is not claimed; what is not there is not found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest
from pictured import best, showing

from engine.board import Board
from engine.face import EMPTY
from engine.referee.reading import posterior
from hardware.virtual.camera import Pose
from hardware.virtual.scene import PLAIN_LIGHT, SKINS, Arm, Light, Scene, Sensor
from vision.flatten.colour import linear
from vision.frame import Frame, PictureError
from vision.look import BoardNotFoundError, Eye
from vision.readers.palette import is_skin
from vision.readers.stacks.cast_shadows import with_shadows
from vision.readers.stacks.settings import RIMS, RULER, SHADOWS

Photograph = Callable[[Scene], Frame]
FACES = {"T7": "red1", "L7": "blue2", "R7": "green3", "I5": "yellow2", "L3": "red3"}


@pytest.fixture
def table(board: Board) -> Scene:
    return replace(showing(board, FACES, seed=4), pose=Pose(distance=620, tilt=30, direction=40, hfov=68))


@pytest.mark.usefixtures("without_network")
@pytest.mark.parametrize("colour", ["red", "yellow", "blue"])
def test_from_straight_above_height_is_as_open_as_the_picture_is_coarse(
    colour: str, board: Board, eye: Eye, photograph: Photograph
) -> None:
    """One stone more makes a marker look a little larger: a good picture tells it, a coarse one does not."""
    x, y = board.sites["I7"].at
    near, far = (Pose(distance=mm, tilt=0.0, hfov=hfov, aim=(x, y)) for mm, hfov in ((540, 66), (800, 78)))
    scene = replace(showing(board, {"I7": f"{colour}2"}), light=PLAIN_LIGHT)
    shares = [
        posterior(eye.look(photograph(replace(scene, pose=pose, sensor=sensor))).reading.sites["I7"])
        for pose, sensor in ((near, Sensor()), (far, Sensor(defocus=1.6, noise=0.03, jpeg=70)))
    ]
    for seen in shares:
        assert sum(seen[board.faces[f"{colour}{n}"]] for n in range(1, 6)) > 0.97, "the colour is sure"
    assert shares[0][board.faces[f"{colour}2"]] > 0.85
    assert max(shares[1].values()) < 0.85
    assert sorted(shares[1][board.faces[f"{colour}{n}"]] for n in (1, 2, 3))[1] > 0.15, "the height is open"


@pytest.mark.usefixtures("without_network")
@pytest.mark.parametrize("lamp", [(380.0, 60.0, 560.0), (-300.0, -330.0, 700.0)], ids=["east", "north-west"])
def test_a_lamp_from_the_side_tells_heights_from_straight_above(
    lamp: tuple[float, float, float],
    board: Board,
    eye: Eye,
    photograph: Photograph,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("vision.readers.stacks.marker_rims.RIMS", replace(RIMS, least=0.5))  # Rims tell nothing here.
    faces = {"T7": "red1", "L7": "blue2", "R7": "green3", "I7": "yellow2", "L3": "red3", "R3": "blue1"}
    above = Pose(distance=700, tilt=0.0, hfov=68)
    light = Light(lamp=lamp, radius=20.0, ambient=0.4)
    lit = replace(showing(board, faces, seed=3), pose=above, light=light)
    guesses = eye.look(photograph(lit)).reading.guesses()
    assert {site: guess.best.name for site, guess in guesses.items() if guess.best != EMPTY} == faces
    dull = eye.look(photograph(replace(lit, light=replace(light, ambient=1.0)))).reading.guesses()
    doubt, dull_doubt = (sum(1 - told[site].p for site in faces) for told in (guesses, dull))
    assert doubt < 0.75 * dull_doubt, "without shadows it would be much less sure"


def test_shadows_say_only_so_much(
    board: Board, eye: Eye, photograph: Photograph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where everything else is clear, a shadow is rather a hand's."""
    said: list[np.ndarray] = []

    def spy(values: np.ndarray, *rest: object) -> np.ndarray:
        for odd in range(len(values)):
            clear = np.full(values.shape, -6.0)
            clear[:, 2], clear[odd] = 0.0, np.where(np.arange(values.shape[1]) == 0, 0.0, -6.0)
            told = with_shadows(clear, *rest)[odd]  # type: ignore[arg-type]
            assert told.argmax() == 0
            said.append(told - clear[odd])
        return values

    monkeypatch.setattr("vision.readers.stacks.heights.with_shadows", spy)
    # They are asked though all is clear.
    monkeypatch.setattr("vision.readers.stacks.heights.RULER", replace(RULER, clear=1.0))
    faces = {"T7": "red3", "L7": "blue3", "R7": "green3", "I7": "yellow3", "L3": "red3", "R3": "blue3"}
    scene = replace(showing(board, faces, seed=3), pose=Pose(distance=700, tilt=0.0, hfov=68))
    eye.look(photograph(replace(scene, light=Light(lamp=(380.0, 60.0, 560.0), radius=20.0, ambient=0.4))))
    assert np.max(said) == pytest.approx(SHADOWS.loudest), "they were heard"


LIGHTS = {
    "lamp from the east": Light(lamp=(400.0, 50.0, 600.0), radius=20.0),
    "candlelight": Light(kelvin=2700, room_kelvin=2700, balanced_for=4500),
    "too blue": Light(kelvin=6500, balanced_for=3500),
    "half as bright": Light(exposure=0.4),
    "dark": Light(exposure=0.15),
    "wrong gains": Light(gains=(1.15, 1.0, 0.87)),
}


@pytest.mark.parametrize("light", LIGHTS.values(), ids=LIGHTS.keys())
def test_light_changes_nothing(light: Light, table: Scene, eye: Eye, photograph: Photograph) -> None:
    guesses = eye.look(photograph(replace(table, light=light))).reading.guesses()
    assert {site: guess.best.name for site, guess in guesses.items() if guess.best != EMPTY} == FACES
    assert set(guesses) == set(eye.board.sites)


@pytest.mark.parametrize(
    ("lamp", "direction"), [((0.0, -420.0, 600.0), 220.0), ((250.0, -300.0, 620.0), 130.0)], ids=["behind", "beside"]
)
def test_wood_in_the_shade_of_a_warm_room_is_no_yellow_marker(
    lamp: tuple[float, float, float], direction: float, board: Board, eye: Eye, photograph: Photograph
) -> None:
    faces = {"T7": "red3", "L7": "blue3", "R7": "green3", "I5": "yellow3"}
    light = Light(lamp=lamp, kelvin=6000, room_kelvin=2400, balanced_for=5200, ambient=0.45)
    pose = Pose(distance=620, tilt=30, direction=direction, hfov=68)
    guesses = eye.look(photograph(replace(showing(board, faces, seed=4), pose=pose, light=light))).reading.guesses()
    assert {site: guess.best.name for site, guess in guesses.items() if guess.best != EMPTY} == faces


def test_no_fiducials(eye: Eye) -> None:
    with pytest.raises(BoardNotFoundError, match="no black squares"):
        eye.look(Frame(np.full((720, 1280, 3), 128, np.uint8)))
    noise = np.random.default_rng(1).integers(0, 255, (720, 1280, 3), dtype=np.uint8)
    with pytest.raises(BoardNotFoundError):
        eye.look(Frame(noise))


def test_another_board(eye: Eye, rings_eye: Eye, table: Scene, photograph: Photograph) -> None:
    with pytest.raises(BoardNotFoundError, match=r"is for memento-tuos, not rings"):
        rings_eye.look(photograph(table))


@pytest.mark.parametrize("share", [1.0, 0.6], ids=["alike", "one smaller"])
def test_two_boards(share: float, eye: Eye, table: Scene, photograph: Photograph) -> None:
    one = photograph(table).bgr
    other = cv2.resize(one, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    both = np.full((720, 2560, 3), 90, np.uint8)
    both[:, :1280] = one
    both[: other.shape[0], 1280 : 1280 + other.shape[1]] = other
    with pytest.raises(BoardNotFoundError, match=r"more than one .* board"):
        eye.look(Frame(both))


def test_too_few_fiducials(eye: Eye, table: Scene, photograph: Photograph) -> None:
    picture = photograph(table).bgr.copy()
    look = eye.look(Frame(picture))
    keep = look.pose.expected_corners(eye.board)[look.pose.fiducials[0]]
    x, y, wide, high = cv2.boundingRect(keep.astype(np.float32))
    only = np.full_like(picture, 128)
    part = np.s_[y - 12 : y + high + 12, x - 12 : x + wide + 12]
    only[part] = picture[part]
    with pytest.raises(BoardNotFoundError, match="only one black square"):
        eye.look(Frame(only))


@pytest.mark.parametrize(
    "picture",
    [
        np.zeros((720, 1280), np.uint8),
        np.zeros((720, 1280, 4), np.uint8),
        np.zeros((720, 1280, 3), np.uint16),
        np.zeros((40, 60, 3), np.uint8),
    ],
    ids=["grey", "alpha", "16 bit", "tiny"],
)
def test_pictures_that_are_none(picture: np.ndarray) -> None:
    with pytest.raises(PictureError):
        Frame(picture)


def test_pawns_are_sure_from_a_slant_where_their_rings_show(rings_eye: Eye, photograph: Photograph) -> None:
    pawns = {"a1": "green", "b4": "blue", "c2": "green", "c5": "red", "b7": "yellow"}
    scene = replace(
        showing(rings_eye.board, pawns, seed=6),
        pose=Pose(distance=660, tilt=37, direction=70, hfov=68),
    )
    guesses = rings_eye.look(photograph(scene)).reading.guesses()
    assert {site: guess.best.name for site, guess in guesses.items() if guess.best != EMPTY} == pawns
    assert min(guess.p for guess in guesses.values()) > 0.97


def test_a_marker_half_covered_is_no_tall_stack_on_a_site_that_shows_its_ring(
    board: Board, eye: Eye, photograph: Photograph
) -> None:
    pose = Pose(distance=583.4773, tilt=28.1469, direction=92.7381, aim=(-22.14, 20.72), hfov=72.8966, k1=-0.089783)
    frame = photograph(replace(showing(board, {"L2": "red1", "T3": "red1"}, seed=4), pose=pose))
    seen = eye.look(frame).pose
    at = np.array(board.sites["L2"].at)
    way = (seen.eye[:2] - at) / np.linalg.norm(seen.eye[:2] - at) @ np.array([(0.5, 0.866), (-0.866, 0.5)])
    across = 30 * np.array([-way[1], way[0]])
    sleeve = [at + 3 * way - across, at + 3 * way + across, at + 33 * way + across, at + 33 * way - across]
    bgr = frame.bgr.copy()
    corners = seen.project(np.column_stack([sleeve, np.full(4, 28.0)]))
    cv2.fillConvexPoly(bgr, np.rint(corners).astype(np.int32), (12, 10, 10), cv2.LINE_AA)
    guesses = eye.look(Frame(cv2.GaussianBlur(bgr, (0, 0), 0.7))).reading.guesses()
    assert guesses["L2"].best.kind == "red"


@pytest.fixture
def pawns(rings_eye: Eye, photograph: Photograph) -> Frame:
    scene = showing(rings_eye.board, {"c1": "red", "c3": "green", "b5": "blue"}, seed=8)
    return photograph(replace(scene, pose=Pose(distance=640, tilt=14, direction=150, hfov=68)))


def pale(frame: Frame, eye: Eye, site: str, wide: float) -> Frame:
    """The picture with something of a finger's colour over a pawn's top, so many millimetres wide."""
    pose = eye.look(frame).pose
    x, y = eye.board.sites[site].at
    top = eye.board.sites[site].z + eye.board.pieces["pawn-red"].height
    middle, edge = pose.project(np.array([(x, y, top), (x + wide / 2, y, top)]))
    cover = np.zeros(frame.bgr.shape[:2], np.float32)
    cv2.circle(cover, np.rint(middle).astype(int).tolist(), round(float(np.linalg.norm(edge - middle))), 1.0, -1)
    share = cv2.GaussianBlur(cover, (0, 0), 1.5)[..., None]
    return Frame(np.rint(frame.bgr * (1 - share) + np.array([168, 178, 226]) * share).astype(np.uint8))


def test_a_highlight_makes_no_pawn_a_finger(pawns: Frame, rings_eye: Eye) -> None:
    reading = rings_eye.look(pale(pawns, rings_eye, "c1", 20.0)).reading
    assert reading.hidden == frozenset()
    assert best(reading, "c1") == "red"


@pytest.mark.parametrize("wide", [22.0, 60.0], ids=["fingertip", "hand"])
def test_what_is_nothing_but_pale_is_no_red_pawn(wide: float, pawns: Frame, rings_eye: Eye) -> None:
    assert rings_eye.look(pale(pawns, rings_eye, "c3", wide)).reading.hidden >= {"c3"}


def test_what_goes_on_behind_a_site_is_no_pawn(rings_eye: Eye, pawns: Frame) -> None:
    pose = rings_eye.look(pawns).pose
    at = np.array(rings_eye.board.sites["b3"].at)
    away = (at - pose.eye[:2]) / np.linalg.norm(at - pose.eye[:2])
    across = 11.0 * np.array([-away[1], away[0]])
    corners = [at - 8 * away - across, at - 8 * away + across, at + 90 * away + across, at + 90 * away - across]
    sleeve = pose.project(np.column_stack([corners, np.full(4, 5.0)]))
    bgr = pawns.bgr.copy()
    cv2.fillConvexPoly(bgr, np.rint(sleeve).astype(np.int32), (38, 26, 150), cv2.LINE_AA)
    assert "b3" in rings_eye.look(Frame(cv2.GaussianBlur(bgr, (0, 0), 0.7))).reading.hidden


@pytest.mark.parametrize(
    ("skin", "site", "kelvin"),
    [(2, "I5", 3000), (3, "I5", 4500), (3, "T4", 3000)],
    ids=["light", "brown", "warm light"],
)
def test_fingertips_are_no_red_markers(
    skin: int, site: str, kelvin: int, board: Board, eye: Eye, photograph: Photograph
) -> None:
    faces = {"L3": "blue2", "L1": "red1", "L6": "red3"}
    x, y = board.sites[site].at
    light = Light(lamp=(300.0, -200.0, 600.0), radius=30.0, ambient=0.5, kelvin=kelvin, balanced_for=4500)
    for comes_from in (80.0, 140.0):
        hand = Arm((x, y, 25.0), comes_from, grasp=0.0, skin=SKINS[skin])
        pose = Pose(distance=620, tilt=12, direction=40, hfov=68)
        scene = replace(showing(board, faces, seed=4), pose=pose, light=light, arms=(hand,))
        guesses = eye.look(photograph(scene)).reading.guesses()
        assert {name: guess.best.name for name, guess in guesses.items() if guess.best != EMPTY} == faces


@pytest.mark.parametrize("colour", [(0.01, 0.37, 0.62), (0.08, 0.06, 0.86)], ids=["yellow", "red"])
def test_paint_is_no_skin_in_its_own_light_or_under_gloss(colour: tuple[float, float, float]) -> None:
    """Light thrown back and forth between two things of one colour makes it deeper, and yellow like skin in its hue."""
    paint = 0.6 * np.array(colour)
    for seen in (paint, paint**1.3, paint**1.7, paint**2, paint + 0.15, 0.1 * paint):
        assert not is_skin(seen[None], paint)
    assert is_skin(linear("#8d5f48")[None], paint)
