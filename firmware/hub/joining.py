"""How a table joins a hub."""

from __future__ import annotations

from pathlib import Path

from firmware.hub.address import BrokerAddress
from firmware.hub.contract import is_name
from firmware.hub.home_assistant import MODES, TAKE_BACK, WATCH
from firmware.hub.key import FILE, TableKey
from firmware.hub.link import Link
from firmware.machine.errors import Say, UsageError


def open_link(
    url: str, table: str, log: Path, say: Say, *, token: str = "", ca: str = "", home_assistant: str = ""
) -> Link:
    """A line to the hub there; it does not wait until the hub answers."""
    if not is_name(table):
        told = f"{table!r} cannot be a table's name" if table else "the table needs a name at the hub"
        raise UsageError(f"{told}: choose one with --table, of up to 32 letters, digits, spaces, dots and hyphens")
    if home_assistant not in MODES:
        raise UsageError(f"home_assistant must be {WATCH} or {TAKE_BACK}, not {home_assistant!r}")
    address = BrokerAddress.parse(url, Path(ca) if ca else None)
    link = Link(
        address, table, TableKey.kept(log.with_name(FILE)), log, say, token=token, home_assistant=home_assistant
    )
    link.open()
    return link
