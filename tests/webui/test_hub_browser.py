"""The hub's page in a real browser, before a real table that has joined over the real broker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import PHONE, OpenPage, piece
from hub_room import HubRoom, until
from page_table import PageTable
from playwright.sync_api import expect
from werkzeug.serving import make_server

from firmware.hub.club import HubClub
from webui.hub import create_hub_app


@pytest.fixture
def room(tmp_path: Path) -> Iterator[HubRoom]:
    made = HubRoom(tmp_path)
    yield made
    made.close()


@pytest.fixture
def address(room: HubRoom) -> Iterator[str]:
    server = make_server("127.0.0.1", 0, create_hub_app(HubClub(room.hub, "mqtt://hub"), b"secret"), threaded=True)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_an_evening_at_the_hub(room: HubRoom, address: str, open_page: OpenPage, tmp_path: Path) -> None:
    (tmp_path / "Table 1").mkdir()
    table = PageTable(tmp_path / "Table 1" / "matches.sqlite")
    table.sitting.gear.hub = link = room.table("Table 1")
    try:
        page = open_page(f"{address}/join/{room.hub.people.invite('director')}", forgive="status of 409")
        page.get_by_label("Name").fill("Dora")
        page.get_by_label("Password (at least 8 characters)").fill("correct horse")
        page.get_by_role("button", name="Join").click()
        card = page.locator('[data-table="Table 1"]')
        expect(card.locator("svg.board")).to_be_visible()
        expect(card).to_contain_text("Ada")
        table.play("+T1")
        expect(card.locator('use.piece[data-site="T1"]')).to_have_attribute("data-face", "red1")
        expect(card.locator(".moves")).to_contain_text("Ben")
        page.get_by_role("button", name="Sound for calls").click()
        before = page.evaluate("Number(document.body.dataset.rings)")
        link.call(True)
        expect(page.get_by_role("alert")).to_contain_text("Table 1 calls the arbiter")
        page.wait_for_function(f"Number(document.body.dataset.rings) > {before}")
        card.get_by_role("button", name="I am coming").click()
        expect(page.get_by_role("alert")).to_be_empty()
        assert not link.record()["calling"]
        page.get_by_role("link", name="Table 1").click()
        newest = page.locator(".lines li").first
        expect(newest).to_contain_text("Ada placed a Single on T1.")
        expect(newest.locator(".notation")).to_have_text("+T1")
        assert piece(page, "T1") == "red1"
        table.put(L1="blue1")
        expect(page.locator(".ghost")).to_have_count(1)
        expect(page.locator(".mark-extra")).to_have_count(0)
        table.put(L1=None)
        expect(page.locator(".ghost")).to_have_count(0)
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        until(lambda: room.hub.library.size()[1] == 1)
        page.get_by_role("link", name="Matches").click()
        page.get_by_label("Player").fill("ada")
        page.get_by_role("button", name="Search").click()
        page.locator("tbody a").first.click()
        expect(page.locator("#caption")).to_contain_text("+T1")
        page.get_by_role("link", name="People").click()
        page.get_by_role("button", name="Show an invitation").click()
        expect(page.locator("#qr svg")).to_be_visible()
        page.get_by_label("Name of the table").fill("Table 2")
        page.get_by_role("button", name="Add a table").click()
        expect(page.locator("#command")).to_contain_text('--table "Table 2" --token')
        assert Axe().run(page).violations_count == 0
        page.get_by_role("link", name="Tournaments").click()
        page.get_by_label("Name", exact=True).fill("Autumn cup")
        page.get_by_label("Game", exact=True).select_option("rings")
        page.get_by_label("Players, one per line").fill("Ada, 1700\nBen\nCem\nA player with a rather long name")
        assert Axe().run(page).violations_count == 0
        page.get_by_role("button", name="Create").click()
        page.get_by_role("button", name="Draw the next round").click()
        expect(page.locator("h2", has_text="Round 1")).to_be_visible()
        row = page.get_by_role("row", name="Ada – ")
        expect(row).to_contain_text("Table 1")
        page.get_by_role("button", name="Begin", exact=True).first.click()
        expect(page.locator("#toast")).to_contain_text("a match is still being played at this table")
        row.get_by_label("Result").select_option("Ada has won")
        row.get_by_role("button", name="Enter").click()
        expect(page.get_by_role("row", name="Ada – ")).to_contain_text("1 : 0 by hand")
        assert Axe().run(page).violations_count == 0
        tournament = page.url.removeprefix(address)
        for path in ("/", "/wall", "/matches", "/people", "/ratings", "/mistakes", "/tournaments", tournament):
            page.set_viewport_size(PHONE)
            page.goto(address + path)
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path
        room.hub.close()
        # The table does not mind.
        table.play(str(table.sitting.playing.match.position.legal()[0]))  # type: ignore[union-attr]
    finally:
        table.close()
