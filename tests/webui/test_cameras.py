"""Choosing the camera on the page: what is wrong is said, another one is chosen, and a phone is invited."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from browsing import PHONE, OpenPage, let_in
from page_table import PageTable
from playwright.sync_api import expect

from engine.spoken import SpokenError
from firmware.devices.phone.link import PhoneLink


@pytest.fixture
def idle(tmp_path: Path) -> Iterator[PageTable]:
    table = PageTable(tmp_path / "log.sqlite", game=None)
    yield table
    table.close()


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
    page.get_by_role("listitem").filter(has_text="USB camera 0").get_by_role("button").click()
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
    shot = page.locator("#code").screenshot()
    read, _, _ = cv2.QRCodeDetector().detectAndDecode(cv2.imdecode(np.frombuffer(shot, np.uint8), cv2.IMREAD_COLOR))
    assert read == link.address, "a phone can read it"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
