"""A nudged board or camera is followed; a lost one is found again in the next frame."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import pytest
from pictured import seen, showing

from engine.board import Board
from hardware.virtual.camera import Pose
from hardware.virtual.scene import Arm, Scene, Stack
from vision.find import board_finder
from vision.frame import Frame
from vision.look import Eye, Look
from vision.motion import changes
from vision.readers.free_sites import free_odds

Photograph = Callable[[Scene], Frame]
ABOVE = np.array([0.0, 0.0, 650.0])
FACES = {"T1": "red1", "L7": "blue2", "R4": "green3", "I6": "yellow1"}


@pytest.fixture
def table(board: Board) -> Scene:
    return replace(showing(board, FACES, seed=9), pose=Pose(distance=640, tilt=27, direction=200, hfov=70))


def pieces(eye_look: Look) -> dict[str, str]:
    return seen(eye_look.reading)


def test_a_small_nudge_is_followed(
    eye: Eye, table: Scene, photograph: Photograph, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = eye.look(photograph(table))
    nudged = photograph(replace(table, board_at=(1.0, -0.6, 0.2), frame=1))
    fresh = eye.look(nudged)

    def never(*_: object) -> None:
        raise AssertionError("sought anew")

    for seeking in ("spot_fiducials", "find_fiducials"):
        monkeypatch.setattr(board_finder, seeking, never)
    second = eye.look(nudged, first)
    assert pieces(second) == FACES
    corners = np.array([(-180.0, -150.0, 0.0), (180.0, 150.0, 0.0), (0.0, 0.0, 30.0)])
    assert np.abs(second.pose.project(corners) - fresh.pose.project(corners)).max() < 0.6


def test_a_board_that_creeps_is_followed(eye: Eye, table: Scene, photograph: Photograph) -> None:
    look = eye.look(photograph(table))
    first = look.pose
    for step in range(1, 7):
        creeping = photograph(replace(table, board_at=(0.25 * step, 0.0, 0.0), frame=step))
        look = eye.look(creeping, look)
    fresh = eye.look(creeping)
    corners = np.array([(-180.0, -150.0, 0.0), (180.0, 150.0, 0.0), (0.0, 0.0, 30.0)])
    assert np.abs(first.project(corners) - fresh.pose.project(corners)).max() > 1.0, "it came some way"
    assert np.abs(look.pose.project(corners) - fresh.pose.project(corners)).max() < 0.6


def test_a_board_that_stands_keeps_its_pose(eye: Eye, table: Scene, photograph: Photograph) -> None:
    first = eye.look(photograph(table))
    assert eye.look(photograph(replace(table, frame=1)), first).pose is first.pose


def test_a_pushed_board_is_found_again_at_once(eye: Eye, table: Scene, photograph: Photograph) -> None:
    first = eye.look(photograph(table))
    pushed = eye.look(photograph(replace(table, board_at=(12.0, -6.0, 4.0), frame=1)), first)
    assert pieces(pushed) == FACES
    elsewhere = replace(table.pose, direction=205.0, tilt=24.0)
    turned = eye.look(photograph(replace(table, pose=elsewhere, frame=2)), pushed)
    assert pieces(turned) == FACES
    assert turned.pose.tilt == pytest.approx(24.0, abs=0.6)


@pytest.mark.parametrize("by", [-90, 60, 110])
def test_a_board_that_looks_quite_different_is_never_still(eye: Eye, by: int) -> None:
    """As after a frame whose light was mistaken: what was read in it must not stay."""
    before = np.full((*[side // eye.plane.cell for side in eye.plane.size[::-1]], 3), 120, np.int16)
    changed = changes(eye.board, eye.plane, ABOVE, before, before + by)
    assert not changed.none
    assert changed.moving == set(eye.board.sites)


def test_noise_in_the_dark_is_still(eye: Eye) -> None:
    random = np.random.default_rng(2)
    shape = (*[side // eye.plane.cell for side in eye.plane.size[::-1]], 3)
    one, other = (np.rint(random.normal(60, 5.0, shape)).astype(np.int16) for _ in range(2))
    assert changes(eye.board, eye.plane, ABOVE, one, other).none


def test_motion_is_told_by_site(eye: Eye, table: Scene, photograph: Photograph) -> None:
    first = eye.look(photograph(table))
    assert not eye.look(photograph(replace(table, frame=1)), first).reading.moving
    x, y = eye.board.sites["R4"].at
    hand = Arm(grip=(x, y, 45.0), comes_from=90.0)
    reached = eye.look(photograph(replace(table, arms=(hand,), frame=2)), first).reading
    assert "R4" in reached.moving
    assert not {"L2", "L3", "L6"} & reached.moving


def test_what_stands_still_is_not_read_again_and_what_grew_is(
    eye: Eye, board: Board, table: Scene, photograph: Photograph
) -> None:
    first = eye.look(photograph(table))
    still = eye.look(photograph(replace(table, frame=1)), first)
    assert still.reading.sites is first.reading.sites
    grown = replace(showing(board, FACES | {"I6": "yellow2"}, seed=9), pose=table.pose, frame=2)
    assert pieces(eye.look(photograph(grown), still)) == FACES | {"I6": "yellow2"}
    gone = replace(showing(board, {"T1": "red1"}, seed=9), pose=table.pose, frame=3)
    assert pieces(eye.look(photograph(gone), still)) == {"T1": "red1"}


def test_a_picture_that_shows_the_same_is_not_read_again(
    eye: Eye, table: Scene, photograph: Photograph, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = eye.look(photograph(table))
    lower = replace(showing(table.board, FACES | {"R4": "green2"}, seed=9), pose=table.pose, frame=3)

    def never(*_: object) -> None:
        raise AssertionError("laid flat")

    with monkeypatch.context() as patched:
        patched.setattr(eye.flattener.rectifier, "flatten", never)
        again = eye.look(photograph(replace(table, frame=1)), first)
        aside = photograph(replace(table, frame=2)).bgr.copy()
        aside[:60, :200] = 255 - aside[:60, :200]
        beside = eye.look(Frame(aside), first)
        with pytest.raises(AssertionError, match="laid flat"):
            eye.look(photograph(lower), first)
    assert pieces(again) == pieces(beside) == FACES
    assert again.flat.glance is first.flat.glance, "slow changes must add up until they are seen"


def test_what_was_read_in_haste_is_read_again_though_nothing_moves_any_more(
    eye: Eye, table: Scene, photograph: Photograph
) -> None:
    arm = Arm(grip=(-60.0, 20.0, 60.0), comes_from=200.0)
    first = eye.look(photograph(table))
    reached = photograph(replace(table, arms=(arm,), frame=1))
    hasty = eye.look(reached, first)
    assert hasty.rough
    assert not eye.look(reached, hasty).rough


def test_a_marker_laid_on_a_stack_that_leans_far_over_the_edge_is_seen(
    eye: Eye, board: Board, photograph: Photograph
) -> None:
    """Seen slantwise, it is nowhere near its stack's foot, nor near any other site."""

    def shown(*pieces: str, frame: int) -> Frame:
        stack, pose = Stack(pieces, board.sites["T1"].at, board.sites["T1"].z), Pose(640, 38, hfov=70)
        return photograph(Scene(board, (stack,), pose=pose, frame=frame))

    bare = eye.look(shown("stone", "stone", "stone", frame=0))
    assert pieces(bare) == {"T1": "3"}
    marked = eye.look(shown("stone", "stone", "stone", "marker-red", frame=1), bare)
    assert pieces(marked) == {"T1": "red3"}


def test_while_a_hand_moves_only_what_changed_is_read(eye: Eye, table: Scene, photograph: Photograph) -> None:
    first = eye.look(photograph(table))
    x, y = eye.board.sites["R4"].at
    frame = photograph(replace(table, arms=(Arm(grip=(x, y, 45.0), comes_from=90.0),), frame=2))
    reached = eye.look(frame, first)
    assert reached.rough
    assert reached.reading.sites["L7"] is first.reading.sites["L7"], "nothing changed there"
    assert reached.reading.sheets["tile-L"] is first.reading.sheets["tile-L"]
    assert reached.reading.sheets["tile-R"] is not first.reading.sheets["tile-R"]
    view, reader = eye.view(reached), eye.readers["stacks"]
    assert reader is not None
    whole, part = reader.read(view, rough=True), reader.read(view, rough=True, known={"L7", "T1"})
    assert part.hidden == whole.hidden
    assert part.sites.keys() == whole.sites.keys() - {"L7", "T1"}
    assert guesses(part.sites) == {site: face for site, face in guesses(whole.sites).items() if site in part.sites}
    assert pieces(eye.look(photograph(replace(table, frame=3)), reached)) == FACES


def test_while_a_hand_moves_only_what_changed_is_laid_flat(eye: Eye, table: Scene, photograph: Photograph) -> None:
    first = eye.look(photograph(table))
    x, y = eye.board.sites["R4"].at
    frame = photograph(replace(table, arms=(Arm(grip=(x, y, 45.0), comes_from=90.0),), frame=2))
    reached, fresh = eye.look(frame, first), eye.look(frame)
    assert reached.flat.light is first.flat.light
    old, new = (flat.codes.astype(int) for flat in (first.flat, reached.flat))
    whole = first.flat.light.normalise(
        eye.flattener.rectifier.flatten(frame.bgr, first.pose, eye.flattener.rectifier.laid(first.pose)),
        eye.flattener.terms,
        eye.flattener.rectifier.laid(first.pose),
    ).astype(int)
    assert np.abs(new - whole).mean() < 0.3 * np.abs(old - whole).mean()
    kept = (new == old).all(axis=2) & (whole != old).any(axis=2)
    assert kept.any(), "where only noise changed"
    assert np.quantile(np.abs(new - whole)[kept], 0.99) < 14, "and nothing but noise"
    same = (reached.flat.glance == first.flat.glance).all(axis=2)
    assert 0.5 < same.mean() < 1, "where nothing changed slow changes go on adding up"
    assert reached.reading.hidden == fresh.reading.hidden
    left = eye.look(photograph(replace(table, frame=3)), reached)
    rest = eye.look(photograph(replace(table, frame=4)), left)
    assert not rest.rough
    assert rest.flat.light is not first.flat.light, "a look at rest is one at the whole picture"


@pytest.mark.parametrize("distance", [480, 800])
def test_whatever_changed_is_in_the_part_that_is_laid_flat(
    distance: float, eye: Eye, table: Scene, photograph: Photograph
) -> None:
    pose = eye.look(photograph(replace(table, pose=Pose(distance, tilt=30, direction=200, hfov=62)))).pose
    (top, left), high, wide = ((part.start for part in eye.flattener.rectifier.laid(pose)), 180, 320)
    whole = eye.flattener.rectifier.sources(pose)
    shown = np.clip(whole // 4, 0, (wide - 1, high - 1))
    random = np.random.default_rng(3)
    found = 0
    for _ in range(200):
        changed = np.zeros((high, wide), np.uint8)
        x, y = random.integers(0, (wide, high))
        changed[y, x] = 255
        part = eye.flattener.rectifier.part_of(changed, pose, 4)
        rows, columns = np.nonzero(changed[shown[..., 1], shown[..., 0]] > 0)
        inside = (whole[rows, columns] // 4 == (x, y)).all(axis=1)
        if part is None:
            assert not inside.any()
        elif inside.any():
            found += 1
            assert part[0].start <= (rows[inside] + top).min() <= (rows[inside] + top).max() < part[0].stop
            assert part[1].start <= (columns[inside] + left).min() <= (columns[inside] + left).max() < part[1].stop
            assert (part[0].stop - part[0].start) * (part[1].stop - part[1].start) < 0.02 * whole.shape[
                0
            ] * whole.shape[1]
    assert found > 50


def test_a_change_that_the_flat_picture_does_not_show_is_no_part_of_it(
    eye: Eye, table: Scene, photograph: Photograph
) -> None:
    first = eye.look(photograph(table))
    aside = np.zeros(first.flat.glance.shape[:2], np.uint8)
    aside[0, 0] = 255
    assert eye.flattener.rectifier.part_of(aside, first.pose, 4) is None
    assert pieces(eye.read(photograph(replace(table, frame=1)), first.pose, first, aside)) == FACES


def test_a_lamp_that_goes_on_as_a_hand_comes_is_seen_in_its_own_light(
    eye: Eye, table: Scene, photograph: Photograph
) -> None:
    first = eye.look(photograph(table))
    x, y = eye.board.sites["R4"].at
    hand = Arm(grip=(x, y, 45.0), comes_from=90.0)
    lit = replace(table, arms=(hand,), light=replace(table.light, exposure=1.5 * table.light.exposure), frame=2)
    reached = eye.look(photograph(lit), first)
    assert reached.flat.light is not first.flat.light
    seen = pieces(reached)
    assert {site: seen.get(site) for site in ("T1", "L7", "I6")} == {site: FACES[site] for site in ("T1", "L7", "I6")}


def test_what_a_better_look_could_not_see_is_not_guessed_while_a_hand_moves_elsewhere(
    eye: Eye, table: Scene, photograph: Photograph
) -> None:
    first = eye.look(photograph(table))
    sites = {site: values for site, values in first.reading.sites.items() if site not in {"L3", "R4"}}
    first = replace(first, reading=replace(first.reading, sites=sites, hidden=frozenset({"L3", "R4"})))
    x, y = eye.board.sites["R4"].at
    hand = Arm(grip=(x, y, 45.0), comes_from=90.0)
    reached = eye.look(photograph(replace(table, arms=(hand,), frame=2)), first)
    assert reached.rough
    assert "L3" in reached.reading.hidden
    assert "L3" not in reached.reading.sites
    left = eye.look(photograph(replace(table, frame=3)), reached)
    rest = eye.look(photograph(replace(table, frame=4)), left)
    assert rest.reading.hidden == frozenset(), "a look at rest sees for itself"


def test_some_sites_are_as_free_as_among_all(eye: Eye, table: Scene, photograph: Photograph) -> None:
    frame = photograph(table)
    view, names = eye.view(eye.look(frame)), list(eye.board.sites)
    fronts = np.zeros(view.codes.shape[:2], np.uint8)
    column, row = np.rint(view.plane.to_flat(view.sites[names.index("I6")])).astype(int)
    fronts[row - 30 : row + 30, column - 30 : column + 30] = names.index("I6") + 1
    some = np.array([name in {"R4", "I6", "I5"} for name in names])
    assert (free_odds(view, fronts, some) == np.where(some, free_odds(view, fronts), 0.0)).all()


def guesses(sites: Mapping[str, Mapping[str, float]]) -> dict[str, str]:
    return {site: max(faces, key=faces.__getitem__) for site, faces in sites.items()}


def covered(frame: Frame, eye: Eye, seen: Look, left: int) -> Frame:
    """The picture with something grey on all fiducials but the leftmost ones."""
    corners = seen.pose.expected_corners(eye.board)
    order = sorted(seen.pose.fiducials, key=lambda marker: corners[marker][:, 0].mean())
    bgr = frame.bgr.copy()
    for marker in order[left:]:
        low, high = corners[marker].min(axis=0).astype(int) - 6, corners[marker].max(axis=0).astype(int) + 7
        bgr[max(0, low[1]) : high[1], max(0, low[0]) : high[0]] = 90
    return Frame(bgr)


def test_a_hand_over_most_fiducials_moves_no_camera(eye: Eye, table: Scene, photograph: Photograph) -> None:
    frame = photograph(table)
    first = eye.look(frame)
    assert len(first.pose.fiducials) > 6
    assert eye.look(covered(photograph(replace(table, frame=1)), eye, first, 3), first).pose is first.pose


def test_fiducials_that_come_into_sight_make_the_pose_better(eye: Eye, table: Scene, photograph: Photograph) -> None:
    """Under a hand three fiducials on one side told where the camera is, not well; then the hand goes."""
    frame = photograph(table)
    fresh = eye.look(frame)
    look = eye.look(covered(frame, eye, fresh, 3))
    assert len(look.pose.fiducials) == 3
    for number in range(1, 4):
        look = eye.look(photograph(replace(table, frame=number)), look)
    corners = np.array([(-180.0, -150.0, 0.0), (180.0, 150.0, 0.0), (0.0, 0.0, 30.0)])
    assert len(look.pose.fiducials) > 3
    assert np.abs(look.pose.project(corners) - fresh.pose.project(corners)).max() < 0.6


@pytest.mark.parametrize(("noise", "moving"), [(0, {"T1"}), (2, {"T1"}), (8, set())], ids=["calm", "usual", "loud"])
def test_a_faint_change_counts_unless_the_picture_is_as_noisy(
    noise: int, moving: set[str], board: Board, eye: Eye
) -> None:
    width, height = (side // eye.plane.cell for side in eye.plane.size)
    before = np.full((height, width, 3), 100, np.int16)
    now = before + np.int16(noise)
    column, row = np.rint(eye.plane.to_flat(np.array(board.sites["T1"].at)) / eye.plane.cell).astype(int)
    now[row - 6 : row + 7, column - 6 : column + 7] += 20
    assert changes(board, eye.plane, np.array([0.0, 0.0, 650.0]), before, now).moving == moving
