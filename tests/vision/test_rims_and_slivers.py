"""What is told between two pixels, and from a few of them: rims of markers, markers behind stacks, half a marker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from pictured import best, seen, showing, values

from engine.board import Board
from engine.face import EMPTY, spelled
from firmware.bench.vision import draw_scene
from hardware.virtual.camera import Pose
from hardware.virtual.painting.render import Rendered
from hardware.virtual.sample import set_askew
from hardware.virtual.scene import PLAIN_LIGHT, TABLE_Z, Cloth, Light, Lying, Scene, Sensor, Stack, on_site
from vision.flatten.flat_view import FlatView, circle
from vision.frame import Frame, Image, Mask
from vision.look import Eye, Look
from vision.readers.blobs import Blob, find_blobs, near_sites
from vision.readers.free_sites import medians
from vision.readers.stacks.heights import StackRuler
from vision.readers.stacks.joint_likelihood import ApparentSizes
from vision.readers.stacks.marker_claims import MarkerClaims
from vision.readers.stacks.marker_rims import Circles, Radii, Rims, find_rims, rim_edges
from vision.readers.stacks.marker_slivers import Sliver, find_sliver
from vision.readers.stacks.reader import StackReader
from vision.readers.stacks.settings import RIMS, RULER

Photograph = Callable[[Scene], Frame]
COLOURS = ("red", "yellow", "green", "blue")
FROM_ABOVE = Pose(distance=620, tilt=4, direction=200, hfov=66)
LAMP = Light()
BLURRED = Sensor(defocus=1.6, noise=0.02, jpeg=75)
FROM_ASIDE = Pose(distance=600, tilt=33, direction=0, hfov=68)


def best_of(look: Look) -> dict[str, str]:
    return seen(look.reading)


def outlines(board: Board, eye: Eye, sites: list[str], stones: int, view: FlatView) -> tuple[np.ndarray, float]:
    """Where markers on so many stones are seen on the plane of the sheets, and how large; millimetres."""
    z = eye.plane.level + stones * board.pieces["stone"].height + board.pieces["marker-red"].height / 2
    numbers = [list(board.sites).index(site) for site in sites]
    return view.appear(view.sites[numbers], z), float(view.magnify(z))


def rims(
    board: Board,
    eye: Eye,
    view: FlatView,
    sites: list[str],
    stones: int,
    aside: tuple[float, float] = (0.0, 0.0),
    labels: Image | None = None,
) -> Rims:
    """The rims of markers on so many stones, looked for where they should be, or beside that; they are labelled 1, or
    all shown."""
    at, by = outlines(board, eye, sites, stones, view)
    marker, stone = board.pieces["marker-red"], board.pieces["stone"]
    leaning = view.leaning(at) * marker.height * by
    own, shown = np.ones(len(at), int), np.ones(view.codes.shape[:2], np.uint8)
    z = eye.plane.level + stones * stone.height
    low, top = (float(view.magnify(z + up)) for up in (0.0, marker.height))
    radii = Radii(top * marker.diameter / 2, low * marker.diameter / 2, low * stone.diameter / 2)
    return find_rims(at + np.array(aside), own, shown if labels is None else labels, radii, leaning, view)


SITES = [f"{tile}{n}" for tile in "TLRI" for n in (1, 2, 7)]
SOME = Radii(10.0, 9.94, 12.0)
FACES = dict(zip(SITES, (f"{colour}{n}" for colour in COLOURS for n in (1, 2, 3)), strict=True))


@pytest.mark.parametrize("light", [PLAIN_LIGHT, LAMP], ids=["plain", "lamp"])
@pytest.mark.parametrize(("defocus", "tilt"), [(0.4, 4.0), (1.1, 4.0), (0.6, 15.0)])
def test_rims_of_all_colours_tell_their_true_size(
    light: Light, defocus: float, tilt: float, board: Board, eye: Eye, photograph: Photograph
) -> None:
    """In any light, however blurred (that is told from the picture), and if the markers' sides are seen."""
    sensor, pose = Sensor(defocus=defocus, jpeg=80), replace(FROM_ABOVE, tilt=tilt)
    scene = replace(showing(board, FACES, seed=3), pose=pose, light=light, sensor=sensor)
    frame = photograph(scene)
    view = eye.view(eye.look(frame))
    found = [rims(board, eye, view, [site for site in SITES if FACES[site][-1] == str(n)], n) for n in (1, 2, 3)]
    every, noise = (np.concatenate(parts) for parts in zip(*((one.larger, one.noise) for one in found), strict=True))
    assert np.std(every) < 0.01, "one stone more makes a marker look larger by 0.03"
    assert abs(np.mean(every)) < 0.008
    assert (np.abs(every - np.mean(every)) < 2.5 * noise).all()


@pytest.mark.parametrize("defocus", [0.4, 1.1])
def test_rims_tell_where_their_middles_are(defocus: float, board: Board, eye: Eye, photograph: Photograph) -> None:
    """Though they are sought beside that."""
    sensor = Sensor(defocus=defocus, jpeg=80)
    scene = replace(showing(board, FACES, seed=3), pose=FROM_ABOVE, light=LAMP, sensor=sensor)
    view = eye.view(eye.look(photograph(scene)))
    sites, aside = [site for site in SITES if FACES[site][-1] == "2"], (1.1, -0.7)
    straight, beside = (rims(board, eye, view, sites, 2, off) for off in ((0.0, 0.0), aside))
    assert np.abs(straight.slipped).max() < 0.7
    assert np.abs(beside.slipped + aside - straight.slipped).max() < 0.25
    assert np.abs(beside.larger - straight.larger).max() < 0.01


def test_a_marker_off_the_middle_of_its_stone_is_where_its_own_rim_is(
    board: Board, eye: Eye, photograph: Photograph
) -> None:
    """More than half of the way: the stone's edge, which shows better, draws it to the stone's middle."""
    sites, lean = ["T7", "L7", "R7", "I7"], np.array([0.9, 0.0])
    stacks = [on_site(board, site, board.faces["yellow1"].pieces) for site in sites]
    off = []
    for crooked in (0.0, 1.0):
        crookeds = tuple(replace(stack, lean=tuple(crooked * lean)) for stack in stacks)
        frame = photograph(Scene(board, crookeds, pose=FROM_ABOVE, light=PLAIN_LIGHT, sensor=Sensor(jpeg=85)))
        off.append(rims(board, eye, eye.view(eye.look(frame)), sites, 1).slipped)
    assert (off[1] - off[0]).mean(axis=0)[0] > 0.5 * lean[0]


def test_a_blurred_rim_is_trusted_less(board: Board, eye: Eye, photograph: Photograph) -> None:
    """Each of the twelve, and less still if it is blurred more."""
    scene = replace(showing(board, FACES, seed=3), pose=FROM_ABOVE, light=LAMP)
    noise = []
    for sensor in (Sensor(defocus=0.5, jpeg=90), BLURRED, replace(BLURRED, defocus=2.2)):
        view = eye.view(eye.look(photograph(replace(scene, sensor=sensor))))
        told = [rims(board, eye, view, [site for site in SITES if FACES[site][-1] == str(n)], n) for n in (1, 2, 3)]
        noise.append(np.concatenate([each.noise for each in told]))
    sharp, blurred, worse = noise
    assert (sharp < blurred).all()
    assert np.median(worse) > np.median(blurred)
    assert np.median(worse) > 1.5 * np.median(sharp)


def test_a_rim_half_covered_says_so(board: Board, eye: Eye, photograph: Photograph) -> None:
    """It is trusted less, and if it is known that a part is not seen, that is not taken for a part of it."""
    scene = replace(
        showing(board, {"T1": "red2", "L2": "blue2"}, seed=3),
        pose=FROM_ABOVE,
        light=PLAIN_LIGHT,
    )
    x, y = board.sites["T1"].at
    cloth = Cloth((x - 60, y + 11), (x + 60, y + 11), 11.0, z=48.0, colour="#35507a")
    reader, found = eye.readers["stacks"], {}
    assert isinstance(reader, StackReader)
    for covered, things in (("no", ()), ("half", (cloth,))):
        frame = photograph(replace(scene, things=things))
        view = eye.view(eye.look(frame))
        red = (reader.palette.labels(view.codes) == reader.palette.names.index("red") + 1).astype(np.uint8)
        found[covered] = [rims(board, eye, view, ["T1"], 2, labels=labels) for labels in (None, red)]
    assert found["half"][0].noise > 1.5 * found["no"][0].noise
    assert 2 * abs(found["half"][1].larger) < abs(found["half"][0].larger)
    assert np.linalg.norm(found["half"][1].slipped) < 1.0


def test_the_size_of_a_marker_that_hardly_shows_its_colour_is_held(
    board: Board, eye: Eye, photograph: Photograph
) -> None:
    """What else is there, such as a hand, is no reason to make it larger or smaller."""
    scene = replace(
        showing(board, {"T1": "red3", "L2": "blue2"}, seed=3),
        pose=FROM_ABOVE,
        light=PLAIN_LIGHT,
    )
    view = eye.view(eye.look(photograph(scene)))
    at = outlines(board, eye, ["T1"], 3, view)[0] - outlines(board, eye, ["T1"], 2, view)[0]
    nothing = np.zeros(view.codes.shape[:2], np.uint8)
    shown, held = (rims(board, eye, view, ["T1"], 2, tuple(at[0]), labels) for labels in (None, nothing))
    assert 0.02 < shown.larger[0] < 0.05, "one stone more than it is looked for"
    assert 0 < held.larger[0] < 0.6 * shown.larger[0]


@pytest.mark.parametrize(
    ("seed", "site", "face"),
    [(85718, "I5", "yellow2"), (81252, "T3", "yellow2"), (82506, "L6", "red1"), (84366, "I3", "green1")],
    ids=["shade keeps its tint", "gloss rises outwards", "sides are like tops", "sides, beside a hand"],
)
def test_rims_in_hard_light_and_beside_hands(
    seed: int,
    site: str,
    face: str,
    board: Board,
    eye: Eye,
    render: Callable[[Scene], Rendered],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scene, faces, _ = draw_scene(board, seed)
    assert faces[site].name == face
    assert scene.arms
    picture, height = render(scene), faces[site].level
    told, look_for = [], StackRuler.measure_rims

    def spy(self: StackRuler, blobs: Sequence[Blob], labels: Image, view: FlatView) -> tuple[list[Blob], ApparentSizes]:
        told.append((*look_for(self, blobs, labels, view), view))
        return told[-1][:2]

    monkeypatch.setattr("vision.readers.stacks.heights.RULER", replace(RULER, clear=1.0))
    monkeypatch.setattr(StackRuler, "measure_rims", spy)
    eye.look(Frame(picture.bgr))
    blobs, sizes, view = told[-1]
    stack = next(stack for stack in scene.stacks if stack.site == site)
    marker = board.pieces["marker-red"]
    z = eye.plane.level + height * board.pieces["stone"].height
    camera = np.array(picture.camera.position)
    by = (camera[2] - eye.plane.level) / (camera[2] - z - RULER.middle * marker.height)
    middle = camera[:2] + (np.array(stack.at) + height * np.array(stack.lean) - camera[:2]) * by
    off = [float(np.linalg.norm(blob.at - middle)) for blob in blobs]
    nearest = int(np.argmin(off))
    assert off[nearest] < 0.6
    true = np.log(view.magnify(z + marker.height / 2))
    assert abs(sizes.larger[nearest] - true) < 0.022, "one stone more makes it look larger by 0.035"


@pytest.mark.usefixtures("without_network")
def test_rims_are_heard_where_heights_are_in_doubt(
    board: Board, eye: Eye, photograph: Photograph, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = replace(showing(board, {"T1": "red2"}, sloppy=1.2, seed=5), pose=FROM_ABOVE, light=PLAIN_LIGHT)
    frame = photograph(scene)
    monkeypatch.setattr("vision.readers.stacks.heights.RULER", replace(RULER, clear=1.0))
    told = {}
    for larger in (np.nan, 0.0, 0.04):
        found = Rims(np.array([larger]), np.array([0.008]), np.zeros((1, 2)))
        monkeypatch.setattr("vision.readers.stacks.heights.find_rims", lambda *_, found=found: found)
        sites = values(eye.look(frame).reading, "T1")
        told[larger] = sites["red3"] - sites["red2"]
    assert told[0.04] > told[np.nan] + 0.3, "larger than a marker on two stones"
    assert told[0.0] < told[np.nan] - 0.2, "as large as one"


@pytest.mark.usefixtures("without_network")
def test_where_its_rim_is_tells_how_high_a_marker_is(
    board: Board, eye: Eye, photograph: Photograph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The farther out it is seen, the higher it is."""
    scene = replace(showing(board, {"T1": "red2"}, sloppy=1.2, seed=5), pose=FROM_ABOVE, light=PLAIN_LIGHT)
    frame = photograph(scene)
    out = -eye.view(eye.look(frame)).towards(np.array([board.sites["T1"].at]))
    monkeypatch.setattr("vision.readers.stacks.heights.RULER", replace(RULER, clear=1.0))
    told = []
    for far in (-1.5, 0.0, 1.5):
        found = Rims(np.array([np.nan]), np.ones(1), far * out)
        monkeypatch.setattr("vision.readers.stacks.heights.find_rims", lambda *_, found=found: found)
        sites = values(eye.look(frame).reading, "T1")
        told.append(sites["red3"] - sites["red2"])
    assert told[0] < told[1] - 0.3
    assert told[2] > told[1] + 0.3


def test_markers_are_where_their_rims_are(
    board: Board, eye: Eye, photograph: Photograph, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = replace(
        showing(board, {"T1": "red2", "L2": "yellow2"}, seed=3),
        pose=FROM_ABOVE,
        light=PLAIN_LIGHT,
    )
    view, reader = eye.view(eye.look(photograph(scene))), eye.readers["stacks"]
    assert isinstance(reader, StackReader)
    monkeypatch.setattr(
        "vision.readers.stacks.heights.find_rims",
        lambda at, *_: Rims(np.zeros(len(at)), np.full(len(at), 0.01), 0 * at + (0.3, -0.2)),
    )
    red, yellow = (reader.palette.names.index(colour) + 1 for colour in ("red", "yellow"))
    below = (float(view.eye[0]), float(view.eye[1]))
    far = (below[0] + 500.0, below[1])
    blobs = [Blob(red, below, 0.6), Blob(red, below, 0.2), Blob(red, below, 1.0, 0.0), Blob(yellow, far, 1.0, 0.0)]
    moved, sizes = reader.ruler.measure_rims(blobs, np.ones(view.codes.shape[:2], np.uint8), view)
    assert np.isnan(sizes.larger).tolist() == [False, True, False, False], "too little is seen of one"
    off = np.array([blob.at for blob in moved]) - [blob.at for blob in blobs]
    assert off[:3] == pytest.approx(np.array([(0.3, -0.2), (0.0, 0.0), (0.3, -0.2)]))
    assert off[3, 0] > 0.7, "of what is seen from a slant the middle of its colour is higher than half its height"
    assert sizes.larger[3] - sizes.larger[2] == pytest.approx(RULER.smaller), "its rim shows by colour only"
    assert np.asarray(sizes.noise)[3] > 0.02 > np.asarray(sizes.noise)[2], "from a slant rims tell little"


@pytest.mark.parametrize("cut", [0.0, 5.0])
def test_a_marker_whose_edge_is_cut_off_tells_no_size_by_its_patch(
    cut: float, board: Board, eye: Eye, photograph: Photograph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has nearly the area of a whole one, and would pass for a whole one farther away."""
    scene = replace(showing(board, {"I7": "red3"}), pose=FROM_ABOVE, light=PLAIN_LIGHT)
    x, y = board.sites["I7"].at
    cloth = Cloth((x - 60, y + 22.0 - cut), (x + 60, y + 22.0 - cut), 10.0, z=70.0, colour="#35507a")
    measured, measure = [], StackRuler.measure

    def spy(self: StackRuler, blobs: Sequence[Blob], *rest: object) -> MarkerClaims:
        measured.append(blobs)
        return measure(self, blobs, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(StackRuler, "measure", spy)
    eye.look(photograph(replace(scene, things=(cloth,))))
    (blob,) = measured[0]
    assert blob.seen > 0.75
    assert (blob.larger is None) == bool(cut)


def test_of_a_marker_under_a_hand_shadows_say_less(
    board: Board, eye: Eye, photograph: Photograph, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = replace(
        showing(board, {"T1": "red2", "L2": "blue2"}, seed=3),
        pose=FROM_ABOVE,
        light=PLAIN_LIGHT,
    )
    said, with_shadows = [], StackRuler.weigh_shadows

    def spy(self: StackRuler, claims: MarkerClaims, view: FlatView, things: Mask) -> MarkerClaims:
        for larger in (0.0, None):
            asked = replace(claims, blobs=[replace(blob, larger=larger) for blob in claims.blobs])
            said.append(with_shadows(self, asked, view, things).values - claims.values)
        return claims

    lower = np.array([3.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    monkeypatch.setattr("vision.readers.stacks.heights.with_shadows", lambda values, *_: values + lower)
    # They are asked though all is clear.
    monkeypatch.setattr("vision.readers.stacks.heights.RULER", replace(RULER, clear=1.0))
    monkeypatch.setattr(StackRuler, "weigh_shadows", spy)
    eye.look(photograph(scene))
    whole, covered = said[:2]
    assert whole[:, 0] == pytest.approx(3.0)
    assert covered[:, 0] == pytest.approx(3.0 * RULER.beside_hand)


def test_where_no_marker_lies_there_is_no_rim_to_trust(board: Board, eye: Eye, photograph: Photograph) -> None:
    frame = photograph(Scene(board, (), pose=FROM_ABOVE, light=PLAIN_LIGHT))
    view = eye.view(eye.look(frame))
    nowhere = np.array([(-150.0, -20.0), (0.0, 26.0 + 38.0), (60.0, 60.0)])
    assert (
        find_rims(
            nowhere, np.ones(3, int), np.ones(view.codes.shape[:2], np.uint8), SOME, np.zeros((3, 2)), view
        ).noise.min()
        > 0.015
    )


@pytest.mark.parametrize(
    ("colour", "tilt", "aside"),
    [("red", 25.0, 0.0), ("yellow", 25.0, 0.0), ("green", 28.0, 2.5), ("blue", 28.0, 2.5)],
)
def test_a_marker_behind_a_high_stack(
    colour: str, tilt: float, aside: float, board: Board, eye: Eye, render: Callable[[Scene], Rendered]
) -> None:
    other = "yellow" if colour != "yellow" else "blue"
    front, behind = (
        on_site(board, "I4", board.faces[f"{other}3"].pieces),
        on_site(board, "T4", board.faces[f"{colour}1"].pieces),
    )
    behind = replace(behind, at=(behind.at[0] + aside, behind.at[1]))
    pose = Pose(distance=640, tilt=tilt, direction=172, hfov=66)
    picture = render(Scene(board, (front, behind), pose=pose, light=PLAIN_LIGHT))
    assert 0.25 < picture.sites["T4"].seen < 0.35
    assert best_of(eye.look(Frame(picture.bgr))) == {"I4": f"{other}3", "T4": f"{colour}1"}


def test_a_marker_of_the_same_colour_behind_a_high_stack(board: Board, eye: Eye, photograph: Photograph) -> None:
    for colour in COLOURS:
        front, behind = (on_site(board, site, board.faces[f"{colour}{n}"].pieces) for site, n in (("I4", 3), ("T4", 1)))
        pose = Pose(distance=640, tilt=27, direction=172, hfov=66)
        frame = photograph(Scene(board, (front, behind), pose=pose, light=PLAIN_LIGHT))
        assert best_of(eye.look(frame)) == {"I4": f"{colour}3", "T4": f"{colour}1"}


@pytest.mark.parametrize("behind", [(), ("red1",)])
def test_a_site_of_which_nothing_is_seen_may_be_free_or_have_a_low_figure(
    behind: tuple[str, ...], board: Board, eye: Eye, photograph: Photograph
) -> None:
    stacks = tuple(
        on_site(board, site, board.faces[face].pieces)
        for site, face in (("I4", "yellow3"), *(("T4", face) for face in behind))
    )
    pose = Pose(distance=640, tilt=38, direction=172, hfov=66)
    reading = eye.look(photograph(Scene(board, stacks, pose=pose, light=PLAIN_LIGHT))).reading
    behind_it, beside = values(reading, "T4"), values(reading, "T5")
    for low in ("1", "red1", "blue1"):
        assert 0 < behind_it[""] - behind_it[low] < 0.5
    assert behind_it[""] - behind_it["red3"] > 5, "three stones would be seen"
    assert beside[""] - beside["red1"] > 5, "as they would where nothing stands before them"


def test_a_stack_covers_no_more_than_its_marker_does(board: Board, eye: Eye, photograph: Photograph) -> None:
    """Behind the marker, as the camera sees it, the board is in sight from the marker's rim on, not the stone's."""
    frame = photograph(Scene(board, (), pose=FROM_ASIDE, light=PLAIN_LIGHT))
    view = eye.view(eye.look(frame))
    at, ruler = view.sites[list(board.sites).index("T4")], eye.readers["stacks"].ruler
    top = view.appear(at, view.plane.level + 25.0)
    behind = top - view.towards(top[None])[0] * np.array([[11.0], [15.5]])
    fronts = np.zeros(view.codes.shape[:2], np.uint8)
    ruler.cover(fronts, 0, at, 22.0, view)
    assert fronts[view.pixels(behind)].tolist() == [1, 0]


def test_nothing_stands_behind_a_high_stack(board: Board, eye: Eye, photograph: Photograph) -> None:
    """Crooked stacks show some of their own markers where they are not thought to be."""
    for seed in (0, 2, 6):
        stacks = tuple(
            on_site(board, site, board.faces[face].pieces, sloppy=1.5, seed=seed)
            for site, face in (("I4", "yellow3"), ("L7", "blue3"), ("R5", "red3"), ("T7", "green3"))
        )
        pose = Pose(distance=640, tilt=34, direction=172, hfov=66)
        found = best_of(eye.look(photograph(Scene(board, stacks, pose=pose, light=PLAIN_LIGHT))))
        assert set(found) == {"I4", "L7", "R5", "T7"}


def test_what_a_sliver_is(board: Board, eye: Eye, photograph: Photograph) -> None:
    """Half a blob of blue on the edge of a stack, where a marker on one stone would be."""
    frame = photograph(Scene(board, (), pose=FROM_ASIDE, light=PLAIN_LIGHT))
    view = eye.view(eye.look(frame))
    at, tall = view.sites[list(board.sites).index("T4")], np.array([25.0, 47.0, 69.0])
    x, y = np.rint(view.plane.to_flat(view.appear(at, view.plane.level + tall[0]))).astype(int).tolist()

    def found(
        radius: float = 10.0,
        aside: float = 0.0,
        apart: float = 0.0,
        marker: int = 2,
        spot: float = 0.4,
        on_stones: bool = False,
    ) -> Sliver | None:
        labels, fronts = np.zeros((2, *view.codes.shape[:2]), np.uint8)
        per_mm = eye.plane.px_per_mm
        cv2.circle(labels, (x + round(aside * per_mm), y), round(radius * per_mm), 4, -1)
        cv2.circle(labels, (x - round(11 * per_mm), y - round(5 * per_mm)), round(spot * per_mm), 4, -1)
        labels[y:] = 0
        fronts[y + round(apart * per_mm) :, x - 90 : x + 90] = 1
        return find_sliver(at, 12.0, tall, labels, fronts, np.array([0, marker], np.uint8), view, on_stones)

    assert found() == found(aside=3.0) == Sliver(4, (0,))
    assert found(marker=4) == Sliver(4, (0,)), "of the front's own colour"
    assert found(radius=4.0) == Sliver(4, (0,))
    assert found(radius=4.0, marker=4) is None, "wood beside a marker has so much of its colour"
    assert found(radius=5.0, spot=1.5) == Sliver(4, (0,))
    assert found(radius=5.0, spot=4.0) is None, "a colour in many places is a hand's"
    assert found(aside=17.0) is None, "where no marker would be"
    assert found(apart=6.0) is None, "nothing covers the rest of it"
    assert found(apart=6.0, on_stones=True) == Sliver(4, (0,)), "on stones anything may"
    assert found(radius=4.0, on_stones=True) is None, "but so much may be a speck"
    assert found(radius=16.0) is None, "too large"
    assert found(radius=2.0) is None, "too small"


def painted(frame: Frame, look: Look, places: np.ndarray, z: float, colour: tuple[int, int, int]) -> Frame:
    """The picture with something flat of that colour (blue, green, red) in it, whose corners are at these places."""
    bgr = frame.bgr.copy()
    corners = look.pose.project(np.column_stack([places, np.full(len(places), z)]))
    cv2.fillPoly(bgr, [np.rint(corners).astype(np.int32)], colour, lineType=cv2.LINE_AA)
    return Frame(bgr)


@pytest.mark.usefixtures("without_network")
def test_a_ring_in_sight_speaks_louder_than_half_a_marker(board: Board, eye: Eye, photograph: Photograph) -> None:
    """A red shade on a hand, where a marker on two stones would be seen, and the free site below it."""
    frame = photograph(Scene(board, (), pose=replace(FROM_ASIDE, tilt=39.0), light=PLAIN_LIGHT))
    look = eye.look(frame)
    z = eye.plane.level + 2 * board.pieces["stone"].height + board.pieces["marker-red"].height
    round_it = np.array(board.sites["T4"].at) + 12.0 * circle(48)
    whole = eye.look(painted(frame, look, round_it, z, (46, 32, 208)))
    assert best(whole.reading, "T4") == "red2", "a whole marker does, though"
    half = eye.look(painted(frame, look, round_it[round_it[:, 0] > board.sites["T4"].at[0] - 1.0], z, (46, 32, 208)))
    assert best(half.reading, "T4") == ""


@pytest.mark.parametrize(("colour", "sure"), [("red", 0.7), ("yellow", 0.97), ("green", 0.97), ("blue", 0.97)])
def test_a_marker_beside_the_board_is_on_no_site(
    colour: str, sure: float, board: Board, eye: Eye, render: Callable[[Scene], Rendered]
) -> None:
    """It lies just where one on three stones would be seen, but is too small for that, and no stones are below it."""
    stacks = tuple(
        on_site(board, site, ("stone",) * stones + (f"marker-{marker}",))
        for site, stones, marker in (("I7", 1, "red"), ("R5", 2, colour))
    )
    table = Scene(board, stacks, pose=Pose(distance=640, tilt=38, direction=150, hfov=68), light=PLAIN_LIGHT)
    lens = render(table).camera.position
    x, y, z = *board.sites["L3"].at, board.sites["L3"].z + 3 * board.pieces["stone"].height
    away = (lens[2] - TABLE_Z) / (lens[2] - z)
    lying = Stack((f"marker-{colour}",), (lens[0] + (x - lens[0]) * away, lens[1] + (y - lens[1]) * away))
    guess = eye.look(Frame(render(replace(table, stacks=(*stacks, lying))).bgr)).reading.guesses()["L3"]
    assert (guess.best, guess.p > sure) == (EMPTY, True)


@pytest.mark.parametrize("colour", ["red", "yellow", "green", "blue"])
def test_a_marker_burnt_white_by_the_lamp_is_told_by_its_side(
    colour: str, board: Board, eye: Eye, photograph: Photograph
) -> None:
    scene = showing(board, {"T4": f"{colour}2"}, seed=3)
    frame = photograph(replace(scene, pose=FROM_ASIDE, light=replace(PLAIN_LIGHT, exposure=0.5)))
    look = eye.look(frame)
    (stack,) = (stack for stack in scene.stacks if stack.site == "T4")
    z = eye.plane.level + 2 * board.pieces["stone"].height + board.pieces["marker-red"].height
    burnt = painted(frame, look, np.array(stack.at) + 11.8 * circle(48), z, (255, 255, 255))
    assert best(eye.look(burnt).reading, "T4") == f"{colour}2"


def random_table(board: Board, seed: int) -> tuple[dict[str, str], Scene]:
    """A scene such as the benchmark draws, and what stands in it."""
    scene, faces, _ = draw_scene(board, seed)
    return spelled(faces), scene


@pytest.mark.parametrize(("seed", "site"), [(0, "R4"), (342, "L5")])
def test_more_than_three_stones_are_not_believed_lightly(
    seed: int, site: str, board: Board, eye: Eye, photograph: Photograph
) -> None:
    """Crooked stacks of three, or seen from above, look like four: but nobody leaves four standing."""
    faces, scene = random_table(board, seed)
    assert faces[site].endswith("3")
    assert best(eye.look(photograph(scene)).reading, site) == faces[site]


@pytest.mark.parametrize(("seed", "site", "stack"), [(132, "L2", "blue2"), (538, "I5", "red2"), (530, "T5", "red2")])
def test_wood_under_a_finger_is_hidden_and_no_stack(
    seed: int, site: str, stack: str, board: Board, eye: Eye, render: Callable[[Scene], Rendered]
) -> None:
    """Its marker is under a finger, much of its side is in sight: its colour may be told, its height hardly."""
    faces, scene = random_table(board, seed)
    picture = render(scene)
    assert faces[site] == stack
    assert 0.2 < picture.sites[site].covered < 0.6
    guess = eye.look(Frame(picture.bgr)).reading.guesses().get(site)
    assert guess is None or guess.best.name == stack or (guess.best.kind == stack[:-1] and guess.p < 0.7)


@pytest.mark.parametrize(("seed", "site"), [(1030, "R7"), (876, "T3")])
def test_a_free_site_behind_stacks_is_no_stack(
    seed: int, site: str, board: Board, eye: Eye, photograph: Photograph
) -> None:
    """Parts of other stacks about it look like a top; its ring seems to be seen."""
    faces, scene = random_table(board, seed)
    assert site not in faces
    assert best(eye.look(photograph(scene)).reading, site) == ""


@pytest.mark.parametrize(("colour", "cloth"), [("blue", "#35507a"), ("red", "#6a1c22")])
def test_a_marker_beside_a_sleeve_of_its_hue_is_told_by_its_tone(
    colour: str, cloth: str, board: Board, eye: Eye, photograph: Photograph
) -> None:
    """Both make one patch of colour, and so broad a one that no neck joins them."""
    sleeve = Cloth((10.0, -48.0), (28.0, -186.0), radius=19.0, colour=cloth)
    pose = Pose(distance=740, tilt=27.8, direction=97, aim=(-14.0, 21.0), hfov=71)
    for faces in ({"T7": f"{colour}1"}, {}):
        frame = photograph(replace(showing(board, faces), pose=pose, things=(sleeve,)))
        guess = eye.look(frame).reading.guesses().get("T7")
        assert (guess is not None and guess.best.name == f"{colour}1") == bool(faces)


def test_a_round_part_of_a_hand_is_no_marker(board: Board, eye: Eye, photograph: Photograph) -> None:
    """In dim warm light a hand is nearly red, and where it is no wider than a marker it is as round as one."""
    assert "I7" in eye.look(photograph(random_table(board, 226)[1])).reading.hidden


@pytest.mark.parametrize(
    ("seed", "site"),
    [
        pytest.param(1764, "R2", id="fingers all about it"),
        pytest.param(5902, "I4", id="the tip of a finger"),
        pytest.param(6722, "I7", id="stones whose marker a hand hides"),
        pytest.param(40230, "I1", id="a marker of which a hand leaves a third"),
        pytest.param(41626, "I7", id="a marker of which a hand leaves an eighth"),
        pytest.param(3494, "I6", id="yellow in many places is no marker"),
        pytest.param(68900, "T4", id="a marker of which a stack and a hand leave half"),
        pytest.param(64564, "T6", id="a dark hand looks like a ring"),
        pytest.param(67304, "I7", id="a hand hides what would be two stones high"),
    ],
)
def test_what_a_hand_all_but_covers_is_hidden_or_right(
    seed: int, site: str, board: Board, eye: Eye, photograph: Photograph
) -> None:
    faces, scene = random_table(board, seed)
    reading = eye.look(photograph(scene)).reading
    assert site in reading.hidden or best(reading, site) == faces.get(site, "")


@pytest.mark.parametrize("seed", [66976, 68614, 71826, 65092, 65144])
def test_stacks_hide_nothing_as_a_hand_does(seed: int, board: Board, eye: Eye, photograph: Photograph) -> None:
    """Of a site behind stacks little is left in sight, and that little may be a stack's edge, or the table beyond."""
    faces, scene = random_table(board, seed)
    assert not scene.arms
    look = eye.look(photograph(scene))
    assert (best_of(look), look.reading.hidden) == (faces, frozenset())


@pytest.mark.parametrize(("seed", "site"), [(66, "I7"), (150, "R3"), (244, "L7")])
def test_half_a_ring_beside_a_hand_is_no_free_site(
    seed: int, site: str, board: Board, eye: Eye, render: Callable[[Scene], Rendered]
) -> None:
    picture = render(random_table(board, seed)[1])
    assert picture.sites[site].covered > 0.5
    assert site in eye.look(Frame(picture.bgr)).reading.hidden


@pytest.mark.parametrize(
    ("seed", "site", "face"),
    [
        pytest.param(67056, "T6", "green2", id="a finger parts it"),
        pytest.param(68900, "I2", "", id="its ring is seen beside a hand"),
        pytest.param(65846, "R4", "yellow1", id="a sliver at a stack's very edge"),
        pytest.param(64066, "T6", "yellow1", id="a sliver, and more of its colour where it cannot be"),
        pytest.param(71562, "T6", "yellow1", id="the side of the stack behind it is as yellow"),
        pytest.param(20634, "I6", "yellow1", id="a shadow on it looks like a blob in a ring"),
        pytest.param(20772, "R7", "blue3", id="between fingers there seems to be a ring"),
        pytest.param(22524, "I4", "green1", id="behind a marker of its colour"),
        pytest.param(21514, "R2", "", id="a wrist is no stack of six"),
        pytest.param(20568, "L4", "yellow2", id="a hand's shadow is no stack's"),
        pytest.param(22412, "T2", "yellow3", id="nor is this one"),
        pytest.param(21786, "R5", "yellow1", id="it ends at its rim, whatever is about it"),
    ],
)
def test_what_a_hand_or_a_stack_before_it_does_not_spoil(
    seed: int, site: str, face: str, board: Board, eye: Eye, photograph: Photograph
) -> None:
    faces, scene = random_table(board, seed)
    assert faces.get(site, "") == face
    assert best(eye.look(photograph(scene)).reading, site) == face


def test_half_a_marker_says_more_than_a_ring_that_nobody_sees(board: Board, eye: Eye, photograph: Photograph) -> None:
    """That most sites are free is known without looking, and a marker there is seen."""
    guess = eye.look(photograph(random_table(board, 4354)[1])).reading.guesses()["I1"]
    assert guess.best.name == "green1"
    assert guess.p > 0.75


def test_what_no_wood_looks_like_is_no_side_of_a_stack(board: Board, eye: Eye, photograph: Photograph) -> None:
    """A yellow shade on the paper, just where the marker of a stack of six would be, behind a marker on one stone."""
    stack = on_site(board, "R2", board.faces["red1"].pieces)
    frame = photograph(Scene(board, (stack,), pose=replace(FROM_ABOVE, tilt=1.0), light=PLAIN_LIGHT))
    look = eye.look(frame)
    z = eye.plane.level + 6 * board.pieces["stone"].height + board.pieces["marker-red"].height
    shaded = painted(frame, look, np.array(stack.at) + 10.0 * circle(48), z, (13, 194, 244))
    assert best(eye.look(shaded).reading, "R2") == "red1"


def test_where_a_markers_middle_is_seen(board: Board, eye: Eye, photograph: Photograph) -> None:
    """Some of its side is too dark to have its colour: it is seen above half its height."""
    scene = replace(showing(board, FACES), pose=Pose(distance=650, tilt=25, direction=200, hfov=66))
    frame = photograph(scene)
    view, reader = eye.view(eye.look(frame)), eye.readers["stacks"]
    near = near_sites(view, 40.0, 20.0, 64.0)
    blobs = find_blobs(reader.palette.labels(view.codes) & near, reader.palette.colours, view, reader.solid, near)
    seen = np.array([blob.at for blob in blobs if blob.larger is not None])
    z = view.plane.level + reader.ruler.tall[:3] + RULER.middle * reader.marker.height
    feet = view.stand(seen[:, None], z)
    off = feet[:, :, None] - view.sites
    away = np.linalg.norm(off, axis=-1).reshape(len(seen), -1).argmin(axis=1)
    nearest = off.reshape(len(seen), -1, 2)[np.arange(len(seen)), away]
    assert len(seen) >= 10
    assert abs((nearest * view.towards(seen)).sum(axis=1).mean()) < 0.15


def test_a_picture_of_one_tone_tells_no_rims(board: Board, eye: Eye, photograph: Photograph) -> None:
    frame = photograph(Scene(board, (), pose=FROM_ABOVE, light=PLAIN_LIGHT))
    view = eye.view(eye.look(frame))
    for tone in (0, 255):
        plain = replace(view, codes=view.codes * 0 + tone)
        rims_there = find_rims(np.zeros((1, 2)), np.ones(1, int), plain.codes[..., 0], SOME, np.zeros((1, 2)), plain)
        assert rims_there.noise.min() > 0.5, "nothing is told"
        assert np.isfinite(rims_there.larger).all()


def test_a_markers_side_ends_where_its_lower_face_does() -> None:
    """Drawn out towards the east by a third of its radius: in the west its side is seen, in the east it is not."""
    circles = Circles(np.zeros((1, 2)), np.ones(1), np.zeros((1, 2)), np.array(RIMS.blurs))
    (ends,), _ = rim_edges(circles, np.array([(0.3, 0.0)]), Radii(10.0, 9.5, 12.0))
    east, west = ends[0], ends[len(ends) // 2]
    assert east == pytest.approx([1.0, 1.0, 1.01])
    assert west == pytest.approx([1.0, 1.25, 1.5])


def test_whatever_is_seen_rims_keep_within_limits(board: Board, eye: Eye, photograph: Photograph) -> None:
    """In noise, checks and all but even grey, where there is no circle to be found."""
    view = eye.view(eye.look(photograph(Scene(board, (), pose=FROM_ABOVE, light=PLAIN_LIGHT))))
    random, shape = np.random.default_rng(3), view.codes.shape
    rows, columns = np.indices(shape[:2])
    checks = np.repeat((((rows // 9 + columns // 9) % 2) * 255)[..., None], 3, axis=2)
    places = random.uniform(-100, 100, (40, 2))
    for codes in (random.integers(0, 256, shape), random.integers(99, 101, shape), checks, np.full(shape, 99)):
        plain = replace(view, codes=codes.astype(np.uint8))
        found = find_rims(places, np.arange(40), plain.codes[..., 0], SOME, random.uniform(-9, 9, (40, 2)), plain)
        assert np.abs(np.exp(found.larger) - 1).max() <= 0.2 + 1e-9
        assert np.isfinite(found.noise).all()
        assert found.noise.max() <= 1.0
        assert np.abs(found.slipped).max() <= 6 * 0.8 + 1e-9


def test_a_tile_half_under_a_hand_shows_how_it_lies(board: Board, eye: Eye, photograph: Photograph) -> None:
    lying = {sheet.name: Lying() for sheet in board.turnable}
    scene = set_askew(Scene(board, (), sheets=lying, pose=FROM_ABOVE), 2.0, seed=3)
    off = {name: 120 * (lying.turn - round(lying.turn)) for name, lying in scene.sheets.items()}
    pivot = np.array(board.by_name["tile-T"].centre)
    for covered in (0.0, 60.0):
        sleeve = Cloth((pivot[0] - 80, pivot[1] + 90 - covered), (pivot[0] + 80, pivot[1] + 90 - covered), radius=35.0)
        frame = photograph(replace(scene, things=(sleeve,)))
        look = eye.look(frame)
        told = eye.slack_reader.read(eye.view(look).codes, (0,) * len(lying))
        assert told == pytest.approx(off, abs=0.35)
    hidden = photograph(replace(scene, things=(Cloth((pivot[0] - 40, pivot[1]), (pivot[0] + 40, pivot[1]), 95.0),)))
    codes = eye.view(eye.look(hidden)).codes
    assert eye.slack_reader.read(codes, (0,) * len(lying))["tile-T"] == 0.0, "of what is hidden nothing is said"


@pytest.mark.parametrize("unseen", [0, 1, 4, 6])
def test_the_usual_look_is_the_median_of_what_is_seen(unseen: int) -> None:
    looks = np.random.default_rng(unseen).uniform(size=(5, 7, 3))
    looks[:, :unseen] = np.nan
    assert np.allclose(medians(looks), np.nanmedian(looks, axis=1), rtol=0, atol=1e-15)
