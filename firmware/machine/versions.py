"""Which version of a package is installed."""

from __future__ import annotations

from importlib import metadata

OURS = "magister-ludi"


def version_of(package: str) -> str | None:
    """Its version; None if it is not installed (the program also runs from source)."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
