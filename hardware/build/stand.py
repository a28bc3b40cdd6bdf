"""The stand for a view: how high the arm, how far the camera from the upright, how far the board from the edge.

Seen from the side: the board's centre is the origin, the stand at the table's edge on the right.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin

from hardware.build.sizes import Module, sizes

BESIDE = 60.0
"""Millimetres between the board and the table's edge that hold the clamp and a hand."""
NEAREST = 60.0
"""Between upright and head tube: two crosses side by side."""


@dataclass(frozen=True)
class Mounting:
    """Where the tubes are for one view, millimetres."""

    edge: float
    """From the board's centre to the table's edge that the clamp is on."""
    arm: float
    """The arm's axis above the table."""
    reach: float
    """From the upright's axis to the head tube's."""
    tube: tuple[float, float]
    """The head tube's axis: towards the stand, and above the table."""

    @property
    def is_built(self) -> bool:
        """Whether the tubes of the list are long enough."""
        high, long = limits()
        return self.arm <= high and NEAREST - 1e-6 <= self.reach <= long


def limits() -> tuple[float, float]:
    """How high the arm may be above the table, and how far the head tube from the upright."""
    tube, clamp, table = sizes()["tube"], sizes()["clamp"], sizes()["table"]
    below = table["thickest"] + table["pad"][1] + table["arm"]
    return tube["upright"] - below - clamp["long"] / 2, tube["arm"] - clamp["long"]


def mounting(module: Module, distance: float, tilt: float, depth: float) -> Mounting:
    """The stand for a camera at this distance and tilt over a board that is so deep."""
    size, angle = sizes(), radians(tilt)
    aside, up = _tube_seen_from_lens(module)
    lens = (distance * sin(angle), distance * cos(angle))
    tube = (lens[0] + aside * cos(angle) + up * sin(angle), lens[1] - aside * sin(angle) + up * cos(angle))
    # A camera far aside needs the board farther from the edge than the middle of a usual table.
    behind = size["table"]["tube_at"]
    edge = max(size["table"]["middle"], depth / 2 + BESIDE, tube[0] + NEAREST - behind)
    return Mounting(edge, tube[1] + size["cross"]["apart"], edge + behind - tube[0], tube)


def _tube_seen_from_lens(module: Module) -> tuple[float, float]:
    """Towards the stand and up, while the camera looks straight down."""
    size = sizes()
    if module.mount == "plate":
        return size["camera"]["tube_at"], size["clamp"]["lying_at"]
    return size["tripod"]["lens_aside"], size["tripod"]["lens_under"]


def tubes() -> tuple[tuple[float, ...], ...]:
    """How the bought tubes are sawn: for each the lengths, longest first."""
    tube = sizes()["tube"]
    bought: list[list[float]] = []
    for long in sorted((tube["upright"], tube["arm"], tube["head"]), reverse=True):
        fits = next((one for one in bought if sum(one) + long + 4 * len(one) <= tube["stock"]), None)
        if fits is None:
            bought.append([long])
        else:
            fits.append(long)
    return tuple(map(tuple, bought))


TRAY = 200.0
"""Where the Pi's tray usually is on the upright, millimetres above the table."""
SLACK = 120.0
"""Of a cable, for a loop at each end."""


def ribbon(made: Mounting) -> float:
    """Millimetres of camera cable from the head along arm and upright to the Pi on its tray."""
    return made.reach + made.arm - TRAY + SLACK


def lead(made: Mounting, depth: float) -> float:
    """Millimetres of wire from the Pi on its tray to the bar between the board and the player opposite."""
    behind: float = sizes()["table"]["tube_at"]
    return made.edge + behind + depth / 2 + BESIDE + TRAY + SLACK
