"""The pictures of the page in the README and docs/page.md, made from the page as it is: page_pictures.py [FOLDER]."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import Request, urlopen

from browser import find_chromium
from browsing import DESKTOP, PHONE
from page_table import PageTable
from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
MISTAKE = ("+T7", "+L1,R2", "+T1,L3", "+R4,R5")
PATIENCE = 60_000


def main(folder: Path) -> None:
    path = find_chromium()
    assert path, "no Chromium: `make test` gets one"
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright, TemporaryDirectory() as name:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        with _table(Path(name) / "mistake.sqlite") as table:
            for action in MISTAKE:
                table.play(action)
            table.put(T7=None, R6="red1")
            _keep(_photograph(browser, table.address, DESKTOP, "illegal"), folder / "page-live.png")
        with _table(Path(name) / "question.sqlite") as table:
            # How the triangle lies cannot be seen: it was turned, or the figure went.
            table.set(T1="red2", L1="blue1", R6="blue1")
            assert table.eye is not None
            table.eye.hidden = {"tile-T"}
            table.put(T1=None, T2="red2")
            _keep(_photograph(browser, table.address, PHONE, "unclear"), folder / "page-question.png")
        _set_up(browser, Path(name) / "setup.sqlite", folder / "page-setup.jpg")
        browser.close()


def _keep(page: Page, file: Path) -> None:
    """As small as a drawing, or a photo, can be kept."""
    seen = Image.open(BytesIO(page.screenshot())).convert("RGB")
    if file.suffix == ".png":
        seen.quantize(256, dither=Image.Dither.NONE).save(file, optimize=True)
    else:
        seen.save(file, quality=80)


@contextmanager
def _table(log: Path) -> Iterator[PageTable]:
    table = PageTable(log)
    yield table
    table.close()


def _photograph(browser: Browser, address: str, viewport: dict[str, int], status: str) -> Page:
    page = browser.new_page(viewport=viewport, locale="en", reduced_motion="reduce")  # type: ignore[arg-type]
    page.goto(address)
    expect(page.locator("#verdict")).to_have_attribute("data-status", status)
    page.wait_for_timeout(500)
    return page


def _set_up(browser: Browser, log: Path, file: Path) -> None:
    """A simulated table that is being set up."""
    words = ["run", "--game", "memento-tuos", "--camera", "sim", "--lights", "none", "--port", "0", "--log", str(log)]
    program = subprocess.Popen([sys.executable, "-m", "firmware", *words], stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None
    try:
        said = "".join(program.stdout.readline() for _ in range(3))
        found = re.search(r"The page: (\S+)\nPIN for changes: (\S+)", said)
        assert found, said
        address, pin = found.groups()
        players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
        plan = {"game": "memento-tuos", "variant": "original", "players": players, "camera": "sim"}
        headers = {"Content-Type": "application/json", "X-Magister-Pin": pin}
        with urlopen(Request(f"{address}api/v1/match", json.dumps(plan).encode(), headers)) as answer:
            assert answer.status == 200
        page = browser.new_page(viewport={"width": 1280, "height": 620}, locale="en", reduced_motion="reduce")
        page.goto(f"{address}new")
        expect(page.locator("#ready.good")).to_be_visible(timeout=PATIENCE)
        expect(page.locator("#photo")).to_be_visible(timeout=PATIENCE)
        page.wait_for_timeout(1500)
        _keep(page, file)
    finally:
        program.terminate()
        program.wait()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURES)
