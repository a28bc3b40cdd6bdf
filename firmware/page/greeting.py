"""Prints the page's address and PIN in the terminal, and both as a QR code for the phone."""

from __future__ import annotations

import socket
from io import StringIO
from typing import TextIO

import segno

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - compared with, not bound to


def greeting(address: str, pin: str, out: TextIO) -> str:
    """The text to print; the QR code only if a phone can reach the page."""
    lines = [f"The page: {address}", f"PIN for changes: {pin}"]
    if out.isatty() and not _is_local(address):
        code = StringIO()
        # The PIN comes after the #, which browsers never send.
        segno.make(f"{address}#pin={pin}", error="l", micro=False).terminal(out=code, compact=True, border=1)
        lines.append(code.getvalue().rstrip("\n"))
    return "\n".join(lines)


def reachable(address: str, host: str) -> str:
    """The address at which others reach a page that listens on all addresses."""
    if host not in EVERYWHERE:
        return address
    return address.replace("[::]", own_address()).replace("0.0.0.0", own_address())  # noqa: S104


def greeting_address(host: str, port: int) -> str:
    """The address of a page that listens there."""
    return reachable(f"http://{f'[{host}]' if ':' in host else host}:{port}/", host)


def _is_local(address: str) -> bool:
    return "//127." in address or "//localhost" in address or "//[::1]" in address


def own_address() -> str:
    """This machine's address in its network, found without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()
