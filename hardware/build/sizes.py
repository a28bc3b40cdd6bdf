"""What parts, screws and cameras measure: `sizes.toml` and `cameras.toml`; `models/sizes.scad` is written from them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SCAD = HERE / "models" / "sizes.scad"

Pair = tuple[float, float]
Box = tuple[float, float, float, float, float, float]
"""West, south, low, east, north, high."""


@cache
def sizes() -> Mapping[str, Mapping[str, Any]]:
    """Every size in millimetres, by section."""
    return tomllib.loads((HERE / "sizes.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True, kw_only=True)
class Module:
    """A camera, and the room that it needs."""

    name: str
    title: str
    hfov: float
    """Degrees across."""
    mount: str
    """`plate`: screwed on the plate of a head; `tripod`: by a 1/4 inch thread."""
    board: Pair = (0.0, 0.0)
    holes: Pair = (0.0, 0.0)
    """Between the axes of its four holes."""
    first: float = 0.0
    """From the edge without the cable to the first row of holes."""
    hole: float = 0.0
    lens: float = 0.0
    """From the edge with the cable to the lens's axis."""
    block: Pair = (0.0, 0.0)
    """What stands out before the board, round the lens."""
    front: float = 0.0
    """How far it does."""
    behind: float = 0.0
    """How far the connector stands out behind the board."""

    @property
    def rows(self) -> Pair:
        """Where the rows of holes are, seen from the lens, the cable being up."""
        first = self.lens - self.board[1] + self.first
        return (first, first + self.holes[1])

    def keep_out(self, front: float) -> tuple[Box, ...]:
        """What must stay free, with the board's front at this height over the plate's lower side."""
        x, y = self.board[0] / 2, self.block[1] / 2
        far, cable = self.lens - self.board[1], self.lens
        thick = 1.1
        return (
            (-self.block[0] / 2, -y, front - self.front, self.block[0] / 2, y, front),
            (-x, far, front + 0.05, x, cable, front + thick),
            # Connector and cable, and a screwdriver's way to the screws.
            (-x + 2, cable - 6, front + thick, x - 2, cable + 15, front + thick + self.behind),
            # The little connector of the sensor lies between the block and the far edge.
            (-4.6, far + 3, front - 1.6, 4.6, -y, front),
        )


@cache
def modules() -> Mapping[str, Module]:
    """The cameras that the stand and the plan know, by name."""
    told = tomllib.loads((HERE / "cameras.toml").read_text(encoding="utf-8"))["camera"]
    listed = [Module(**{key: _fixed(value) for key, value in each.items()}) for each in told]
    return {module.name: module for module in listed}


def scad_text() -> str:
    """The sizes for OpenSCAD, `section_name = value;`."""
    return "// Written by `make -C hardware/build models` from sizes.toml and cameras.toml.\n" + "".join(
        f"{name} = {_scad(value)};\n" for name, value in _named()
    )


def _named() -> Iterator[tuple[str, Any]]:
    for section, values in sizes().items():
        yield from ((f"{section}_{name}", value) for name, value in values.items())
    # All modules on the plate are one board with different lenses.
    module = next(module for module in modules().values() if module.mount == "plate")
    for name in ("board", "holes", "first", "lens"):
        yield f"camera_{name}", list(getattr(module, name)) if name in ("board", "holes") else getattr(module, name)


def _scad(value: float | list[float]) -> str:
    return "[" + ", ".join(map(_scad, value)) + "]" if isinstance(value, list) else f"{value:g}"


def _fixed(value: Any) -> Any:  # noqa: ANN401
    return tuple(value) if isinstance(value, list) else value
