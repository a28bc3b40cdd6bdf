"""Just enough SVG for the drawings: shapes as text, in one style."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape

Spot = tuple[float, float]

INK, SOFT, FAINT, PAPER = "#23292e", "#5f6a72", "#c9ced2", "#ffffff"
FONT = "'Source Sans 3', 'Source Sans Pro', 'Helvetica Neue', Arial, sans-serif"


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def line(points: Iterable[Spot], colour: str = INK, width: float = 2.0, dash: str = "", halo: bool = False) -> str:
    """A stroke through points; with a halo it passes visibly over what it crosses."""
    path = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
    shape = f'<polyline points="{path}" fill="none" stroke-linejoin="round" stroke-linecap="round"'
    under = f'{shape} stroke="{PAPER}" stroke-width="{_number(width + 4)}"/>' if halo else ""
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'{under}{shape} stroke="{colour}" stroke-width="{_number(width)}"{dashed}/>'


def box(
    at: Spot,
    size: Spot,
    fill: str = "none",
    stroke: str = INK,
    width: float = 1.5,
    rounding: float = 0.0,
    opacity: float = 1,
) -> str:
    seen = f' fill-opacity="{opacity:g}"' if opacity < 1 else ""
    return (
        f'<rect x="{_number(at[0])}" y="{_number(at[1])}" width="{_number(size[0])}" height="{_number(size[1])}"'
        f' rx="{_number(rounding)}" fill="{fill}"{seen} stroke="{stroke}" stroke-width="{_number(width)}"/>'
    )


def polygon(points: Iterable[Spot], fill: str, stroke: str = INK, width: float = 1.5, opacity: float = 1) -> str:
    path = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
    seen = f' fill-opacity="{opacity:g}"' if opacity < 1 else ""
    return (
        f'<polygon points="{path}" fill="{fill}"{seen} stroke="{stroke}" stroke-width="{_number(width)}" '
        'stroke-linejoin="round"/>'
    )


def dot(at: Spot, radius: float, fill: str = INK, stroke: str = "none") -> str:
    return (
        f'<circle cx="{_number(at[0])}" cy="{_number(at[1])}" r="{_number(radius)}" fill="{fill}" stroke="{stroke}"/>'
    )


def text(
    at: Spot,
    words: str,
    size: float = 14,
    colour: str = INK,
    anchor: str = "start",
    bold: bool = False,
    angle: float = 0,
) -> str:
    weight = ' font-weight="600"' if bold else ""
    turn = f' transform="rotate({_number(angle)} {_number(at[0])} {_number(at[1])})"' if angle else ""
    return (
        f'<text x="{_number(at[0])}" y="{_number(at[1])}" font-size="{_number(size)}" fill="{colour}"'
        f' text-anchor="{anchor}"{weight}{turn}>{escape(words)}</text>'
    )


def document(size: Spot, shapes: Iterable[str], title: str) -> str:
    width, height = map(_number, size)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"',
            f' font-family="{FONT}" role="img">',
            f"<title>{escape(title)}</title>",
            box((0, 0), size, fill=PAPER, stroke="none"),
            *shapes,
            "</svg>",
            "",
        ]
    )
