"""Who a table is to a hub: a name of its own for ever, and the password it shows. Kept next to the log."""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from firmware.machine.errors import UsageError

FILE = "hub.json"


@dataclass(frozen=True)
class TableKey:
    uid: str
    secret: str

    @classmethod
    def kept(cls, path: Path) -> TableKey:
        """The key in this file; a new one where there is none."""
        try:
            told = json.loads(path.read_text())
            return cls(bytes.fromhex(told["uid"]).hex(), bytes.fromhex(told["secret"]).hex())
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise UsageError(f"cannot read {path}: move it away, and join the hub with a new token") from error
        key = cls(secrets.token_hex(8), secrets.token_hex(24))
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                json.dump({"uid": key.uid, "secret": key.secret}, file)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise UsageError(f"cannot save the table's key in {path}: {error.strerror}") from error
        return key
