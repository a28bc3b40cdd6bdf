"""Choosing the camera on the page: what is wrong is said, another one is chosen, and a phone is invited."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest
from browsing import PHONE, OpenPage, let_in
from house import ACCESS, PaperHouse
from page_table import PageTable
from playwright.sync_api import expect

from engine.spoken import SpokenError
from firmware.devices.phone.link import PhoneLink
from vision.frame import Image
from webui import create_app


@pytest.fixture
def idle(tmp_path: Path) -> Iterator[PageTable]:
    table = PageTable(tmp_path / "log.sqlite", game=None)
    yield table
    table.close()


def test_what_a_webcam_sees_is_shown_before_it_is_chosen(idle: PageTable, open_page: OpenPage) -> None:
    sitting, asked = idle.sitting, []

    def glance(camera: str) -> Image | None:
        asked.append(camera)
        return np.full((90, 160, 3), 200, np.uint8) if camera == "usb:0" else None

    sitting.gear.cameras, sitting.gear.glance = (lambda: ["paper", "usb:0", "usb:2"]), glance
    # The page is told of cameras along with whatever else is new.
    sitting.camera_trouble = SpokenError("Camera {camera} sends no pictures: check its cable.", camera="paper")
    idle.until(lambda: "usb:2" in idle.told()["cameras"])
    page = open_page(f"{idle.address}/cameras", forgive="status of 4")
    first, second = (page.get_by_role("listitem").filter(has_text=f"USB camera {number}") for number in (0, 2))
    first.get_by_role("button", name="Show its picture").click()
    let_in(page)
    expect(first.get_by_role("img", name="What USB camera 0 sees")).to_be_visible()
    light = "canvas => canvas.getContext('2d').getImageData(80, 45, 1, 1).data[0]"
    assert abs(first.get_by_role("img").evaluate(light) - 200) < 3
    second.get_by_role("button", name="Show its picture").click()
    expect(page.locator("#toast")).to_have_text(
        "This camera is not giving a picture right now. Is another program using it?"
    )
    assert asked == ["usb:0", "usb:2"]
    assert sitting.camera == "paper", "looking is not choosing"
    page.goto(f"{idle.address}/new")
    page.get_by_label("Camera", exact=True).select_option("usb:0")
    page.get_by_role("button", name="Show its picture").click()
    expect(page.locator("#seen canvas")).to_be_visible()
    page.get_by_label("Camera", exact=True).select_option("usb:2")
    expect(page.locator("#seen canvas")).to_have_count(0)


def test_only_who_knows_the_pin_looks_through_a_webcam() -> None:
    house = PaperHouse(glances={"usb:1": b"a picture"})
    client = create_app(house, ACCESS).test_client()
    ask = partial(client.post, "/api/v1/camera/glance", json={"camera": "usb:1"})
    assert ask().status_code == 401
    assert b64decode(ask(headers={"X-Magister-Pin": ACCESS.pin}).get_json()["jpeg"]) == b"a picture"
    house.glances.clear()
    assert ask(headers={"X-Magister-Pin": ACCESS.pin}).status_code == 409


QUIET = 4
"""Dots that are left light about a QR code, for phones to tell where it ends."""


def test_a_camera_that_is_missing_is_told_and_another_one_chosen(idle: PageTable, open_page: OpenPage) -> None:
    sitting = idle.sitting
    sitting.gear.cameras = lambda: ["paper", "usb:0", "phone"]
    sitting.gear.phone = link = PhoneLink(b"s" * 32)
    sitting.camera_trouble = SpokenError(
        "Camera {camera} cannot be opened: is it plugged in, or is another program using it?", camera="paper"
    )
    idle.until(lambda: "paper" in idle.told()["camera"]["text"])
    page = open_page(f"{idle.address}/", viewport=PHONE, forgive="status of 4")
    expect(page.locator(".empty .problem")).to_contain_text("Camera paper cannot be opened")
    page.get_by_role("link", name="Choose a camera").click()
    expect(page.locator("#told")).to_contain_text("Camera paper cannot be opened")
    page.get_by_role("listitem").filter(has_text="USB camera 0").get_by_role("button", name="Use this camera").click()
    let_in(page)
    idle.until(lambda: sitting.wants_camera and sitting.camera == "usb:0")
    sitting.camera_trouble = None
    expect(page.locator("#told")).to_have_text("This camera works.")
    page.get_by_label("Address of its stream").fill("nonsense")
    page.locator("#network button").click()
    expect(page.locator("#toast")).to_contain_text("not the address of a camera")
    assert sitting.camera == "usb:0"
    sitting.camera, link.page, link.fingerprint = "phone", "https://192.168.1.7:8443/phone", "AB:CD"
    expect(page.locator("#now-title")).to_have_text("A phone")
    page.get_by_role("button", name="Show the code").click()
    expect(page.locator("#link")).to_contain_text("https://192.168.1.7:8443/phone#")
    expect(page.locator("#toast.shown")).to_have_count(0)
    shot = cv2.imdecode(np.frombuffer(page.locator("#code").screenshot(), np.uint8), cv2.IMREAD_GRAYSCALE)
    code = np.pad([[dot == "1" for dot in row] for row in link.code()], QUIET)
    middles = ((np.arange(len(code)) + 0.5) * len(shot) / len(code)).astype(int)
    assert (np.asarray(shot)[np.ix_(middles, middles)] < 128).tolist() == code.tolist(), "a phone can read it"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
