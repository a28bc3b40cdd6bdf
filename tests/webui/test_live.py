"""The live page in a real browser: a match is followed, asked about and set right through it."""

from __future__ import annotations

import os
import re
import signal
import time
from typing import Any

import pytest
from browsing import PHONE, OpenPage, let_in, piece
from page_table import PIN, PageTable
from playwright.sync_api import Browser, Locator, Page, expect

from engine.words import LANGUAGES
from firmware.table.seeing.print_scale import OtherScale, PrintScale


def test_a_match_is_followed_live(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/")
    expect(page.locator("#headline")).to_have_text("It is Ada’s turn.")
    table.play("+T7")
    expect(page.locator("#headline")).to_have_text("It is Ben’s turn.")
    expect(page.locator("#before")).to_have_text("Ada placed a Single on T7. +T7")
    assert piece(page, "T7") == "red1"
    table.play("+L1,R2")
    expect(page.locator("#events li").first).to_contain_text("Ben placed two Singles on L1, R2. +L1,R2")
    assert piece(page, "L1") == "blue1", "the pieces have the colours that are played with"
    expect(page.locator(".player.turn .name")).to_have_text("Ada")
    expect(page.locator(".mark-last")).to_have_count(2)


def test_what_is_half_done_is_told_once(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/")
    table.play("+T7")
    for seen in ({"L1": "blue1"}, {"L1": None, "L2": "blue1"}):
        before = len(table.said)
        table.put(**seen)
        table.until(lambda since=before: any(event["event"] == "unfinished" for event in table.said[since:]))  # type: ignore[misc]
    expect(page.locator("#events li")).to_have_class(["unfinished", "action"])
    table.put(R2="blue1")
    expect(page.locator("#events li")).to_have_class(["action", "action"])


def test_nothing_of_an_action_under_way_is_marked_as_wrong(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/")
    table.play("+T7")
    table.put(L1="blue1")
    expect(page.locator("#verdict")).to_have_attribute("data-status", "unfinished")
    expect(page.locator(".ghost")).to_have_count(1)
    marks = page.locator("svg.board").locator(".mark, .way, .turned")
    expect(marks).to_have_count(0)
    expect(page.locator("#legend li")).to_have_count(0)
    # Two figures are one too many for this: now it is a mistake, and marked as one.
    table.put(L2="blue1", R2="blue1")
    expect(page.locator("#verdict")).to_have_attribute("data-status", "illegal")
    expect(page.locator(".mark-extra").first).to_be_visible()


def test_a_piece_in_the_hand_is_not_called_missing(table: PageTable, open_page: OpenPage) -> None:
    table.set(T1="red1", L1="blue1")
    page = open_page(f"{table.address}/")
    table.put(T1=None)
    expect(page.locator("#verdict")).to_have_attribute("data-status", "unfinished")
    marks = page.locator("svg.board").locator(".mark-missing, .mark-extra, .mark-wrong, .way")
    expect(marks).to_have_count(0)


def puzzled(table: PageTable, open_page: OpenPage) -> Page:
    """The page of a table at which a turn and a walk look alike."""
    table.set(T1="red2", L1="blue1")
    page = open_page(f"{table.address}/")
    assert table.eye is not None
    table.eye.hidden = {"tile-T"}
    table.put(T1=None, T2="red2")
    return page


def test_an_unclear_picture_is_answered_with_one_tap(table: PageTable, open_page: OpenPage) -> None:
    page = puzzled(table, open_page)
    expect(page.locator("#headline")).to_contain_text("Which one was it?")
    options = page.locator("#options button")
    expect(options).to_have_count(2)
    for place in range(2):
        expect(options.nth(place).locator('use.piece[data-site="T2"]')).to_have_attribute("data-face", "red2")
    page.get_by_role("button", name="It was T1-T2").click()
    let_in(page)
    expect(page.locator("#headline")).to_have_text("It is Ben’s turn.")
    expect(page.locator("#question")).to_be_hidden()
    assert table.sitting.playing is not None
    assert table.sitting.playing.log.number is not None


def test_on_a_phone_both_answers_are_in_sight(table: PageTable, open_page: OpenPage) -> None:
    page = puzzled(table, open_page)
    expect(page.locator("#options button")).to_have_count(2)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    bar = page.locator(".top nav").bounding_box()
    assert bar is not None
    for option in page.locator("#options button").all():
        place = option.bounding_box()
        assert place is not None
        assert place["y"] + place["height"] <= bar["y"]


def test_below_a_mistake_the_page_offers_what_may_have_happened_instead(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/")
    table.play("+T7")
    table.play("+L1,R2")
    table.put(R2=None, L5="blue1")
    expect(page.locator("#verdict")).to_have_attribute("data-status", "illegal")
    expect(page.locator("#question-words")).to_have_text("No mistake? Then say what happened:")
    expect(page.locator("#none")).to_be_hidden()
    option = page.get_by_role("button", name="It was Back to move 1, then +L1,L5")
    expect(option.locator('use.piece[data-site="L5"]')).to_have_attribute("data-face", "blue1")
    if os.environ.get("MAGISTER_SHOTS"):
        page.screenshot(path=os.environ["MAGISTER_SHOTS"])
    option.click()
    let_in(page)
    expect(page.locator("#headline")).to_have_text("It is Ada’s turn.")
    expect(page.locator("#events li").first).to_contain_text("Ben placed two Singles on L1, L5. +L1,L5")


def test_it_may_be_none_of_what_is_asked(table: PageTable, open_page: OpenPage) -> None:
    page = puzzled(table, open_page)
    page.get_by_role("button", name="None of these").click()
    let_in(page)
    expect(page.locator("#verdict")).to_have_attribute("data-status", "illegal")
    expect(page.locator("#question")).to_be_hidden()
    page.goto(f"{table.address}/matches/1")
    expect(page.get_by_text("None of the actions the referee asked about was played.").first).to_be_visible()


def test_cards_of_another_print_are_said_while_the_match_goes_on(
    table: PageTable, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def small_mat(scale: PrintScale, *_: object) -> list[OtherScale]:
        said, scale.percent = ([OtherScale(3)] if scale.percent is None else []), 3
        return said

    page = open_page(f"{table.address}/")
    expect(page.locator("#notice")).to_be_hidden()
    monkeypatch.setattr(PrintScale, "follow", small_mat)
    table.play("+T7")
    expect(page.locator("#notice")).to_contain_text("The cards are about 3 % too large for this board.")
    assert [event["percent"] for event in table.said if event["event"] == "scale"] == [3]


def test_a_sleeve_left_lying_is_drawn_and_said_and_the_match_goes_on(table: PageTable, open_page: OpenPage) -> None:
    table.play("+T7")
    assert table.eye is not None
    page = open_page(f"{table.address}/", locale="uk")
    table.eye.hidden = {"L3", "L4"}
    expect(page.locator(".mark-hidden")).to_have_count(2)
    expect(page.locator("#notice")).to_be_hidden()
    expect(page.locator(".mark-lying")).to_have_count(2)
    expect(page.locator("#notice")).to_have_text("На L3, L4 щось лежить: суддя не бачить, що там стоїть.")
    expect(page.locator(".mark-hidden")).to_have_count(0)
    table.play("+R1,R2")
    assert [event["sites"] for event in table.said if event["event"] == "lying"] == [["L3", "L4"]]
    number = table.sitting.playing and table.sitting.playing.log.number
    assert number is not None
    kinds = {event["event"] for event in table.archived(number)["events"]}
    assert kinds == {"action"}, "it is no event of the match"
    table.eye.hidden = set()
    expect(page.locator(".mark-lying")).to_have_count(0)
    expect(page.locator("#notice")).to_be_hidden()


def test_what_is_wrong_is_shown_on_the_board_and_said_with_its_rule(table: PageTable, open_page: OpenPage) -> None:
    table.set(T1="red1", L1="blue1")
    page = open_page(f"{table.address}/")
    table.put(T1=None, R4="red1")
    expect(page.locator("#verdict")).to_have_attribute("data-status", "illegal")
    expect(page.locator("#rule summary")).to_have_text("Rule: Moving")
    expect(page.locator("#rule code").first).to_be_hidden()
    page.locator("#rule summary").click()
    expect(page.locator("#rule code").first).to_be_visible()
    expect(page.locator(".mark-wrong").first).to_be_visible()
    expect(page.locator(".ghost")).to_have_count(1)
    expect(page.locator(".mark-extra")).to_have_count(1)
    expect(page.locator(".way")).to_have_count(1)
    expect(page.locator("#legend li")).to_have_text(["not allowed", "does not belong here", "move it there"])
    table.put(T1="red1", R4=None)
    expect(page.locator("#headline")).to_have_text("It is Ada’s turn.")
    expect(page.locator(".ghost")).to_have_count(0)


def test_a_wrong_acceptance_is_taken_back(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/", forgive="403")
    table.play("+T7")
    expect(page.locator("#headline")).to_have_text("It is Ben’s turn.")
    page.get_by_role("button", name="Take back").click()
    page.get_by_label("PIN", exact=True).fill("0000")
    page.get_by_role("button", name="Unlock").click()
    expect(page.locator("#pin-problem")).to_contain_text("not the table’s PIN")
    let_in(page)
    expect(page.locator(".board-frame use.piece")).to_have_count(0)
    # The stone still stands there: that is no time for green.
    expect(page.locator("#headline")).to_have_text("Taken back. Now put the pieces back as the board here shows.")
    expect(page.locator("#verdict")).to_have_attribute("data-status", "rebuild")
    expect(page.locator("#anew")).to_be_hidden()
    expect(page.locator(".ghost")).to_have_count(1)
    expect(page.locator("#legend li")).to_have_text(["does not belong here"])
    table.put(T7=None)
    expect(page.locator("#headline")).to_have_text("It is Ada’s turn.")
    expect(page.locator(".ghost")).to_have_count(0)


def test_a_site_in_a_sentence_and_on_the_board_are_one(table: PageTable, open_page: OpenPage) -> None:
    table.play("+T7")
    page = open_page(f"{table.address}/")
    said = page.locator("#before .place")
    expect(said).to_have_text("T7")
    said.focus()
    expect(page.locator(".mark-named")).to_have_count(1)
    expect(page.locator('.names text[data-name="T7"]')).to_have_class("below lit")
    page.locator("#take-back").focus()
    expect(page.locator(".mark-named")).to_have_count(0)
    page.locator('.sites circle[data-site="T7"]').hover()
    expect(said).to_have_class("place lit")
    page.goto(f"{table.address}/matches/1#1")
    expect(page.locator("#caption")).to_have_text("1. Ada placed a Single on T7. +T7")
    page.locator("#caption .place").hover()
    expect(page.locator(".mark-named")).to_have_count(1)


def test_a_match_that_is_over_leads_to_its_replay_and_to_another_one(table: PageTable, open_page: OpenPage) -> None:
    table.play("+T7")
    page = open_page(f"{table.address}/")
    expect(page.locator("#after")).to_be_hidden()
    table.wish("/match/draw")
    expect(page.get_by_role("link", name="Watch the replay")).to_have_attribute("href", "/matches/1")
    page.get_by_role("button", name="Rematch").click()
    let_in(page)
    expect(page.get_by_role("heading", name="Is the table ready?")).to_be_visible()


def test_the_eraser_takes_pieces_away(table: PageTable, open_page: OpenPage) -> None:
    table.set(T1="red1", L1="blue1")
    page = open_page(f"{table.address}/", viewport=PHONE)
    page.get_by_role("button", name="Set the position").click()
    expect(page.locator(".board-frame")).to_be_in_viewport(ratio=0.95)
    expect(page.locator("#palette")).to_be_in_viewport(ratio=0.95)
    page.get_by_role("radio", name="Eraser").click()
    page.locator('.sites circle[data-site="T1"]').click()
    assert piece(page, "T1") is None
    assert piece(page, "L1") == "blue1"


def test_on_a_phone_on_its_side_the_position_is_set_beside_the_board(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(table.address, viewport={"width": 844, "height": 390})
    page.get_by_role("button", name="Set the position").click()
    board, editor = (page.locator(each).bounding_box() for each in (".board-frame", "#editor"))
    assert board is not None
    assert editor is not None
    assert editor["x"] >= board["x"] + board["width"], "beside it"
    assert abs(editor["y"] - board["y"]) < 10
    assert board["height"] < 390, "whole"


def test_a_table_that_does_not_answer_to_the_pin_is_asked_again(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/", forgive="ERR_")
    table.play("+T7")
    expect(page.locator("#headline")).to_have_text("It is Ben’s turn.")
    page.route("**/api/v1/pin", lambda route: route.abort())
    page.get_by_role("button", name="Take back").click()
    let_in(page)
    expect(page.locator("#pin-problem")).to_have_text("The table does not answer.")
    page.unroute("**/api/v1/pin")
    let_in(page)
    expect(page.locator("#headline")).to_contain_text("Taken back.")


def test_the_pin_behind_the_address_may_come_to_nothing(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/matches", forgive="ERR_")
    page.route("**/api/v1/pin", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        page.goto(f"{table.address}/#pin={PIN}")
    page.get_by_role("button", name="Set the position").click()
    page.get_by_role("button", name="Play on from here").click()
    expect(page.locator("#pin-dialog")).to_be_visible()


def test_the_position_is_set_by_dragging(table: PageTable, open_page: OpenPage) -> None:
    table.set(T1="red1", L1="blue1")
    page = open_page(f"{table.address}/")
    page.get_by_role("button", name="Set the position").click()
    drag(page, page.locator('.sites circle[data-site="T1"]'), page.locator('.sites circle[data-site="I7"]'))
    drag(page, page.locator('#palette button[data-face="red3"]'), page.locator('.sites circle[data-site="R2"]'))
    drag(page, page.locator('.sites circle[data-site="L1"]'), page.locator("#palette"))
    page.locator('#palette button[data-face="blue2"]').click()
    page.locator('.sites circle[data-site="L7"]').click()
    page.get_by_label("To move").select_option(label="Ben")
    page.get_by_role("button", name="Play on from here").click()
    let_in(page)
    expect(page.locator("#headline")).to_have_text("It is Ben’s turn.")
    assert table.faces == {"I7": "red1", "R2": "red3", "L7": "blue2"}


def test_a_position_that_is_set_overwrites_nothing_accepted_meanwhile(table: PageTable, open_page: OpenPage) -> None:
    table.set(T1="red1", L1="blue1")
    page = open_page(f"{table.address}/", forgive="the server responded with a status of 409")
    page.get_by_role("button", name="Set the position").click()
    drag(page, page.locator('.sites circle[data-site="L1"]'), page.locator('.sites circle[data-site="L7"]'))
    page.get_by_role("button", name="Play on from here").click()
    expect(page.locator("#pin-dialog")).to_be_visible()
    # While the PIN is typed:
    table.play("T1-T6")
    now = dict(table.faces)
    let_in(page)
    expect(page.locator("#toast")).to_contain_text("with your changes in it")
    assert table.faces == now, "nothing was overwritten"
    expect(page.locator("#editor")).to_be_visible()
    assert [piece(page, site) for site in ("T1", "T6", "L1", "L7")] == [None, "red1", None, "blue1"]
    expect(page.get_by_label("To move")).to_have_value("1")
    page.get_by_role("button", name="Play on from here").click()
    expect(page.locator("#editor")).to_be_hidden()
    assert table.faces == {"T6": "red1", "L7": "blue1"}


def drag(page: Page, origin: Locator, target: Locator) -> None:
    for place, step in ((origin, page.mouse.down), (target, page.mouse.up)):
        place.scroll_into_view_if_needed()
        box = place.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
        step()


def test_what_no_camera_sees_is_told(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/")
    page.get_by_text("Tell the referee what the camera cannot see").click()
    page.locator("#names-form input").nth(0).fill("Zoë")
    page.get_by_role("button", name="Save the names").click()
    let_in(page)
    expect(page.locator("#headline")).to_have_text("It is Zoë’s turn.")
    page.get_by_label("Action", exact=True).fill("+T7")
    page.get_by_role("button", name="It was played").click()
    table.put(T7="red1")
    expect(page.locator("#headline")).to_have_text("It is Ben’s turn.")
    page.get_by_role("button", name="Ben resigns").click()
    page.get_by_role("button", name="Yes").click()
    expect(page.locator("#headline")).to_have_text("Zoë wins because the others have resigned.")
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("#headline")).to_have_text("It is Ben’s turn.")


def test_names_given_on_another_device_come_to_this_one(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/")
    page.get_by_text("Tell the referee what the camera cannot see").click()
    fields = page.locator("#names-form input")
    fields.nth(1).fill("Benno")
    table.wish("/match/names", names=["Zoë", "Bert"])
    expect(page.locator("#headline")).to_have_text("It is Zoë’s turn.")
    expect(page.locator("#next-seat option")).to_have_text(["Zoë", "Bert"])
    expect(fields.nth(0)).to_have_value("Zoë")
    expect(fields.nth(1)).to_have_value("Benno")


def test_where_nothing_has_happened_the_sentence_has_room(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/")
    said = page.get_by_text("Nothing has happened yet.")
    expect(said).to_be_visible()
    assert said.evaluate("(node) => node.offsetWidth > node.previousElementSibling.offsetWidth")


def test_everything_can_be_done_with_the_keyboard(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/")
    table.play("+T7")
    expect(page.locator("#headline")).to_have_text("It is Ben’s turn.")
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Set the position").focus()
    page.keyboard.press("Enter")
    page.locator('.sites circle[data-site="T1"]').focus()
    for key in ("ArrowDown", "ArrowUp", "+"):
        page.keyboard.press(key)
    label = page.locator(":focus").get_attribute("aria-label")
    assert label is not None
    assert label.endswith("red 1")
    page.locator('.sites circle[data-site="T7"]').focus()
    page.keyboard.press("Delete")
    page.get_by_role("button", name="Play on from here").focus()
    page.keyboard.press("Enter")
    page.keyboard.type(PIN)
    page.keyboard.press("Enter")
    expect(page.locator("#editor")).to_be_hidden()
    assert list(table.faces.values()) == ["red1"]
    assert "T7" not in table.faces


def test_what_has_the_focus_keeps_it_when_something_happens(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/")
    page.get_by_text("Tell the referee what the camera cannot see").click()
    resigns = page.get_by_role("button", name="Ada resigns")
    resigns.focus()
    table.play("+T7")
    expect(page.locator("#headline")).to_have_text("It is Ben’s turn.")
    expect(resigns).to_be_focused()
    table.wish("/match/draw")
    expect(resigns).to_be_disabled()
    expect(page.locator("#draw")).to_be_disabled()


@pytest.mark.parametrize("locale", LANGUAGES)
def test_on_a_phone_the_pages_lie_under_the_thumb_and_over_nothing(
    table: PageTable, open_page: OpenPage, locale: str
) -> None:
    page = open_page(table.address, viewport=PHONE, locale=locale)
    ways = page.locator(".top nav")
    expect(ways.get_by_role("link")).to_have_count(4)
    for way in ways.get_by_role("link").all():
        place = way.bounding_box()
        assert place is not None
        assert place["x"] >= 0
        assert place["x"] + place["width"] <= PHONE["width"]
        assert place["y"] + place["height"] <= PHONE["height"]
        assert place["height"] >= 44, "a finger hits it"
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    bar, last = ways.bounding_box(), page.locator(".foot").bounding_box()
    assert bar is not None
    assert last is not None
    assert last["y"] + last["height"] <= bar["y"] + 1
    # What the keyboard leads to is not behind it.
    page.evaluate("scrollTo(0, 0)")
    page.locator("#set-position").focus()
    shown = page.locator("#set-position").bounding_box()
    assert shown is not None
    assert shown["y"] + shown["height"] <= bar["y"] + 1


def test_on_a_phone_nothing_sticks_out(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/", viewport=PHONE)
    page.get_by_text("Tell the referee what the camera cannot see").click()
    wide = "() => document.documentElement.scrollWidth"
    assert page.evaluate(wide) <= PHONE["width"]
    page.get_by_role("button", name="Set the position").click()
    assert page.evaluate(wide) <= PHONE["width"]
    expect(page.get_by_text("Drag pieces, or pick one and tap a point.")).to_be_visible()
    expect(page.get_by_text("With the keyboard")).to_be_hidden()
    expect(page.locator("#pointing")).to_be_hidden()
    small = page.evaluate(
        """() => [...document.querySelectorAll("button:not(.place), .button, summary, select")]
        .filter((node) => node.checkVisibility() && node.getBoundingClientRect().height < 40)
        .map((node) => node.textContent)"""
    )
    assert small == [], "fingers need room"


def test_the_page_speaks_ukrainian(table: PageTable, open_page: OpenPage) -> None:
    table.set(T1="red1", L1="blue1")
    page = open_page(f"{table.address}/")
    page.locator(".menu summary").click()
    page.get_by_role("link", name="Українська").click()
    expect(page.locator("#headline")).to_have_text("Ходить Ada.")
    table.put(T1=None, R4="red1")
    expect(page.locator("#verdict")).to_have_attribute("data-status", "illegal")
    assert re.search("[а-яіїє]{4}", page.locator("#headline").inner_text())
    assert not re.search(r"\b(the|is|of)\b", page.locator("body").inner_text())


def test_another_language_leads_to_the_very_same_moment(table: PageTable, open_page: OpenPage) -> None:
    table.play("+T7")
    page = open_page(f"{table.address}/matches/1?from=friend#1")
    page.locator(".menu summary").click()
    page.get_by_role("link", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    assert page.url == f"{table.address}/matches/1?from=friend#1"


def test_the_page_comes_back_after_its_server_was_gone(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/", forgive="ERR_")
    expect(page.locator("#headline")).to_have_text("It is Ada’s turn.")
    before = table.desk.process
    assert before is not None
    os.kill(before, signal.SIGKILL)
    expect(page.locator("#stale")).to_be_visible()
    assert page.evaluate("() => [...document.querySelectorAll('.asks')].every((part) => part.inert)")
    table.play("+T7")
    expect(page.locator("#headline")).to_have_text("It is Ben’s turn.")
    expect(page.locator("#stale")).to_be_hidden()
    assert not page.evaluate("() => [...document.querySelectorAll('.asks')].some((part) => part.inert)")
    assert table.desk.process != before


COUNTED_STREAMS = """
window.streams = [];
const Real = window.EventSource;
window.EventSource = class extends Real {
  constructor(address) { super(address); window.streams.push(this); }
};
"""


def test_a_page_that_is_come_back_to_listens_once(table: PageTable, open_page: OpenPage) -> None:
    """The server was gone when the page was left: trying again and coming back must not both open a stream."""
    page = open_page(f"{table.address}/matches", forgive="ERR_")
    page.add_init_script(COUNTED_STREAMS)
    page.goto(f"{table.address}/")
    expect(page.locator("#headline")).to_have_text("It is Ada’s turn.")
    page.evaluate("""() => {
        const [stream] = window.streams;
        stream.close();
        stream.onerror();
        dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
        dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    }""")
    page.wait_for_timeout(2500)
    open_ones = "() => window.streams.filter((stream) => stream.readyState !== EventSource.CLOSED).length"
    assert page.evaluate(open_ones) == 1
    table.play("+T7")
    expect(page.locator("#headline")).to_have_text("It is Ben’s turn.")


ADA_AND_BEN = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}]


@pytest.mark.parametrize(
    "other",
    [
        {"players": [{"name": "Cleo", "colour": "green"}, {"name": "Ben", "colour": "blue"}]},
        {"players": ADA_AND_BEN, "variant": "complex"},
        {"players": ADA_AND_BEN},
    ],
    ids=["colours", "variant", "number"],
)
def test_a_phone_that_slept_through_a_change_of_match_shows_the_new_one(
    table: PageTable, open_page: OpenPage, other: dict[str, Any]
) -> None:
    table.play("+T7")
    page = open_page(f"{table.address}/matches", forgive="ERR_")
    page.route("**/api/v1/events**", lambda route: route.abort())
    page.goto(f"{table.address}/")
    expect(page.locator("#stale")).to_be_visible()
    page.evaluate("() => { window.old = true; }")
    table.wish("/match", game="memento-tuos", first=0, **other)
    table.wish("/match/begin")
    table.put(T7=None)
    table.play("+T7")
    table.until(lambda: table.sitting.playing.log.number == 2)  # type: ignore[union-attr]
    page.unroute("**/api/v1/events**")
    page.wait_for_function("() => !window.old")
    expect(page.locator("#players .sign").first).to_have_class(f"sign sign-{other['players'][0]['colour']}")


def test_the_camera_is_shown_when_asked_for(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/")
    page.get_by_text("What the camera sees").click()
    expect(page.locator("#photo")).to_be_visible()
    assert page.locator("#photo").evaluate("(picture) => picture.naturalWidth") == 640


def test_a_verdict_is_on_the_page_in_a_fifth_of_a_second(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/")
    expect(page.locator("#headline")).to_have_text("It is Ada’s turn.")
    page.evaluate(
        """() => { window.heard = []; new MutationObserver(() => window.heard.push(Date.now()))
        .observe(document.getElementById("headline"), {childList: true, characterData: true, subtree: true}); }"""
    )
    delays = []
    # The best of a few: how busy this machine is otherwise is not what is measured.
    for number, action in enumerate(("+T7", "+L1,R2", "+T1,L3", "+R4,R5"), start=1):
        table.play(action)
        decided = time.time()
        page.wait_for_function("(number) => window.heard.length >= number", arg=number)
        delays.append(page.evaluate("() => window.heard.at(-1)") / 1000 - decided)
    assert min(delays) < 0.2


def test_the_page_is_quick(table: PageTable, chromium: Browser) -> None:
    """Beside a bare text of the same server: how fast a browser starts and paints is the machine's affair."""
    bare, whole = (
        min(first_paint(f"{table.address}/{path}", chromium) for _ in range(4)) for path in ("static/base.css", "")
    )
    assert whole < 8 * bare


def first_paint(address: str, chromium: Browser) -> float:
    """Milliseconds until a browser that has never seen a page paints it."""
    context = chromium.new_context(viewport=PHONE)
    page = context.new_page()
    page.goto(address)
    painted: float = page.evaluate(
        "() => new Promise((done) => new PerformanceObserver((list) => done(list.getEntries()[0].startTime))"
        ".observe({type: 'paint', buffered: true}))"
    )
    context.close()
    return painted


def test_the_page_is_light(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/", viewport=PHONE)
    expect(page.locator("#headline")).to_have_text("It is Ada’s turn.")
    weight = page.evaluate(
        "() => ['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))"
        ".reduce((sum, entry) => sum + entry.transferSize, 0)"
    )
    assert 20_000 < weight < 300_000
