"""High stacks: what they cover, what they are seen before, how large their markers look."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import cos, radians, sin

import numpy as np
import pytest
from pictured import seen, showing

from engine.board import Board
from hardware.virtual.camera import Pose
from hardware.virtual.scene import PLAIN_LIGHT, Lying, Scene, Stack, TableTop, on_site
from vision.frame import Frame
from vision.look import Eye
from vision.readers.stacks.unmarked_stacks import has_top

Photograph = Callable[[Scene], Frame]


def read(eye: Eye, frame: Frame) -> dict[str, str]:
    return seen(eye.look(frame).reading)


def test_the_highest_figures_are_in_the_flat_picture_from_everywhere(board: Board, eye: Eye) -> None:
    level, size = eye.plane.level, np.array(eye.plane.size)
    stone, marker = board.pieces["stone"], board.pieces["marker-red"]
    nearest, steepest = board.camera.distance[0], radians(board.camera.tilt[1])
    up = nearest * cos(steepest) - level
    by = up / (up - 3 * stone.height - marker.height)
    sites = np.array([site.at for site in board.sites.values()])
    for direction in np.deg2rad(np.arange(0.0, 360.0, 10.0)):
        camera = nearest * sin(steepest) * np.array([sin(direction), -cos(direction)])
        seen = eye.plane.to_flat(camera + (sites - camera) * by)
        wide = marker.diameter / 2 * by * eye.plane.px_per_mm
        assert (seen - wide > -1).all()
        assert (seen + wide < size).all()


@pytest.mark.parametrize(
    ("colour", "table"), [("yellow", "#a5763f"), ("blue", "#1c2c5c"), ("green", "#17402a"), ("red", "#6b2a22")]
)
def test_a_marker_is_seen_before_a_table_of_its_colour(
    colour: str, table: str, board: Board, eye: Eye, photograph: Photograph
) -> None:
    faces = {"L4": f"{colour}3", "L2": f"{colour}2", "T5": f"{colour}1"}
    scene = showing(board, faces, seed=4)
    pose = Pose(distance=590, tilt=32, direction=349, hfov=68)
    frame = photograph(replace(scene, pose=pose, light=PLAIN_LIGHT, table=TableTop("cloth", table)))
    assert read(eye, frame) == faces


def test_wood_where_another_stack_is_seen_is_that_stacks(board: Board, eye: Eye, photograph: Photograph) -> None:
    pose = Pose(distance=620, tilt=30, direction=40, hfov=68)
    scene = Scene(board, (on_site(board, "T7", ("stone", "stone")),), pose=pose, light=PLAIN_LIGHT)
    frame = photograph(scene)
    view, ruler = eye.view(eye.look(frame)), eye.readers["stacks"].ruler
    number = list(board.sites).index("T7")
    at, alone = view.sites[[number]], np.array([True])
    fronts = np.zeros(view.codes.shape[:2], np.uint8)
    assert has_top(at, ruler.tall, 12.0, view, fronts, alone)
    ruler.cover(fronts, number + 1, at[0], 2 * board.pieces["stone"].height, view)
    assert not has_top(at, ruler.tall, 12.0, view, fronts, alone)


def test_a_stack_whose_foot_is_not_of_wood_is_none(board: Board, eye: Eye, photograph: Photograph) -> None:
    """A top is seen in the air where another stack stands behind: the site itself shows its dark disc."""
    pose = Pose(distance=620, tilt=30, direction=40, hfov=68)
    scene = Scene(board, (on_site(board, "T7", ("stone", "stone")),), pose=pose, light=PLAIN_LIGHT)
    frame = photograph(scene)
    view, ruler = eye.view(eye.look(frame)), eye.readers["stacks"].ruler
    fronts, alone = np.zeros(view.codes.shape[:2], np.uint8), np.array([True])
    top = view.appear(view.sites[[list(board.sites).index("T7")]], view.plane.level + ruler.tall[1])
    for height in ruler.tall[3:5]:
        before = view.stand(top, view.plane.level + height)
        assert not has_top(before, ruler.tall, 12.0, view, fronts, alone)


def test_a_site_that_a_high_stack_half_covers_is_not_hidden(board: Board, eye: Eye, photograph: Photograph) -> None:
    """Its marker is seen where the site's dark disc should be, and what is left of the ring lies in its shadow."""
    light = replace(PLAIN_LIGHT, lamp=(-320.0, 298.0, 684.0), radius=40.0, ambient=0.13, exposure=0.54)
    pose = Pose(734, 29, direction=264, roll=15, aim=(-39.0, -1.0), hfov=63)
    faces = {"L1": "red3", "T3": "yellow1"}
    stacks = tuple(on_site(board, site, board.faces[face].pieces) for site, face in faces.items())
    lying = {name: Lying(2.0) for name in ("tile-L", "tile-R", "tile-I")}
    frame = photograph(Scene(board, stacks, sheets=lying, pose=pose, light=light, table=TableTop("cloth", "#2b4a3a")))
    assert not eye.look(frame).reading.hidden
    assert read(eye, frame) == faces


def test_a_spare_piece_beside_the_board_is_no_top_of_a_stack_on_it(
    board: Board, eye: Eye, photograph: Photograph
) -> None:
    """It lies where a stack of six would be seen; the marker in between is not the side of that stack."""
    figure, spare = on_site(board, "R2", board.faces["yellow2"].pieces), Stack(("marker-red",) * 2, (263.0, 92.0))
    pose = Pose(785, 27.4, direction=227, roll=-11, aim=(-5.5, 23.0), hfov=69)
    frame = photograph(Scene(board, (figure, spare), pose=pose))
    assert not eye.look(frame).reading.hidden
    assert read(eye, frame) == {"R2": "yellow2"}
