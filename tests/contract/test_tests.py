"""What every test promises: it knows no more of a module than the module's users do."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
FILES = sorted(TESTS.rglob("*.py"))
OWN = {"self", "cls"}
PRIVATE = re.compile(r"_[A-Za-z]\w*")
PRIVATE_PATH = re.compile(r"(engine|vision|hardware|webui|firmware)(\.\w+)*\._[A-Za-z]\w*")
PATCHING = {"setattr", "delattr", "getattr", "hasattr", "object"}


def private_names(code: str) -> Iterator[tuple[int, str]]:
    """Where code uses names that belong to another module alone: imported, looked up or replaced."""
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.ImportFrom(names=names):
                yield from ((node.lineno, each.name) for each in names if PRIVATE.fullmatch(each.name))
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner in OWN or (owner, name) == ("os", "_exit"):
                pass
            case ast.Attribute(attr=name) if PRIVATE.fullmatch(name):
                yield node.lineno, name
            case ast.Constant(value=str(text)) if PRIVATE_PATH.fullmatch(text):
                yield node.lineno, text
            case ast.Call(
                func=ast.Name(id=called) | ast.Attribute(attr=called), args=[_, ast.Constant(value=str(name)), *_]
            ):
                if called in PATCHING and PRIVATE.fullmatch(name):
                    yield node.lineno, name


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(TESTS)))
def test_no_test_uses_what_is_private_to_a_module(path: Path) -> None:
    assert not list(private_names(path.read_text()))


@pytest.mark.parametrize(
    "code",
    [
        "from engine.core import _choice",
        "from engine.core import Game, _choice as choice",
        "import engine.core\nengine.core._choice([])",
        "position.rules._identity()",
        "monkeypatch.setattr('firmware.commands.cli._let_go_of', None)",
        "monkeypatch.setattr(cli, '_let_go_of', None)",
        "getattr(store, '_db')",
    ],
)
def test_what_is_private_is_found(code: str) -> None:
    assert len(list(private_names(code))) == 1


@pytest.mark.parametrize(
    "code", ["self._count = 1", "os._exit(1)", "for _ in x: pass", "value.__class__", "text = '_'"]
)
def test_what_is_ones_own_is_not(code: str) -> None:
    assert not list(private_names(code))
