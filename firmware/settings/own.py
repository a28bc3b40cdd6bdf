"""What people choose on the page: kept beside the log, over the settings file and under the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from engine.core import Json
from engine.registry import find_game
from engine.spoken import SpokenError
from firmware.machine.errors import Say, UsageError
from firmware.machine.files import read_text, write_whole
from firmware.settings.config import Config
from firmware.settings.eyes import read_colours, read_lens
from firmware.settings.toml import read_tables, written

NAME = "settings.toml"
PLACES = {
    "clock": ("clock", "time"),
    "language": ("page", "language"),
    "screen": ("page", "screen"),
    "voice": ("voice", "language"),
    "brightness": ("lights", "brightness"),
    "hub": ("hub", "url"),
    "table": ("hub", "table"),
    "token": ("hub", "token"),
    "home_assistant": ("hub", "home_assistant"),
}
"""What the page calls a setting: its table and its key."""
AT_ONCE = ("clock", "language", "rules")
"""What needs no restart."""
_READERS: Mapping[str, Callable[[Path], object]] = {"lens": read_lens, "colours": read_colours}


class OwnSettings:
    """The settings of one table; what they say over a settings file, if there is one."""

    def __init__(self, log: Path, config: Path | None) -> None:
        self.path, self._config = log.with_name(NAME), config

    def load(self, say: Say) -> Config:
        """All settings. What somebody has spoilt by hand must not keep the table from starting."""
        try:
            return Config.load(self._config, self.path)
        except UsageError as error:
            config = Config.load(self._config)
            say(f"{error}; what was chosen on the page is left aside")
            return config

    def state(self) -> Json:
        """What is chosen, for the page."""
        config = self.load(lambda _: None)
        told = {name: getattr(getattr(config, table), key) for name, (table, key) in PLACES.items()}
        told["brightness"] = round(100 * told["brightness"])
        # Anyone may see the page: neither a token nor a password is shown again.
        told["token"], told["hub"] = "", re.sub(r"//[^/@]*@", "//…@", told["hub"])
        return told | {kind: self.file(kind) is not None for kind in _READERS}

    def change(self, wanted: Mapping[str, Any]) -> bool:
        """Choose something else, if all of it is good; returns whether the program must be restarted for it."""
        tables = self._tables()
        for name, value in wanted.items():
            if name == "rules":
                tables.setdefault(name, {})[value["game"]] = _house_rules(value)
                continue
            table, key = PLACES[name]
            tables.setdefault(table, {})[key] = value / 100 if name == "brightness" else value
        draft = self.path.with_name(f".{NAME}.draft")
        try:
            write_whole(draft, written(tables))
            # Exactly what reads it at the next start says whether it is good.
            hub = Config.load(self._config, draft).hub
            if hub.url and not hub.table:
                raise UsageError("hub.table must say what this table is called at the hub")
            write_whole(self.path, draft.read_bytes())
        except UsageError as error:
            raise SpokenError("This cannot be set: {why}", why=str(error).removeprefix(f"{draft}: ")) from error
        finally:
            with suppress(OSError):
                draft.unlink()
        return any(name not in AT_ONCE for name in wanted)

    def _tables(self) -> dict[str, Any]:
        try:
            return read_tables(read_text(self.path)) if self.path.exists() else {}
        except (UsageError, ValueError):
            # A spoilt file is left aside when it is read, and replaced when it is written.
            return {}

    # Lens and colours

    def file(self, kind: str) -> Path | None:
        """A file that was sent to the page, if there is one."""
        path = self.path.with_name(f"{kind}.json")
        return path if path.is_file() else None

    def take_in(self, kind: str, content: str | None) -> None:
        """Keep a lens or colours that were measured, or none any more."""
        path = self.path.with_name(f"{kind}.json")
        if content is None:
            path.unlink(missing_ok=True)
            return
        draft = self.path.with_name(f".{kind}.draft")
        try:
            json.loads(content)
            write_whole(draft, content)
            _READERS[kind](draft)
            write_whole(path, content)
        except (UsageError, ValueError, RecursionError) as error:
            raise SpokenError("This cannot be set: {why}", why=str(error).replace(str(draft), "the file")) from error
        finally:
            with suppress(OSError):
                draft.unlink()


def _house_rules(wanted: Mapping[str, Any]) -> dict[str, Any]:
    """`{"game", "variant", "options"}` as a table of the settings file, which names only what is unusual."""
    variant, options = wanted.get("variant"), wanted.get("options") or {}
    game = find_game(wanted["game"])
    # Raises where there is no such variant or option.
    game.configure(variant, options)
    usual = game.defaults(variant)
    unusual = {name: value for name, value in options.items() if value != usual[name]}
    return ({} if variant is None else {"variant": variant}) | unusual
