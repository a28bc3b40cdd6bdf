"""The table's PIN and the secret that signs device cookies, stored next to the log so that they survive a restart."""

from __future__ import annotations

import json
import os
import secrets
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from engine.spoken import SpokenError
from firmware.machine.errors import Say, UsageError
from firmware.machine.files import places_of

DIGITS = 6
FEWEST, MOST = 4, 12
"""Digits of a PIN that people choose."""


@dataclass(frozen=True)
class Keys:
    pin: str
    secret: str
    """Hexadecimal."""

    @classmethod
    def new(cls) -> Keys:
        return cls(f"{secrets.randbelow(10**DIGITS):0{DIGITS}d}", secrets.token_hex(32))

    @classmethod
    def read(cls, path: Path) -> Keys:
        """The keys in this file, for reading only."""
        try:
            return cls._told(path)
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise UsageError(
                f"there is no PIN in {path}: enter the table's with --pin, or name its log with --log"
            ) from error

    @classmethod
    def _told(cls, path: Path) -> Keys:
        told = json.loads(path.read_text())
        return cls(str(told["pin"]), bytes.fromhex(told["secret"]).hex())

    def change_pin(self, path: Path, pin: str) -> Keys:
        """The same keys with another PIN, on the disk; raises `SpokenError`."""
        if not (pin.isascii() and pin.isdecimal() and FEWEST <= len(pin) <= MOST):
            raise SpokenError("a PIN has {few} to {many} digits", few=FEWEST, many=MOST)
        keys = Keys(pin, self.secret)
        keys._save(path)
        return keys

    def _save(self, path: Path) -> None:
        place, draft = places_of(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            draft.unlink(missing_ok=True)
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                json.dump({"pin": self.pin, "secret": self.secret}, file)
            draft.replace(place)
        except OSError as error:
            raise UsageError(f"cannot save the page's PIN in {path}: {error.strerror}") from error
        finally:
            with suppress(OSError):
                draft.unlink()

    @classmethod
    def kept(cls, path: Path, say: Say) -> Keys:
        """The keys in this file; new ones are made if there are none, and told of if they cannot be kept."""
        try:
            return cls._told(path)
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            # An unreadable PIN is useless; a new one does no harm.
            with suppress(OSError):
                path.unlink()
        keys = cls.new()
        try:
            keys._save(path)
        except UsageError as error:
            # A full disk keeps nobody from playing.
            say(f"{error}; there will be another after the next start")
        return keys
