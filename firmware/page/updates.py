"""Whether there is a newer version of the program: on this machine's disk already, or in a package index that the
settings name. Nobody is asked anything unless somebody with the PIN wishes so."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPException
from urllib.request import Request, urlopen

from firmware.machine.versions import OURS, version_of
from webui.house import NoIndexError

KIND = "application/vnd.pypi.simple.v1+json"
"""What a package index answers programs with."""
SECONDS, LARGEST = 8.0, 1_000_000


def fetched(address: str) -> bytes:
    """What lies at an address on the web."""
    asked = Request(address, headers={"Accept": KIND})  # noqa: S310 - the settings allow http and https only
    with urlopen(asked, timeout=SECONDS) as answer:  # noqa: S310
        content: bytes = answer.read(LARGEST)
    return content


@dataclass(frozen=True)
class PackageUpdates:
    running: str | None
    """The version of this program; None if it runs from source."""
    index: str = ""
    """The address of the package index; empty: none is asked."""
    installed: Callable[[], str | None] = lambda: version_of(OURS)
    fetch: Callable[[str], bytes] = fetched

    @property
    def waiting(self) -> str:
        """The version that was installed while this one runs and begins with the next start; empty if there is none."""
        installed = self.installed()
        return installed if installed is not None and installed != self.running else ""

    def offered(self) -> str:
        """A newer version that the index has; empty if this is the newest. Raises `NoIndexError`."""
        try:
            told = json.loads(self.fetch(f"{self.index.rstrip('/')}/{OURS}/"))
            versions = [text for text in told["versions"] if _numbers(text)]
        except (OSError, HTTPException, ValueError, KeyError, TypeError, RecursionError) as error:
            raise NoIndexError from error
        newest = max(versions, key=_numbers, default="")
        return newest if _numbers(newest) > _numbers(self.running or "") else ""


def _numbers(version: object) -> tuple[int, ...]:
    """1.10.2 as numbers, to compare; nothing for what is not final, or no version."""
    is_final = isinstance(version, str) and re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6}){0,4}", version)
    return tuple(map(int, str(version).split("."))) if is_final else ()
