"""Under which names the page may be asked for. A page elsewhere can have its own name lead to this machine (DNS
rebinding), and would then read everything here as its own: so only the table's own names are answered.

An address in figures is nobody's name, and no page elsewhere can take it for its own: every one is answered, as it may
be that of a router in between.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable
from contextlib import suppress
from ipaddress import ip_address

ALWAYS = ("localhost", "magister.local")
HOME = ("local", "lan", "home", "home.arpa", "internal", "localdomain", "fritz.box")
"""What routers at home put behind a machine's name. Nobody can register a name in them."""


def own_names(called: Callable[[], str] = socket.gethostname) -> frozenset[str]:
    """What this machine is called in its network."""
    (name,) = plain_names([called()])
    first = name.partition(".")[0]
    return frozenset({*ALWAYS, name, *(f"{first}.{ending}" for ending in HOME)} - {""})


def plain_names(told: Iterable[str]) -> frozenset[str]:
    """Names as they are compared: small letters, without the dot that may end them."""
    return frozenset(name.lower().rstrip(".") for name in told)


def is_answered(host: str, names: Iterable[str]) -> bool:
    """Whether a request for this host, as it says itself with or without a port, is for this table."""
    name = without_port(host.strip().lower())
    with suppress(ValueError):
        return bool(ip_address(name))
    name = name.rstrip(".")
    return name.endswith(".localhost") or name in names


def without_port(host: str) -> str:
    """The host of a request, without the port it may be told with."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    # An address of version 6 has colons of its own, and is bare only where it has no port.
    return host.partition(":")[0] if host.count(":") == 1 else host
