"""The fonts of everything that is printed or drawn with letters."""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path

CAP_HEIGHT = 0.66
"""Of the capitals, as a part of the size of the font."""
LIGHT, REGULAR, BOLD = "SourceSansPro-Light", "SourceSansPro-Regular", "SourceSansPro-Bold"


@cache
def font_file(name: str) -> Path:
    return Path(str(resources.files("font_source_sans_pro"))) / "files" / f"{name}.ttf"
