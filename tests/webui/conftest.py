"""A real browser and a real table for the page's tests; every test also fails on an error in the console or a request
to anywhere else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from browser import find_chromium
from browsing import DESKTOP, OpenPage
from page_table import PATIENCE, PageTable
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect, sync_playwright

# A machine that runs all tests at once is slow to answer; what is right comes in the end.
expect.set_options(timeout=1000 * PATIENCE)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = find_chromium()
    assert path, "no Chromium: `make test` gets one"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[PageTable]:
    """A Memento table: Ada plays red, Ben blue."""
    table = PageTable(tmp_path / "log.sqlite")
    yield table
    table.close()


@pytest.fixture
def open_page(chromium: Browser) -> Iterator[OpenPage]:
    """Opens an address in a fresh browser: `open_page(address, viewport=PHONE, locale="uk", dark=True)`."""
    contexts, problems = [], []
    forgiven: list[str] = []

    def opened(
        address: str, *, viewport: dict[str, int] = DESKTOP, locale: str = "en", dark: bool = False, forgive: str = ""
    ) -> Page:
        context = chromium.new_context(
            viewport=viewport, locale=locale, color_scheme="dark" if dark else "light", reduced_motion="reduce"
        )
        contexts.append(context)
        if forgive:
            forgiven.append(forgive)
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        home = urlsplit(address).netloc

        def console(message: ConsoleMessage) -> None:
            # A font that came too late for the first picture is left out on purpose: nothing shall jump.
            if message.type in ("error", "warning") and "link preload" not in message.text:
                problems.append(f"{message.type}: {message.text}")

        def request(asked: Request) -> None:
            if not asked.url.startswith("data:") and urlsplit(asked.url).netloc != home:
                problems.append(f"a request to {asked.url}")

        page.on("console", console)
        page.on("pageerror", lambda error: problems.append(f"error: {error}"))
        page.on("request", request)
        page.goto(address)
        # Until its scripts listen it is not shown, and nothing on it can be given the focus.
        page.wait_for_function("document.querySelector('[data-deaf]') === null")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert [problem for problem in problems if not any(word in problem for word in forgiven)] == []
