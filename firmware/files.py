"""Reading what a person named on the command line: every failure is one clear line."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from firmware.errors import UsageError


def read_text(path: Path) -> str:
    """A text file."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"cannot read {path}: it is not text") from error


def read_first_object(path: Path) -> dict[str, Any]:
    """A JSON object, or the first one of a JSON Lines file."""
    text = read_text(path)
    try:
        value, _ = json.JSONDecoder().raw_decode(text.lstrip())
    except RecursionError as error:
        raise UsageError(f"{path} is JSON nested too deeply") from error
    except ValueError as error:
        raise UsageError(f"{path} is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise UsageError(f"{path} does not hold a JSON object")
    return value


def write_whole(path: Path, content: str | bytes) -> None:
    """A file that is either whole or as it was before."""
    if path.exists() and not path.is_file():
        raise UsageError(f"cannot write {path}: it is not a file")
    draft = path.with_name(f".{path.name}.part")
    try:
        draft.write_bytes(content.encode() if isinstance(content, str) else content)
        draft.replace(path)
    except OSError as error:
        with suppress(OSError):
            draft.unlink()
        raise UsageError(f"cannot write {path}: {error.strerror}") from error
