"""The address of a camera on the network, and what may be shown of it: never a password."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit

from engine.spoken import SpokenError

SCHEMES = {"http": 80, "https": 443, "rtsp": 554, "rtsps": 322}
"""What is understood, and on which port it is answered as a rule."""
SECRETS = re.compile(r"(pass|pwd|token|secret|user|auth|key)[^/]*", re.IGNORECASE)
"""Some cameras want the password in the path."""


@dataclass(frozen=True, repr=False)
class Address:
    """Where a camera on the network is."""

    url: str
    """With everything that is secret."""

    @classmethod
    def parse(cls, url: str) -> Address:
        address = cls(url)
        try:
            parts = urlsplit(url)
            good = parts.scheme in SCHEMES and bool(parts.hostname) and parts.port != 0 and url.isprintable()
        except ValueError:
            good = False
        if not good or " " in url:
            raise SpokenError(
                "That is not the address of a camera: write it as url:http://192.168.1.20:8080/video or "
                "url:rtsp://192.168.1.20:554/stream."
            )
        return address

    @property
    def _parts(self) -> SplitResult:
        return urlsplit(self.url)

    @property
    def scheme(self) -> str:
        return self._parts.scheme

    @property
    def host(self) -> str:
        return self._parts.hostname or ""

    @property
    def port(self) -> int:
        return self._parts.port or SCHEMES[self.scheme]

    @property
    def target(self) -> str:
        """What is asked for there: path and query."""
        parts = self._parts
        return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")

    @property
    def login(self) -> tuple[str, str] | None:
        """User and password, where the address holds them."""
        parts = self._parts
        return None if parts.username is None else (unquote(parts.username), unquote(parts.password or ""))

    @property
    def open_url(self) -> str:
        """The address without user and password."""
        return self._parts._replace(netloc=self._place).geturl()

    @property
    def _place(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self._parts.port is None else f"{host}:{self.port}"

    @property
    def shown(self) -> str:
        """As it may be shown and written down."""
        return f"{self.scheme}://{self._place}{SECRETS.sub('…', self._parts.path)}"

    def __repr__(self) -> str:
        return f"Address({self.shown})"

    __str__ = __repr__
