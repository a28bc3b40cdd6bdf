"""The printable parts: fresh, watertight, and as large as the boards want them."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
import trimesh

from hardware.build.models import (
    MADE,
    MODELS,
    SOURCES,
    SUMS,
    Kind,
    Model,
    fingerprint,
    fingerprints,
    piece_kinds,
    render,
    sources_of,
)
from hardware.build.sizes import SCAD, scad_text

NUB = 1.0
"""Millimetres by which a stone's nub stands out: it goes into the hollow above."""


def mesh(model: Model) -> trimesh.Trimesh:
    loaded = trimesh.load_mesh(MADE / f"{model.name}.stl")
    assert isinstance(loaded, trimesh.Trimesh)
    return loaded


def bodies(made: trimesh.Trimesh) -> int:
    """How many parts hang together; trimesh's own count wants scipy."""
    root = list(range(len(made.vertices)))

    def find(vertex: int) -> int:
        while root[vertex] != vertex:
            root[vertex] = root[root[vertex]]
            vertex = root[vertex]
        return vertex

    for a, b, c in made.faces.tolist():
        root[find(a)] = root[find(b)] = find(c)
    return len({find(vertex) for vertex in range(len(root))})


def named(name: str) -> Model:
    return next(model for model in MODELS if model.name == name)


def test_every_stl_is_made_from_the_sources_as_they_are() -> None:
    assert SUMS.read_text(encoding="utf-8") == fingerprints(), "run make -C hardware/build models"
    assert {path.stem for path in MADE.glob("*.stl")} == {model.name for model in MODELS}
    assert SCAD.read_text(encoding="utf-8") == scad_text(), "run make -C hardware/build models"
    used = {path for model in MODELS for path in sources_of(model)}
    assert used == set(SOURCES.glob("*.scad")), "a source that nothing is made of"


@pytest.mark.parametrize("model", MODELS, ids=lambda each: each.name)
def test_it_is_watertight_and_lies_on_the_bed(model: Model) -> None:
    made = mesh(model)
    assert made.is_watertight
    assert made.is_winding_consistent
    assert made.volume > 0
    assert bodies(made) == 1
    assert max(made.extents) <= 220, "fits on a common printer"


@pytest.mark.parametrize("kind", piece_kinds(), ids=lambda each: each.name)
def test_a_piece_has_the_size_that_the_eye_expects(kind: Kind) -> None:
    made = mesh(named(kind.name))
    assert made.extents[:2] == pytest.approx((kind.diameter, kind.diameter), abs=0.05)
    assert made.extents[2] == pytest.approx(kind.height + (NUB if kind.stacked else 0.0), abs=0.01)


def test_stones_and_markers_stack_without_a_gap() -> None:
    """The nub of a stone must be narrower and lower than the hollow in what stands on it."""
    stone = mesh(named("stone"))
    (height,) = (kind.height for kind in piece_kinds() if kind.name == "stone")
    above = stone.vertices[stone.vertices[:, 2] > height + 0.01]
    nub = 2 * np.hypot(*above[:, :2].T).max()
    for name in ("stone", "marker"):
        foot = mesh(named(name)).vertices.copy()
        if name == "marker":
            # It is printed with its foot up.
            foot[:, 2] = 3.0 - foot[:, 2]
        hollow = foot[(foot[:, 2] > 0.5) & (foot[:, 2] < 2) & (np.hypot(*foot[:, :2].T) < 8)]
        assert hollow[:, 2].min() > above[:, 2].max() - height
        assert 2 * np.hypot(*hollow[:, :2].T).max() > nub + 0.2


def test_the_boards_say_how_many_pieces() -> None:
    numbers = {"stone": 15, "marker": 36, "pawn": 40, "figure": 16, "chip": 48}
    assert {kind.name: kind.number for kind in piece_kinds()} == numbers
    assert [kind.name for kind in piece_kinds() if kind.stacked] == ["stone"]
    assert {kind.name for kind in piece_kinds() if kind.on_top} == {"stone", "marker"}


def test_a_changed_source_makes_an_stl_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = Path(shutil.copytree(SOURCES, tmp_path / "models"))
    monkeypatch.setattr("hardware.build.models.SOURCES", copy)
    before = {model.name: fingerprint(model) for model in MODELS}
    (copy / "camera-plate.scad").write_text("// thicker\n", encoding="utf-8")
    changed = {model.name for model in MODELS if fingerprint(model) != before[model.name]}
    assert changed == {"camera-head", "gooseneck-head", "coupon"}


def test_where_openscad_is_the_same_comes_out_again(tmp_path: Path) -> None:
    openscad = shutil.which("openscad")
    # Without OpenSCAD the committed files are all there is: their sums were held against the sources above.
    for name in ("marker",) if openscad else ():
        target = tmp_path / f"{name}.stl"
        render(named(name), target, str(openscad))
        again = trimesh.load_mesh(target)
        assert again.volume == pytest.approx(mesh(named(name)).volume, rel=1e-4)
        assert again.bounds == pytest.approx(mesh(named(name)).bounds, abs=1e-3)
