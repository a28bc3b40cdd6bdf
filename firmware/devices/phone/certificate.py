"""The certificate of the phone's page: browsers give a camera only to encrypted pages. Made on the spot, and kept, so
that a phone has to be told only once that it may trust it; or one that people bring along."""

from __future__ import annotations

import os
import socket
import ssl
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from firmware.machine.errors import UsageError
from firmware.machine.files import at_once

VALID, RENEWED = timedelta(days=397), timedelta(days=30)
"""Phones accept no certificate that is valid for longer; one that ends so soon is made anew."""


@dataclass(frozen=True)
class Certificate:
    """A certificate with its key in one file."""

    path: Path
    known: x509.Certificate

    @property
    def names(self) -> list[str]:
        """The addresses and names for which it is good."""
        try:
            names = self.known.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        except x509.ExtensionNotFound:
            return []
        return [str(name.value) for name in names]

    @property
    def fingerprint(self) -> str:
        return self.known.fingerprint(hashes.SHA256()).hex(":").upper()

    def context(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(self.path)
        return context

    def is_good(self, names: Iterable[str], now: datetime) -> bool:
        ends = self.known.not_valid_after_utc
        return set(names) <= set(self.names) and now + RENEWED < ends


def brought(path: Path) -> Certificate:
    """The certificate that was named with --certificate."""
    advice = "name a PEM file that holds the certificate and its key, one after the other"
    try:
        with open(path, "rb", opener=at_once) as file:
            found = Certificate(path, x509.load_pem_x509_certificate(file.read()))
        found.context()
    except OSError as error:
        # An SSLError is one, too: the file can be read, but does not fit.
        raise UsageError(f"--certificate: {path} cannot be used ({error.strerror or error}): {advice}") from error
    except ValueError as error:
        raise UsageError(f"--certificate: {path} holds no certificate: {advice}") from error
    return found


def kept(path: Path, address: str, now: datetime | None = None) -> Certificate:
    """The certificate in this file; made anew where it is not good for this machine at this address any more."""
    now = now or datetime.now(UTC)
    names = [address, "localhost", "127.0.0.1", socket.gethostname(), f"{socket.gethostname()}.local"]
    try:
        found = Certificate(path, x509.load_pem_x509_certificate(path.read_bytes()))
        if found.is_good(names, now):
            found.context()
            return found
    except (OSError, ValueError):
        # None is there, or it cannot be used: a new one does no harm.
        pass
    made = _made(list(dict.fromkeys(names)), now)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f".{path.name}.part")
        part.unlink(missing_ok=True)
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(made)
        part.replace(path)
    except OSError as error:
        raise UsageError(f"cannot save the phone's certificate in {path}: {error.strerror}") from error
    return Certificate(path, x509.load_pem_x509_certificate(path.read_bytes()))


def _made(names: list[str], now: datetime) -> bytes:
    """A certificate for these names that signs itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Magister Ludi at this table")])
    made = (
        x509.CertificateBuilder()
        .issuer_name(who)
        .subject_name(who)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now - timedelta(days=1) + VALID)
        .add_extension(x509.SubjectAlternativeName([_general(name) for name in names]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return secret + made.public_bytes(serialization.Encoding.PEM)


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)
