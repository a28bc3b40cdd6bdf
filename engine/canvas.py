"""Plain-text pictures: short texts put at places, for terminals and bug reports."""

from __future__ import annotations

from collections.abc import Iterable

Label = tuple[float, float, str]
"""Position of the middle of a text (x to the right, y down, in characters), and the text."""


def picture(labels: Iterable[Label]) -> str:
    """Draw the labels, shifted so that nothing is cut off at the left or the top; later ones go on top."""
    placed = [(round(x - len(text) / 2), round(y), text) for x, y, text in labels]
    if not placed:
        return ""
    left, top = min(x for x, _, _ in placed), min(y for _, y, _ in placed)
    rows: dict[int, list[str]] = {}
    for x, y, text in placed:
        row = rows.setdefault(y - top, [])
        row.extend(" " * (x - left + len(text) - len(row)))
        row[x - left : x - left + len(text)] = text
    return "\n".join("".join(rows.get(y, [])).rstrip() for y in range(max(rows) + 1))
