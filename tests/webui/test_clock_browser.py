"""The clock on the page: chosen for a new match, counted without news from the table, and looked at again."""

from __future__ import annotations

from browsing import PHONE, OpenPage
from page_table import PIN, PageTable
from playwright.sync_api import expect


def test_a_clock_is_chosen_counts_by_itself_is_paused_and_runs_out(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/new#pin={PIN}", viewport=PHONE)
    page.get_by_label("Play with a clock").check()
    page.get_by_label("Minutes for each player").fill("1")
    page.get_by_label("Seconds for each turn").fill("0")
    page.get_by_label("Whoever runs out of time has lost").check()
    page.get_by_role("button", name="Set up the table").click()
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("timer").first).to_have_text("1:00")
    expect(page.get_by_text("The clock starts with the first action.")).to_be_visible()
    playing = table.sitting.playing
    assert playing is not None
    table.until(lambda: playing.table is not None)
    match = playing.match
    mover = 1
    table.play(min(str(action) for action in match.position.legal()))
    running = page.get_by_role("timer").nth(mover)
    expect(running).to_have_text("0:58")
    news = table.told()["number"]
    expect(running).to_have_text("0:56")
    assert table.told()["number"] == news, "nobody told the page: it counts by itself"
    page.get_by_role("button", name="Pause the clock").click()
    expect(page.get_by_text("The clock is paused.")).to_be_visible()
    stood = running.text_content()
    page.wait_for_timeout(1500)
    assert running.text_content() == stood
    page.get_by_role("button", name="Let the clock run").click()
    assert playing.time is not None
    # The rest of the minute passes at once.
    playing.time = playing.time.at(playing.time.since + 53)
    expect(page.locator("#headline")).to_contain_text("wins on time.")
    expect(running).to_have_text("0:00")
    number = playing.log.number
    page.goto(f"{table.address}/matches/{number}#1")
    expect(page.locator("#clocks .left")).to_have_text(["1:00", "1:00"])
    expect(page.get_by_text("is out of time.")).to_be_visible()
    page.goto(f"{table.address}/statistics")
    expect(page.locator(".numbers")).to_contain_text("Ran out of time")
