"""What the tests in a browser share."""

from __future__ import annotations

from collections.abc import Callable

from page_table import PIN
from playwright.sync_api import Page

DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 360, "height": 740}
OpenPage = Callable[..., Page]


def let_in(page: Page) -> None:
    """Give the PIN that the page asks for."""
    page.get_by_label("PIN", exact=True).fill(PIN)
    page.get_by_role("button", name="Unlock").click()


def piece(page: Page, site: str) -> str | None:
    """What the page's board shows on a site."""
    found = page.locator(f'.board-frame svg.board use.piece[data-site="{site}"]')
    return found.get_attribute("data-face") if found.count() else None
