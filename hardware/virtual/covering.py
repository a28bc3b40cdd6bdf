"""Which share of each site is hidden by what does not stand there: an arm, a held piece, a thing left lying."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hardware.virtual.camera import Camera
from hardware.virtual.painting.hand import Bone, bones, cloth_bones
from hardware.virtual.scene import Cup, Scene
from hardware.virtual.truth import site_points

Floats = NDArray[np.float64]
Solid = tuple[Floats, NDArray[np.intp]]
"""Vertices (n, 3) and triangles (m, 3)."""


def limbs_of(scene: Scene) -> list[Bone]:
    """The bones of all arms, and the folds of cloth that lies about."""
    arms = [bone for arm in scene.arms for bone in bones(arm)]
    return arms + [bone for thing in scene.things if not isinstance(thing, Cup) for bone in cloth_bones(thing)]


def covered_shares(scene: Scene, camera: Camera, litter: Sequence[Solid] = ()) -> dict[str, float]:
    """For every site, the share of its points hidden by anything but the pieces standing there; whatever may hide them
    is taken as balls."""
    balls = [
        (*(limb.one + share * (limb.other - limb.one)), limb.one_radius + share * (limb.other_radius - limb.one_radius))
        for limb in limbs_of(scene)
        for share in np.linspace(0, 1, 9)
    ]
    for thing in scene.things:
        if isinstance(thing, Cup):
            heights = np.linspace(thing.z + 10, thing.z + thing.height - 10, 5)
            balls += [(*thing.at, z, thing.radius) for z in heights]
    for stack in scene.stacks:
        if stack.site is None:
            z = stack.z
            for name in stack.pieces:
                piece = scene.board.pieces[name]
                balls += [(*stack.at, z + piece.height * k, piece.diameter / 2) for k in (0.25, 0.75)]
                z += piece.height
    for vertices, _ in litter:
        middle = vertices.mean(axis=0)
        balls.append((*middle, float(np.ptp(vertices[:, 0]) + np.ptp(vertices[:, 1])) / 4))
    sites = scene.board.sites
    if not balls:
        return dict.fromkeys(sites, 0.0)
    standing = {stack.site: stack for stack in scene.stacks if stack.site}
    every, eye = np.array(balls), camera.position
    shares = {}
    for name in sites:
        points = site_points(scene.board, name, standing.get(name), camera)[1:]
        away = points - eye
        far = np.linalg.norm(away, axis=1)
        ahead = away / far[:, None]
        middles = every[None, :, :3] - eye
        along = (middles * ahead[:, None]).sum(axis=-1)
        beside = np.linalg.norm(middles - along[..., None] * ahead[:, None], axis=-1)
        shares[name] = float(((beside < every[:, 3]) & (along < far[:, None])).any(axis=1).mean())
    return shares
