"""A folder that shows why a photo was read as it was: a picture of every stage, and the verdict as data."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2

from engine.core import Json
from firmware.machine.files import write_folder
from vision.explain import Belief, ExplainedLook

STAGES = ("fiducials", "rectified", "light", "even-light", "candidates", "verdict")
FILES = (*(f"{number}-{name}.png" for number, name in enumerate(STAGES, 1)), "verdict.json", "index.json")
"""All that such a folder may hold."""


def folders_for(folder: Path, images: Sequence[Path]) -> list[Path]:
    """Where each photo's pictures go: into the folder itself, or into one of their own each if there are several."""
    if len(images) == 1:
        return [folder]
    names: list[str] = []
    for image in images:
        same = sum(other.stem == image.stem for other in images[: len(names)])
        names.append(f"{image.stem}-{same + 1}" if same else image.stem)
    return [folder / name for name in names]


def write_explanation(folder: Path, explanation: ExplainedLook, found: Json, spared: Sequence[Path]) -> None:
    """Write the pictures of a look, its verdict and what the files are; all of it, or nothing."""
    files: dict[str, bytes] = {}
    index = []
    for number, stage in enumerate(explanation.stages, 1):
        name = f"{number}-{stage.name}.png"
        files[name] = cv2.imencode(".png", stage.picture)[1].tobytes()
        index.append({"file": name, "shows": stage.title})
    if found["found"]:
        files["verdict.json"] = _json(found | {"heard": _record(explanation.heard)})
        index.append({"file": "verdict.json", "shows": "The reading, with what was heard of each site."})
    files["index.json"] = _json({"stages": index})
    write_folder(folder, files, spared)


def _record(heard: Mapping[str, Sequence[Belief]]) -> Json:
    return {
        site: [
            {"reader": each.reader, "witness": each.witness}
            | ({"hidden": True} if each.best is None else {"face": each.best.name, "p": each.p})
            for each in trail
        ]
        for site, trail in heard.items()
    }


def _json(value: Json) -> bytes:
    return (json.dumps(value, indent=1) + "\n").encode()
