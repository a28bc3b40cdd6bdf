"""The printable models: which STL comes from which source, with which sizes, and whether it is up to date."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path

import numpy as np

from engine.board import Board, Piece
from engine.registry import all_games
from hardware.build.sizes import SCAD, scad_text

HERE = Path(__file__).parent
SOURCES, MADE = HERE / "models", HERE / "stl"
SUMS = MADE / "sources.sha256"
INCLUDED = re.compile(r"^(?:include|use) <([\w.-]+)>", re.MULTILINE)


@dataclass(frozen=True)
class Model:
    """One thing to print."""

    name: str
    source: str
    settings: Mapping[str, str | float | bool] = field(default_factory=dict)
    number: int = 1
    """How many of it are needed."""


STAND = (
    Model("coupon", "coupon"),
    Model("table-clamp", "table-clamp"),
    Model("knob", "knob"),
    Model("pad", "pad"),
    Model("cross", "cross", number=2),
    Model("camera-head", "camera-head"),
    Model("tripod-head", "tripod-head"),
    Model("gooseneck-head", "gooseneck-head"),
    Model("pi-tray", "pi-tray"),
    Model("bar-body", "bar", {"part": "body"}),
    Model("bar-lid", "bar", {"part": "lid"}),
)


@dataclass(frozen=True)
class Kind:
    """Pieces that differ in colour only."""

    name: str
    diameter: float
    height: float
    number: int
    """How many of them the game that needs most has, all colours together."""
    stacked: bool
    """Whether others stand on it."""
    on_top: bool
    """Whether it stands on others."""

    @property
    def model(self) -> Model:
        """Every piece is a cylinder, so one source makes them all."""
        part = "stone" if self.stacked else "marker" if self.on_top else "plain"
        return Model(self.name, "piece", {"diameter": self.diameter, "height": self.height, "part": part}, self.number)


def piece_kinds() -> tuple[Kind, ...]:
    """The pieces of all games for as many players as there can be; games share those that are alike."""
    kinds: dict[str, Kind] = {}
    for game in all_games():
        for kind in _kinds_of(game.board(max(game.seats))):
            known = kinds.get(kind.name, kind)
            if (known.diameter, known.height) != (kind.diameter, kind.height):
                kind = replace(kind, name=f"{kind.name}-{kind.diameter:g}x{kind.height:g}")
            elif known.number > kind.number:
                kind = replace(known, stacked=known.stacked or kind.stacked, on_top=known.on_top or kind.on_top)
            kinds[kind.name] = kind
    return tuple(kinds.values())


def _kinds_of(board: Board) -> Iterator[Kind]:
    below = {name for face in board.faces.lawful for name in face.pieces[:-1]}
    above = {name for face in board.faces.lawful for name in face.pieces[1:]}
    for (name, diameter, height), pieces in groupby(board.pieces.values(), _look):
        own = [piece.name for piece in pieces]
        number = sum(board.counts[each] for each in own)
        yield Kind(name, diameter, height, number, not below.isdisjoint(own), not above.isdisjoint(own))


def _look(piece: Piece) -> tuple[str, float, float]:
    return piece.name.split("-")[0], piece.diameter, piece.height


MODELS = (*STAND, *(kind.model for kind in piece_kinds()))


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
    # OpenSCAD writes texts, numbers and truths as JSON does.
    settings = [word for name, value in model.settings.items() for word in ("-D", f"{name}={json.dumps(value)}")]
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
        print("models: OpenSCAD is not installed: sudo apt install openscad", file=sys.stderr)
        return 2
    MADE.mkdir(exist_ok=True)
    if not SCAD.exists() or SCAD.read_text(encoding="utf-8") != scad_text():
        SCAD.write_text(scad_text(), encoding="utf-8")
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
