"""A match refereed through a phone: a real Chromium whose camera shows the virtual table, and the program as run."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import cv2
import pytest
from browser import find_chromium
from browsing import PHONE
from playwright.sync_api import Page, Playwright, expect, sync_playwright

from engine.match import Match
from engine.registry import find_game
from firmware.devices.phone.camera import PhoneCamera
from firmware.devices.phone.link import PhoneLink
from firmware.devices.phone.server import PhoneServer
from firmware.settings.config import CameraSettings
from hardware.virtual.acting.deeds import Mistake, Pause, Play
from hardware.virtual.acting.player import Style, TablePlayer
from hardware.virtual.camera import Pose
from hardware.virtual.scene import Scene

PATIENCE = 90.0
FPS, STEPS = 7.5, 4
"""Pictures a second of the film, and how many Chromium shows for each: it takes a film of 30 a second for a camera.
They fade into each other, as the same picture for a while would be a hand that rests, about to finish nothing."""
HANDS = Style(fps=FPS, speed=600.0)
"""Hands that take their time: a machine that runs all tests at once has no ten pictures a second."""
GAME = "memento-tuos"
MEMENTO = find_game(GAME).faces
DEEDS = (
    Play("+T7"),
    Mistake(MEMENTO.read({"T7": "red1", "I7": "yellow1"}), rules=("enter.middle",), restore=False),
    Pause(2.0),
    Play("+L2,L6"),
)


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """What a camera sees of the match, one JPEG after the other."""
    game, path = find_game(GAME), tmp_path / "table.mjpeg"
    match = Match.begin(game.configure(), 2, {})
    scene = replace(Scene(game.board(2, {})), pose=Pose(650, 24, 190, hfov=68, size=(960, 540)))
    with path.open("wb") as file:
        before: Any = None
        for shot in TablePlayer(match, scene, HANDS, seed=2).frames(DEEDS):
            assert shot.bgr is not None
            for step in range(1, STEPS + 1):
                share = step / STEPS
                faded = shot.bgr if before is None else cv2.addWeighted(shot.bgr, share, before, 1 - share, 0)
                last = cv2.imencode(".jpg", faded, [cv2.IMWRITE_JPEG_QUALITY, 75])[1].tobytes()
                file.write(last)
            before = shot.bgr
        # Chromium begins anew at its end: by then all has been seen.
        file.write(last * round(20 * STEPS * FPS))
    return path


class Program:
    """`magister run --camera phone`, and what its page tells."""

    def __init__(self, log: Path) -> None:
        words = ["run", "--game", GAME, "--camera", "phone", "--lights", "none", "--port", "0", "--log", str(log)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "firmware", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        said = "".join(self.process.stdout.readline() for _ in range(3))
        told = re.search(r"The page: (\S+)\nPIN for changes: (\S+)", said)
        assert told, f"{said}{self.close()}"
        self.page, self.pin = told.groups()
        self.links: list[str] = []

    def state(self) -> dict[str, Any]:
        with urlopen(f"{self.page}api/v1/state", timeout=PATIENCE) as answer:
            told: dict[str, Any] = json.load(answer)
        return told

    def invite(self) -> str:
        headers = {"Content-Type": "application/json", "X-Magister-Pin": self.pin}
        with urlopen(Request(f"{self.page}api/v1/camera/phone", b"{}", headers), timeout=PATIENCE) as answer:
            self.links.append(str(json.load(answer)["address"]))
        return self.links[-1]

    def until(self, done: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        end = time.monotonic() + PATIENCE
        while not done(state := self.state()):
            assert time.monotonic() < end, json.dumps(state)[:2000]
            time.sleep(0.2)
        return state

    def close(self) -> str:
        self.process.send_signal(signal.SIGTERM)
        out, err = self.process.communicate(timeout=60)
        return out + err


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    started = Program(tmp_path_factory.mktemp("program") / "log.sqlite")
    assert started.state()["camera"]["text"].startswith("No phone is connected")
    yield started
    said = started.close()
    assert "Traceback" not in said
    assert not [link for link in started.links if link.partition("#")[2] in said]


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


def phone(playwright: Playwright, film: Path | None) -> Page:
    """A phone whose camera shows this film; None: its browser gives no camera away."""
    allow = "--use-fake-ui-for-media-stream"
    pretends = [allow, f"--use-file-for-fake-video-capture={film}"] if film else [f"{allow}=deny"]
    path = find_chromium()
    assert path, "no Chromium: `make test` gets one"
    browser = playwright.chromium.launch(
        executable_path=path, args=["--no-sandbox", "--use-fake-device-for-media-stream", *pretends]
    )
    allowed = ["camera"] if film else []
    # The certificate was made on the spot: a person would accept it.
    context = browser.new_context(
        ignore_https_errors=True, viewport=PHONE, permissions=allowed, reduced_motion="reduce"
    )
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    return page


def kinds(state: dict[str, Any]) -> list[str]:
    return [event["event"] for event in state["recent"]]


def since_last(kind: str, state: dict[str, Any]) -> list[str]:
    """What came after the last event of this kind."""
    told = kinds(state)[::-1]
    return told[: told.index(kind)]


def test_a_match_is_refereed_through_a_phone(program: Program, playwright: Playwright, film: Path) -> None:
    expect.set_options(timeout=1000 * PATIENCE)
    page = phone(playwright, film)
    link = program.invite()
    page.goto(link)
    page.get_by_role("button", name="Start the camera").click()
    expect(page.locator("#line")).to_contain_text("Connected. The table sees what this phone sees.")
    assert "#" not in page.url, "the secret does not lie about"
    expect(page.locator("#advice")).to_have_text("That’s it: leave the phone exactly like this.")
    state = program.until(lambda state: "action" in kinds(state))
    assert state["camera"]["text"] == ""
    drawn = page.evaluate(
        "() => { const c = document.getElementById('overlay');"
        " return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((each) => each > 0); }"
    )
    assert drawn, "what is read is drawn on the phone's own picture"
    # Nobody else can be the camera with the same link.
    other = phone(playwright, None)
    other.goto(link)
    other.get_by_role("button").click()
    expect(other.locator("#problem")).to_contain_text("This link has been used already")
    other.context.browser.close()  # type: ignore[union-attr]
    state = program.until(lambda state: state["ply"] == 2)
    told = [each for each in state["recent"] if each["event"] in ("action", "illegal")]
    assert [each.get("action") or each["event"] for each in told] == ["+T7", "illegal", "+L2,L6"], json.dumps(
        state["recent"]
    )
    assert "enter.middle" in told[1]["rules"]
    # Gone, and back.
    address = page.url
    page.goto("about:blank")
    state = program.until(lambda state: state["lights"]["status"] == "lost")
    # Its last word may come through, or not.
    assert state["camera"]["text"].startswith(("The phone shows something else", "The phone is gone"))
    page.goto(address)
    page.get_by_role("button", name="Start the camera").click()
    program.until(lambda state: state["camera"]["text"] == "" and "found" in since_last("lost", state))
    page.context.browser.close()  # type: ignore[union-attr]


def test_a_browser_without_permission_says_so_on_both_screens(program: Program, playwright: Playwright) -> None:
    expect.set_options(timeout=1000 * PATIENCE)
    page = phone(playwright, None)
    page.goto(program.invite())
    page.get_by_role("button", name="Start the camera").click()
    expect(page.locator("#problem")).to_contain_text("The browser may not use the camera")
    program.until(lambda state: state["camera"]["text"].startswith("The phone’s browser may not use the camera"))
    page.context.browser.close()  # type: ignore[union-attr]


CAMERA = """() => {
  // A camera that takes a picture when it is told to.
  const canvas = Object.assign(document.createElement("canvas"), { width: 640, height: 360 });
  const brush = canvas.getContext("2d");
  const stream = canvas.captureStream(0);
  navigator.mediaDevices.getUserMedia = async () => stream;
  navigator.wakeLock.request = async () => { throw new Error("The battery is low."); };
  window.shoot = (level) => {
    brush.fillStyle = `rgb(${level} ${level} ${level})`;
    brush.fillRect(0, 0, canvas.width, canvas.height);
    stream.getVideoTracks()[0].requestFrame();
  };
}"""


def test_a_phone_sends_no_picture_twice(playwright: Playwright, tmp_path: Path) -> None:
    link = PhoneLink(b"s" * 32)
    serve = partial(PhoneServer, link=link, place=tmp_path / "phone.pem", host="127.0.0.1", port=0)
    camera = PhoneCamera(CameraSettings(patience=0.2), link, serve)
    frames = camera.frames()
    page = phone(playwright, None)
    page.goto(link.address)
    page.evaluate(CAMERA)
    page.get_by_role("button", name="Start the camera").click()
    expect(page.locator("#line")).to_contain_text("Connected.")
    end = time.monotonic() + PATIENCE
    while (frame := next(frames)) is None or round(float(frame.bgr.mean())) != pytest.approx(50, abs=3):
        # Until the browser shows what its camera sees.
        page.evaluate("shoot(50)")
        assert time.monotonic() < end
    # It is told both, whatever came first.
    expect(page.locator("#line")).to_have_text(re.compile(r"^Connected\..* This phone may go to sleep: "))
    while next(frames) is not None:
        assert time.monotonic() < end, "pictures come, and the camera takes none"
    page.evaluate("shoot(200)")
    while (frame := next(frames)) is None:
        assert time.monotonic() < end
    assert round(float(frame.bgr.mean())) == pytest.approx(200, abs=3)
    assert [next(frames) for _ in range(8)] == [None] * 8, "pictures come, and the camera takes none"
    page.context.browser.close()  # type: ignore[union-attr]
    camera.close()
