"""Lenses: for pictures of other sizes and shapes, guessed, and measured by photos of the chart."""

from __future__ import annotations

import weakref
from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from chart_photos import FOCAL, View, photo
from chart_photos import chart as drawn_chart

from engine.registry import find_game
from firmware.photos.calibrating import CHART
from vision.find.fiducials import FoundFiducials
from vision.find.lens import Lens
from vision.find.lens_calibration import CalibrationError, calibrate_lens
from vision.find.not_found import BoardNotFoundError, LensContradictedError
from vision.find.pose import BoardPose, board_corners, find_pose
from vision.frame import Floats, Frame, Image
from vision.look import Eye

FROM_THE_SIDES = [
    ((0.5, 0.0, 0.0), (0, 0, 420)),
    ((-0.5, 0.1, 0.0), (0, 0, 430)),
    ((0.0, 0.5, 0.3), (0, 0, 430)),
    ((0.0, -0.5, 0.0), (0, 0, 410)),
    ((0.3, 0.3, 1.0), (0, 0, 420)),
]
FROM_ONE_PLACE = [((0.02, 0.01, 0.0), (0, 0, 380))] * 4
FROM_ABOVE = [
    ((0.01, 0.0, 0.0), (0, 0, 380)),
    ((0.0, 0.01, 0.2), (20, 5, 385)),
    ((-0.01, 0.0, 0.1), (-20, 0, 380)),
    ((0.0, -0.01, 0.0), (0, -5, 375)),
]


@pytest.fixture(scope="module")
def chart() -> Image:
    return drawn_chart()


def test_photos_are_looked_at_one_by_one(chart: Image) -> None:
    """However many there are, and however large."""
    kept: list[weakref.ref[Frame]] = []

    def photos() -> Iterator[Frame]:
        for view in FROM_THE_SIDES:
            kept.append(weakref.ref(frame := photo(chart, view)))
            yield frame
            del frame
            assert sum(known() is not None for known in kept) <= 1

    assert calibrate_lens(photos(), CHART).photos == len(FROM_THE_SIDES)


def test_photos_from_different_sides_tell_the_lens(chart: Image) -> None:
    found = calibrate_lens([photo(chart, view) for view in FROM_THE_SIDES], CHART)
    assert found.lens.fx == pytest.approx(FOCAL, rel=0.01)


@pytest.mark.parametrize("views", [FROM_ONE_PLACE, FROM_ABOVE], ids=["one place", "above"])
def test_photos_that_fit_any_lens_tell_none(chart: Image, views: list[View]) -> None:
    with pytest.raises(CalibrationError, match="too similar"):
        calibrate_lens([photo(chart, view) for view in views], CHART)


def test_a_chart_that_is_cut_off_is_still_a_chart(chart: Image) -> None:
    for cut in range(0, 400, 7):
        part = chart[:, cut:]
        height, width = part.shape
        corners = [[0, 0], [width, 0], [width, height], [0, height]]
        aslant = [[0, -10], [width, 0], [width - 20, height], [0, height + 15]]
        way = cv2.getPerspectiveTransform(np.array(corners, np.float32), np.array(aslant, np.float32))
        seen = np.asarray(cv2.cvtColor(cv2.warpPerspective(part, way, (width, height)), cv2.COLOR_GRAY2BGR), np.uint8)
        with pytest.raises(CalibrationError, match=r"was found in [01] photos, but 4 are needed"):
            calibrate_lens([Frame(seen)], CHART)


LENS = Lens((1640, 1232), 1200.0, 1200.0, 830.0, 600.0, -0.03)


@pytest.mark.parametrize("size", [(1280, 720), (1280, 960), (820, 616), (3280, 2464), (1920, 1080)])
def test_a_lens_for_pictures_of_another_shape_has_round_pixels(size: tuple[int, int]) -> None:
    other = LENS.scaled(size)
    assert other.fx == other.fy == pytest.approx(1200.0 * size[0] / 1640)
    assert other.k1 == LENS.k1
    for middle, old, new in ((other.cx, LENS.cx, 0), (other.cy, LENS.cy, 1)):
        off = old - (LENS.size[new] - 1) / 2
        assert middle == pytest.approx((size[new] - 1) / 2 + off * size[0] / 1640)
    again = other.scaled(LENS.size)
    assert [again.fx, again.cx, again.cy] == pytest.approx([LENS.fx, LENS.cx, LENS.cy])


def seen_by(lens: Lens, tilt: float, noise: float) -> dict[int, Floats]:
    """The board's fiducials as a camera sees them; `noise`: millimetres by which they are printed off their places."""
    random = np.random.default_rng(5)
    board = find_game("memento-tuos").board(2, {})
    pose = BoardPose(lens, np.array([np.radians(tilt), 0.0, 0.0]), np.array([0.0, 0.0, 700.0]), 0.1, ())
    return {
        fiducial: pose.project(np.column_stack([four + random.normal(0, noise, 2), np.zeros(4)]))
        for fiducial, four in board_corners(board).items()
    }


@pytest.mark.parametrize("size", [(1280, 720), (720, 1280)])
def test_a_picture_on_its_side_is_one_of_the_same_camera(size: tuple[int, int]) -> None:
    board = find_game("memento-tuos").board(2, {})
    pose = find_pose(seen_by(Lens.guess((1280, 720), 66.0), 1.0, 0.0), board, size, None)
    assert pose is not None
    assert pose.lens.fx == pytest.approx(985, rel=0.05), "from above nothing but what is usual tells the focal length"


@pytest.mark.parametrize("width", [640, 1280, 2560, 4032])
def test_how_well_a_board_is_glued_does_not_depend_on_the_picture(width: int) -> None:
    board = find_game("memento-tuos").board(2, {})
    size = width, width * 9 // 16
    assert find_pose(seen_by(Lens.guess(size, 66.0), 20.0, 0.5), board, size, None) is not None
    assert find_pose(seen_by(Lens.guess(size, 66.0), 20.0, 8.0), board, size, None) is None


@pytest.mark.parametrize("first", [(0, 2), (0, 2, 4), (1, 5)])
def test_a_pose_told_by_few_markers_is_not_kept_once_more_are_seen(
    eye: Eye, monkeypatch: pytest.MonkeyPatch, first: tuple[int, ...]
) -> None:
    """However sheets were printed and glued: two fiducials always fit."""
    size = 1280, 720
    seen = seen_by(Lens.guess(size, 66.0), 20.0, 0.4)
    fiducials = sorted(seen)
    few = find_pose({fiducials[number]: seen[fiducials[number]] for number in first}, eye.board, size, None)
    assert few is not None
    monkeypatch.setattr("vision.find.board_finder.follow_fiducials", lambda *_: seen)
    pose = eye.finder.follow(np.zeros((720, 1280), np.uint8), few, None)
    assert pose is not None
    assert len(pose.fiducials) > len(few.fiducials)


DARK = np.zeros((720, 1280), np.uint8)


def shown(eye: Eye, monkeypatch: pytest.MonkeyPatch, lens: Lens, tilt: float) -> None:
    """The eye finds the fiducials just as such a camera sees them, printed and glued as people do."""
    seen = seen_by(lens, tilt, 0.4)
    monkeypatch.setattr("vision.find.board_finder.spot_fiducials", lambda *_: FoundFiducials(seen, frozenset()))
    monkeypatch.setattr("vision.find.board_finder.find_fiducials", lambda *_: FoundFiducials(seen, frozenset()))
    monkeypatch.setattr("vision.find.board_finder.follow_fiducials", lambda *_: seen)


@pytest.mark.parametrize("tilt", [0.0, 12.0, 38.0])
@pytest.mark.parametrize("view", [55.0, 66.0, 78.0])
@pytest.mark.parametrize("bend", [-0.12, 0.05])
def test_the_lens_that_took_the_picture_is_not_refused(
    eye: Eye, monkeypatch: pytest.MonkeyPatch, view: float, bend: float, tilt: float
) -> None:
    lens = Lens.guess((1280, 720), view, bend)
    shown(eye, monkeypatch, lens, tilt)
    assert eye.finder.find(DARK, lens).distance == pytest.approx(700, rel=0.01)


@pytest.mark.parametrize("tilt", [6.0, 12.0, 38.0])
def test_a_lens_that_the_board_contradicts_is_refused(eye: Eye, monkeypatch: pytest.MonkeyPatch, tilt: float) -> None:
    """Module 3 cropped, as `rpicam-still --width 1280 --height 720` takes its photos, and as a whole."""
    shown(eye, monkeypatch, Lens.guess((1280, 720), 66.0), tilt)
    with pytest.raises(LensContradictedError, match=r"says 47 degrees of view, and the board shows 6\d; measure it"):
        eye.finder.find(DARK, Lens.guess((1280, 720), 46.8))


def test_no_board_is_no_contradiction(eye: Eye) -> None:
    with pytest.raises(BoardNotFoundError, match="no black squares found") as caught:
        eye.finder.find(DARK, Lens.guess((1280, 720), 46.8))
    assert not isinstance(caught.value, LensContradictedError)
