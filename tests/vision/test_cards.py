"""Cards on a lattice and chips in rows, read from pictures of the virtual table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from itertools import product
from math import dist

import cv2
import numpy as np
import pytest

from engine.board import Board, Shape
from engine.face import EMPTY
from engine.referee.reading import Loose, Reading, posterior
from engine.registry import find_game
from hardware.printing.raster import rasterise
from hardware.virtual.camera import Pose
from hardware.virtual.painting.render import Renderer
from hardware.virtual.sample import random_scene
from hardware.virtual.scene import Arm, Light, LooseCard, Scene, Sensor, Stack, TableTop, on_site
from vision.frame import Frame
from vision.look import Eye
from vision.readers.cards.card_print import CardPrint
from vision.readers.cards.held_cards import HeldCards
from vision.readers.cards.loose_cards import nearest
from vision.readers.cards.once import each_card_once

FACES = find_game("triominos").faces
CHIP = FACES["chip"]
WARM = (0.42, 0.6, 1.0)
"""What a warm lamp leaves of blue, green and red where it alone shines."""
CLUSTER = {"0,0": "123", "1,0": "211", "0,1": "223", "-1,0": "313", "2,0": "JJJ", "1,1": "555", "-1,1": "244"}
"""Not all of them fit, which is nothing to the eye."""


@cache
def board() -> Board:
    return find_game("triominos").board(2)


@cache
def printed() -> Mapping[str, np.ndarray]:
    return {sheet.name: rasterise(sheet) for sheet in board().sheets}


@cache
def eye() -> Eye:
    return Eye(board(), printed())


@cache
def renderer() -> Renderer:
    return Renderer(board())


def lying(faces: dict[str, str], off: tuple[float, float] = (0.0, 0.0), twist: float = 0.0) -> tuple[LooseCard, ...]:
    cards = []
    for site, name in faces.items():
        place, face = board().sites[site], FACES[name]
        at = (place.at[0] + off[0], place.at[1] + off[1])
        cards.append(LooseCard(face.sheet, at, place.angle + face.angle + twist))
    return tuple(cards)


def scene(cards: Iterable[LooseCard] = (), chips: Iterable[str] = (), **changes: object) -> Scene:
    stacks = tuple(on_site(board(), site, ("chip",), 0.8, 1) for site in chips)
    return replace(
        Scene(board(), stacks, loose=tuple(cards), pose=Pose(distance=640, tilt=22, direction=160, hfov=66)),
        **changes,  # type: ignore[arg-type]
    )


def read(what: Scene) -> Reading:
    return eye().look(Frame(renderer().render(what).bgr)).reading


def shown(reading: Reading) -> dict[str, str]:
    best = {site: guess.best for site, guess in reading.guesses().items()}
    return {site: face.name for site, face in best.items() if face != EMPTY}


@pytest.mark.parametrize(
    ("off", "twist"), [((0.0, 0.0), 0.0), ((2.8, -2.8), 5.5), ((-4.0, 0.0), -6.0)], ids=["exact", "off", "far-off"]
)
def test_every_card_is_told_with_its_cell_and_its_turn(off: tuple[float, float], twist: float) -> None:
    reading = read(scene(lying(CLUSTER, off, twist)))
    assert shown(reading) == CLUSTER
    assert not reading.hidden
    assert not reading.loose
    assert all(guess.p > 0.95 for guess in reading.guesses().values())


@pytest.mark.parametrize("direction", [45, 90, 135])
@pytest.mark.parametrize("site", ["1,0", "0,0"])
def test_a_card_that_a_shadow_ends_on_is_told(site: str, direction: float) -> None:
    """A fifth of the light on one side of a line through its middle, all of it on the other."""
    picture = renderer().render(scene(lying(CLUSTER))).bgr
    pose = eye().look(Frame(picture)).pose
    middle = pose.project(np.array([[*board().sites[site].at, board().by_name["card-123"].z]]))[0]
    rows, columns = np.indices(picture.shape[:2])
    along = (columns - middle[0]) * np.cos(np.radians(direction)) + (rows - middle[1]) * np.sin(np.radians(direction))
    light = 0.2 + 0.8 * np.clip(0.5 + along / 6, 0, 1)
    assert (
        shown(eye().look(Frame(np.rint(picture * light[..., None] ** (1 / 2.2)).astype(np.uint8))).reading) == CLUSTER
    )


def test_every_card_of_the_set_can_be_told() -> None:
    names = [face.name for face in FACES.lawful if face.sheet and face.angle == 0.0]
    cells = [site for site in board().sites if "," in site][::7]
    faces = dict(zip(cells, names, strict=False))
    assert len(faces) == 36
    assert shown(read(scene(lying(faces)))) == faces


@pytest.mark.parametrize("seed", [3, 11, 25, 41])
def test_any_lamp_any_camera_of_the_promised_range(seed: int) -> None:
    picture = replace(random_scene(board(), {}, seed, hand=False), loose=lying(CLUSTER, (1.0, -1.0), 2.0))
    assert shown(read(picture)) == CLUSTER


def test_a_card_between_cells_lies_loose() -> None:
    place = board().sites["4,1"].at
    card = LooseCard("card-345", (place[0] + 7.0, place[1]), 30.0)
    reading = read(scene((*lying(CLUSTER), card)))
    (found,) = reading.loose
    assert found.card == "card-345"
    assert dist(found.at, card.at) < 2.0
    assert found.angle == pytest.approx(30.0, abs=5.0)
    assert {site: name for site, name in shown(reading).items() if "/" not in name} == CLUSTER
    assert [name for name in shown(reading).values() if "/" in name] == ["345/"], "the nearest cell says so, too"


def test_each_loose_card_has_a_free_cell_of_its_own() -> None:
    at = np.array([(0.0, 0.0), (30.0, 0.0), (60.0, 0.0)])
    loose = [Loose(f"card-{name}", (x, 0.0), 0.0, 0.9) for name, x in (("111", 2.0), ("222", 4.0), ("333", 200.0))]
    pairs = nearest(loose, ["a", "b", "c"], at, np.array([True, False, True]), 60.0)
    assert [(card.card, name) for card, name in pairs] == [("card-111", "a"), ("card-222", "c")]


def test_a_card_beside_the_mat_is_no_part_of_it() -> None:
    beside = LooseCard("card-345", (0.0, 300.0), 10.0, -2.0)
    far = replace(scene((*lying(CLUSTER), beside)), pose=Pose(distance=760, tilt=10, direction=180, hfov=78))
    reading = read(far)
    assert shown(reading) == CLUSTER
    assert not reading.loose


def test_what_a_hand_covers_is_hidden_and_the_rest_is_read() -> None:
    arm = Arm((*board().sites["0,0"].at, 14.0), comes_from=180.0, grasp=0.2)
    covered = scene(lying(CLUSTER), arms=(arm,))
    under = set(renderer().render(covered).hidden)
    reading = read(covered)
    assert under & CLUSTER.keys()
    assert not under & CLUSTER.keys() & shown(reading).keys()
    assert reading.hidden >= under & CLUSTER.keys()
    wrong = {site: name for site, name in shown(reading).items() if CLUSTER.get(site) != name}
    assert all(reading.guesses()[site].p < 0.9 for site in wrong), "what a fingertip covers is unsure"


@pytest.mark.parametrize("back", ["#7d8ea3", "#a8482e"])
def test_a_card_face_down_beside_another_is_hidden_and_no_card_of_its_neighbours_colours(back: str) -> None:
    blank = replace(board().by_name["card-555"].outline[0], fill=back)
    sheets = [
        replace(each, outline=(blank,), art=(blank,)) if each.name == "card-555" else each for each in board().sheets
    ]
    other = replace(board(), sheets=tuple(sheets))
    there = replace(scene(lying({"0,0": "134", "1,0": "555"}, (0.6, -0.8), 1.5)), board=other)
    reading = eye().look(Frame(Renderer(other).render(there).bgr)).reading
    assert shown(reading) == {"0,0": "134"}
    assert "1,0" in reading.hidden


def test_a_card_lies_on_another_only_if_it_reaches_far_into_it() -> None:
    cards, one, other = CardPrint(board(), printed()), board().sites["0,0"], board().sites["1,0"]
    away = np.array(other.at) - one.at
    at = np.array(one.at) + away * np.array([[1.0], [0.9], [0.7], [0.0]])
    there = [(np.array(one.at), one.angle)]
    assert cards.on_others(at, np.full(4, other.angle), there).tolist() == [False, False, True, True]
    assert not cards.on_others(at, np.full(4, other.angle), []).any()


def test_bare_places_are_seen_where_a_lamp_outshines_blue() -> None:
    """All of them look yellow then; but skin is farther from white, so that a hand still hides them."""
    chips = ["red$1", "red$2", "yellow$12", "green$5"]
    arm = Arm((*board().sites["blue$6"].at, 30.0), comes_from=180.0, grasp=0.0)
    for hand in ((), (arm,)):
        picture = renderer().render(scene(lying(CLUSTER), chips, arms=hand)).bgr
        picture[..., 0] = np.minimum(picture[..., 0], 210)
        reading = eye().look(Frame(picture)).reading
        assert {site for site, name in shown(reading).items() if name == "chip"} == set(chips)
        assert ("blue$6" in reading.hidden) == bool(hand)
        # red$12 is half outside the picture.
        assert not any(site.startswith(("red", "green", "yellow")) for site in reading.hidden - {"red$12"})


def test_the_mat_is_free_where_a_second_lamp_tints_one_corner() -> None:
    """So much that by the tint of most of it something would lie there."""
    picture = renderer().render(scene(lying(CLUSTER))).bgr
    corner = eye().look(Frame(picture)).pose.project(np.array([[-190.0, 150.0, 0.0]]))[0]
    rows, columns = np.indices(picture.shape[:2])
    near = np.clip(1 - np.hypot(columns - corner[0], rows - corner[1]) / 400, 0, 1)[..., None]
    tinted = (picture / 255.0) ** 2.2 * (1 - near * (1 - np.array(WARM)))
    reading = eye().look(Frame(np.rint(255 * tinted ** (1 / 2.2)).astype(np.uint8))).reading
    assert shown(reading) == CLUSTER
    assert not [cell for cell in reading.hidden if "$" not in cell]


def test_chips_are_counted_place_by_place() -> None:
    chips = ["red$1", "red$2", "yellow$12", "green$5", "blue$3", "blue$4"]
    reading = read(scene(lying(CLUSTER), chips))
    assert {site for site, name in shown(reading).items() if name == "chip"} == set(chips)
    assert not reading.hidden


def test_each_card_is_there_once() -> None:
    sure = {FACES["123"]: 0.0, FACES["124"]: -9.0}
    torn = {FACES["123"]: 0.0, FACES["124"]: -0.5}
    told = each_card_once({"0,0": sure, "1,0": torn})
    assert max(posterior(told["1,0"]), key=posterior(told["1,0"]).__getitem__) == FACES["124"]
    assert posterior(told["0,0"])[FACES["123"]] > 0.99


def test_a_card_that_is_seen_twice_for_certain_is_told_twice() -> None:
    sure = {FACES["123"]: 0.0, FACES["124"]: -14.0}
    told = each_card_once({"0,0": sure, "1,0": dict(sure)})
    assert all(posterior(faces)[FACES["123"]] > 0.5 for faces in told.values())


@pytest.mark.parametrize(("twin", "seed"), [("134", 4), ("341", 12), ("555", 18), ("JJJ", 26)])
def test_a_card_of_a_second_set_is_told_where_both_lie(twin: str, seed: int) -> None:
    faces = {"0,0": "123", "1,0": twin, "-2,1": "445", "3,1": twin}
    picture = replace(random_scene(board(), {}, seed, hand=False), loose=lying(faces, (-1.0, 1.5), 3.0))
    reading = read(picture)
    assert shown(reading) == faces
    assert all(reading.guesses()[site].p > 0.9 for site in faces)


def test_cards_of_one_colour_side_by_side_are_told_apart_in_a_blurred_picture() -> None:
    faces = {"0,0": "111", "0,1": "112", "-1,0": "311", "1,0": "115", "-1,-1": "411", "1,1": "113"}
    blurred = scene(lying(faces, (1.5, 1.0), 3.0), sensor=Sensor(defocus=1.3, noise=0.02))
    assert shown(read(replace(blurred, pose=Pose(distance=750, tilt=14, direction=30, hfov=68)))) == faces


def test_a_lamp_that_outshines_blue_leaves_the_mat_the_mat() -> None:
    """White paper is brighter than the sensor can tell in blue, but not in red."""
    glaring = Light(
        (-4.0, -160.0, 936.0), 13.0, ambient=0.6, kelvin=3730, room_kelvin=3220, balanced_for=2570, exposure=0.93
    )
    reading = read(scene(lying(CLUSTER), light=glaring))
    assert shown(reading) == CLUSTER
    assert not {site for site in reading.hidden if "," in site}


def test_a_shadow_is_no_joker() -> None:
    arm = Arm((*board().sites["4,3"].at, 40.0), comes_from=100.0, grasp=0.0, skin="#4a2d1e", sleeve="#1c1c20")
    dark = Light(lamp=(200.0, -250.0, 500.0), radius=15.0, ambient=0.15)
    reading = read(scene(lying({"0,0": "123"}), arms=(arm,), light=dark))
    assert "JJJ" not in shown(reading).values()


@cache
def beside() -> HeldCards:
    return HeldCards(board(), printed(), CardPrint(board(), printed()))


@pytest.mark.parametrize("table", [TableTop("wood", "#5d3b22"), TableTop("plain", "#24211f")], ids=["wood", "black"])
@pytest.mark.parametrize("lifted", [-2.0, 35.0])
def test_a_card_that_is_shown_beside_the_mat_is_told(table: TableTop, lifted: float) -> None:
    card = LooseCard("card-235", (60.0, 250.0), 77.0, lifted)
    held = scene((*lying(CLUSTER), card), table=table, pose=Pose(distance=760, tilt=10, direction=180, hfov=78))
    picture = renderer().render(held).bgr
    look = eye().look(Frame(picture))
    found = beside().find(picture, look.pose, look.flat.light)
    assert found is not None
    assert found.card == "card-235"


def test_nothing_is_shown_where_only_chips_lie_beside_the_mat() -> None:
    spare = Stack(("chip",), (60.0, 250.0))
    bare = scene(lying(CLUSTER), pose=Pose(distance=760, tilt=10, direction=180, hfov=78)).with_stacks(spare)
    picture = renderer().render(bare).bgr
    look = eye().look(Frame(picture))
    assert beside().find(picture, look.pose, look.flat.light) is None


def reprinted(sheet: str, colours: dict[str, str]) -> Board:
    """The board with another print on one of its cards."""

    def dyed(shape: Shape) -> Shape:
        fill = getattr(shape, "fill", None)
        return replace(shape, fill=colours.get(fill, fill)) if fill else shape

    card = board().by_name[sheet]
    art = tuple(dyed(shape) for shape in card.art)
    other = replace(card, art=art, outline=tuple(map(dyed, card.outline)))  # type: ignore[arg-type]
    return replace(board(), sheets=tuple(other if each.name == sheet else each for each in board().sheets))


@pytest.mark.parametrize("site", ["0,0", "3,2"])
def test_a_card_face_down_is_said_to_lie_there(site: str) -> None:
    back = dict.fromkeys(("#f6efe0", "#f7d038", "#1b4ca8", "#2e9e63", "#23292e", "#ffffff"), "#7a1f3d")
    strange = reprinted("card-134", back)
    picture = Renderer(strange).render(replace(scene(lying({site: "134"})), board=strange)).bgr
    reading = eye().look(Frame(picture)).reading
    assert site in reading.hidden
    assert shown(reading) == {}
    assert not reading.loose


def test_cards_are_told_in_the_first_picture_without_the_hand_that_laid_one() -> None:
    hand = Arm((*board().sites["1,0"].at, 20.0), comes_from=150.0)
    before, after = lying({"0,0": "123"}), lying({"0,0": "123", "1,0": "211"})
    pictures = [renderer().render(each).bgr for each in (scene(before), scene(before, arms=(hand,)), scene(after))]
    look = None
    for picture in pictures:
        look = eye().look(Frame(picture), look)
    assert look is not None
    assert shown(look.reading) == {"0,0": "123", "1,0": "211"}


def test_a_card_beside_one_that_is_being_laid_is_told_at_once_when_the_hand_has_left() -> None:
    """A hasty look, with the hand over the rim, leaves out both cards; only one of them has changed."""
    hand = Arm((*board().sites["5,-3"].at, 20.0), comes_from=30.0)
    before, after = {"0,0": "123", "-1,0": "313"}, {"0,0": "123", "-1,0": "313", "-1,-1": "555"}
    scenes = (scene(lying(before)), scene(lying(after), arms=(hand,)), scene(lying(after)))
    look = None
    for each in scenes:
        look = eye().look(Frame(renderer().render(each).bgr), look)
    assert look is not None
    assert shown(look.reading) == after
    assert not look.reading.loose


def test_a_loose_card_is_found_where_a_second_lamp_colours_patches_of_the_mat() -> None:
    place = board().sites["4,1"].at
    card = LooseCard("card-345", (place[0] + 7.0, place[1]), 30.0)
    picture = renderer().render(scene((*lying(CLUSTER), card))).bgr
    pose = eye().look(Frame(picture)).pose
    yellow = np.ones(picture.shape, np.float32)
    for x, y in product(range(-9, 10, 3), (-5, -3, 3, 5)):
        seen = pose.project(np.array([(*board().sites[f"{x},{y}"].at, 0.0)]))[0]
        cv2.circle(yellow, np.rint(seen).astype(int).tolist(), 24, (0.5, 1.0, 1.0), -1)
    yellow = cv2.GaussianBlur(yellow, (0, 0), 6.0)
    (found,) = eye().look(Frame(np.asarray(picture * yellow, np.uint8))).reading.loose
    assert found.card == "card-345"


def test_small_print_is_compared_with_its_lettering_and_blur() -> None:
    """Three of one value, dim and far away: its digits are a third of every patch."""
    pose = Pose(distance=750, tilt=5, direction=40, hfov=72)
    light = Light(exposure=0.55)
    reading = read(scene(lying({"0,0": "111", "1,0": "115"}), pose=pose, light=light, sensor=Sensor(defocus=1.3)))
    assert shown(reading) == {"0,0": "111", "1,0": "115"}


ANOTHERS_COLOURS = {"#f7d038": "#b5121b", "#1b4ca8": "#d86fb4", "#2e9e63": "#f7d038", "#b5121b": "#2e9e63"}
PALE = dict.fromkeys(("#f7d038", "#1b4ca8", "#2e9e63"), "#f6efe0") | {"#ffffff": "#23292e"}


@pytest.mark.parametrize("colours", [ANOTHERS_COLOURS, PALE], ids=["other-colours", "ivory"])
@pytest.mark.parametrize("site", ["1,0", "3,2"], ids=["beside", "alone"])
def test_a_card_of_another_set_is_none_of_this_one(colours: dict[str, str], site: str) -> None:
    other = reprinted("card-134", colours)
    there = replace(scene(lying({"0,0": "223", site: "134"}, (1.0, 0.5), 2.0)), board=other)
    reading = eye().look(Frame(Renderer(other).render(there).bgr)).reading
    assert site in reading.hidden
    assert shown(reading) == {"0,0": "223"}
    assert not reading.loose


@pytest.mark.parametrize("seed", [6, 20, 34])
def test_nothing_strange_is_made_up_on_free_cells(seed: int) -> None:
    picture = replace(random_scene(board(), {}, seed, hand=False), loose=lying(CLUSTER, (2.5, -2.5), -5.0))
    reading = read(picture)
    assert shown(reading) == CLUSTER
    assert not {site for site in reading.hidden if "," in site}
