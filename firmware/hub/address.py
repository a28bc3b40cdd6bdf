"""Where a broker is: `mqtt://HOST`, `mqtts://NAME:PASSWORD@HOST:8883`."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from firmware.machine.errors import UsageError

PORTS = {"mqtt": 1883, "mqtts": 8883}


@dataclass(frozen=True)
class BrokerAddress:
    host: str
    port: int
    tls: bool = False
    user: str | None = None
    password: str | None = None
    ca: Path | None = None
    """Certificates to trust besides those that this machine trusts."""
    is_own: bool = False
    """Whether it is this program's own broker: then `ca` is its very certificate, whatever name stands in it."""

    @classmethod
    def parse(cls, url: str, ca: Path | None = None) -> BrokerAddress:
        try:
            parts = urlsplit(url)
            host, port = parts.hostname, parts.port
        except ValueError:
            host, port = None, None
        if host is None or parts.scheme not in PORTS or parts.path.strip("/") or parts.query:
            raise UsageError(f"{url!r} is not the address of a broker: write mqtt://HOST or mqtts://NAME:PASSWORD@HOST")
        user, password = (unquote(part) if part else None for part in (parts.username, parts.password))
        return cls(host, port or PORTS[parts.scheme], parts.scheme == "mqtts", user, password, ca)

    def __str__(self) -> str:
        """Without the password."""
        return f"{self.host}:{self.port}"

    def client(self, client_id: str, user: str | None = None, password: str | None = None) -> mqtt.Client:
        """A client for it, not yet connected."""
        client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=client_id, clean_session=True)
        client.username_pw_set(self.user or user, self.password or password)
        client.reconnect_delay_set(1, 20)
        if self.tls:
            try:
                context = ssl.create_default_context(cafile=self.ca)
                if self.is_own:
                    context.check_hostname = False
                    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
                client.tls_set_context(context)
            except OSError as error:
                raise UsageError(f"cannot use the certificates in {self.ca}: {error.strerror or error}") from error
        return client
