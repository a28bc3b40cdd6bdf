"""A phone as the camera, spoken to as its page does it; the page itself is tested in a browser."""

from __future__ import annotations

import json
import ssl
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import cv2
import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed, InvalidMessage
from websockets.sync.client import ClientConnection, connect

from engine.words import LANGUAGES
from firmware.devices.phone.camera import PhoneCamera
from firmware.devices.phone.certificate import brought, kept
from firmware.devices.phone.frames import opened
from firmware.devices.phone.link import PhoneLink
from firmware.devices.phone.server import PhoneServer
from firmware.machine.errors import UsageError
from firmware.settings.config import CameraSettings
from webui.table.phone import TEXTS, phone_file

SECRET = b"s" * 32
PATIENCE = 20.0


def jpeg(level: int, size: tuple[int, int] = (320, 240)) -> bytes:
    return bytes(cv2.imencode(".jpg", np.full((size[1], size[0], 3), level, np.uint8))[1])


@dataclass
class Lateness:
    """By how much the table's clock was put forward."""

    seconds: float = 0.0

    def clock(self) -> float:
        return time.monotonic() + self.seconds


@dataclass
class Room:
    """A table that waits for a phone."""

    camera: PhoneCamera
    link: PhoneLink
    place: Path
    late: Lateness

    def dial(self) -> ClientConnection:
        trusting = ssl.create_default_context(cafile=str(self.place))
        address = self.link.page.replace("https:", "wss:") + "/frames"
        dialled = partial(connect, address, ssl=trusting, compression=None, open_timeout=PATIENCE, close_timeout=0.2)
        try:
            return dialled()
        except InvalidMessage:
            # Two threads share an encrypted line, and on a busy machine its first message is lost now and then: phones
            # dial again, too.
            return dialled()

    @property
    def code(self) -> str:
        return self.link.address.partition("#")[2]


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    link, place = PhoneLink(SECRET), tmp_path / "phone.pem"
    serve = partial(PhoneServer, link=link, place=place, host="127.0.0.1", port=0)
    late = Lateness()
    camera = PhoneCamera(CameraSettings(patience=0.2), link, serve, clock=late.clock)
    yield Room(camera, link, place, late)
    camera.close()


def greet(line: ClientConnection, **words: str) -> str:
    line.send(json.dumps(words))
    return str(json.loads(line.recv(timeout=PATIENCE))["key"])


def until(done: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < end, "waited for nothing"
        time.sleep(0.01)


def closed(line: ClientConnection) -> int:
    """The code with which the table hangs up."""
    with suppress(ConnectionClosed):
        while True:
            line.recv(timeout=PATIENCE)
    assert line.close_code is not None
    return line.close_code


def test_a_phone_is_the_camera_and_is_told_what_is_seen(room: Room) -> None:
    frames = room.camera.frames()
    assert next(frames) is None
    assert str(room.camera.trouble).startswith("No phone is connected")
    with room.dial() as line:
        greet(line, code=room.code)
        line.send(jpeg(100))
        assert json.loads(line.recv(timeout=PATIENCE)) == {"got": True}
        frame = next(frames)
        assert frame is not None
        assert (frame.size, round(float(frame.bgr.mean()))) == ((320, 240), 100)
        assert room.camera.trouble is None
        room.camera.show(lambda place: {"at": place((80, 60))})
        assert json.loads(line.recv(timeout=PATIENCE)) == {"view": {"at": [0.25, 0.25]}, "fps": 10.0}
    until(lambda: str(room.camera.trouble).startswith("The phone is gone"))
    assert next(frames) is None


def test_the_link_works_once_and_the_key_as_long_as_no_other_phone_comes(room: Room) -> None:
    first = room.code
    with room.dial() as line:
        key = greet(line, code=first)
        assert key.partition(".")[0] not in first
    for words in ({"code": first}, {"key": "x.y"}, {"key": ""}, {}):
        with room.dial() as line:
            line.send(json.dumps(words))
            assert closed(line) == 4403
    with room.dial() as line:
        line.send(b"\xff")
        assert closed(line) == 4403
    with room.dial() as again:
        assert greet(again, key=key) == key
        with room.dial() as other:
            greet(other, code=room.code)
            assert closed(again) == 4409
            other.send(jpeg(50))
            until(lambda: room.camera.trouble is None)
    with room.dial() as line:
        line.send(json.dumps({"key": key}))
        assert closed(line) == 4403, "another phone has come since"


def test_a_key_is_good_after_the_program_was_started_anew() -> None:
    before, after = PhoneLink(SECRET), PhoneLink(SECRET)
    before.page = "https://here/phone"
    key = before.redeem(before.address.partition("#")[2])
    assert key is not None
    assert after.knows(key)
    assert not PhoneLink(b"t" * 32).knows(key)
    assert not after.knows(key[:-1] + ("0" if key[-1] != "0" else "1"))
    assert PhoneLink(SECRET).address == "", "there is no page"


@pytest.mark.parametrize(
    ("told", "said"),
    [("permission", "may not use"), ("none", "finds no"), ("busy", "another app"), ("hidden", "something else")],
)
def test_what_is_wrong_at_the_phone_is_told_at_the_table(room: Room, told: str, said: str) -> None:
    with room.dial() as line:
        greet(line, code=room.code)
        line.send(json.dumps({"trouble": told}))
        until(lambda: said in str(room.camera.trouble))
        line.send(json.dumps({"trouble": "nonsense"}))
        line.send(jpeg(9))
        until(lambda: room.camera.trouble is None)


def test_what_is_no_picture_is_left_out(room: Room) -> None:
    frames = room.camera.frames()
    with room.dial() as line:
        greet(line, code=room.code)
        for nonsense in (b"", b"\xff\xd8", jpeg(10)[:200], jpeg(10, (60, 60)), b"GIF89a"):
            line.send(nonsense)
            assert json.loads(line.recv(timeout=PATIENCE)) == {"got": True}
        line.send(jpeg(70))
        until(lambda: (frame := next(frames)) is not None and round(float(frame.bgr.mean())) == 70)


def test_a_phone_that_is_turned_is_the_same_camera(room: Room) -> None:
    frames = room.camera.frames()
    with room.dial() as line:
        greet(line, code=room.code)
        for size in ((320, 240), (240, 320)):
            line.send(jpeg(70, size))
            line.recv(timeout=PATIENCE)
            frame = next(frames)
            assert frame is not None
            assert frame.size == (320, 240)
        assert str(room.camera.trouble).startswith("The phone was turned")
        room.camera.show(lambda _: {"advice": ["fits", {}]})
        assert json.loads(line.recv(timeout=PATIENCE))["view"]["advice"] == ["turned", {}], "on its own screen too"
        # Once it lies still again the board matters.
        room.late.seconds = 10.0
        room.camera.show(lambda _: {"advice": ["fits", {}]})
        assert json.loads(line.recv(timeout=PATIENCE))["view"]["advice"] == ["fits", {}]


def test_places_of_the_frame_are_found_in_the_picture_of_an_upright_phone() -> None:
    picture = np.zeros((320, 240, 3), np.uint8)
    picture[40:56, 24:40] = 255
    shown = opened(bytes(cv2.imencode(".jpg", picture)[1]), 0.0)
    assert shown is not None
    ys, xs = np.nonzero(shown.frame.bgr[:, :, 0] > 128)
    assert shown.place((float(xs.mean()), float(ys.mean()))) == pytest.approx((31.5 / 240, 47.5 / 320), abs=0.01)


def test_a_picture_too_large_is_not_even_unpacked() -> None:
    data = bytearray(jpeg(5))
    place = data.index(b"\xff\xc0") + 5
    for height, width in ((0xFFFF, 0xFFFF), (4000, 4000)):
        data[place : place + 4] = height.to_bytes(2) + width.to_bytes(2)
        assert opened(bytes(data), 0.0) is None


# The page and its certificate


def test_the_page_is_served_encrypted_and_holds_its_policy(room: Room) -> None:
    trusting = ssl.create_default_context(cafile=str(room.place))
    with urlopen(room.link.page, context=trusting, timeout=PATIENCE) as answer:
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["Permissions-Policy"].startswith("camera=(self)")
        assert b"Start the camera" in answer.read()
    for path in ("/", "/static/live.js", "/static/../safety.py", "/phone/../x", "/phone/x"):
        with pytest.raises(HTTPError) as caught:
            urlopen(room.link.page.removesuffix("/phone") + path, context=trusting, timeout=PATIENCE)
        assert caught.value.code == 404
        caught.value.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_speaks_every_language(language: str) -> None:
    found = phone_file("/phone", f"{language},en;q=0.5")
    assert found is not None
    text = found.body.decode()
    assert f'<html lang="{language}"' in text
    texts: dict[str, Any] = json.loads(text.rpartition('id="texts">')[2].partition("</script>")[0])
    assert texts.keys() == TEXTS.keys()
    assert (texts["fits"] == TEXTS["fits"]) == (language == "en")


@pytest.mark.parametrize(
    ("cookies", "own", "language"),
    [("", "fr", "fr"), ("language=it", "fr", "it"), ("language=xx; theme=dark", "fr", "fr"), ("theme=dark", "", "de")],
)
def test_the_tables_own_language_is_for_whoever_has_chosen_none(cookies: str, own: str, language: str) -> None:
    found = phone_file("/phone", "de", cookies, own)
    assert found is not None
    assert f'<html lang="{language}"' in found.body.decode()


def test_a_certificate_is_kept_until_it_ends_or_the_address_is_another(tmp_path: Path) -> None:
    path = tmp_path / "phone.pem"
    first = kept(path, "192.168.1.7")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "192.168.1.7" in first.names
    assert kept(path, "192.168.1.7").fingerprint == first.fingerprint
    moved = kept(path, "192.168.1.8")
    assert moved.fingerprint != first.fingerprint
    assert kept(path, "192.168.1.8", datetime.now(UTC) + timedelta(days=380)).fingerprint != moved.fingerprint
    path.write_text("nonsense")
    assert "192.168.1.8" in kept(path, "192.168.1.8").names
    assert [each.name for each in tmp_path.iterdir()] == ["phone.pem"]


def test_a_certificate_of_ones_own(tmp_path: Path) -> None:
    own = kept(tmp_path / "own.pem", "table.example")
    link = PhoneLink(SECRET)
    server = PhoneServer(
        lambda line: None, link, tmp_path / "unused.pem", certificate=own.path, host="127.0.0.1", port=0
    )
    assert link.page.startswith("https://table.example:"), "it is good for its own name only"
    assert link.fingerprint == own.fingerprint
    server.close()
    assert not (tmp_path / "unused.pem").exists()
    nonsense = tmp_path / "nonsense.pem"
    nonsense.write_text("nonsense")
    keyless = tmp_path / "keyless.pem"
    keyless.write_text(own.path.read_text().partition("-----END PRIVATE KEY-----\n")[2])
    for path in (nonsense, keyless, tmp_path / "nowhere.pem"):
        with pytest.raises(UsageError, match="name a PEM file that holds the certificate and its key") as caught:
            brought(path)
        assert "\n" not in str(caught.value)
