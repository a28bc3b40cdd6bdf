"""The packages that only a hub needs."""

from __future__ import annotations

from importlib.util import find_spec

from firmware.machine.errors import UsageError

PACKAGES = ("amqtt", "sqlalchemy", "alembic", "networkx")


def check_extra() -> None:
    """Say what to install if something is missing."""
    if missing := [name for name in PACKAGES if find_spec(name) is None]:
        raise UsageError(f"{', '.join(missing)} not installed: pip install 'magister-ludi[hub]' brings all a hub needs")
