"""The virtual camera is a camera: what it draws is where geometry says, in pixels."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from pictured import showing

from engine.board import DICTIONARY, Board, turned
from engine.registry import find_game
from hardware.virtual.camera import Camera, Pose
from hardware.virtual.painting.colour import linear
from hardware.virtual.painting.render import Renderer
from hardware.virtual.sample import random_light, random_pose, random_scene, random_table
from hardware.virtual.scene import CLEAN, PLAIN_LIGHT, Cup, Light, Scene, Stack, TableTop

POSES = 10
STONE, MARKER, WIDE = 22.0, 3.0, 12.0
"""How high a stone and a marker are, and half of how wide a marker is; mm."""


@pytest.fixture(scope="module", params=["memento-tuos", "rings"])
def board(request: pytest.FixtureRequest) -> Board:
    make = find_game(request.param).board
    assert make is not None
    return make(2, {})


@pytest.fixture(scope="module")
def memento() -> Board:
    make = find_game("memento-tuos").board
    assert make is not None
    return make(2, {})


def fiducials_in(image: np.ndarray) -> dict[int, np.ndarray]:
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    new = hasattr(cv2.aruco, "ArucoDetector")
    settings = cv2.aruco.DetectorParameters() if new else cv2.aruco.DetectorParameters_create()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.cornerRefinementWinSize = 2 if not new else 5  # old versions do not shrink it for small markers
    if new:
        corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, settings).detectMarkers(image)
    else:
        corners, ids, _ = cv2.aruco.detectMarkers(image, dictionary, parameters=settings)
    numbers = [] if ids is None else np.asarray(ids).flatten()
    return {int(number): np.asarray(found).reshape(4, 2) for number, found in zip(numbers, corners, strict=True)}


def true_corners(board: Board, camera: Camera) -> dict[int, np.ndarray]:
    corners = {}
    for mark in board.fiducials:
        half = mark.size / 2
        own = [turned(corner, mark.angle) for corner in ((-half, -half), (half, -half), (half, half), (-half, half))]
        corners[mark.id] = camera.project([(mark.at[0] + x, mark.at[1] + y, 0.0) for x, y in own])
    return corners


def bare(board: Board) -> Board:
    """The board with nothing near its fiducials that could draw OpenCV's corner search away."""
    base = board.base
    ground = replace(base.art[0], stroke=None)
    return replace(board, sheets=(replace(base, art=(ground, *board.fiducials)), *board.sheets[1:]))


def test_fiducials_are_found_where_they_are_projected(board: Board) -> None:
    board = bare(board)
    renderer, random, misses, found, wanted = Renderer(board), np.random.default_rng(5), [], 0, 0
    for _ in range(POSES):
        pose = random_pose(board, random)
        picture = renderer.render(replace(Scene(board), pose=pose, light=PLAIN_LIGHT, sensor=CLEAN))
        # A camera's curve makes white bloom into black, and dark squares smaller: measured is the light itself.
        light = np.rint(255 * linear(picture.bgr / 255)).astype(np.uint8)
        seen, true = fiducials_in(light), true_corners(board, picture.camera)
        assert set(seen) <= set(true)
        wanted += len(true)
        found += len(seen)
        misses += [seen[number] - true[number] for number in seen]
    assert found >= 0.99 * wanted
    assert np.median(np.linalg.norm(misses, axis=2)) < 0.25
    assert np.linalg.norm(misses, axis=2).max() < 0.5
    centres = np.linalg.norm(np.mean(misses, axis=1), axis=1)
    assert np.median(centres) < 0.1


def test_fiducials_are_found_under_random_lamps(board: Board) -> None:
    renderer, random, found, wanted = Renderer(board), np.random.default_rng(6), 0, 0
    for seed in range(5):
        scene = replace(Scene(board, seed=seed), pose=random_pose(board, random))
        scene = replace(scene, light=random_light(random), table=random_table(random))
        found += len(fiducials_in(renderer.render(scene).bgr))
        wanted += len(board.fiducials)
    assert found >= 0.97 * wanted


def test_projection_is_opencvs() -> None:
    """The camera's matrices are what OpenCV takes, once z points down."""
    random = np.random.default_rng(2)
    for _ in range(50):
        pose = Pose(
            *random.uniform((500, 0, 0, -180), (800, 40, 360, 180)), hfov=60, k1=float(random.uniform(-0.12, 0.05))
        )
        camera = Camera.at(pose, (5.0, -7.0, 4.0))
        points = random.uniform(-180, 180, (20, 3)) * (1, 1, 0.2)
        rotation, _ = cv2.Rodrigues(camera.rotation)
        want, _ = cv2.projectPoints(
            points * (1, 1, -1), rotation, camera.translation, camera.matrix, np.array([pose.k1, 0, 0, 0])
        )
        assert np.allclose(camera.project(points), want.reshape(-1, 2), atol=1e-6)
        assert np.isclose(np.linalg.det(camera.rotation), 1)
        back = camera.rays(camera.project(points))
        deep = camera.in_camera(points)[:, 2:]
        assert np.allclose(camera.position + back * deep, points, atol=1e-6)


def test_pose_means_what_it_says() -> None:
    camera = Camera.at(Pose(600, 30, 90, 0))
    assert np.allclose(camera.position, (300, 0, 600 * np.cos(np.radians(30))))
    assert np.allclose(camera.project((0, 0, 0)), (639.5, 359.5))
    west, east, north = camera.project([(-50, 0, 0), (50, 0, 0), (0, -50, 0)])
    assert east[1] > west[1], "the side of the camera is at the bottom"
    assert north[0] > 640, "seen from the east, north is to the right"
    upright, rolled = camera.project((100, 0, 0)), Camera.at(Pose(600, 30, 90, 90)).project((100, 0, 0))
    assert rolled[0] < 639.5, "turned clockwise, what was at the bottom is at the left"
    assert abs(upright[1] - 359.5) == pytest.approx(abs(rolled[0] - 639.5))


@pytest.mark.parametrize("height", [1, 2, 3])
def test_a_marker_is_where_its_top_is_projected(memento: Board, height: int) -> None:
    """The centroid of the coloured top, rim to rim, against the projection of the same disc."""
    renderer, random = Renderer(memento), np.random.default_rng(height)
    for _ in range(4):
        site = str(random.choice(list(memento.sites)))
        empty = replace(Scene(memento), pose=random_pose(memento, random), light=PLAIN_LIGHT, sensor=CLEAN)
        standing = replace(
            showing(memento, {site: f"blue{height}"}),
            pose=empty.pose,
            light=PLAIN_LIGHT,
            sensor=CLEAN,
        )
        picture = renderer.render(standing)
        x, y, z = *memento.sites[site].at, 3.0 + STONE * height + MARKER
        angles = np.linspace(0, 2 * np.pi, 360, endpoint=False)
        rim = picture.camera.project([(x + WIDE * np.cos(a), y + WIDE * np.sin(a), z) for a in angles])
        want = np.zeros(picture.bgr.shape[:2], np.uint8)
        cv2.fillPoly(want, [np.rint(rim * 16).astype(np.int32)], (1,), cv2.LINE_8, 4)
        blue = blueness(picture.bgr)
        # Side and top of the marker are both blue; the top is what the projected rim encloses.
        window = cv2.dilate(want, np.ones((9, 9), np.uint8)) > 0
        covered = (blue > 60) & window
        side = np.array(picture.sites[site].top) - picture.sites[site].foot
        way = side / max(np.linalg.norm(side), 1e-9)
        got, true = np.argwhere(covered)[:, ::-1] @ way, np.argwhere(want > 0)[:, ::-1] @ way
        # Away from the foot nothing but the top's own rim ends the blue.
        assert got.max() == pytest.approx(true.max(), abs=1.0)
        across = np.array([-way[1], way[0]])
        assert np.mean(np.argwhere(covered)[:, ::-1] @ across) == pytest.approx(
            np.mean(np.argwhere(want > 0)[:, ::-1] @ across), abs=0.5
        )
        assert np.allclose(picture.sites[site].top, picture.camera.project((x, y, z)), atol=1e-6)


def blueness(image: np.ndarray) -> np.ndarray:
    blue, green, red = (image[..., k].astype(int) for k in range(3))
    return blue - np.maximum(green, red)


@pytest.mark.parametrize("height", [1, 2, 3])
def test_from_above_the_centroid_of_a_marker_is_its_projected_centre(memento: Board, height: int) -> None:
    """Looking along the axis of the stack, no side is seen: the whole centroid counts."""
    for direction in (0.0, 77.0):
        pose = Pose(620, 0.0, direction, 0, hfov=66, k1=-0.04)
        for site in ("I7", "T7"):
            x, y = memento.sites[site].at
            moved = replace(
                showing(memento, {site: f"blue{height}"}),
                pose=pose,
                board_at=(-x, -y, 0.0),
                light=PLAIN_LIGHT,
                sensor=CLEAN,
            )
            picture = _shared(memento).render(moved)
            top = np.array(picture.sites[site].top)
            left, upper = (top - 30).astype(int)
            part = blueness(picture.bgr[upper : upper + 60, left : left + 60]) > 60
            centroid = np.argwhere(part).mean(axis=0)[::-1] + np.array((left, upper))
            assert np.linalg.norm(centroid - top) < 1.0


_renderers: dict[str, Renderer] = {}


def _shared(board: Board) -> Renderer:
    return _renderers.setdefault(board.game, Renderer(board))


def test_a_near_stack_hides_a_far_one(memento: Board) -> None:
    pose = Pose(520, 40, 180, 0, hfov=70)
    x, y = memento.sites["I7"].at
    near = Stack(("stone",) * 6 + ("marker-red",), (x, y + 30), 3.0)
    far = Stack(("stone", "marker-blue"), (x, y), 3.0, site="I7")
    base = replace(Scene(memento), pose=pose, light=PLAIN_LIGHT, sensor=CLEAN)
    for order in ((near, far), (far, near)):
        picture = _shared(memento).render(replace(base, stacks=order))
        u, v = np.rint(picture.camera.project((x, y, 3.0 + STONE + MARKER))).astype(int)
        assert blueness(picture.bgr[v - 1 : v + 2, u - 1 : u + 2]).max() < 40
        assert picture.sites["I7"].seen < 0.5
        assert picture.sites["I7"].covered == 0, "a stack is part of the game, not a foreign thing"
    alone = _shared(memento).render(replace(base, stacks=(far,)))
    assert alone.sites["I7"].seen == 1
    assert blueness(alone.bgr[v - 1 : v + 2, u - 1 : u + 2]).min() > 60


def test_stones_lie_under_the_marker(memento: Board) -> None:
    """Bottom to top, the parts of a stack are seen in their order up the picture."""
    scene = replace(
        showing(memento, {"I7": "red3"}),
        pose=Pose(520, 40, 180, 0, hfov=70),
        light=PLAIN_LIGHT,
        sensor=CLEAN,
    )
    picture = _shared(memento).render(scene)
    x, y = memento.sites["I7"].at
    stones = [picture.camera.project((x, y + 13.9, 3.0 + STONE * (number + 0.5))) for number in range(3)]
    column = [*stones, picture.camera.project((x, y, 3.0 + 3 * STONE + MARKER))]
    stone, *_, top = [picture.bgr[round(v), round(u)].astype(int) for u, v in column]
    assert top[2] - max(top[0], top[1]) > 60
    assert stone[2] > stone[0] > 60


@pytest.mark.parametrize("lamp", [(-400.0, 0.0, 500.0), (0.0, 400.0, 500.0), (250.0, -250.0, 450.0)])
def test_shadows_fall_away_from_the_lamp(memento: Board, lamp: tuple[float, float, float]) -> None:
    memento = bare(memento)
    renderer = Renderer(memento)
    light, table = Light(lamp=lamp, radius=15, ambient=0.2), TableTop("plain", "#b0b0b0")
    base = replace(Scene(memento), pose=Pose(700, 5, 180, 0), light=light, sensor=CLEAN, table=table)
    at = np.array((40.0, 150.0))
    away = (at - lamp[:2]) / np.linalg.norm(at - lamp[:2])
    tall = replace(base, stacks=(Stack(("stone",) * 6, (40.0, 150.0), 0.0),))
    without, with_it = renderer.render(base), renderer.render(tall)
    loss = without.bgr.astype(int).sum(axis=2) - with_it.bgr.astype(int).sum(axis=2)

    def lost(far: float) -> int:
        u, v = np.rint(with_it.camera.project((*(at + far * away), 0.0))).astype(int)
        return int(loss[v, u])

    assert lost(24) > 100
    assert abs(lost(-40)) < 30


def test_a_turned_sheet_shows_its_turned_picture(board: Board) -> None:
    """The picture of a sheet in position k is the first one turned about the pivot."""
    sheet = board.turnable[0]
    base = replace(Scene(board), pose=Pose(700, 0, 180, 0, hfov=66), light=PLAIN_LIGHT, sensor=CLEAN)
    first = _shared(board).render(base)
    for turn in (1, sheet.turns - 1, 0.5):
        picture = _shared(board).render(replace(Scene.showing(board, {}, {sheet.name: turn}), **_look(base)))
        random, marks = np.random.default_rng(1), []
        spread = sheet.size[0] / 2
        for point in random.uniform(-spread, spread, (4000, 2)):
            local = (float(point[0]), float(point[1]))
            if sheet.turns == 8 and not 32 < np.hypot(*local) < 64:
                continue
            if sheet.turns == 3 and np.hypot(local[0], local[1] - 19) > 50:
                continue
            old = first.camera.project((*sheet.to_table(local, 0), sheet.z))
            new = picture.camera.project((*sheet.to_table(local, turn), sheet.z))
            marks.append([tone_at(first.bgr, old), tone_at(picture.bgr, new)])
        old_tones, new_tones = np.array(marks).T
        assert np.corrcoef(old_tones, new_tones)[0, 1] > 0.9


def tone_at(image: np.ndarray, spot: np.ndarray) -> int:
    return int(image[round(spot[1]), round(spot[0])].astype(int).sum())


def _look(scene: Scene) -> dict[str, object]:
    return {"pose": scene.pose, "light": scene.light, "sensor": scene.sensor}


def test_what_an_arm_or_a_cup_covers_is_told(memento: Board) -> None:
    """Where the truth says hidden, the picture differs from the same one without the arm; elsewhere it does not."""
    told = set[str]()
    for seed in range(4):
        scene = random_scene(
            memento, memento.faces.read({"T1": "red1", "I7": "blue3", "L4": "green2"}), seed, hand=True
        )
        scene = replace(scene, sensor=CLEAN, light=PLAIN_LIGHT, table=TableTop("cloth", "#c9c2b2"))
        without = _shared(memento).render(replace(scene, arms=()))
        picture = _shared(memento).render(scene)
        changed = np.abs(picture.bgr.astype(int) - without.bgr.astype(int)).max(axis=2) > 0
        assert not np.any(changed & (picture.covered == 0) & (lamp_free(picture.bgr, without.bgr) > 0))
        assert changed[picture.covered > 0.9].mean() > 0.9
        for name, site in picture.sites.items():
            u, v = (round(value) for value in site.top)
            if site.covered > 0.95:
                assert picture.covered[v, u] > 0.5, name
            if site.covered == 0:
                assert picture.covered[v, u] < 0.5, name
            told.add("not" if site.covered == 0 else "whole" if site.covered > 0.95 else "half")
    assert told == {"not", "half", "whole"}
    cup = replace(Scene(memento), things=(Cup((0.0, 26.0), 3.0),))
    picture = _shared(memento).render(cup)
    assert "I7" in picture.hidden
    assert "T1" not in picture.hidden


def lamp_free(image: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Where an image is brighter than the other: no shadow does that."""
    return image.astype(int).sum(axis=2) - other.astype(int).sum(axis=2) - 6
