"""Hints and the program's seats on the live page, in a real browser."""

from __future__ import annotations

from browsing import PHONE, OpenPage, let_in
from page_table import PageTable
from playwright.sync_api import expect
from quick_adviser import QuickAdviser

from engine.players.levels import LEVELS, Level
from firmware.plans import Plan

SLOW = 15_000
"""Milliseconds that a busy machine may need for an answer."""


def begin_anew(table: PageTable, computers: dict[str, Level]) -> None:
    """The same match with a program that thinks at once and plays these colours."""
    sitting = table.sitting
    assert sitting.companion is not None
    sitting.gear.adviser, sitting.gear.computers = QuickAdviser(), computers
    sitting.play(Plan(sitting.companion.watcher.match.rules, sitting.companion.seating))


def test_a_hint_says_more_each_time(table: PageTable, open_page: OpenPage) -> None:
    begin_anew(table, {})
    page = open_page(f"{table.address}/", viewport=PHONE)
    table.play("+T7")
    table.play("+L1,R2")
    expect(page.locator("#headline")).to_contain_text("Ada", timeout=SLOW)
    expect(page.locator("#hint")).to_be_hidden()
    table.wish("/assist", seat=0, level="hints", hints=1)
    page.locator("#hint").click()
    let_in(page)
    expect(page.locator("#advice")).to_contain_text("Look at the ", timeout=SLOW)
    expect(page.locator(".mark-hint")).to_have_count(7)
    page.locator("#hint").click()
    expect(page.locator("#advice")).to_contain_text("It is about ", timeout=SLOW)
    page.locator("#hint").click()
    expect(page.locator("#advice")).to_contain_text("Play ", timeout=SLOW)
    assert table.sitting.prompter.hint is not None
    table.play(str(table.sitting.prompter.hint.action))
    expect(page.locator("#advice")).to_be_hidden(timeout=SLOW)
    expect(page.locator(".mark-hint")).to_have_count(0)


def test_the_page_shows_what_the_program_wants(table: PageTable, open_page: OpenPage) -> None:
    begin_anew(table, {"blue": LEVELS[1]})
    page = open_page(f"{table.address}/", locale="de")
    table.play("+T7")
    expect(page.locator("#advice")).to_contain_text("Blau spielt ", timeout=SLOW)
    expect(page.locator("#hint")).to_be_hidden()
    expect(page.locator(".mark-hint, .turned-hint").first).to_be_attached()
    table.play(str(table.sitting.prompter.wanted))
    expect(page.locator("#advice")).to_be_hidden(timeout=SLOW)
