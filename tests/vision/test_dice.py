"""Dimenticato's dice: read from cards that lie a little off, as far away as the camera may be."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import cv2
import numpy as np
import pictured
import pytest

from engine.board import Board, Print
from engine.core import Json
from engine.registry import find_game
from firmware.photos.looking import told
from hardware.printing.raster import rasterise
from hardware.virtual.acting.strewing import strewn
from hardware.virtual.camera import Pose
from hardware.virtual.painting.render import Renderer
from hardware.virtual.scene import Light, Scene, Sensor
from vision.frame import Frame
from vision.look import Eye, Look

RULES = find_game("dimenticato").configure()
HOME = {f"{colour}@{number}": colour for colour in ("red", "yellow") for number in range(1, 5)}
FAR = Pose(distance=800, tilt=12, direction=40, hfov=78)
STEEP = Pose(distance=640, tilt=36, direction=200, hfov=70)
HARD = Light(lamp=(-620.0, 0.0, 460.0), radius=6.0, ambient=0.08, kelvin=2900, room_kelvin=3400, balanced_for=2900)
BLUE_SHADE = (0.63, 0.52, 0.41)
"""What is left of blue, green and red where the nearer, yellow lamp does not shine."""
YELLOW_SHADE = (0.18, 0.32, 0.36)
"""The same in a shadow to which the thing that throws it lends its colour."""
VEIL = 0.5
"""Of white, what gloss adds to the darkest print."""
EVENING = Light(lamp=(300.0, -200.0, 600.0), kelvin=2900, room_kelvin=3400, balanced_for=3600, exposure=0.6)


@cache
def eye() -> Eye:
    """It knows nothing of what was dealt."""
    board = RULES.game.bare_board(2)
    return Eye(board, {sheet.name: rasterise(sheet) for sheet in board.sheets})


def dealt(seed: int) -> tuple[Json, Board]:
    setup = RULES.deal(2, Random(seed))
    return setup["fields"], RULES.game.board(2, setup)


def seen(scene: Scene) -> Look:
    return eye().look(Frame(Renderer(scene.board).render(scene).bgr))


def wrong(look: Look, fields: Json, sure: float = 0.9) -> list[str]:
    """Fields that are read otherwise, and surely."""
    dice = look.reading.prints()
    return [name for name, (die, p) in dice.items() if p >= sure and die != Print(**fields[name])]


@pytest.mark.parametrize(
    ("pose", "light"), [(FAR, Light()), (STEEP, EVENING)], ids=["as far as promised", "steep, by lamplight"]
)
def test_dice_are_read_wherever_their_cards_lie(pose: Pose, light: Light) -> None:
    fields, board = dealt(5)
    lying = strewn(board, 5)
    scene = replace(pictured.showing(lying, HOME, sloppy=0.8, seed=3), pose=pose, light=light)
    look = seen(scene)
    dice = look.reading.prints()
    assert wrong(look, fields, sure=0.0) == []
    assert dice.keys() == fields.keys()
    assert sum(p > 0.9 for _, p in dice.values()) >= len(fields) - 2
    off = [np.hypot(*(look.sites[number] - site.at)) for number, site in enumerate(lying.sites.values())]
    assert max(off) < 2.0, "the sites go with their cards"


def test_a_shaken_picture_leaves_doubt_rather_than_mistakes() -> None:
    fields, board = dealt(6)
    scene = replace(pictured.showing(board, HOME), pose=FAR, sensor=Sensor(defocus=1.6, motion=(3.0, 2.0), noise=0.02))
    assert wrong(seen(scene), fields) == []


def test_under_a_figure_there_is_no_die_and_behind_it_none_is_certain() -> None:
    fields, board = dealt(7)
    standing = {"a1": "red", "b2": "yellow", "d2": "red", "e6": "yellow"}
    look = seen(replace(pictured.showing(board, standing, sloppy=1.0, seed=2), pose=STEEP))
    assert pictured.seen(look.reading) == standing
    assert not look.reading.fields.keys() & standing.keys()
    assert wrong(look, fields) == []


def test_a_field_in_the_shadow_of_a_figure_is_read() -> None:
    """The shadow of a figure is as wide as a round: nothing of it is light, and the ground beyond is."""
    fields, board = dealt(10)
    standing = {"a3": "red", "e4": "yellow", "c1": "red", "c6": "yellow"}
    look = seen(replace(pictured.showing(board, standing), pose=Pose(distance=620, tilt=8, direction=30), light=HARD))
    assert pictured.seen(look.reading) == standing
    assert not look.reading.hidden
    assert wrong(look, fields, sure=0.0) == []


def test_fields_are_read_where_only_one_of_two_lamps_shines() -> None:
    """In the shadow of an arm there may be nothing but the light of a lamp of quite another colour."""
    fields, board = dealt(10)
    bgr = Renderer(board).render(replace(pictured.showing(board, {}), pose=Pose(distance=620, tilt=8))).bgr
    pose = eye().look(Frame(bgr)).pose
    (left, top), (right, bottom) = (board.sites[name].at for name in ("e1", "f2"))
    corners = [(left - 25, top - 60), (right + 25, top - 60), (right + 25, bottom + 25), (left - 25, bottom + 25)]
    shade = np.zeros(bgr.shape[:2], np.uint8)
    cv2.fillConvexPoly(shade, np.rint(pose.project(np.array([(x, y, 0.0) for x, y in corners]))).astype(np.int32), 1)
    share = cv2.GaussianBlur(shade.astype(float), (0, 0), 3.0)[..., None]
    look = eye().look(Frame(np.rint(bgr * (1 - share * (1 - np.array(BLUE_SHADE)))).astype(np.uint8)))
    assert not look.reading.hidden
    assert wrong(look, fields, sure=0.0) == []


def on_fields(bgr: np.ndarray, board: Board, names: tuple[str, str], about: float) -> np.ndarray:
    """Where (1) a picture shows the rectangle from one field to another, and this much about it."""
    (left, top), (right, bottom) = (board.sites[name].at for name in names)
    (left, top), (right, bottom) = (left - about, top - about), (right + about, bottom + about)
    corners = [(left, top, 0.0), (right, top, 0.0), (right, bottom, 0.0), (left, bottom, 0.0)]
    mask = np.zeros(bgr.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.rint(eye().look(Frame(bgr)).pose.project(np.array(corners))).astype(np.int32), 1)
    return cv2.GaussianBlur(mask.astype(float), (0, 0), 1.0)[..., None]


def test_a_field_in_another_things_shadow_is_told_by_its_pips() -> None:
    """Its round is no lighter than the ground about it, and blue: it could be anything but for its pips."""
    fields, board = dealt(10)
    assert fields["e1"]["pips"] > 2
    bgr = Renderer(board).render(replace(pictured.showing(board, {}), pose=Pose(distance=620, tilt=8))).bgr
    share = on_fields(bgr, board, ("e1", "e1"), 11.5)
    look = eye().look(Frame(np.rint(bgr * (1 - share * (1 - np.array((0.4, 0.27, 0.2))))).astype(np.uint8)))
    assert "e1" not in look.reading.hidden
    assert look.reading.prints()["e1"][0].pips == fields["e1"]["pips"]
    assert wrong(look, fields) == []


@pytest.mark.parametrize("name", ["e1", "f2", "a4"])
def test_a_field_that_a_round_shadow_lies_on_is_not_hidden(name: str) -> None:
    """As a yellow figure's shadow does, it leaves a crescent of the round in the light, and the ground about it."""
    fields, board = dealt(10)
    pose = Pose(distance=760, tilt=17, direction=40)
    bgr = Renderer(board).render(replace(pictured.showing(board, {}), pose=pose)).bgr
    (x, y), radius = board.sites[name].at, 0.9 * RULES.game.bare_board(2).design.radius
    turns = np.linspace(0, 2 * np.pi, 40)
    rim = [(x + 4 + radius * np.cos(turn), y + radius * np.sin(turn), 0.0) for turn in turns]
    shade = np.zeros(bgr.shape[:2], np.uint8)
    cv2.fillConvexPoly(shade, np.rint(eye().look(Frame(bgr)).pose.project(np.array(rim))).astype(np.int32), 1)
    share = cv2.GaussianBlur(shade.astype(float), (0, 0), 1.0)[..., None]
    frame = Frame(np.rint(bgr * (1 - share * (1 - np.array(YELLOW_SHADE)))).astype(np.uint8))
    assert not eye().without(["dice"]).look(frame).reading.hidden, "even if its pips cannot be told"
    look = eye().look(frame)
    assert pictured.seen(look.reading) == {}
    assert wrong(look, fields) == []


def test_colours_are_told_as_this_table_shows_them() -> None:
    """A printer whose green is olive: most like yellow, if one goes by what was to be printed."""
    fields, board = dealt(10)
    olive = {RULES.game.bare_board(2).design.colours["green"]: "#8a8c2c"}
    sheets = [
        replace(
            each,
            art=tuple(
                replace(shape, fill=olive.get(shape.fill, shape.fill)) if hasattr(shape, "fill") else shape
                for shape in each.art
            ),
        )
        if each.name != "base"
        else each
        for each in board.sheets
    ]
    other = replace(board, sheets=tuple(sheets))
    look = seen(replace(pictured.showing(other, {}), pose=Pose(distance=620, tilt=8)))
    assert wrong(look, fields, sure=0.0) == []


def test_a_veil_of_gloss_over_a_card_changes_no_colour() -> None:
    """In half the light it adds more to the darkest print than that reflects."""
    fields, board = dealt(10)
    bgr = Renderer(board).render(replace(pictured.showing(board, {}), pose=Pose(distance=620, tilt=8))).bgr
    light = 0.5 * (bgr / 255.0) ** 2.2 + VEIL * on_fields(bgr, board, ("e1", "f2"), 14.0)
    look = eye().look(Frame(np.rint(255 * np.clip(light, 0, 1) ** (1 / 2.2)).astype(np.uint8)))
    assert wrong(look, fields, sure=0.0) == []


def test_a_big_card_is_placed_by_its_start_fields_too() -> None:
    """Of its dice none is in sight."""
    _, board = dealt(11)
    lying = strewn(board, 11)
    standing = dict.fromkeys(lying.fields["card-1"], "red")
    look = seen(replace(pictured.showing(lying, standing), pose=FAR))
    numbers = [number for number, site in enumerate(lying.sites.values()) if site.sheet == "card-1"]
    assert len(numbers) == 8
    off = [np.hypot(*(look.sites[number] - lying.sites[list(lying.sites)[number]].at)) for number in numbers]
    assert max(off) < 1.0


def test_a_card_face_down_shows_nothing() -> None:
    fields, board = dealt(8)
    back = replace(board.by_name["card-0"], art=board.by_name["card-0"].art[:1])
    sheets = tuple(back if sheet.name == "card-0" else sheet for sheet in board.sheets)
    look = seen(replace(pictured.showing(replace(board, sheets=sheets), HOME), pose=FAR))
    assert set(board.fields["card-0"]) <= look.reading.hidden
    assert wrong(look, fields) == []


def test_what_look_tells_of_dice() -> None:
    fields, board = dealt(9)
    look = seen(replace(pictured.showing(board, {"a1": "red"}), pose=STEEP))
    found = told(eye().board, look)
    assert found["sites"]["a1"]["colour"] == "red"
    assert "a1" not in found["fields"]
    assert {name: (die["pips"], die["colour"]) for name, die in found["fields"].items()} == {
        name: (die["pips"], die["colour"]) for name, die in fields.items() if name != "a1"
    }
