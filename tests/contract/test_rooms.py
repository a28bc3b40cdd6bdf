"""What the rooms promise each other, beyond what they import."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from engine.registry import all_games

ROOT = Path(__file__).parents[2]
PLAYING = {"after", "legal", "play", "refusals", "objections", "redeal"}
"""What only somebody who plays asks of a position, rules or a match."""
TWICE = {"Config"}
"""What a library (amqtt) wants a class to be called."""
OWN = {"two-actions", "chips.less", "chips.more"}
"""What the referee itself finds wrong, where a game has a sentence for it."""


def trees(*rooms: str) -> Iterator[tuple[Path, ast.AST]]:
    for room in rooms:
        for path in sorted((ROOT / room).rglob("*.py")):
            yield path, ast.parse(path.read_text())


def plays(tree: ast.AST) -> list[str]:
    called = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return [each.attr for each in called if isinstance(each, ast.Attribute) and each.attr in PLAYING]


def texts(tree: ast.AST) -> set[str]:
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def test_the_page_plays_nothing() -> None:
    assert [(path, plays(tree)) for path, tree in trees("webui") if plays(tree)] == []
    assert plays(ast.parse("position.after(action)")) == ["after"]


def test_the_referee_knows_no_games_rules_by_name() -> None:
    games = all_games()
    codes = Counter(code for game in games for code in set(game.sentences))
    of_some = {code for code, times in codes.items() if times < len(games)} | {game.name for game in games}
    assert "enter.middle" in of_some
    assert [(path, found) for path, tree in trees("engine/referee") if (found := (texts(tree) & of_some) - OWN)] == []


def test_a_class_has_a_name_of_its_own() -> None:
    """Except in the games, whose words are their own."""
    names = Counter(
        node.name
        for path, tree in trees("engine", "hardware", "vision", "webui", "firmware")
        if "games" not in path.parts
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert [name for name, times in names.items() if times > 1 and name not in TWICE] == []
