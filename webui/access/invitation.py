"""Address and PIN as a picture that a phone reads, and who may see it without the PIN: whoever sits at the machine."""

from __future__ import annotations

from io import BytesIO
from ipaddress import IPv6Address, ip_address

import segno
from flask import current_app, request
from flask_babel import gettext as _
from markupsafe import Markup

from webui.access.names import without_port
from webui.house import Access

PASSED_ON = (
    "CF-Connecting-IP",
    "Forwarded",
    "Via",
    "X-Forwarded-For",
    "X-Forwarded-Host",
    "X-Forwarded-Port",
    "X-Forwarded-Proto",
    "X-Forwarded-Server",
    "X-Real-Ip",
)
"""What a server in between adds: then the request is not of this machine, although that server may be."""


def code_of(access: Access) -> Markup:
    """Address and PIN; the PIN comes after the #, which browsers never send. Nothing where no phone finds the page."""
    if not access.address:
        return Markup()
    out = BytesIO()
    drawn = segno.make(f"{access.address}#pin={access.pin}", error="m", micro=False)
    # Without a size of its own it is as large as its place on the page.
    look = {"xmldecl": False, "omitsize": True, "border": 3, "light": "#fff", "title": _("Address and PIN")}
    drawn.save(out, kind="svg", **look)
    return Markup(out.getvalue().decode())  # noqa: S704 - drawn here, from our own address and PIN


def is_own_screen() -> bool:
    """Whether this request comes from a screen at the machine itself, which may show the PIN, and phones can find the
    page.

    A page elsewhere cannot read the answer, and its name would not be this machine's; most servers in between say that
    they are one, or ask by another name.
    """
    access: Access = current_app.config["ACCESS"]
    if not access.screen or not access.address or any(name in request.headers for name in PASSED_ON):
        return False
    host = without_port(request.host.strip().lower())
    return _is_loopback(request.remote_addr or "") and (host == "localhost" or _is_loopback(host))


def _is_loopback(told: str) -> bool:
    try:
        address = ip_address(told)
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return (mapped or address).is_loopback
