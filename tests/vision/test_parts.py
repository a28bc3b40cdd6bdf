"""The parts on their own: colours, light, geometry, pose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.board import Board
from engine.face import BARE, EMPTY, Face
from hardware.virtual.camera import Pose as CameraPose
from hardware.virtual.scene import Scene
from vision.find.fiducials import follow_fiducials
from vision.find.lens import Lens
from vision.find.pose import BoardPose, board_corners, find_pose
from vision.flatten.board_plane import BoardPlane
from vision.flatten.colour import BRIGHTEST, FROM_CODE, chroma, linear
from vision.flatten.flat_view import FlatView
from vision.frame import Frame
from vision.look import Eye
from vision.readers.blobs import find_blobs, near_sites
from vision.readers.lone_pieces import ground_light
from vision.readers.palette import Palette, mixtures
from vision.readers.pawns import PawnReader
from vision.readers.site_readings import Claim, faces_of_site
from vision.readers.stacks.reader import StackReader

SIZE = (1280, 720)


def near(view: FlatView, reader: PawnReader | StackReader) -> np.ndarray:
    return near_sites(view, reader.solid.diameter + 24.0, 0.0, reader.solid.height)


def coded(reflectance: np.ndarray) -> np.ndarray:
    return np.rint(255 * np.sqrt(np.clip(reflectance / BRIGHTEST, 0, 1))).astype(np.uint8)


@pytest.mark.parametrize("shade", [1.0, 0.5, 0.25])
@pytest.mark.parametrize("gloss", [0.0, 0.12])
def test_a_marker_keeps_its_colour(board: Board, shade: float, gloss: float) -> None:
    palette = Palette(board)
    for number, name in enumerate(palette.names, start=1):
        look = linear(board.pieces[f"marker-{name}"].colour) * shade + gloss * shade**2
        assert palette.labels(coded(look)[None, None])[0, 0] == number, name


@pytest.mark.parametrize(
    "colour", ["#d9c7a3", "#efe6d2", "#5a5f7d", "#7b4f52", "#4f6b64", "#23292e", "#e6b48c", "#ffffff"]
)
@pytest.mark.parametrize("shade", [1.0, 0.4, 0.15])
def test_what_is_no_marker_has_no_label(board: Board, colour: str, shade: float) -> None:
    assert Palette(board).labels(coded(linear(colour) * shade)[None, None])[0, 0] == 0


@pytest.mark.parametrize("look", [(0.086, 0.244, 0.365), (0.042, 0.111, 0.187), (0.06, 0.15, 0.22)])
def test_wood_in_a_warm_shade_is_not_yellow(board: Board, look: tuple[float, float, float]) -> None:
    """Unless it is warmer still: then only what is above it tells that it is a stack's side."""
    assert Palette(board).labels(coded(np.array(look))[None, None])[0, 0] == 0


def test_white_over_a_colour_is_less_of_it() -> None:
    red = np.array([0.03, 0.015, 0.63])
    plain, glossy = mixtures(np.stack([red, red + 0.3]), red)
    assert plain > glossy > 0


PRINT = np.array([(0.2, 0.15, 0.12), (0.7, 0.75, 0.8), (0.12, 0.2, 0.16)] * 8)


@pytest.mark.parametrize("light", [(1.0, 1.0, 1.0), (0.6, 0.56, 0.5), (1.2, 1.1, 1.0)])
def test_ground_tells_the_light_on_it(light: tuple[float, float, float]) -> None:
    assert ground_light(PRINT * light, PRINT) == pytest.approx(np.array(light), rel=0.1)


@pytest.mark.parametrize(
    "looks",
    [PRINT * (0.4, 0.8, 1.4), PRINT * 1.8, PRINT * 0.001, np.full(PRINT.shape, 0.3), np.roll(PRINT, 1, axis=0)],
    ids=["tinted", "glare", "black", "a sleeve", "another print"],
)
def test_what_is_not_the_print_in_some_light_tells_none(looks: np.ndarray) -> None:
    assert ground_light(looks, PRINT) is None


def test_shade_keeps_the_shares() -> None:
    look = np.array([0.2, 0.3, 0.5])
    assert np.abs(chroma(look) - chroma(look * 0.3)).max() < 0.03
    assert FROM_CODE[255] == pytest.approx(BRIGHTEST)


def seen_from(tilt: float, board: Board, lens: Lens) -> BoardPose:
    angle = np.radians(tilt)
    return BoardPose(lens, np.array([angle, 0.0, 0.0]), np.array([5.0, -8.0, 640.0]), 0.0, ())


@pytest.mark.parametrize("tilt", [12.0, 25.0, 38.0])
@pytest.mark.parametrize("given", [True, False], ids=["lens given", "lens not given"])
def test_pose_from_corners(board: Board, tilt: float, given: bool) -> None:
    lens = Lens.guess(SIZE, 62.0, -0.06)
    true = seen_from(tilt, board, lens)
    noise = np.random.default_rng(3)
    found = {
        marker: true.project(np.column_stack([corners, np.zeros(4)])) + noise.normal(0, 0.1, (4, 2))
        for marker, corners in board_corners(board).items()
    }
    pose = find_pose(found, board, SIZE, lens if given else None)
    assert pose is not None
    assert pose.tilt == pytest.approx(true.tilt, abs=0.4)
    assert pose.distance == pytest.approx(true.distance, rel=0.01 if given else 0.04)
    assert pose.eye[2] > 0


def test_one_wrong_fiducial_is_left_out(board: Board) -> None:
    true = seen_from(20.0, board, Lens.guess(SIZE, 66.0))
    found = {m: true.project(np.column_stack([c, np.zeros(4)])) for m, c in board_corners(board).items()}
    found[3] = found[3] + 40.0
    pose = find_pose(found, board, SIZE, None)
    assert pose is not None
    assert 3 not in pose.fiducials
    assert pose.tilt == pytest.approx(true.tilt, abs=0.2)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("given", [True, False], ids=["lens given", "lens not given"])
def test_fiducials_elsewhere_are_no_board(board: Board, seed: int, given: bool) -> None:
    """However far the search runs away from corners that no pose explains, nothing overflows."""
    random = np.random.default_rng(seed)
    found = {m: random.uniform(100, 600, (4, 2)) for m in board_corners(board)}
    assert find_pose(found, board, SIZE, Lens.guess(SIZE, 66.0) if given else None) is None


def test_nothing_to_follow() -> None:
    assert follow_fiducials(np.zeros((200, 300), np.uint8), {}, 5) == {}
    blank = np.full((200, 300), 128, np.uint8)
    square = np.array([(50.0, 50.0), (90.0, 50.0), (90.0, 90.0), (50.0, 90.0)])
    assert follow_fiducials(blank, {4: square}, 5) == {}


def test_a_tall_thing_leans_away_and_comes_back(board: Board) -> None:
    pictures = {sheet.name: np.full((50, 50, 4), 200, np.uint8) for sheet in board.sheets}
    plane = BoardPlane(board, pictures)
    view = FlatView(
        np.zeros((*plane.size[::-1], 3), np.uint8), np.array([250.0, 0.0, 500.0]), plane, (0,) * 4, np.zeros((0, 2))
    )
    foot = np.array([-50.0, 20.0])
    seen = view.appear(foot, 33.0)
    assert seen[0] < foot[0], "away from the eye"
    assert view.stand(seen, 33.0) == pytest.approx(foot)
    assert view.appear(foot, plane.level) == pytest.approx(foot)


ONE, TWO = (Face(str(stones), BARE, stones) for stones in (1, 2))
RED_ONE, RED_TWO = (Face(f"red{stones}", "red", stones) for stones in (1, 2))
FACES = (EMPTY, ONE, TWO, RED_ONE, RED_TWO)


def test_faces_of_a_site() -> None:
    free = faces_of_site([], 6.0, {}, FACES)
    assert max(free, key=free.__getitem__) == EMPTY
    taken = faces_of_site([Claim(0, RED_ONE, 0, 0.7), Claim(0, RED_TWO, 0, 0.29)], -6.0, {}, FACES)
    assert max(taken, key=taken.__getitem__) == RED_ONE
    assert taken[RED_TWO] > taken[EMPTY]
    bare = faces_of_site([], -6.0, {ONE: 0.2, TWO: 0.8}, FACES)
    assert max(bare, key=bare.__getitem__) == TWO


@pytest.mark.parametrize(("off", "found"), [(0.0, 1), (8.0, 1), (40.0, 0)])
def test_what_stands_far_from_every_site_is_not_looked_for(rings_eye: Eye, off: float, found: int) -> None:
    """Printed spots have the colours of pawns; they lie 40 mm outside the sites."""
    board, plane, reader = rings_eye.board, rings_eye.plane, rings_eye.readers["pawns"]
    assert reader is not None
    codes, sites = coded(plane.expected((0, 0, 0))), np.array([site.at for site in board.sites.values()])
    view = FlatView(codes, np.array([0.0, 0.0, 640.0]), plane, (0, 0, 0), sites)
    out = sites[list(board.sites).index("c1")]
    seen = view.appear(out * (1 + off / np.linalg.norm(out)), plane.level + reader.solid.height / 2)
    labels = np.zeros(codes.shape[:2], np.uint8)
    cv2.circle(labels, np.rint(plane.to_flat(seen)).astype(int).tolist(), 16, 1, -1)
    assert len(find_blobs(labels, reader.palette.colours, view, reader.solid, near(view, reader))) == found


@pytest.mark.parametrize(("shade", "found"), [((20, 20, 200), 1), ((95, 135, 210), 0)], ids=["a pawn", "a fingertip"])
def test_a_finger_over_a_pawn_makes_it_no_finger(rings_eye: Eye, shade: tuple[int, int, int], found: int) -> None:
    board, plane, reader = rings_eye.board, rings_eye.plane, rings_eye.readers["pawns"]
    assert reader is not None
    codes, sites = coded(plane.expected((0, 0, 0))), np.array([site.at for site in board.sites.values()])
    view = FlatView(codes, np.array([0.0, 0.0, 640.0]), plane, (0, 0, 0), sites)
    seen = view.appear(sites[list(board.sites).index("c1")], plane.level + reader.solid.height / 2)
    x, y = np.rint(plane.to_flat(seen)).astype(int).tolist()
    labels = np.zeros(codes.shape[:2], np.uint8)
    cv2.circle(labels, (x, y), round(reader.solid.diameter / 2 * 1.4 * view.magnify(20.0)), 1, -1)
    codes[labels > 0] = shade
    codes[y - 20 : y, x - 40 : x + 40] = (95, 135, 210)
    labels[y - 20 : y] = 0
    assert len(find_blobs(labels, reader.palette.colours[:1], view, reader.solid, near(view, reader))) == found


def test_a_sleeve_is_no_disc_where_it_passes_a_site(rings_eye: Eye) -> None:
    """Though nothing but that site is looked at: its colour goes on, on both sides."""
    board, plane, reader = rings_eye.board, rings_eye.plane, rings_eye.readers["pawns"]
    assert reader is not None
    codes, sites = coded(plane.expected((0, 0, 0))), np.array([site.at for site in board.sites.values()])
    view = FlatView(codes, np.array([0.0, 0.0, 640.0]), plane, (0, 0, 0), sites)
    x, y = np.rint(plane.to_flat(sites[list(board.sites).index("c1")])).astype(int).tolist()
    by, far = (round(share * reader.solid.diameter * 1.4) for share in (0.5, 3.0))
    labels, only = np.zeros((2, *codes.shape[:2]), np.uint8)
    labels[y - by : y + by, x - far : x + far] = 1
    only[y - by : y + by, x - by : x + by] = 255
    codes[labels > 0] = (20, 20, 200)
    for seen, found in ((labels, 0), (labels & only, 1)):
        assert len(find_blobs(seen, reader.palette.colours[:1], view, reader.solid, only, rough=True)) == found


def test_two_like_pawns_that_touch_are_two(rings_eye: Eye, photograph: Callable[[Scene], Frame]) -> None:
    board, reader = rings_eye.board, rings_eye.readers["pawns"]
    assert reader is not None
    frame = photograph(
        replace(Scene.showing(board, {}), pose=CameraPose(distance=780, tilt=38, direction=180, hfov=70))
    )
    view = rings_eye.view(rings_eye.look(frame))
    labels, middles = np.zeros(view.codes.shape[:2], np.uint8), []
    ring = reader.solid.diameter / 2 * np.array([(np.cos(turn), np.sin(turn)) for turn in np.linspace(0, 6.28, 40)])
    for site in ("a7", "a8"):
        at, level = np.array(board.sites[site].at), view.plane.level
        outline = np.vstack([view.appear(at + ring, level + high) for high in (0.0, reader.solid.height)])
        hull = cv2.convexHull(view.plane.to_flat(outline).astype(np.float32))
        cv2.fillConvexPoly(labels, np.rint(hull).astype(np.int32), 1)
        middles.append(view.appear(at, level + reader.solid.height / 2))
    one, other = (np.rint(view.plane.to_flat(middle)).astype(int).tolist() for middle in middles)
    cv2.line(labels, one, other, 1, 5)
    codes = np.where(labels[..., None] > 0, np.array((25, 120, 30), np.uint8), view.codes)
    found = sorted(
        blob.at
        for blob in find_blobs(
            labels, reader.palette.colours[:1], replace(view, codes=codes), reader.solid, near(view, reader)
        )
    )
    assert len(found) == 2
    assert np.abs(np.array(found) - np.array(sorted(map(tuple, middles)))).max() < 2.0


@pytest.mark.parametrize(("neck", "found"), [(9, 1), (40, 0)], ids=["touching", "grown together"])
def test_a_pawn_that_touches_a_cup_of_its_colour_is_a_pawn(
    neck: int, found: int, rings_eye: Eye, photograph: Callable[[Scene], Frame]
) -> None:
    board, reader = rings_eye.board, rings_eye.readers["pawns"]
    assert reader is not None
    frame = photograph(
        replace(Scene.showing(board, {}), pose=CameraPose(distance=780, tilt=10, direction=180, hfov=70))
    )
    view = rings_eye.view(rings_eye.look(frame))
    middle = view.appear(np.array(board.sites["a7"].at), view.plane.level + reader.solid.height / 2)
    ring = reader.solid.diameter / 2 * np.array([(np.cos(turn), np.sin(turn)) for turn in np.linspace(0, 6.28, 40)])
    labels = np.zeros(view.codes.shape[:2], np.uint8)
    x, y = np.rint(view.plane.to_flat(middle)).astype(int).tolist()
    cv2.circle(labels, (x, y + 75), 50, 1, 15)
    cv2.line(labels, (x, y), (x, y + 25), 1, neck)
    outline = [
        view.appear(np.array(board.sites["a7"].at) + ring, view.plane.level + high)
        for high in (0.0, reader.solid.height)
    ]
    hull = cv2.convexHull(view.plane.to_flat(np.vstack(outline)).astype(np.float32))
    cv2.fillConvexPoly(labels, np.rint(hull).astype(np.int32), 1)
    codes = np.where(labels[..., None] > 0, np.array((25, 120, 30), np.uint8), view.codes)
    blobs = find_blobs(labels, reader.palette.colours[:1], replace(view, codes=codes), reader.solid, near(view, reader))
    assert len(blobs) == found
    assert all(np.linalg.norm(np.array(blob.at) - middle) < 2.0 for blob in blobs)
