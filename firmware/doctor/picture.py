"""Checks a test picture: is it sharp and well lit, is the board in it, is the camera in the right place?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from engine.board import DICTIONARY, Board, Colour
from firmware.doctor.facts import PictureFacts
from firmware.doctor.findings import Finding, bad, doubtful, good
from vision.conditions import COLOURED, WHITE, linear, measure, patches, reflectance
from vision.find.fiducials import Corners, find_fiducials
from vision.find.lens import Lens
from vision.find.pose import BoardPose, find_pose
from vision.frame import Floats, Frame, Image

FEW_CELL, LEAST_CELL = 3.0, 2.2
"""Width of a cell in pixels below which a black square is read less reliably, and hardly at all."""
SOFT, SMEARED = 0.4, 0.6
"""Width of an edge, in cells, from which neighbouring cells begin to blend, and do blend."""
DARK, PITCH = 70.0, 40.0
"""Brightness of paper (out of 255) below which colours drown in noise."""
FLAT = 35.0
"""Least difference in brightness between ink and paper (out of 255)."""
GLARING = 0.5
MOST_HIDDEN = 0.35
"""Share of black squares that may be hidden while no hand is over the table."""


def judge(frame: Frame, boards: Sequence[Board], lens: Lens | None) -> PictureFacts:
    """What a picture shows of the one of these boards that is in it."""
    grey: Image = np.asarray(cv2.cvtColor(frame.bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    found = find_fiducials(grey, DICTIONARY, frozenset().union(*map(_ids, boards))).corners
    board = max(boards, key=lambda each: _shared(found, each))
    own = {fiducial: found[fiducial] for fiducial in found if fiducial in _ids(board)}
    if not own:
        return PictureFacts(why="no black square of any board is in the picture")
    pose = find_pose(own, board, frame.size, lens.scaled(frame.size) if lens else None)
    if pose is None:
        return PictureFacts(
            why=f"{len(own)} black squares of {board.game} are visible, but they do not match its board"
        )
    conditions, colours = measure(frame.bgr, own, board, pose), _colours(patches(frame.bgr, board, pose))
    return PictureFacts(
        game=board.game,
        fiducials=(len(own), len(board.fiducials)),
        pose=(pose.distance, pose.tilt),
        promised=(board.camera.distance, board.camera.tilt),
        whole=_is_whole(board, pose, frame.size),
        cell=conditions.cell,
        blur=conditions.blur,
        white=conditions.white,
        black=conditions.black,
        glare=conditions.glare,
        references=len(colours),
        confused=_confused(colours, {piece.colour: piece.name.split("-")[-1] for piece in board.pieces.values()}),
    )


def _ids(board: Board) -> set[int]:
    return {mark.id for mark in board.fiducials}


def _shared(found: Corners, board: Board) -> int:
    return len(found.keys() & _ids(board))


def _is_whole(board: Board, pose: BoardPose, size: tuple[int, int]) -> bool:
    corners = []
    for sheet in board.sheets:
        x, y = sheet.size[0] / 2, sheet.size[1] / 2
        corners += [(*sheet.to_table(corner), sheet.z) for corner in ((-x, -y), (x, -y), (x, y), (-x, y))]
    spots = pose.project(np.array(corners))
    return bool(np.all(spots >= 0) and np.all(spots <= np.array(size) - 1))


def _colours(seen: Sequence[tuple[Colour, Floats]]) -> list[tuple[Colour, Floats]]:
    """The coloured references in the picture, as print and as they look beside white paper."""
    whites = [linear(look) for colour, look in seen if colour == WHITE]
    if not whites:
        return []
    white = np.maximum(np.median(whites, axis=0), 1e-3)
    return [(colour, linear(look) / white) for colour, look in seen if _is_coloured(colour)]


def _is_coloured(colour: Colour) -> bool:
    return bool(np.ptp(np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)])) > COLOURED)


def _confused(colours: Sequence[tuple[str, Floats]], names: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Reference colours that look more like another one, or like grey: by hue, however bright the light is there."""
    prints = {colour: _hue(reflectance(colour)) for colour, _ in colours} | {"grey": np.full(3, 1 / 3)}
    pairs: dict[tuple[str, str], None] = {}
    for colour, value in colours:
        hue = _hue(value)
        nearest = min(prints, key=lambda name: float(np.linalg.norm(prints[name] - hue)))
        if nearest != colour:
            pairs[names.get(colour, colour), names.get(nearest, nearest)] = None
    return tuple(pairs)


def _hue(linear: Floats) -> Floats:
    return np.asarray(linear / max(float(linear.sum()), 1e-6), dtype=float)


def picture_findings(seen: PictureFacts) -> list[Finding]:
    """The checks of a test picture."""
    if seen.game is None:
        todo = "Put a printed board under the camera, all of it in the picture (see magister doctor --camera-plan)."
        return [doubtful("board", seen.why, todo)]
    return [check_board(seen), check_place(seen), check_sharpness(seen), check_light(seen), check_colours(seen)]


def check_board(seen: PictureFacts) -> Finding:
    found, of = seen.fiducials
    told = f"{seen.game}: {found} of {of} black squares visible"
    if not seen.whole:
        todo = "Mount the camera higher, or turn it so that the long side of the board runs along the picture."
        return bad("board", f"{told}, but part of the board is outside the picture", todo)
    if found < (1 - MOST_HIDDEN) * of:
        return doubtful("board", told, "Clear the board's edge: keep the black squares visible and free of glare.")
    return good("board", f"{told}, the whole board is in the picture")


def check_place(seen: PictureFacts) -> Finding:
    assert seen.pose is not None, "a board that was found has a pose"
    (distance, tilt), ((nearest, farthest), (_, steepest)) = seen.pose, seen.promised
    told = f"the lens is {distance:.0f} mm from the board's centre, tilted by {tilt:.0f} degrees"
    todo = []
    if distance < nearest:
        todo.append(f"Mount it higher: at least {nearest:.0f} mm away.")
    if distance > farthest:
        todo.append(f"Mount it lower: at most {farthest:.0f} mm away.")
    if tilt > steepest:
        todo.append(f"Look down more steeply: tilt it by at most {steepest:.0f} degrees.")
    if todo:
        return doubtful("place", told, " ".join(todo))
    return good("place", told)


def check_sharpness(seen: PictureFacts) -> Finding:
    told = f"edges are {seen.blur:.1f} pixels wide, a cell of a black square {seen.cell:.1f} pixels"
    if seen.cell < LEAST_CELL:
        return bad(
            "sharpness",
            told,
            "Too far away or too small a picture: mount it lower, or set [camera] width to 1920 or more.",
        )
    if seen.blur > SMEARED * seen.cell:
        return bad(
            "sharpness", told, "Out of focus: turn the lens ring, wipe the lens, or let the camera focus on the board."
        )
    if seen.blur > SOFT * seen.cell or seen.cell < FEW_CELL:
        return doubtful("sharpness", told, "Focus on the board, and fix the camera so that it does not shake.")
    return good("sharpness", told)


def check_light(seen: PictureFacts) -> Finding:
    told = f"paper has brightness {seen.white:.0f}, ink {seen.black:.0f} (of 255)"
    if seen.glare > GLARING:
        return doubtful(
            "light",
            f"{told}; part of the board is overexposed",
            "Move the lamp so that it does not reflect, or dim it.",
        )
    if seen.white < PITCH or seen.white - seen.black < FLAT:
        return bad("light", told, "Too dark: put a lamp beside the board.")
    if seen.white < DARK:
        return doubtful("light", told, "Rather dark: a lamp beside the board makes the colours certain.")
    return good("light", told)


def check_colours(seen: PictureFacts) -> Finding:
    if not seen.references:
        return good("colours", "no reference colours of this board are in the picture")
    if seen.confused:
        told = ", ".join(f"{one} looks like {other}" for one, other in seen.confused[:3])
        return doubtful(
            "colours", told, "Use white light, no coloured lamp; print again if the printer is low on an ink."
        )
    return good("colours", f"{seen.references} reference colours can be told apart; no colour calibration is needed")
