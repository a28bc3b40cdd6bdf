"""Other people's tables: worn prints, other pieces, odd lamps, gloves, held pieces, things left lying about. `sample`
draws what boards promise to cope with; this draws what they meet all the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import cos, sin

import cv2
import numpy as np

from engine.board import Board, Colour, Piece, Sheet
from engine.face import Face
from hardware.printing.raster import Painter, SheetPicture, rasterise
from hardware.virtual.acting.motion import Hand
from hardware.virtual.sample import random_arm, random_scene, random_thing, set_askew
from hardware.virtual.scene import Arm, Light, Scene, Stack

Random = np.random.Generator


def strange_pieces(board: Board, random: Random) -> Board:
    """The same board with pieces of other dyes and woods, a little larger or smaller than they should be."""
    amount, scale = float(random.choice([0.3, 1.0, 1.5])), float(random.normal(1.0, 0.012))
    pieces = {name: _redyed(piece, random, amount, scale) for name, piece in board.pieces.items()}
    return replace(board, pieces=pieces)


def _redyed(piece: Piece, random: Random, amount: float, scale: float) -> Piece:
    red, green, blue = (int(piece.colour[at : at + 2], 16) for at in (1, 3, 5))
    hue, depth, value = cv2.cvtColor(np.array([[(red, green, blue)]], np.uint8), cv2.COLOR_RGB2HSV)[0, 0].astype(float)
    hue = (hue + random.normal(0, 4 * amount)) % 180
    depth = np.clip(depth * np.exp(random.normal(0, 0.15 * amount)), 0, 255)
    value = np.clip(value * np.exp(random.normal(0, 0.18 * amount)), 0, 255)
    rgb = cv2.cvtColor(np.array([[(hue, depth, value)]]).astype(np.uint8), cv2.COLOR_HSV2RGB)[0, 0]
    colour = "#" + "".join(f"{int(tone):02x}" for tone in rgb)
    return replace(piece, colour=colour, diameter=piece.diameter * scale, height=piece.height * scale)


def strange_print(random: Random) -> Painter:
    """How some printer printed the sheets, and what became of them: faded, tinted, stained, folded, taped."""
    gamma, cast = float(np.exp(random.normal(0, 0.1))), np.exp(random.normal(0, 0.07, 3))
    cast = np.clip(cast / cast.max(), 0.65, 1.0)
    fading = abs(float(random.normal(0, 0.12 if random.uniform() < 0.4 else 0.03)))
    paper = np.clip(1 - np.abs(random.normal(0, 0.05, 3)) * (1.5, 1.0, 0.6), 0.6, 1.0)
    stains = [_Stain(random) for _ in range(int(random.integers(1, 4)) if random.uniform() < 0.3 else 0)]
    bands = [_Band(random) for _ in range(int(random.integers(1, 4)) if random.uniform() < 0.4 else 0)]

    def painted(sheet: Sheet) -> SheetPicture:
        picture = rasterise(sheet)
        inks = (np.arange(256)[:, None] / 255.0) ** gamma * cast
        inks = (fading + (1 - fading) * inks) * paper
        colours = np.asarray(cv2.LUT(np.ascontiguousarray(picture[..., :3]), inks[None]))
        marks: list[_Stain | _Band] = [*stains, *bands]
        for mark in marks:
            colours = mark.on(colours)
        return np.dstack([np.clip(colours * 255, 0, 255).astype(np.uint8), picture[..., 3]])

    return painted


class _Stain:
    """Where a cup stood or a pen slipped."""

    def __init__(self, random: Random) -> None:
        self.at, self.radius = random.uniform(size=2), random.uniform(0.01, 0.09)
        self.tint = np.clip(1 - np.abs(random.normal(0, 0.25, 3)), 0.4, 1)
        self.ring = bool(random.integers(2))

    def on(self, colours: np.ndarray) -> np.ndarray:
        height, width = colours.shape[:2]
        mask = np.zeros((height, width), np.float32)
        radius = max(2, round(self.radius * width))
        at = (int(self.at[0] * width), int(self.at[1] * height))
        cv2.circle(mask, at, radius, 1.0, max(2, radius // 6) if self.ring else -1)
        soft = cv2.GaussianBlur(mask, (0, 0), radius / 5 + 1)[..., None]
        return np.asarray(colours * (1 - soft * (1 - self.tint)))


class _Band:
    """A strip of tape, or a fold: across the sheet, paler or darker."""

    def __init__(self, random: Random) -> None:
        self.at, self.way = random.uniform(size=2), random.uniform(0, np.pi)
        self.wide = random.choice([random.uniform(0.002, 0.006), random.uniform(0.02, 0.06)])
        self.tint = np.exp(random.normal(0.0, 0.12)) * np.exp(random.normal(0, 0.03, 3))
        self.veil = random.uniform(0, 0.2)

    def on(self, colours: np.ndarray) -> np.ndarray:
        height, width = colours.shape[:2]
        y, x = np.mgrid[:height, :width].astype(np.float32)
        away = (x - self.at[0] * width) * np.float32(cos(self.way)) + (y - self.at[1] * height) * np.float32(
            sin(self.way)
        )
        inside = (np.abs(away) < self.wide * width / 2)[..., None]
        return np.asarray(np.where(inside, self.veil + (1 - self.veil) * colours * self.tint, colours))


def strange_light(light: Light, random: Random) -> Light:
    """A lamp that people have: a candle, a coloured or greenish bulb, hard or soft, bright or dim, from any side."""
    if random.uniform() < 0.35:
        return light
    blue, green, red = (float(np.exp(tone)) for tone in random.normal(0, 0.14, 3))
    light = replace(light, gains=(blue, green, red), exposure=float(random.uniform(0.3, 1.15)))
    if random.uniform() < 0.5:
        light = replace(light, kelvin=float(random.uniform(1900, 9000)), room_kelvin=float(random.uniform(2000, 9000)))
    if random.uniform() < 0.4:
        radius = float(np.exp(random.uniform(np.log(6), np.log(200))))
        light = replace(light, ambient=float(random.uniform(0.05, 0.9)), radius=radius)
    return light


def any_colour(random: Random) -> Colour:
    return "#" + "".join(f"{int(tone):02x}" for tone in random.uniform(10, 245, 3))


def strange_arm(board: Board, random: Random) -> Arm:
    """A hand of any size, now and then gloved, sleeved in any colour."""
    arm = random_arm(board, random)
    arm = replace(arm, size=float(random.choice([1.0, 1.0, random.uniform(0.65, 1.1)])))
    if random.uniform() < 0.15:
        arm = replace(arm, skin=any_colour(random))
    return replace(arm, sleeve=any_colour(random)) if arm.sleeve and random.uniform() < 0.4 else arm


def holding(board: Board, arm: Arm, random: Random) -> tuple[Arm, Stack | None]:
    """The arm over its place with some pieces between its fingers."""
    grip = (arm.grip[0], arm.grip[1], float(random.uniform(25, 130)))
    stones = min((name for name in board.pieces), key=lambda name: -board.pieces[name].diameter)
    tops = [name for name in board.pieces if name != stones]
    pieces = (stones,) * int(random.integers(0, 4))
    if random.uniform() < 0.85 or not pieces:
        pieces += (str(random.choice(tops)),)
    tall = sum(board.pieces[name].height for name in pieces)
    foot = max(4.0, grip[2] - tall * float(random.uniform(0.5, 1.1)))
    return replace(arm, grip=grip, grasp=1.0), Stack(pieces, (grip[0], grip[1]), foot)


def strange_hand(hand: Hand, random: Random) -> Hand:
    """A player's hand, now and then gloved, sleeved in any colour."""
    if random.uniform() < 0.15:
        hand = replace(hand, skin=any_colour(random))
    return replace(hand, sleeve=any_colour(random)) if hand.sleeve and random.uniform() < 0.4 else hand


def strange_place(board: Board, faces: Mapping[str, Face], seed: int, random: Random) -> Scene:
    """These faces at a stranger's table, and nobody there."""
    sloppy = float(random.choice([0.3, 0.8, 1.5]))
    scene = set_askew(random_scene(board, faces, seed, hand=False, sloppy=sloppy), 1.2, seed)
    return replace(scene, light=strange_light(scene.light, random))


def strange_set(board: Board, random: Random) -> tuple[Board, Painter]:
    """The pieces and the print of a stranger; the print is often worn."""
    pieces, is_worn = strange_pieces(board, random), random.uniform() < 0.6
    return pieces, strange_print(random) if is_worn else rasterise


def strange_scene(board: Board, faces: Mapping[str, Face], seed: int, hand: bool | None = None) -> Scene:
    """These faces at a stranger's table; if `hand` is None, it is there at random."""
    random = np.random.default_rng([seed, 77])
    scene = strange_place(board, faces, seed, random)
    if random.uniform() < 0.4 if hand is None else hand:
        arm, held = strange_arm(board, random), None
        if random.uniform() < 0.5 and len(board.pieces) > 1:
            arm, held = holding(board, arm, random)
        arms = (arm, strange_arm(board, random)) if random.uniform() < 0.15 else (arm,)
        scene = replace(scene, arms=arms, stacks=(*scene.stacks, held) if held else scene.stacks)
    if random.uniform() < 0.12:
        scene = replace(scene, things=(*scene.things, random_thing(board, random, on_board=True)))
    return scene
