"""What every page must be: nothing sticks out, nothing jumps, axe-core finds nothing serious, and it is light."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

SERIOUS = ("serious", "critical")
SHIFT = 0.05
"""Of the window, by how much things may jump while a page loads; 0.1 counts as good."""
HEAVIEST = 300_000
"""Bytes."""

_SHIFTS = """() => new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => setTimeout(() => done(sum), 50));
})"""
_WEIGHT = """performance.getEntriesByType("navigation").concat(performance.getEntriesByType("resource"))
  .reduce((sum, each) => sum + each.encodedBodySize, 0)"""


def check_looks(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, "something sticks out at the side"
    found = Axe().run(page).response["violations"]
    assert [(each["id"], each["nodes"][0]["html"]) for each in found if each["impact"] in SERIOUS] == []
    assert page.evaluate(_SHIFTS) < SHIFT, "the page jumps while it loads"
    assert page.evaluate(_WEIGHT) < HEAVIEST
