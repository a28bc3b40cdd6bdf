"""A match refereed through a phone: a real Chromium whose camera shows the virtual table, and the program as run."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
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
from hardware.virtual.acting.deeds import Deed, Mistake, Play
from hardware.virtual.acting.player import Style, TablePlayer
from hardware.virtual.camera import Pose
from hardware.virtual.scene import Scene

PATIENCE = 90.0
FPS, CHROMIUM = 7.5, 30.0
"""Pictures a second of the film, and of a film that Chromium takes for a camera."""
SLOWER = 2
"""So many times slower than people play: a machine that runs all tests at once has no ten pictures a second."""
FACES = find_game("rings").faces
BEGINNING = (Play("+b3"), Mistake(FACES.read({"c7": "red"}), rules=("move.foreign",)), Play("+c1"))
MEMENTO = find_game("memento-tuos").faces
STANDING = {"T7": "red1", "L2": "yellow1", "L6": "yellow1"}
WHOLE = (
    *(Play("+T7"), Play("+L2,L6")),
    Mistake(MEMENTO.read(STANDING | {"I7": "red1"}), rules=("enter.count",)),
    *(Play("+T5,T6"), Play("+T3,R1"), Play("+T1,T4")),
)
"""From the first action to the last: red has a triangle."""


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The beginning of a match, with a mistake."""
    return filmed("rings", BEGINNING, tmp_path_factory.mktemp("film") / "table.mjpeg")


def filmed(game: str, deeds: Sequence[Deed], path: Path, pause: float = 1.2) -> Path:
    """What a camera sees of these deeds, one JPEG after the other; `pause`: seconds between two visits of a hand."""
    match = Match.begin(find_game(game).configure(), 2, {})
    scene = replace(Scene(find_game(game).board(2, {})), pose=Pose(650, 24, 190, hfov=68))
    with path.open("wb") as file:
        last: Any = None
        for shot in TablePlayer(match, scene, Style(fps=FPS, speed=900.0, pause=pause), seed=2).frames(deeds):
            assert shot.bgr is not None
            last = cv2.imencode(".jpg", shot.bgr, [cv2.IMWRITE_JPEG_QUALITY, 75])[1].tobytes()
            file.write(last * round(SLOWER * CHROMIUM / FPS))
        # Chromium begins anew at its end: by then all has been seen.
        file.write(last * round(20 * CHROMIUM))
    return path


class Program:
    """`magister run --camera phone`, and what its page tells."""

    def __init__(self, log: Path, game: str) -> None:
        words = ["run", "--game", game, "--camera", "phone", "--lights", "none", "--port", "0", "--log", str(log)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "firmware", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        said = "".join(self.process.stdout.readline() for _ in range(3))
        told = re.search(r"The page: (\S+)\nPIN for changes: (\S+)", said)
        assert told, f"{said}{self.close()}"
        self.page, self.pin = told.groups()

    def state(self) -> dict[str, Any]:
        with urlopen(f"{self.page}api/v1/state", timeout=PATIENCE) as answer:
            told: dict[str, Any] = json.load(answer)
        return told

    def invite(self) -> str:
        headers = {"Content-Type": "application/json", "X-Magister-Pin": self.pin}
        with urlopen(Request(f"{self.page}api/v1/camera/phone", b"{}", headers), timeout=PATIENCE) as answer:
            return str(json.load(answer)["address"])

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


@pytest.fixture
def program(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Program]:
    """At a table of Trois Anneaux, or of the game that a test asks for."""
    started = Program(tmp_path / "log.sqlite", getattr(request, "param", "rings"))
    yield started
    started.close()


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


def test_a_match_is_refereed_through_a_phone(program: Program, playwright: Playwright, film: Path) -> None:
    expect.set_options(timeout=1000 * PATIENCE)
    assert program.state()["camera"]["text"].startswith("No phone is connected")
    page = phone(playwright, film)
    link = program.invite()
    page.goto(link)
    page.get_by_role("button", name="Start the camera").click()
    expect(page.locator("#line")).to_have_text("Connected. The table sees what this phone sees.")
    assert "#" not in page.url, "the secret does not lie about"
    expect(page.locator("#advice")).to_have_text("That’s it: leave the phone exactly like this.")
    state = program.until(lambda state: kinds(state).count("action") >= 1)
    assert state["camera"]["text"] == ""
    state = program.until(lambda state: kinds(state).count("action") >= 2)
    assert [event["event"] for event in state["recent"] if event["event"] in ("action", "illegal")] == [
        "action",
        "illegal",
        "action",
    ], json.dumps(state["recent"])
    assert [event["action"] for event in state["recent"] if event["event"] == "action"] == ["+b3", "+c1"]
    drawn = page.evaluate(
        "() => { const c = document.getElementById('overlay');"
        " return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((each) => each > 0); }"
    )
    assert drawn, "what is read is drawn on the phone's own picture"
    # Nobody else can be the camera with the same link.
    other = phone(playwright, film)
    other.goto(link)
    other.get_by_role("button").click()
    expect(other.locator("#problem")).to_contain_text("This link has been used already")
    other.context.browser.close()  # type: ignore[union-attr]
    # Gone, and back.
    address = page.url
    page.goto("about:blank")
    state = program.until(lambda state: state["lights"]["status"] == "lost")
    assert state["camera"]["text"].startswith("The phone shows something else")
    page.goto(address)
    page.get_by_role("button", name="Start the camera").click()
    program.until(lambda state: state["camera"]["text"] == "" and "found" in kinds(state))
    page.context.browser.close()  # type: ignore[union-attr]
    said = program.close()
    assert "Traceback" not in said
    assert link.partition("#")[2] not in said


@pytest.mark.parametrize("program", ["memento-tuos"], indirect=True)
def test_a_whole_match_is_refereed_through_a_phone(program: Program, playwright: Playwright, tmp_path: Path) -> None:
    expect.set_options(timeout=1000 * PATIENCE)
    page = phone(playwright, filmed("memento-tuos", WHOLE, tmp_path / "whole.mjpeg", pause=0.6))
    page.goto(program.invite())
    page.get_by_role("button", name="Start the camera").click()
    state = program.until(lambda state: state["result"])
    told = [each for each in state["recent"] if each["event"] in ("action", "illegal", "result")]
    assert [each.get("action") or each["event"] for each in told] == [
        *("+T7", "+L2,L6", "illegal", "+T5,T6", "+T3,R1", "+T1,T4", "result")
    ], json.dumps(state["recent"])
    assert (state["result"]["winner"], state["result"]["by"]) == (0, "triangle")
    assert "enter.middle" in told[2]["rules"]
    page.context.browser.close()  # type: ignore[union-attr]
    assert "Traceback" not in program.close()


def test_a_browser_without_permission_says_so_on_both_screens(program: Program, playwright: Playwright) -> None:
    page = phone(playwright, None)
    page.goto(program.invite())
    page.get_by_role("button", name="Start the camera").click()
    expect(page.locator("#problem")).to_contain_text("The browser may not use the camera")
    program.until(lambda state: state["camera"]["text"].startswith("The phone’s browser may not use the camera"))
    page.context.browser.close()  # type: ignore[union-attr]
