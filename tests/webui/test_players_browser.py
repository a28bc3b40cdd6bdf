"""Hints and the program's seats, on the live page and where a match is started, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import PHONE, OpenPage, let_in
from page_table import PageTable
from playwright.sync_api import expect
from quick_thinker import QuickThinker

from engine.players.levels import LEVELS, Level
from firmware.coaching.computers import named
from firmware.table.beginning.plans import MatchPlan


def begin_anew(table: PageTable, computers: dict[str, Level]) -> None:
    """The same match with a program that thinks at once and plays these colours."""
    sitting = table.sitting
    assert sitting.playing is not None
    sitting.gear.thinker = QuickThinker()
    seating = sitting.playing.seating
    levels = {seating.colours.index(colour): level for colour, level in computers.items()}
    sitting.play(MatchPlan(sitting.playing.start.rules, named(seating, levels)))


def test_a_hint_says_more_each_time(table: PageTable, open_page: OpenPage) -> None:
    begin_anew(table, {})
    page = open_page(f"{table.address}/", viewport=PHONE)
    table.play("+T7")
    table.play("+L1,R2")
    expect(page.locator("#headline")).to_contain_text("Ada")
    expect(page.locator("#hint")).to_be_hidden()
    table.wish("/assist", seat=0, level="hints", hints=1)
    page.locator("#hint").click()
    let_in(page)
    expect(page.locator("#advice")).to_contain_text("Look at the ")
    expect(page.locator(".mark-hint")).to_have_count(7)
    page.locator("#hint").click()
    expect(page.locator("#advice")).to_contain_text("It is about ")
    page.locator("#hint").click()
    expect(page.locator("#advice")).to_contain_text("Play ")
    assert table.sitting.playing.coach.hint is not None
    table.play(str(table.sitting.playing.coach.hint.action))
    expect(page.locator("#advice")).to_be_hidden()
    expect(page.locator(".mark-hint")).to_have_count(0)


def test_the_page_shows_what_the_program_wants(table: PageTable, open_page: OpenPage) -> None:
    begin_anew(table, {"blue": LEVELS[1]})
    page = open_page(f"{table.address}/", locale="de")
    table.play("+T7")
    expect(page.locator("#advice")).to_contain_text("Blau spielt ")
    expect(page.locator("#hint")).to_be_hidden()
    expect(page.locator(".mark-hint, .turned-hint").first).to_be_attached()
    table.play(str(table.sitting.playing.coach.wanted))
    expect(page.locator("#advice")).to_be_hidden()


@pytest.fixture
def idle(tmp_path: Path) -> Iterator[PageTable]:
    """A table where no game is chosen yet, and a program that thinks at once."""
    table = PageTable(tmp_path / "log.sqlite", game=None)
    table.sitting.gear.thinker = QuickThinker()
    yield table
    table.close()


def test_a_match_against_the_program_is_started_from_the_page(idle: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{idle.address}/new", viewport=PHONE)
    page.get_by_role("radio", name="MEMENTO TUOS").check()
    seats = page.get_by_label("Who plays as player")
    expect(seats).to_have_count(2)
    expect(page.locator("#program")).to_be_hidden()
    # By keyboard alone: a word of the list chooses it, and the field keeps the focus.
    seats.nth(1).focus()
    page.keyboard.type("Tiro")
    expect(seats.nth(1)).to_have_value("2")
    expect(seats.nth(1)).to_be_focused()
    expect(page.locator("#about-1")).to_have_text("a beginner: never misses an immediate win, but misjudges a lot")
    expect(page.locator("#program")).to_contain_text("please make its moves on the board")
    page.get_by_label("Colour of player 2").select_option("blue")
    expect(seats.nth(1)).to_have_value("2")
    expect(page.locator("#first-seat option")).to_have_text(["Draw lots", "red", "Tiro"])
    page.get_by_label("Who begins").select_option(label="red")
    page.get_by_role("button", name="Set up the table").click()
    let_in(page)
    expect(page.locator("#programs")).to_have_text(
        "Tiro is played by the program. "
        "The page and the lights show what the program plays; please make its moves on the board."
    )
    page.get_by_role("button", name="Begin anyway").click()
    expect(page.locator("#headline")).to_have_text("It is red’s turn.")
    idle.play("+T7")
    expect(page.locator("#advice")).to_contain_text("Blue plays ")
    wanted = str(idle.sitting.playing.coach.wanted)
    expect(page.locator("#advice")).to_have_text(f"Blue plays {wanted}. Please make this move on the board.")
    idle.play(wanted)
    expect(page.locator("#before")).to_contain_text(f" {wanted}")
    expect(page.locator("#advice")).to_be_hidden()


def test_somebody_must_be_left_to_play(idle: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{idle.address}/new", locale="fr", forgive="409")
    seats = page.locator(".plays")
    for seat in (0, 1):
        seats.nth(seat).select_option("5")
    page.locator("#plan button[type=submit]").click()
    page.locator("#pin").fill("4711")
    page.locator("#pin-form button[type=submit]").click()
    expect(page.locator("#toast")).to_contain_text("il faut au moins un joueur humain")
    expect(page.locator("#setup")).to_be_hidden()
    assert idle.sitting.playing is None


def test_the_simulated_table_needs_nobody(idle: PageTable, open_page: OpenPage) -> None:
    idle.sitting.gear.cameras = lambda: ["paper", "sim"]
    idle.sitting.camera = "sim"
    idle.until(lambda: idle.told().get("camera", {}).get("source") == "sim")
    page = open_page(f"{idle.address}/new")
    seats, camera = page.locator(".plays"), page.locator("#camera-source")
    expect(page.locator("#program")).to_have_text("The simulated table plays every seat itself.")
    expect(seats.first).to_be_disabled()
    camera.select_option("paper")
    seats.first.select_option("3")
    camera.select_option("sim")
    expect(seats.first).to_be_disabled()
    expect(seats.first).to_have_value("")
    camera.select_option("paper")
    expect(seats.first).to_have_value("3")
