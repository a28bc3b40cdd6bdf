"""My First Triominos on the page: rows of chips as they are seen, what is due said kindly, cards looked at closely."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from browsing import PHONE, OpenPage
from page_table import PIN, PageTable, shown
from playwright.sync_api import Page, expect

from engine.board import Print
from engine.referee.state import Reached
from engine.referee.story import Story
from engine.words import LANGUAGES


def row(colour: str, number: int) -> dict[str, str]:
    return {f"{colour}${place}": "chip" for place in range(1, number + 1)}


class NothingHeld:
    def card(self, *_: object) -> None:
        """No card is shown."""


@pytest.fixture
def mat(tmp_path: Path) -> Iterator[PageTable]:
    """Ada and Ben have four chips each; the first card lies."""
    table = PageTable(tmp_path / "log.sqlite", "triominos", "red=Ada,yellow=Ben")
    assert table.eye is not None
    assert table.sitting.playing is not None
    # The pictures of this table are grey: nobody holds a card beside the mat.
    table.sitting.playing.holding = NothingHeld()  # type: ignore[assignment] # as much of it as is asked
    table.eye.seen = {"0,0": "341", **row("red", 4), **row("yellow", 4)}
    table.until(lambda: table.sitting.playing is not None and table.sitting.playing.table is not None)
    yield table
    table.close()


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[PageTable]:
    """Nothing is played yet."""
    table = PageTable(tmp_path / "log.sqlite", None)
    yield table
    table.close()


def first_that_fits(table: PageTable) -> tuple[str, str]:
    """A card, as its values lie, and the cell for it."""
    assert table.sitting.playing is not None
    assert table.sitting.playing.table is not None
    position = table.sitting.playing.table.match.position
    card, _, site = next(str(each) for each in position.legal() if "@" in str(each)).partition("@")
    return card, site


def lay(table: PageTable) -> None:
    """Lay a card that fits, without taking the chip for it."""
    assert table.sitting.playing is not None
    playing = table.sitting.playing
    assert playing.table is not None
    ply = playing.table.match.ply
    card, site = first_that_fits(table)
    table.put(**{site: card})
    table.until(lambda: playing.table is not None and playing.table.match.ply > ply)


def chips_on_board(page: Page) -> int:
    return page.locator("svg.board .beside use").count()


def test_rows_are_shown_as_seen_and_what_is_due_is_said_kindly(mat: PageTable, open_page: OpenPage) -> None:
    page = open_page(mat.address)
    expect(page.locator("svg.board .beside use")).to_have_count(8)
    expect(page.locator("#kind")).to_be_hidden()
    lay(mat)
    rows = page.locator("#players .counted")
    expect(rows.nth(0).locator("i")).to_have_count(5)
    expect(rows.nth(0).locator("i.missing")).to_have_count(1)
    expect(page.locator("#kind")).to_contain_text("Red may take 1 more from the bank")
    expect(page.locator("#events .chips")).to_contain_text("Red may take 1 more from the bank")
    mat.put(**{"red$5": "chip"})
    expect(page.locator("#kind")).to_be_hidden()
    expect(rows.nth(0).locator("i.missing")).to_have_count(0)
    assert chips_on_board(page) == 9


def test_a_card_that_is_pointed_at_is_shown_large_and_a_phone_looks_closer(mat: PageTable, open_page: OpenPage) -> None:
    page = open_page(mat.address, viewport=PHONE)
    box = page.locator("svg.board").get_attribute("viewBox")
    assert box is not None
    nearer = page.get_by_role("button", name="Whole mat")
    nearer.click()
    whole = page.locator("svg.board").get_attribute("viewBox")
    assert whole is not None
    assert float(whole.split()[2]) > 2 * float(box.split()[2])
    page.get_by_role("button", name="Zoom in").click()
    expect(page.locator("svg.board")).to_have_attribute("viewBox", box)
    page.locator('svg.board .sites circle[data-site="0,0"]').hover()
    expect(page.locator(".closer")).to_contain_text("3 · 4 · 1")
    page.locator("#headline").hover()
    expect(page.locator(".closer")).to_be_hidden()


def test_of_a_mistake_the_card_is_marked_and_no_chip(mat: PageTable) -> None:
    mat.put(**{"8,4": "555"})
    mat.until(lambda: mat.told()["verdict"]["status"] == "illegal")
    assert mat.told()["seen"]["faces"].keys() == {"8,4"}


def test_a_card_that_comes_where_somebody_points_is_shown_large(mat: PageTable, open_page: OpenPage) -> None:
    page = open_page(mat.address)
    card, site = first_that_fits(mat)
    page.locator(f'svg.board .sites circle[data-site="{site}"]').hover()
    expect(page.locator(".closer")).to_be_hidden()
    lay(mat)
    expect(page.locator(".closer")).to_contain_text(" · ".join(card))


def test_whose_arm_it_may_have_been_is_asked_kindly(mat: PageTable, open_page: OpenPage) -> None:
    page = open_page(mat.address)
    lay(mat)
    playing = mat.sitting.playing
    assert playing is not None
    assert playing.table is not None
    position, laid = playing.table.match.positions[0], playing.table.match.actions[-1]
    seat = position.seat
    assert seat is not None
    ben = 1 - seat
    reached = Reached(ben, (Story(0, (position.rules.parse("buy"), laid)),))
    playing.table = replace(playing.table, accepted=replace(playing.table.accepted, reached=reached))
    # A chip more, so that the page is told anew.
    mat.put(**{"red$5": "chip"})
    expect(page.locator("#question-words")).to_contain_text("arm. If it was")
    page.get_by_role("button", name="bought a card").first.click()
    page.locator("#pin").fill(PIN)
    page.get_by_role("button", name="Unlock").click()
    mat.until(lambda: playing.table is not None and playing.table.match.ply == 2)
    expect(page.locator("#question")).to_be_hidden()
    assert [str(each) for each in playing.table.match.actions] == ["buy", str(laid)]


def test_a_replay_has_the_chips_of_every_moment(mat: PageTable, open_page: OpenPage) -> None:
    lay(mat)
    mat.put(**{"red$5": "chip"})
    mat.wish("/match/draw")
    mat.until(lambda: mat.told()["match"])
    page = open_page(f"{mat.address}/matches/{mat.told()['match']}#0")
    expect(page.locator("svg.board .beside use")).to_have_count(8)
    page.get_by_role("button", name="One action forward").click()
    expect(page.locator("svg.board .beside use")).to_have_count(9)


def test_the_set_up_check_counts_the_rows_and_says_what_is_wrong(bare: PageTable, open_page: OpenPage) -> None:
    table = bare
    players = [{"colour": "red"}, {"colour": "yellow"}]
    table.wish("/match", game="triominos", players=players, camera="paper")
    assert table.eye is not None
    table.eye.seen = {**row("red", 4), **row("yellow", 3)}
    page = open_page(f"{table.address}/new")
    checks = page.locator("#checks")
    expect(checks).to_contain_text("Chips in the rows: red 4, yellow 3.")
    expect(checks.locator(".bad").last).to_contain_text("Everybody starts with 4 chips on the mat")
    table.eye.hidden = {"red$2"}
    expect(checks).to_contain_text("Not sure how many chips are in these rows: red.")
    table.eye.hidden = set()
    table.eye.seen = {**row("red", 4), **row("yellow", 4)}
    expect(checks.locator(".good").last).to_contain_text("Lay the first card on the marked cell")
    table.eye.seen = {}
    expect(checks).to_contain_text("No chips in the rows: whenever")


def test_dice_of_which_the_camera_is_not_sure_are_told_with_a_tap(bare: PageTable, open_page: OpenPage) -> None:
    players = [{"colour": "red"}, {"colour": "yellow"}]
    bare.wish("/match", game="dimenticato", players=players, camera="paper")
    assert bare.eye is not None
    assert bare.sitting.playing is not None
    eye, start = bare.eye, bare.sitting.playing.start.position
    dice = start.setup()["fields"]
    sure = {site: {Print(**die): 0.0} for site, die in dice.items()}
    eye.seen = shown(bare.sitting.playing, start)
    three, four = Print(3, "red"), Print(4, "red")
    eye.dice = sure | {"a1": {three: 0.0, four: -0.2}, "a2": {four: 0.0, three: -0.1}}
    page = open_page(f"{bare.address}/new", viewport=PHONE, forgive="status of 401")
    expect(page.locator("#doubts .doubt")).to_have_count(2)
    page.get_by_role("button", name="a1: 3 red").click()
    page.locator("#pin").fill(PIN)
    page.get_by_role("button", name="Unlock").click()
    expect(page.locator("#doubts .doubt")).to_have_count(1)
    page.get_by_role("button", name="a2: 3 red").click()
    expect(page.locator("#doubts")).to_be_empty()
    expect(page.locator("#checks .good").last).to_have_text("The camera has read the whole set-up.")
    bare.wish("/match/begin")
    bare.until(lambda: bare.told()["begun"])
    told = json.dumps(bare.told())
    assert bare.told()["checks"] == [], "what lay where has to be remembered now"
    assert "doubts" not in told


def test_nobody_is_offered_to_set_a_position_that_cards_alone_do_not_make(mat: PageTable, open_page: OpenPage) -> None:
    page = open_page(mat.address)
    expect(page.get_by_role("link", name="New match").first).to_be_visible()
    expect(page.locator("#set-position")).to_be_hidden()
    body = {"sites": {"0,0": "341"}, "seat": 1}
    said = {language: mat.refused("/match/position", language, body) for language in LANGUAGES}
    assert said["en"] == "In this game the position cannot be set by hand: take actions back, or begin anew."
    assert len(set(said.values())) == len(LANGUAGES)
    assert not any("first" in each for each in said.values())


def test_where_pieces_make_a_position_it_can_be_set(bare: PageTable, open_page: OpenPage) -> None:
    bare.wish("/match", game="rings", players=[{"colour": "red"}, {"colour": "blue"}], camera="paper")
    bare.wish("/match/begin")
    bare.until(lambda: bare.told()["begun"])
    expect(open_page(bare.address).locator("#set-position")).to_be_visible()
