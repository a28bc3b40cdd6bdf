"""Lessons and rules in a real browser: solved and failed, by tap and by keyboard, on a phone, in other languages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from browsing import DESKTOP, PHONE, OpenPage, let_in
from looks import check_looks
from page_table import PageTable
from playwright.sync_api import Page, Route, expect

from engine.lessons import Lesson, lessons_of
from engine.registry import find_game
from engine.targets import spelling


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageTable]:
    table = PageTable(tmp_path_factory.mktemp("log") / "matches.sqlite", game=None)
    yield table
    table.close()


def site(page: Page, name: str) -> None:
    page.locator(f'svg.board .sites circle[data-site="{name}"]').first.click()


def answered(page: Page, deed: Callable[[], object]) -> None:
    """Do something and wait for what the table says to it."""
    with page.expect_response("**/api/v1/point"):
        deed()
    # The answer has come, but the script has yet to show it.
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def point_out(page: Page, lesson: Lesson, game: str) -> None:
    """Say the solution of a lesson by pointing, as a person would."""
    position = lesson.start(find_game(game))
    action = position.rules.parse(lesson.solution)
    for stage in spelling(position, action):
        for pick in sorted(stage):
            circle = page.locator(f'svg.board .sites circle[data-site="{pick}"]')
            button = page.locator(f'.pointer [data-pick="{pick}"]')
            if pick.endswith("/"):
                answered(page, partial(site, page, pick[:-1]))
            answered(page, (circle if circle.count() else button).click)
    said = page.locator(".choice button", has_text=f"Play {lesson.solution}")
    # What was answered is drawn a moment later.
    expect(said.or_(page.locator("#verdict[data-verdict]")).first).to_be_visible()
    if said.count():
        said.click()


def test_a_lesson_is_failed_and_solved(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/lessons/memento-tuos/slide")
    site(page, "T1")
    expect(page.locator(".mark-target")).not_to_have_count(0)
    expect(page.locator(".mark-refused")).not_to_have_count(0)
    site(page, "R5")
    expect(page.locator("#verdict")).to_contain_text("this path bends")
    expect(page.locator("#following")).to_be_hidden()
    site(page, "T7")
    expect(page.locator("#verdict")).to_contain_text("it is not what the task asks for")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator('use.piece[data-site="T1"]')).to_have_attribute("data-face", "red2")
    site(page, "T1")
    expect(page.locator(".mark-target")).not_to_have_count(0)
    site(page, "I7")
    expect(page.locator("#verdict")).to_have_attribute("data-verdict", "done")
    page.get_by_role("link", name="Next: A Tripple jumps").click()
    expect(page.get_by_role("heading", name="A Tripple jumps")).to_be_visible()
    page.get_by_role("link", name="MEMENTO TUOS: lessons").click()
    expect(page.locator(".progress")).to_have_text("1 of 12 solved")
    expect(page.locator('[data-lesson="memento-tuos/slide"] .tick')).to_have_text("✓ Solved")


def test_taps_faster_than_the_answers_are_heard_one_after_the_other(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/lessons/memento-tuos/slide")
    expect(page.locator(".mark-target")).not_to_have_count(0)
    held: list[Route] = []
    page.route("**/api/v1/point", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/api/v1/point"):
        site(page, "T1")
    site(page, "I7")
    held[0].continue_()
    expect(page.locator("#verdict")).to_have_attribute("data-verdict", "done")


def test_a_table_that_does_not_answer_is_told(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/lessons/memento-tuos/slide", forgive="ERR_")
    expect(page.locator(".mark-target")).not_to_have_count(0)
    page.route("**/api/v1/point", lambda route: route.abort())
    site(page, "T1")
    expect(page.locator("#toast")).to_have_text("The table does not answer.")
    page.unroute("**/api/v1/point")
    page.route("**/api/v1/lessons/**", lambda route: route.abort())
    for _ in range(2):
        site(page, "T1")
        expect(page.locator(".mark-chosen")).to_have_count(1)
        with page.expect_event("requestfailed"):
            site(page, "I7")
        expect(page.locator(".mark-chosen")).to_have_count(0)
    expect(page.locator(".mark-target")).not_to_have_count(0)


DIFFERENT = {
    "rings": ("ring-line", "radius-line", "flying"),
    "dimenticato": ("leave", "beat", "home"),
    "triominos": ("hexagon", "swap", "buy"),
    "memento-tuos": ("first", "enter", "split"),
}
"""Lessons of every kind of pointing; that all can be pointed out is tested with the engine alone."""


@pytest.mark.parametrize("game", DIFFERENT)
def test_the_lessons_of_a_game_can_be_pointed_out(table: PageTable, open_page: OpenPage, game: str) -> None:
    page = open_page(f"{table.address}/lessons/{game}")
    for lesson in lessons_of(find_game(game)):
        if lesson.name not in DIFFERENT[game]:
            continue
        page.goto(f"{table.address}/lessons/{game}/{lesson.name}")
        expect(page.locator(".asked")).to_be_visible()
        point_out(page, lesson, game)
        expect(page.locator("#verdict"), lesson.name).to_have_attribute("data-verdict", "done")


def test_a_rule_is_seen_at_work(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/lessons/rings/no-turn")
    page.get_by_role("button", name="Ring b").click()
    expect(page.locator(".pointer .note")).to_contain_text("Ring b was turned last")
    page.locator('.pointer [data-pick="<"]').click()
    expect(page.locator("#verdict")).to_have_attribute("data-verdict", "done")
    expect(page.locator("#verdict")).to_contain_text("Exactly: this is not allowed.")


def test_a_lesson_is_solved_by_keyboard_alone(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/lessons/memento-tuos/step")
    expect(page.locator(".asked")).to_be_visible()
    page.locator("h1").click()
    while page.evaluate("document.activeElement.dataset.site") is None:
        page.keyboard.press("Tab")
    # The first site is T1; down from it lies the middle T7.
    assert "red 1" in (page.evaluate("document.activeElement.getAttribute('aria-label')") or "")
    page.keyboard.press("Enter")
    expect(page.locator(".mark-chosen")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".mark-chosen")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.locator(".mark-chosen")).to_have_count(1)
    for _ in range(3):
        page.keyboard.press("ArrowDown")
        if page.evaluate("document.activeElement.dataset.site") == "T7":
            break
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_have_attribute("data-verdict", "done")
    expect(page.locator("#following")).to_be_focused()


def test_tiny_positions_beside_the_rules_can_be_played_with(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/rules/memento-tuos", locale="de")
    tiny = page.locator(".tiny", has=page.locator('a[href$="/turn"]'))
    tiny.get_by_role("button", name="Hier ausprobieren").click()
    tiny.get_by_role("button", name="Dreieck T").click()
    tiny.get_by_role("button", name="im Uhrzeigersinn", exact=True).click()
    expect(tiny.locator('use.piece[data-site="T2"]')).to_have_attribute("data-face", "red1")
    expect(tiny.locator('[data-sheet="tile-T"]')).to_have_attribute("data-turn", "1")
    tiny.get_by_role("button", name="Dreieck L").click()
    expect(tiny.locator(".pointer .note")).to_contain_text("Die Aktion davor war schon eine Drehung")
    tiny.get_by_role("button", name="Zurück zum Anfang").click()
    expect(tiny.locator('use.piece[data-site="T1"]')).to_have_attribute("data-face", "red1")


PAGES = ["/teach", "/rules/triominos", "/lessons/rings", "/lessons/dimenticato/beat", "/lessons/memento-tuos/enter"]


@pytest.mark.parametrize("address", PAGES)
@pytest.mark.parametrize(("viewport", "dark"), [(DESKTOP, True), (PHONE, False)], ids=["desktop-dark", "phone-light"])
def test_pages_are_for_everyone(
    table: PageTable, open_page: OpenPage, address: str, viewport: dict[str, int], dark: bool
) -> None:
    page = open_page(f"{table.address}{address}", viewport=viewport, dark=dark, locale="uk")
    expect(page.locator("html")).to_have_attribute("lang", "uk")
    if "/lessons/" in address and address.count("/") == 3:
        expect(page.locator(".asked")).to_be_visible()
    check_looks(page)


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Callable[..., PageTable]]:
    """A table of one's own, which is closed after the browser that looks at it."""
    tables: list[PageTable] = []

    def laid(game: str | None) -> PageTable:
        tables.append(PageTable(tmp_path / "log.sqlite", game=game))
        return tables[-1]

    yield laid
    for table in tables:
        table.close()


def test_a_lesson_is_done_on_the_real_table(fresh: Callable[..., PageTable], open_page: OpenPage) -> None:
    table = fresh(None)
    page = open_page(f"{table.address}/lessons/memento-tuos/step", forgive="401")
    page.get_by_text("On the real table").click()
    page.get_by_role("button", name="Do it on the table").click()
    let_in(page)
    expect(page.locator("#verdict")).to_contain_text("Set up the board as shown.")
    table.until(lambda: table.sitting.playing.lesson == "memento-tuos/step")
    table.put(T1="red1", L3="yellow1")
    expect(page.locator("#verdict")).to_contain_text("Now do it on the table.")
    table.put(T1=None, T4="red1")
    expect(page.locator("#verdict")).to_contain_text("cannot go that far")
    table.put(T4=None, T7="red1")
    expect(page.locator("#verdict")).to_have_attribute("data-verdict", "done")
    expect(page.locator("#following")).to_be_visible()
    assert page.evaluate("async () => (await (await fetch('/api/v1/matches')).json()).matches") == [], "not in the log"


def test_a_lesson_ends_no_running_match_unasked(fresh: Callable[..., PageTable], open_page: OpenPage) -> None:
    table = fresh("memento-tuos")
    table.play("+T7")
    page = open_page(f"{table.address}/lessons/memento-tuos/step", forgive="401")
    expect(page.get_by_text("will be abandoned")).to_be_hidden()
    page.get_by_text("On the real table").click()
    expect(page.get_by_text("will be abandoned")).to_be_visible()
    page.get_by_role("button", name="Do it on the table").click()
    expect(page.get_by_role("dialog")).to_contain_text("Abandon the match being played now?")
    page.get_by_role("button", name="No", exact=True).click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert table.told()["match"] == 1
    page.get_by_role("button", name="Do it on the table").click()
    page.get_by_role("button", name="Yes").click()
    let_in(page)
    expect(page.locator("#verdict")).to_contain_text("Set up the board as shown.")
    table.until(lambda: table.sitting.playing.lesson == "memento-tuos/step")


def test_help_is_agreed_with_the_pin_and_kept(fresh: Callable[..., PageTable], open_page: OpenPage) -> None:
    table = fresh("memento-tuos")
    page = open_page(f"{table.address}/teach", forgive="40")
    ben = page.locator("fieldset", has_text="Ben")
    ben.get_by_label("No help").check()
    let_in(page)
    expect(page.locator("#toast")).to_have_text("Agreed.")
    table.until(lambda: table.sitting.playing.coach.agreed.seats[1].level == "off")
    assert page.evaluate("async () => (await fetch('/api/v1/targets')).status") == 200, "Ada is to move, and has help"
    table.play("+T7")
    page.wait_for_function("async () => (await fetch('/api/v1/targets')).status === 409", polling=100)
    page.reload()
    expect(ben.get_by_label("No help")).to_be_checked()


def test_a_figure_tapped_on_the_live_page_shows_where_it_may_go(
    fresh: Callable[..., PageTable], open_page: OpenPage
) -> None:
    table = fresh("memento-tuos")
    page = open_page(f"{table.address}/", viewport=PHONE)
    table.play("+T7")
    table.play("+L1,R2")
    expect(page.locator("#headline")).to_have_text("It is Ada’s turn.")
    expect(page.locator(".mark-target")).to_have_count(0)
    site(page, "T7")
    # Three corners and three medians of its triangle: a Single on a middle point goes nowhere else.
    expect(page.locator(".mark-target")).to_have_count(6)
    site(page, "R6")
    expect(page.locator("#toast")).to_have_text("The Single cannot go that far (T7, R6).")
    page.get_by_text("Why not elsewhere", exact=True).click()
    expect(page.locator(".reasons li")).to_contain_text("The Single cannot go that far")
    site(page, "L1")
    expect(page.locator("#toast")).to_have_text("The Single cannot go that far (T7, L1).")
    page.get_by_role("button", name="Start over").click()
    site(page, "L1")
    expect(page.locator("#toast")).to_have_text("The figure on L1 belongs to blue.")
    # Lifting it off the table is as good as tapping it.
    table.put(T7=None)
    expect(page.locator(".mark-target")).to_have_count(6)
    table.play("T7-T1")
    expect(page.locator("#headline")).to_have_text("It is Ben’s turn.")
    expect(page.locator(".mark-target")).to_have_count(0)
    expect(page.locator("#pointer")).to_be_empty()
