"""Every screw of the stand, the bar and the tray: what it holds, how long it is, and where it ends.

The guide's table, the parts list and the tests of the printed parts follow from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hardware.build.sizes import Box, sizes

Spot = tuple[float, float, float]


@dataclass(frozen=True, kw_only=True)
class Joint:
    """Screws of one kind in one part."""

    step: str
    """Of the guide: `clamp`, `arm`, `head`, `tray`, `bar` or `tripod`."""
    part: str
    screw: str
    number: int
    grip: float
    """Millimetres from under the screw's head to where its thread begins to hold, or to the far side of the nut."""
    reach: float
    """Of the screw from under its head."""
    room: float
    """From under the head to what would stop it; infinite for one that comes out into the open."""
    hold: float
    """Millimetres of thread that must hold."""
    paths: tuple[Box, ...] = ()
    """In the part's own frame: what must be free for the screw's end."""

    @property
    def held(self) -> float:
        """Millimetres of thread that do hold."""
        return self.reach - self.grip

    @property
    def spare(self) -> float:
        """Millimetres left before its end."""
        return self.room - self.reach


NOWHERE = float("inf")


def joints() -> tuple[Joint, ...]:
    """All of them, in the order of the guide."""
    return (*_clamps(), *_self_cutting(), *_others())


def _clamps() -> Iterator[Joint]:
    """M4 screws across the ears: the nut lies flush in its pocket, and what stands out ends in the open."""
    size, clamp, m4 = sizes(), sizes()["clamp"], sizes()["m4"]
    out, table = m4["long"] - clamp["ears"], size["table"]
    up = clamp["lying_at"] + clamp["screw_at"]
    apart, high = size["cross"]["apart"], table["thickest"] + table["pad"][1] + 2 * table["arm"]
    places: dict[tuple[str, str, int], list[tuple[Spot, str]]] = {
        ("clamp", "table-clamp", 1): [
            ((-table["tube_at"], y, table["tube_high"] + clamp["screw_at"]), "x") for y in (14.0, high - 14.0)
        ],
        ("arm", "cross", 2): [((0.0, -clamp["screw_at"], clamp["long"] / 2), "x"), ((0.0, apart, up), "y")],
        ("head", "camera-head", 1): [((0.0, size["camera"]["tube_at"], up), "y")],
        ("tripod", "tripod-head", 1): [((0.0, 0.0, up), "y")],
        ("tray", "pi-tray", 1): [((x, 0.0, up), "y") for x in (-13.0, 13.0)],
    }
    for (step, part, parts), spots in places.items():
        yield Joint(
            step=step, part=part, screw=f"M4 × {m4['long']:g}", number=parts * len(spots),
            grip=clamp["ears"] - m4["nut_high"], reach=m4["long"], room=NOWHERE, hold=m4["nut_high"],
            paths=tuple(_path(at, along, clamp["ears"] / 2, out, m4["nut"] / 2) for at, along in spots),
        )  # fmt: skip


def _path(at: Spot, along: str, start: float, long: float, half: float) -> Box:
    x, y, z = at
    if along == "x":
        return (x + start, y - half, z - half, x + start + long, y + half, z + half)
    return (x - half, y + start, z - half, x + half, y + start + long, z + half)


def _self_cutting() -> Iterator[Joint]:
    size = sizes()
    floor, camera, pi, bar = size["print"]["thinnest"], size["camera"], size["pi"], size["bar"]
    board, lid = 1.1, bar["skin"]
    for step, part, screw, through, depth, number in (
        ("head", "camera-head", "m2", board, camera["thick"] + camera["posts"] - floor, 4),
        ("tray", "pi-tray", "m25", 1.4, pi["thick"] + pi["posts"] - floor, 4),
        ("bar", "bar-lid", "m3", lid, bar["high"] - 8.0, 4),
    ):
        long = size[screw]["long"]
        thread = {"m2": 2.0, "m25": 2.5, "m3": 3.0}[screw]
        yield Joint(
            step=step, part=part, screw=f"M{thread:g} × {long:g}", number=number, grip=through, reach=long,
            # A thread cut into plastic holds well on twice its diameter.
            room=through + depth, hold=2 * thread,
        )  # fmt: skip


def _others() -> Iterator[Joint]:
    size = sizes()
    m8, table, tripod = size["m8"], size["table"], size["tripod"]
    yield Joint(
        step="clamp", part="table-clamp", screw=f"M8 × {m8['long']:g}", number=1,
        # The knob's floor, then the arm with the nut at its inner side.
        grip=4.0 + table["arm"] - m8["nut_high"], reach=m8["long"], room=NOWHERE, hold=m8["nut_high"],
    )  # fmt: skip
    yield Joint(
        step="tripod", part="tripod-head", screw='1/4″ × 1/2″', number=1,
        grip=tripod["plate"] + tripod["washer"], reach=tripod["screw"],
        room=tripod["plate"] + tripod["washer"] + tripod["most_out"], hold=tripod["least"],
    )  # fmt: skip
    yield Joint(
        step="gooseneck", part="gooseneck-head", screw='1/4″', number=1,
        grip=tripod["lip"], reach=tripod["least"], room=tripod["most"], hold=2.5,
    )  # fmt: skip


def travel() -> tuple[float, float]:
    """The thinnest and the thickest table that the clamp's bolt can press, millimetres."""
    table, m8 = sizes()["table"], sizes()["m8"]
    gap = table["thickest"] + table["pad"][1]
    floor_of_the_pad = table["pad"][1] - table["pad"][2]
    farthest = m8["long"] - 4.0 - table["arm"] + floor_of_the_pad
    return (gap - farthest, gap - table["pad"][1])
