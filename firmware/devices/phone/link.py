"""Who may be the camera: whoever was shown the link. It works once; the phone then has a key to come back."""

from __future__ import annotations

import secrets
from hashlib import sha256
from hmac import compare_digest, new
from threading import Lock

import segno


class PhoneLink:
    """The link that is good now, and the phone that used the one before."""

    def __init__(self, secret: bytes) -> None:
        """`secret` signs the keys, so that a phone is known again when the program is started anew."""
        self._secret, self._lock = secret, Lock()
        self._code = secrets.token_urlsafe(16)
        self._guest: str | None = None
        self.language = ""
        """The table's own, if it has one."""
        self.page = ""
        """Where the phone's page is, while there is one."""
        self.fingerprint = ""
        """Of its certificate, to compare."""

    @property
    def address(self) -> str:
        """The link. Its secret stands behind the #, which no browser sends."""
        return f"{self.page}#{self._code}" if self.page else ""

    def code(self) -> list[str]:
        """The link as a QR code, a row of 0 and 1 for each of its rows."""
        return ["".join(map(str, row)) for row in segno.make(self.address, error="l", micro=False).matrix]

    def redeem(self, code: str) -> str | None:
        """A key for whoever knows the link, which is good no more; None for others."""
        with self._lock:
            if not compare_digest(code.encode(), self._code.encode()):
                return None
            self._code, self._guest = secrets.token_urlsafe(16), secrets.token_urlsafe(16)
            return self._key(self._guest)

    def knows(self, key: str) -> bool:
        """Whether this is the key of the phone that came last."""
        guest = key.partition(".")[0]
        with self._lock:
            if not compare_digest(key.encode(), self._key(guest).encode()) or self._guest not in (None, guest):
                return False
            self._guest = guest
            return True

    def _key(self, guest: str) -> str:
        return f"{guest}.{new(self._secret, f'phone {guest}'.encode(), sha256).hexdigest()}"
