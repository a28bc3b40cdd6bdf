"""The printable models: which STL comes from which source, with which sizes, and whether it is up to date."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import numpy as np

from engine.board import Board, Piece
from engine.registry import find_game

HERE = Path(__file__).parent
SOURCES, MADE = HERE / "models", HERE / "stl"
SIZES, SUMS = SOURCES / "sizes.scad", MADE / "sources.sha256"
INCLUDED = re.compile(r"^(?:include|use) <([\w.-]+)>", re.MULTILINE)


@dataclass(frozen=True)
class Model:
    """One thing to print."""

    name: str
    source: str
    settings: Mapping[str, str] = field(default_factory=dict)
    number: int = 1
    """How many of it a stand needs; of pieces, the boards know (`piece_counts`)."""


MODELS = (
    Model("table-clamp", "table-clamp"),
    Model("cross", "cross", number=2),
    Model("camera-head", "camera-head"),
    Model("gooseneck-head", "gooseneck-head"),
    Model("bar-body", "bar", {"part": "body"}),
    Model("bar-lid", "bar", {"part": "lid"}),
    *(Model(kind, "piece", {"kind": kind}) for kind in ("stone", "marker", "pawn", "figure")),
)


def _boards() -> Iterator[Board]:
    """The boards whose pieces can be printed, for as many players as there can be."""
    for name in ("memento-tuos", "rings", "dimenticato"):
        rules = find_game(name).configure()
        yield rules.game.board(4, rules.deal(4, Random(0)))


def piece_sizes() -> dict[str, Piece]:
    """One piece of each kind, as the boards have it."""
    return {piece.name.split("-")[0]: piece for board in _boards() for piece in board.pieces.values()}


def piece_counts() -> dict[str, int]:
    """How many of each kind four players need at most, all colours together."""
    counts: dict[str, int] = {}
    for board in _boards():
        for name, number in board.counts.items():
            counts[name.split("-")[0]] = counts.get(name.split("-")[0], 0) + number
    return counts


def sizes_text() -> str:
    """`sizes.scad`: diameters and heights from the boards themselves."""
    lines = ["// Made by hardware/build/models.py from the boards' own data (board.json). Diameter and height, mm."]
    lines += [f"{kind} = [{piece.diameter:g}, {piece.height:g}];" for kind, piece in sorted(piece_sizes().items())]
    return "\n".join(lines) + "\n"


def sources_of(model: Model) -> list[Path]:
    """The source of a model with all that it includes."""
    found, open_ = [], [SOURCES / f"{model.source}.scad"]
    while open_:
        path = open_.pop()
        if path not in found:
            found.append(path)
            open_ += [SOURCES / name for name in INCLUDED.findall(path.read_text(encoding="utf-8"))]
    return sorted(found)


def fingerprint(model: Model) -> str:
    """Of everything that an STL follows from."""
    total = hashlib.sha256(repr(sorted(model.settings.items())).encode())
    for path in sources_of(model):
        total.update(path.name.encode() + path.read_bytes())
    return total.hexdigest()


def fingerprints() -> str:
    return "".join(f"{fingerprint(model)}  {model.name}.stl\n" for model in MODELS)


def render(model: Model, target: Path, openscad: str) -> None:
    """Make one STL; raises `CalledProcessError` with what OpenSCAD said."""
    settings = [word for name, value in model.settings.items() for word in ("-D", f'{name}="{value}"')]
    source = SOURCES / f"{model.source}.scad"
    command = [openscad, "-q", "--export-format", "binstl", *settings, "-o", str(target), str(source)]
    subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603


def volume(path: Path) -> float:
    """Cubic millimetres of a closed binary STL: its triangles with the origin, added up with their signs."""
    raw = np.frombuffer(path.read_bytes()[84:], dtype=np.dtype([("floats", "<f4", 12), ("rest", "<u2")]))
    a, b, c = (raw["floats"][:, start : start + 3].astype(float) for start in (3, 6, 9))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def main() -> int:
    """Make every STL anew: `python -m hardware.build.models`, which `make -C hardware/build` calls."""
    openscad = shutil.which("openscad")
    if openscad is None:
        print("models: OpenSCAD is not to be had: sudo apt install openscad", file=sys.stderr)
        return 2
    SIZES.write_text(sizes_text(), encoding="utf-8")
    MADE.mkdir(exist_ok=True)
    known = SUMS.read_text(encoding="utf-8") if SUMS.exists() else ""
    for model in MODELS:
        target = MADE / f"{model.name}.stl"
        if target.exists() and f"{fingerprint(model)}  {model.name}.stl\n" in known:
            continue
        try:
            render(model, target, openscad)
        except subprocess.CalledProcessError as error:
            print(f"models: {model.name}: {' '.join(str(error.stderr).split())}", file=sys.stderr)
            return 1
        print(target.relative_to(HERE), flush=True)
    SUMS.write_text(fingerprints(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
