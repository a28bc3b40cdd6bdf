"""Every number by which the eye reads says what it is and where it comes from."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import vision.readers

ORIGINS = ("by hand", "derived", "measured", "fitted", "likewise", "rounding", "promised", "itu-r")
READERS = Path(vision.readers.__path__[0])


def _fields(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The fields of settings that have a value, and what is said of each."""
    for made in tree.body:
        if isinstance(made, ast.ClassDef) and made.name.endswith("Settings"):
            for field, said in zip(made.body, [*made.body[1:], ast.Pass()], strict=True):
                if isinstance(field, ast.AnnAssign) and field.value is not None:
                    told = said.value if isinstance(said, ast.Expr) else None
                    yield f"{made.name}.{ast.unparse(field.target)}", " ".join(str(getattr(told, "value", "")).split())


def _untold(text: str) -> list[str]:
    """The fields of which nobody says where they come from."""
    return [name for name, said in _fields(ast.parse(text)) if not any(origin in said.lower() for origin in ORIGINS)]


@pytest.mark.parametrize("path", sorted(READERS.rglob("settings.py")), ids=lambda path: path.parent.name)
def test_every_number_says_where_it_comes_from(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert list(_fields(ast.parse(text)))
    assert _untold(text) == []


def test_a_number_without_an_origin_is_noticed() -> None:
    lines = ["class ASettings:", "    one: int = 1", '    """A thing. By hand."""', "    two: int = 2"]
    lines += ["    three: int = 3", '    """So many."""']
    assert _untold("\n".join(lines)) == ["ASettings.two", "ASettings.three"]
