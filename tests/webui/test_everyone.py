"""For everyone: axe-core finds nothing serious on any page, in light and in dark, on a phone and on a desk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from browsing import PHONE, OpenPage
from page_table import PageTable
from playwright.sync_api import Page

from engine.clock import Clock, TimeControl
from firmware.settings.own import OwnSettings
from firmware.table.timekeeping import Timekeeping

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
PAGES = (
    "/",
    "/new",
    "/start",
    "/cameras",
    "/matches",
    "/matches/1",
    "/statistics",
    "/teach",
    "/settings",
    "/api",
    "/rules/memento-tuos",
    "/lessons/memento-tuos",
    "/nowhere",
)


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageTable]:
    """A table in the middle of a match with a clock; its settings can be changed."""
    log = tmp_path_factory.mktemp("evening") / "log.sqlite"
    table = PageTable(log)
    table.sitting.gear.own = OwnSettings(log, None)
    assert table.sitting.playing is not None
    table.sitting.playing.time = Timekeeping(Clock.begin(TimeControl.parse("10+5"), 2))
    for action in ("+T7", "+L1,R2"):
        table.play(action)
    yield table
    table.close()


def serious(page: Page) -> list[str]:
    """What axe-core finds that keeps people out."""
    page.evaluate(AXE)
    found: dict[str, Any] = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{each['id']}: {node['html'][:160]} {node['failureSummary'][:300]}"
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_serious(evening: PageTable, open_page: OpenPage, path: str) -> None:
    page = open_page(f"{evening.address}{path}", forgive="404" if path == "/nowhere" else "")
    page.evaluate("() => document.querySelectorAll('main details').forEach((each) => { each.open = true; })")
    assert serious(page) == [], "light"
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size(PHONE)
    page.wait_for_function("() => matchMedia('(prefers-color-scheme: dark)').matches")
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert serious(page) == [], "dark"


def test_axe_finds_nothing_serious_while_a_position_is_set_or_a_pin_wanted(
    evening: PageTable, open_page: OpenPage
) -> None:
    page = open_page(f"{evening.address}/")
    page.get_by_role("button", name="Set the position").click()
    assert serious(page) == []
    page.get_by_role("button", name="Play on from here").click()
    assert serious(page) == []


def test_with_reduced_motion_nothing_changes_step_by_step(evening: PageTable, open_page: OpenPage) -> None:
    """However short: where every element has a transition, a change of colours goes down level by level."""
    page = open_page(evening.address)
    moving = (
        "() => [...document.querySelectorAll('*')]"
        ".filter((each) => getComputedStyle(each).transitionProperty !== 'none').length"
    )
    assert page.evaluate(moving) == 0
