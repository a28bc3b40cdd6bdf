"""Finds Chromium for the page's tests, or gets it: `make test` runs this, so that no test is ever left out.

A system package if there is one; as root it is installed, with the libraries that Playwright's driver needs; else
Playwright's own. Where none can be had, one line says what to install.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""Best first: one that draws no window of its own is quicker."""
PACKAGES = NAMES[:2]
"""Those that Debian has under the same names."""


def find_chromium() -> str | None:
    """Where a Chromium is that starts."""
    for name in NAMES:
        if (path := shutil.which(name)) and _starts(path):
            return path
    return _playwrights_own()


def missing_library() -> str | None:
    """A shared library without which Playwright's driver does not start, such as `libatomic.so.1`."""
    tried = subprocess.run([sys.executable, "-m", "playwright", "--version"], capture_output=True, text=True)
    found = re.search(r"error while loading shared libraries: ([^:]+):", tried.stderr)
    return found[1] if found else None


def package_of(library: str) -> str:
    """What Debian calls the package of a shared library: `libatomic1`, as a rule."""
    name, _, version = library.lower().partition(".so")
    number = version.lstrip(".")
    return f"{name}-{number}" if number and name[-1].isdigit() else name + number


def missing_packages() -> list[str]:
    """Debian's packages that the page's tests lack."""
    library = missing_library()
    libraries = [package_of(library)] if library else []
    return libraries if find_chromium() else [*libraries, PACKAGES[0]]


def get_browser() -> None:
    """Install what is missing, as far as one may."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        _quietly("apt-get", "update", "-q")
        if library := missing_library():
            _quietly("apt-get", "install", "-y", "-q", package_of(library))
        for package in PACKAGES:
            if any(map(shutil.which, NAMES)):
                break
            _quietly("apt-get", "install", "-y", "-q", "--no-install-recommends", package)
    if missing_packages() == [PACKAGES[0]]:
        _quietly(sys.executable, "-m", "playwright", "install", "chromium")


def _starts(path: str) -> bool:
    return subprocess.run([path, "--version"], capture_output=True).returncode == 0


def _playwrights_own() -> str | None:
    if missing_library():
        return None
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() and _starts(path) else None


def _quietly(*words: str) -> bool:
    return subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


if __name__ == "__main__":
    if missing_packages():
        get_browser()
    if packages := missing_packages():
        sys.exit(f"The page's tests need a browser: apt-get install {' '.join(packages)} (as root), then try again.")
