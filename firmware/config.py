"""The settings file: TOML, every key known, a mistyped one is an error.

```toml
[rules.memento-tuos]            # house rules, for every match of this game unless the call says otherwise
variant = "complex"
facing_medians = false
```
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.core import GameError, Value
from engine.registry import find_game
from firmware.errors import UsageError
from firmware.files import read_text


@dataclass(frozen=True)
class HouseRules:
    """How one game is played at this table."""

    variant: str | None = None
    options: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Config:
    """All settings; without a file, the defaults."""

    rules: Mapping[str, HouseRules] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path | None) -> Config:
        """The settings in a file; none where there is no file."""
        if path is None:
            return cls()
        try:
            tables = tomllib.loads(read_text(path))
        except tomllib.TOMLDecodeError as error:
            raise UsageError(f"{path} is not TOML: {error}") from error
        try:
            return cls(**_sections(tables))
        except GameError as error:
            raise UsageError(f"{path}: {error}") from error

    def for_game(self, game: str) -> HouseRules:
        return self.rules.get(game, HouseRules())


def _sections(tables: Mapping[str, Any]) -> dict[str, Any]:
    if strangers := tables.keys() - {"rules"}:
        raise GameError(f"no such setting: {min(strangers)}")
    return {"rules": {game: _house_rules(game, table) for game, table in _table("rules", tables).items()}}


def _table(name: str, tables: Mapping[str, Any]) -> Mapping[str, Any]:
    table = tables.get(name, {})
    if not isinstance(table, dict):
        raise GameError(f"{name} must be a table")
    return table


def _house_rules(game: str, table: object) -> HouseRules:
    if not isinstance(table, dict):
        raise GameError(f"rules.{game} must be a table")
    variant = table.get("variant")
    options = {name: value for name, value in table.items() if name != "variant"}
    find_game(game).configure(variant, options)
    return HouseRules(variant, options)
