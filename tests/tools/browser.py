"""Finds Chromium for the page's tests, or gets it: `make test` runs this, so that no test is ever left out.

A system package if there is one; as root it is installed; else Playwright's own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""Best first: one that draws no window of its own is quicker."""


def find_chromium() -> str | None:
    """Where a Chromium is."""
    for name in NAMES:
        if path := shutil.which(name):
            return path
    return _playwrights_own()


def _playwrights_own() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def get_chromium() -> str | None:
    """Install one."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        _quietly("apt-get", "update", "-q")
        for package in NAMES[:2]:
            _quietly("apt-get", "install", "-y", "-q", package)
            if found := find_chromium():
                return found
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    return find_chromium()


def _quietly(*words: str) -> None:
    subprocess.run(words, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(
        None if find_chromium() or get_chromium() else "no Chromium: install it (apt install chromium) and try again"
    )
