"""A forearm and a hand made of bones: where the joints are for a given grip."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, radians, sin

import numpy as np
from numpy.typing import NDArray

from hardware.virtual.painting.colour import Triple, paint
from hardware.virtual.painting.shadow import Casters
from hardware.virtual.scene import Arm, Cloth

Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Bone:
    """A round limb between two joints, mm."""

    one: Vector
    one_radius: float
    other: Vector
    other_radius: float
    colour: Triple
    blend: float
    """Width over which it merges with the limbs drawn before it, mm."""
    cloth: bool = False


# Joints from the grip: ahead (away from the elbow), to the right, up. Knuckle, two finger joints, tip; thumb last.
_CLOSED = np.array(
    [
        [(-56, -24, 58), (-18, -24, 60), (9, -15, 36), (6, -8, 8)],
        [(-52, -3, 62), (-9, -4, 66), (16, 0, 38), (8, 4, 8)],
        [(-57, 17, 59), (-14, 17, 61), (9, 17, 36), (4, 17, 16)],
        [(-67, 34, 53), (-34, 36, 52), (-16, 33, 34), (-17, 28, 20)],
        [(-112, -20, 50), (-74, -38, 42), (-40, -30, 26), (-8, -6, 7)],
    ],
    np.float64,
)
_FLAT = np.array(
    [
        [(-95, -24, 30), (-55, -33, 27), (-30, -38, 18), (-11, -41, 9)],
        [(-92, -4, 33), (-46, -6, 30), (-18, -7, 20), (3, -8, 9)],
        [(-96, 15, 31), (-54, 20, 28), (-28, 23, 18), (-8, 25, 9)],
        [(-105, 32, 26), (-74, 43, 23), (-54, 50, 16), (-38, 55, 8)],
        [(-152, -24, 32), (-120, -50, 26), (-90, -64, 16), (-66, -70, 9)],
    ],
    np.float64,
)
_WRIST_CLOSED, _WRIST_FLAT = np.array((-132.0, 5.0, 62.0)), np.array((-178.0, 4.0, 40.0))
_RADII = ((10.5, 8.5, 7.4, 6.2), (11.0, 8.9, 7.7, 6.6), (10.5, 8.4, 7.3, 6.2), (9.5, 7.5, 6.5, 5.4))
_THUMB_RADII = (15.0, 11.5, 10.0, 7.8)
_ELBOW, _SHOULDER = np.array((-270.0, 0.0, 40.0)), np.array((-420.0, 30.0, 70.0))
_RED = (0.80, 0.84, 1.08)
_PALE = (1.25, 1.2, 1.12)


def bones(arm: Arm) -> list[Bone]:
    """The arm's bones, elbow first. The sleeve, if any, comes last: it covers what is in it."""
    share = float(np.clip(arm.grasp, 0, 1))
    joints = (1 - share) * _FLAT + share * _CLOSED
    wrist = (1 - share) * _WRIST_FLAT + share * _WRIST_CLOSED
    # A held piece keeps the thumb and the first two fingers apart.
    apart = share * (arm.width / 2 - 4)
    joints[:2, 2:, 0] += apart * np.array([0.7, 1.0])
    joints[4, 2:, 0] -= apart * np.array([0.7, 1.0])
    place = _Placer(arm)
    skin = paint(arm.skin)
    elbow, shoulder = wrist + _ELBOW, wrist + _ELBOW + _SHOULDER
    cuff = wrist + np.array((-18.0, 0.0, 0.0))
    made = [Bone(place(cuff), 25.0, place(wrist + np.array((10.0, 0.0, 0.0))), 23.0, skin, 10.0)]
    if arm.sleeve is None:
        made.insert(0, Bone(place(elbow), 41.0, place(cuff), 25.0, skin, 12.0))
        made.insert(0, Bone(place(shoulder), 50.0, place(elbow), 42.0, skin, 12.0))
    else:
        bare = min((arm.bare + 12.0) / float(np.linalg.norm(elbow - wrist)), 1.0)
        made.insert(0, Bone(place(cuff + bare * (elbow - cuff)), 25.0 + 16.0 * bare, place(cuff), 25.0, skin, 12.0))
    heel = [wrist + np.array((16.0, side, -2.0)) for side in (-14.0, -4.0, 7.0, 17.0)]
    made += [Bone(place(heel[finger]), 15.0, place(joints[finger, 0]), 11.5, skin, 12.0) for finger in range(4)]
    for finger in (3, 2, 0, 1):
        made += _finger(joints[finger], _RADII[finger], skin, place)
    made += [Bone(place(heel[0]), 17.0, place(joints[4, 0] + (10.0, 0.0, 0.0)), 15.0, skin, 12.0)]
    made += _finger(joints[4], _THUMB_RADII, skin, place)
    if arm.sleeve is not None:
        made += _sleeve(arm, wrist, elbow, shoulder, place)
    return [_resized(bone, arm) for bone in made] if arm.size != 1.0 else made


def _resized(bone: Bone, arm: Arm) -> Bone:
    """The same bone of a smaller or larger hand, whose fingertips are where they were."""
    grip, size = np.array(arm.grip), arm.size
    one, other = (grip + size * (joint - grip) for joint in (bone.one, bone.other))
    thick, thin = size * bone.one_radius, size * bone.other_radius
    return replace(bone, one=one, one_radius=thick, other=other, other_radius=thin, blend=size * bone.blend)


class _Placer:
    """From the hand's own axes to the table's."""

    def __init__(self, arm: Arm) -> None:
        back = radians(arm.comes_from)
        ahead = np.array([-sin(back), cos(back), 0.0])
        right = np.array([-ahead[1], ahead[0], 0.0]) * (-1 if arm.left else 1)
        self.axes = np.stack([ahead, right, np.array([0.0, 0.0, 1.0])])
        self.grip = np.array(arm.grip)
        self.ahead = ahead

    def __call__(self, joint: Vector | tuple[float, ...]) -> Vector:
        place: Vector = np.asarray(joint) @ self.axes + self.grip
        return place


def _finger(joints: Vector, radii: tuple[float, ...], skin: Triple, place: _Placer) -> list[Bone]:
    blue, green, red = (tone * part for tone, part in zip(skin, _RED, strict=True))
    spots = [place(joint) for joint in joints]
    made = []
    for k in range(3):
        colour = skin if k < 2 else (blue, green, red)
        made.append(Bone(spots[k], radii[k], spots[k + 1], radii[k + 1], colour, 5.0 if k else 7.0))
    along = spots[3] - spots[2]
    along /= np.linalg.norm(along)
    outward = place.ahead + np.array((0.0, 0.0, 1.0))
    outward = outward - (outward @ along) * along
    outward /= np.linalg.norm(outward)
    nail = (skin[0] * _PALE[0], skin[1] * _PALE[1], skin[2] * _PALE[2])
    root, tip = spots[3] - 5.0 * along, spots[3] + 2.5 * along
    lift = (radii[3] - 3.4) * outward
    return [*made, Bone(root + lift, 4.1, tip + lift * 0.8, 3.9, nail, 0.8)]


def _sleeve(arm: Arm, wrist: Vector, elbow: Vector, shoulder: Vector, place: _Placer) -> list[Bone]:
    colour = paint(arm.sleeve or "#000000")
    whole = float(np.linalg.norm(elbow - wrist))
    start = wrist + (elbow - wrist) * min(arm.bare / whole, 0.9)
    wide = 31.0 + 12.0 * min(arm.bare / whole, 0.9)
    cuff = start + (elbow - wrist) * (14.0 / whole)
    return [
        Bone(place(start), wide + 3.0, place(cuff), wide + 4.0, colour, 0.5, cloth=True),
        Bone(place(cuff), wide + 2.0, place(elbow), 50.0, colour, 3.0, cloth=True),
        Bone(place(elbow), 50.0, place(shoulder), 60.0, colour, 14.0, cloth=True),
    ]


def cloth_bones(cloth: Cloth) -> list[Bone]:
    """A roll of cloth with a few bends and folds."""
    one, other = np.array((*cloth.one, 0.0)), np.array((*cloth.other, 0.0))
    along = other - one
    across = np.array((-along[1], along[0], 0.0)) / max(float(np.linalg.norm(along)), 1.0)
    colour = paint(cloth.colour)
    shares, bends, folds = (0.0, 0.3, 0.55, 0.8, 1.0), (0.0, 5.0, -3.0, 4.0, 0.0), (0.9, 1.0, 0.95, 1.05, 1.1)
    spots = [
        one + share * along + bend * across + (0.0, 0.0, cloth.z + 0.45 * fold * cloth.radius)
        for share, bend, fold in zip(shares, bends, folds, strict=True)
    ]
    radii = [fold * cloth.radius for fold in folds]
    return [
        Bone(spots[k], radii[k], spots[k + 1], radii[k + 1], colour, 14.0, cloth=True) for k in range(len(spots) - 1)
    ]


def casters(limbs: list[Bone]) -> Casters:
    """The limbs as casters of shadows."""
    rows = [(*bone.one, bone.one_radius, *bone.other, bone.other_radius) for bone in limbs]
    return np.array(rows, np.float64).reshape(-1, 8)
