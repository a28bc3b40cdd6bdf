"""Prints the page's address and PIN in the terminal, and both as a QR code for the phone."""

from __future__ import annotations

import os
import sys
import webbrowser
from io import StringIO
from typing import TextIO

import segno

from firmware.machine.network import own_address

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - compared with, not bound to


def greeting(address: str, pin: str, out: TextIO) -> str:
    """The text to print; the QR code only if a phone can reach the page."""
    lines = [f"The page: {address}", f"PIN for changes: {pin}"]
    if out.isatty() and not is_local(address):
        # The PIN comes after the #, which browsers never send.
        lines.append(drawn(f"{address}#pin={pin}"))
    return "\n".join(lines)


def invitation(address: str, out: TextIO) -> str:
    """The link for a phone that is to be the camera; only on a terminal: no log should keep it."""
    return f"Scan this with the phone that is to be the camera:\n{drawn(address)}\n{address}" if out.isatty() else ""


def drawn(address: str) -> str:
    """An address as a QR code in letters."""
    code = StringIO()
    segno.make(address, error="l", micro=False).terminal(out=code, compact=True, border=1)
    return code.getvalue().rstrip("\n")


def reachable(address: str, host: str) -> str:
    """The address at which others reach a page that listens on all addresses."""
    if host not in EVERYWHERE:
        return address
    return address.replace("[::]", own_address()).replace("0.0.0.0", own_address())  # noqa: S104


def here(address: str) -> str:
    """The address of a page that listens everywhere, on this machine."""
    return address.replace("[::]", "localhost").replace("0.0.0.0", "localhost")  # noqa: S104


def show_in_browser(address: str) -> None:
    """Open an address in this machine's browser; not where that would be one in the terminal."""
    if sys.platform != "linux" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(address)


def greeting_address(host: str, port: int) -> str:
    """The address of a page that listens there."""
    return reachable(f"http://{f'[{host}]' if ':' in host else host}:{port}/", host)


def is_local(address: str) -> bool:
    """Whether only this machine can open the address."""
    return "//127." in address or "//localhost" in address or "//[::1]" in address
