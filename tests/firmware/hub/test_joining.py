"""What is said to who calls it wrongly."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.hub import extra
from firmware.hub.address import BrokerAddress
from firmware.hub.database import open_database
from firmware.hub.joining import open_link
from firmware.hub.key import TableKey
from firmware.machine.errors import UsageError


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extra, "find_spec", lambda name: None if name == "amqtt" else object())
    with pytest.raises(UsageError, match=r"amqtt not installed: pip install 'magister-ludi\[hub\]'"):
        extra.check_extra()


@pytest.mark.parametrize("name", ["", "a/b", "+", "#", "a" * 33, " a", "a ", "-"])
def test_a_table_needs_a_name_that_fits_a_topic(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="--table"):
        open_link("mqtt://localhost", name, tmp_path / "log.sqlite", lambda _: None)


@pytest.mark.parametrize("url", ["localhost", "http://x", "mqtt://", "mqtt://x:port", "mqtt://x/topic"])
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(UsageError, match="address of a broker"):
        BrokerAddress.parse(url)


def test_an_address_with_a_password_does_not_show_it() -> None:
    address = BrokerAddress.parse("mqtts://Table%201:se%2Fcret@host")
    assert (address.user, address.password, address.port, address.tls) == ("Table 1", "se/cret", 8883, True)
    assert str(address) == "host:8883"


@pytest.mark.parametrize("url", ["nonsense", "mysql://x/y", "sqlite:////proc/no/where.sqlite"])
def test_a_database_that_cannot_be_had(url: str) -> None:
    with pytest.raises(UsageError):
        open_database(url)


def test_a_key_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "hub.json"
    key = TableKey.kept(path)
    assert TableKey.kept(path) == key
    assert path.stat().st_mode & 0o077 == 0
    path.write_text("{")
    with pytest.raises(UsageError, match=r"hub\.json"):
        TableKey.kept(path)
