"""Starting a match from the page: the form, the guided look at the table, and the first move."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import PHONE, OpenPage, let_in
from page_table import PageTable
from playwright.sync_api import Route, expect

from firmware.settings.own import OwnSettings
from firmware.table.state import state_of


@pytest.fixture
def idle(tmp_path: Path) -> Iterator[PageTable]:
    """A table where no game is chosen yet."""
    table = PageTable(tmp_path / "log.sqlite", game=None)
    yield table
    table.close()


@pytest.fixture
def followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PageTable]:
    """A table whose camera can follow Dimenticato too."""
    monkeypatch.setattr("firmware.table.state.refereed", lambda: ("dimenticato", "rings"))
    table = PageTable(tmp_path / "log.sqlite", game=None)
    yield table
    table.close()


def test_a_game_chosen_before_the_script_has_come_stays_chosen(idle: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{idle.address}/")
    held: list[Route] = []
    page.route("**/new.js", lambda route: held.append(route))
    with page.expect_request("**/new.js"):
        page.goto(f"{idle.address}/new", wait_until="commit")
    page.get_by_role("radio", name="MEMENTO TUOS").check()
    held[0].continue_()
    expect(page.locator("#seats .seat")).to_have_count(2)
    expect(page.get_by_label("Variant")).to_be_visible()
    expect(page.get_by_role("radio", name="MEMENTO TUOS")).to_be_checked()


def test_a_match_is_started_from_the_page(idle: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{idle.address}/")
    page.get_by_role("link", name="Start a match").click()
    page.get_by_role("radio", name="MEMENTO TUOS").check()
    page.get_by_label("Variant").select_option("complex")
    page.locator('[data-option="facing_medians"]').uncheck()
    page.locator("#numbers").get_by_role("radio", name="3").click()
    page.get_by_label("Name of player 1").fill("Ada")
    page.get_by_label("Colour of player 1").select_option("blue")
    page.get_by_label("Name of player 2").fill("ada ")
    page.get_by_role("button", name="Set up the table").click()
    expect(page.locator("#problem")).to_have_text("Two players are called ada: please give each a name of their own.")
    page.get_by_label("Name of player 2").fill("Ben")
    page.get_by_label("Who begins").select_option(label="Ben")
    page.get_by_role("button", name="Set up the table").click()
    let_in(page)
    expect(page.locator("#first")).to_have_text("Ben begins.")
    # An eye that is told what it sees finds the board, but there are no printed marks in its picture.
    expect(page.locator("#checks li.bad")).to_have_text(
        ["Something is covering the black squares: 0 of 13 are visible."]
    )
    expect(page.locator("#photo")).to_be_visible()
    idle.put(T1="green1")
    expect(page.locator("#checks li.bad").last).to_contain_text("T1")
    idle.put(T1=None)
    page.get_by_role("button", name="Begin anyway").click()
    expect(page.locator("#headline")).to_have_text("It is Ben’s turn.")
    idle.play("+T7")
    expect(page.locator("#before")).to_have_text("Ben placed a Single on T7. +T7")
    assert idle.sitting.playing is not None
    assert idle.sitting.playing.start.rules.options["facing_medians"] is False
    assert idle.sitting.playing.start.rules.variant == "complex"
    assert [player.colour for player in idle.sitting.playing.seating.players] == ["yellow", "green", "blue"]
    page.goto(f"{idle.address}/new")
    expect(page.get_by_label("Name of player 1")).to_have_value("Ada")
    expect(page.get_by_label("Colour of player 1")).to_have_value("blue")
    expect(page.locator("#seats .seat")).to_have_count(3)
    drawn = "images => images.every(each => each.complete && each.naturalWidth > 0)"
    page.locator(".choices").scroll_into_view_if_needed()
    page.wait_for_function(f"() => ({drawn})([...document.querySelectorAll('.choice img')])")


def test_the_house_rules_follow_the_variant(idle: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{idle.address}/new")
    page.get_by_role("radio", name="MEMENTO TUOS").check()
    shown = page.locator("#options [data-option]").count()
    assert shown > 0
    page.get_by_role("radio", name="Trois Anneaux").check()
    expect(page.locator("#variant-row")).to_be_hidden()
    expect(page.locator('[data-option="flying"]')).to_be_checked()
    for name in ("Dimenticato", "My First Triominos"):
        choice = page.get_by_role("radio", name=name)
        assert choice.is_disabled() == (choice.get_attribute("value") not in state_of(idle.sitting)["refereed"])


def test_house_rules_are_kept_for_the_table(idle: PageTable, open_page: OpenPage, tmp_path: Path) -> None:
    idle.sitting.gear.own = own = OwnSettings(tmp_path / "log.sqlite", None)
    idle.until(lambda: idle.told()["usual_rules"] == {})
    page = open_page(f"{idle.address}/new", forgive="401")
    page.get_by_role("radio", name="MEMENTO TUOS").check()
    page.get_by_label("Variant").select_option("simple")
    box = page.locator("#options input[type=checkbox]").first
    option, was = box.get_attribute("data-option"), box.is_checked()
    box.set_checked(not was)
    page.get_by_role("button", name="Keep these rules").click()
    let_in(page)
    expect(page.locator("#toast")).to_contain_text("from now on MEMENTO TUOS is played by these rules here")
    assert own.load(print).for_game("memento-tuos").options == {option: not was}
    # Another device, which remembers nothing.
    other = open_page(f"{idle.address}/new")
    other.get_by_role("radio", name="MEMENTO TUOS").check()
    expect(other.get_by_label("Variant")).to_have_value("simple")
    expect(other.locator("#options input[type=checkbox]").first).to_be_checked(checked=not was)
    other.get_by_label("Variant").select_option("original")
    other.get_by_label("Variant").select_option("simple")
    expect(other.locator("#options input[type=checkbox]").first).to_be_checked(checked=not was)
    other.get_by_role("radio", name="Trois Anneaux").check()
    expect(other.locator("#options [data-option]").first).to_be_visible()


def test_a_match_that_is_broken_off_stays_in_the_log(table: PageTable, open_page: OpenPage) -> None:
    table.play("+T7")
    page = open_page(f"{table.address}/new")
    expect(page.get_by_text("will be abandoned")).to_be_visible()
    page.get_by_role("button", name="Set up the table").click()
    let_in(page)
    expect(page.locator("#setup")).to_be_visible()
    page.reload()
    expect(page.locator("#setup")).to_be_visible()
    table.until(lambda: table.archived(1)["result"] == {"winner": None, "by": "abandon"})


def test_the_focus_goes_along_between_the_form_and_the_guide(idle: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{idle.address}/new")
    title = page.get_by_role("heading", name="Is the table ready?")
    page.get_by_role("radio", name="MEMENTO TUOS").check()
    page.get_by_role("button", name="Set up the table").click()
    let_in(page)
    expect(title).to_be_focused()
    page.get_by_role("button", name="Change the settings").click()
    expect(page.get_by_role("radio", name="MEMENTO TUOS")).to_be_focused()
    page.reload()
    expect(title).to_be_visible()
    expect(page.locator("#checks li")).not_to_have_count(0)
    expect(title).not_to_be_focused()


def test_who_begins_is_said_where_the_rulebook_says_it(followed: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{followed.address}/new", locale="uk")
    page.get_by_role("radio", name="Dimenticato").check()
    expect(page.locator("#opener")).to_have_text("Починає наймолодший гравець.")
    expect(page.locator("#first-seat")).to_have_value("0")
    page.get_by_role("radio", name="Trois Anneaux").check()
    expect(page.locator("#opener")).to_be_empty()
    expect(page.locator("#first-seat")).to_have_value("lot")


@pytest.mark.parametrize("font", ["", "monospace"], ids=["own-font", "wide-font"])
@pytest.mark.parametrize("locale", ["fr", "uk"])
def test_long_words_fit_on_a_phone(table: PageTable, open_page: OpenPage, locale: str, font: str) -> None:
    page = open_page(f"{table.address}/new", viewport=PHONE, locale=locale)
    expect(page.locator("#options [data-option]").first).to_be_visible()
    # A font that comes late is left out: whatever the phone has instead must fit as well.
    page.evaluate("font => document.body.style.fontFamily = font", font)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert page.evaluate("document.querySelector('.top').offsetHeight") < 64, "one row, whatever the language"
    if not font:
        assert page.evaluate("(nav => nav.scrollWidth <= nav.clientWidth)(document.querySelector('.top nav'))")
