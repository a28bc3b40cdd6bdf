"""The archive in a real browser: a match is replayed and exported by keyboard, on a phone, in Ukrainian."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from threading import Thread

import pytest
from browsing import DESKTOP, PHONE, OpenPage, let_in
from house import ACCESS, PaperHouse
from logbook import write_log
from looks import check_looks
from page_table import PIN, PageTable
from playwright.sync_api import Browser, Page, Route, expect
from werkzeug.serving import make_server

from engine.registry import find_game
from firmware.log.match.record import seated
from firmware.log.store import Store
from firmware.page.analysis import StoredAnalysis
from firmware.page.archive import StoredArchive
from webui import create_app


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageTable]:
    """A table at which nobody plays, with a log of earlier matches."""
    path = write_log(tmp_path_factory.mktemp("log") / "matches.sqlite", matches=4, plies=20)
    table = PageTable(path, game=None)
    yield table
    table.close()


def standing(page: Page) -> dict[str, str]:
    """What the board shows."""
    faces: dict[str, str] = page.eval_on_selector_all(
        "svg.board use.piece",
        "pieces => Object.fromEntries(pieces.map(piece => [piece.dataset.site, piece.dataset.face]))",
    )
    return faces


def moments(page: Page) -> list[dict[str, str]]:
    """What the match says it should show, moment by moment."""
    told: list[dict[str, str]] = page.evaluate(
        """async () => {
          const number = document.querySelector(".replay").dataset.number;
          const match = await (await fetch(`/api/v1/matches/${number}`)).json();
          return match.moments.map(moment => moment.faces);
        }"""
    )
    return told


def test_a_match_is_found_replayed_and_exported_by_keyboard(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/matches")
    page.locator(".date a").last.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="MEMENTO TUOS")).to_be_visible()
    faces = moments(page)
    assert standing(page) == faces[0]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#caption")).to_contain_text("2. ")
    assert standing(page) == faces[2]
    assert page.url.endswith("#2")
    page.keyboard.press("ArrowLeft")
    assert standing(page) == faces[1]
    page.keyboard.press("End")
    assert standing(page) == faces[-1]
    expect(page.locator("#on")).to_be_disabled()
    page.keyboard.press("Home")
    assert standing(page) == faces[0]
    page.get_by_role("link", name="Text notation").focus()
    with page.expect_download() as waiting:
        page.keyboard.press("Enter")
    assert waiting.value.suggested_filename == "magister-1.txt"
    assert "+" in waiting.value.path().read_text(encoding="utf-8")


def test_autoplay_runs_to_the_end_and_space_stops_it(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/matches/2")
    page.locator("#speed").select_option("4")
    page.locator("h1").click()
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_text("Pause")
    expect(page.locator("#moment")).not_to_have_value("0")
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_text("Play")
    last = int(page.locator("#moment").get_attribute("max") or 0)
    page.goto(f"{table.address}/matches/2#{last - 1}")
    page.reload()
    page.locator("#play").click()
    expect(page.locator("#moment")).to_have_value(str(last))
    expect(page.locator("#play")).to_have_text("Play")


def test_an_address_leads_to_its_moment_and_an_illegal_try_is_shown(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/matches/1#3")
    assert standing(page) == moments(page)[3]
    expect(page.locator(".entry[aria-current]")).to_contain_text("3")
    tried = page.locator(".illegal .entry").first
    tried.click()
    expect(page.locator("#caption")).to_have_text(tried.get_attribute("data-told") or "")
    assert page.locator(".mark-refused").count() == len((tried.get_attribute("data-sites") or "").split())
    expect(page.locator(".undone .note").first).to_have_text("taken back")


def test_the_slider_moves_the_match(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/matches/1")
    page.locator("#moment").fill("4")
    assert standing(page) == moments(page)[4]
    page.locator("#moment").focus()
    page.keyboard.press("ArrowRight")
    assert standing(page) == moments(page)[5], "a key on the slider counts once"


def test_the_list_is_narrowed_by_choosing(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/matches")
    expect(page.locator("tbody tr")).to_have_count(4)
    page.locator("#game").select_option("rings")
    expect(page.locator("tbody tr")).to_have_count(2)
    assert page.url.endswith("?game=rings")


def test_statistics_are_drawn_in_light_and_dark(table: PageTable, open_page: OpenPage) -> None:
    for dark in (False, True):
        page = open_page(f"{table.address}/statistics", dark=dark)
        expect(page.locator(".plot canvas")).to_have_count(4)
        # Something is really drawn: the bars have the accent's colour.
        drawn = page.locator(".plot canvas").first.evaluate(
            """canvas => {
              const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
              const pen = document.createElement("canvas").getContext("2d");
              pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();
              pen.fillRect(0, 0, 1, 1);
              const [r, g, b] = pen.getImageData(0, 0, 1, 1).data;
              let found = 0;
              for (let k = 0; k < data.length; k += 4) found += data[k] === r && data[k + 1] === g && data[k + 2] === b;
              return found;
            }"""
        )
        assert drawn > 1000
    page.locator("#chart-length summary").click()
    expect(page.locator("#chart-length tbody tr").first).to_be_visible()
    page.locator("#player").select_option("Ada")
    expect(page.locator(".numbers")).to_contain_text("Won")


class Judge(StoredAnalysis):
    """Thinks that red is winning more and more."""

    def evaluations(self, number: int) -> list[list[float]]:
        return [[0.5 + 0.02 * moment, 0.5 - 0.02 * moment] for moment in range(12)]


@pytest.fixture
def judged(tmp_path: Path) -> Iterator[str]:
    """The address of a house in which somebody can judge a match."""
    house = PaperHouse()
    house.archive = StoredArchive(write_log(tmp_path / "log.sqlite", matches=1, plies=11))  # type: ignore[assignment]
    house.analyst = Judge(tmp_path / "log.sqlite")
    server = make_server("127.0.0.1", 0, create_app(house, ACCESS), threaded=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()


def test_the_chances_of_a_match_are_drawn_when_asked_for(judged: str, open_page: OpenPage) -> None:
    page = open_page(f"{judged}/matches/1")
    expect(page.locator("#evaluation canvas")).to_have_count(0)
    page.get_by_role("button", name="Analyse this match").click()
    expect(page.locator("#evaluation canvas")).to_be_visible()
    expect(page.locator("#judging")).to_have_text("Ada 50 % · Ben 50 %")
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#judging")).to_have_text("Ada 52 % · Ben 48 %")
    page.locator("#evaluation .u-over").click(position={"x": 400, "y": 40})
    assert int(page.locator("#moment").input_value()) > 3, "a tap on the graph leads to its moment"
    # What else could have been played is tried out on the board, and nothing of it is kept.
    page.goto(f"{judged}/matches/1#3")
    here = page.locator("use.piece").count()
    page.locator("#what-if summary").click()
    expect(page.locator("#try-said")).to_contain_text(re.compile("It would be best here if (Ada|Ben) "))
    page.locator("#try").select_option(index=1)
    expect(page.locator("#tried")).not_to_be_empty()
    expect(page.locator("use.piece")).not_to_have_count(here)
    page.get_by_role("button", name="Back to the match").click()
    expect(page.locator("use.piece")).to_have_count(here)
    assert page.locator("#moment").input_value() == "3"


@pytest.mark.parametrize("address", ["/matches", "/matches/1#4", "/statistics"])
@pytest.mark.parametrize(("viewport", "dark"), [(DESKTOP, True), (PHONE, False)], ids=["desktop-dark", "phone-light"])
def test_pages_are_for_everyone(
    table: PageTable, open_page: OpenPage, address: str, viewport: dict[str, int], dark: bool
) -> None:
    page = open_page(f"{table.address}{address}", viewport=viewport, dark=dark, locale="uk")
    expect(page.locator("html")).to_have_attribute("lang", "uk")
    page.wait_for_timeout(150)
    check_looks(page)


def test_on_a_phone_in_ukrainian_a_match_is_replayed(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/matches/1", viewport=PHONE, locale="uk")
    page.get_by_role("button", name="На дію вперед").click()
    expect(page.locator("#caption")).to_contain_text("1. ")
    expect(page.locator("#take")).to_have_text("Завантажити")


def test_on_a_phone_on_its_side_board_and_controls_are_in_sight(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/matches/1#1", viewport={"width": 844, "height": 390}, locale="uk")
    page.evaluate("document.querySelector('.stage').scrollIntoView()")
    board, play, rows = (page.locator(each).bounding_box() for each in (".board-place svg", "#play", ".rows"))
    assert board is not None
    assert play is not None
    assert rows is not None
    assert board["y"] >= 0
    assert play["y"] + play["height"] <= 390
    assert rows["x"] > board["x"] + board["width"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_nothing_can_be_pressed_before_the_scripts_listen(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/matches")
    late: list[Route] = []
    page.route("**/filing.js", lambda route: late.append(route))
    with page.expect_request("**/filing.js"):
        page.goto(f"{table.address}/matches/2", wait_until="commit")
    remove = page.get_by_role("button", name="Remove", include_hidden=True)
    expect(remove).to_be_attached()
    page.wait_for_function("document.readyState === 'interactive'")
    expect(remove).to_be_hidden()
    late[0].continue_()
    remove.click()
    expect(page.locator("#sure")).to_be_visible()


@pytest.mark.parametrize("missing", ["scripts", "one"])
def test_a_page_is_shown_where_its_scripts_do_not_come(table: PageTable, chromium: Browser, missing: str) -> None:
    context = chromium.new_context(java_script_enabled=missing == "one", reduced_motion="reduce")
    page = context.new_page()
    page.route("**/page.js", lambda route: route.abort())
    page.goto(f"{table.address}/matches/2")
    if missing == "one":
        expect(page.get_by_role("heading", level=1)).to_be_hidden()
        # Ten seconds later:
        page.evaluate("document.getAnimations().forEach(each => each.finish())")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    context.close()


def test_a_match_is_renamed_removed_and_put_back(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/matches/1")
    page.get_by_role("button", name="Change names").click()
    page.get_by_label("Player 1").fill("Zoë")
    page.get_by_role("button", name="Save").click()
    let_in(page)
    expect(page.locator(".facts .who").first).to_have_text("Zoë")
    page.get_by_role("button", name="Remove").click()
    page.get_by_role("button", name="Yes").click()
    expect(page.get_by_role("button", name="Put back into the list")).to_be_visible()
    page.goto(f"{table.address}/matches")
    page.get_by_role("link", name="Removed matches").click()
    expect(page.locator(".matches .players")).to_contain_text("Zoë")
    page.goto(f"{table.address}/matches/1")
    page.get_by_role("button", name="Put back into the list").click()
    expect(page.get_by_role("button", name="Remove")).to_be_visible()


@pytest.fixture
def put_aside(tmp_path: Path) -> Iterator[PageTable]:
    """A table at which nobody plays, with an abandoned match of Dimenticato."""
    rules = find_game("dimenticato").configure()
    with Store(tmp_path / "log.sqlite") as store:
        number = store.begin_match(rules, seated(["Ada", "Ben"]), rules.deal(2, Random(3)), started="2026-05-02T19:30")
        store.append(number, "abandon", {}, at="2026-05-02T19:40", seconds=60.0)
    table = PageTable(tmp_path / "log.sqlite", game=None)
    yield table
    table.close()


def test_a_match_that_hides_something_is_shown_whole_with_the_pin(put_aside: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{put_aside.address}/matches/1", locale="de")
    expect(page.locator("svg.board")).to_have_count(0)
    expect(page.locator(".empty")).to_contain_text("Diese Partie kann wieder aufgenommen werden.")
    check_looks(page)
    page.get_by_role("button", name="Alles zeigen").click()
    page.get_by_role("button", name="Ja").click()
    page.get_by_label("PIN", exact=True).fill(PIN)
    page.locator("#pin-form button[type=submit]").click()
    expect(page.locator(".board-place svg.board")).to_be_visible()
    expect(page.get_by_role("note")).to_contain_text("dieses Gerät kennt die PIN")
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Textnotation").click()
    assert waiting.value.suggested_filename == "magister-1.txt"
    page.goto(f"{put_aside.address}/matches/1")
    expect(page.locator("svg.board")).to_have_count(0)


def test_a_match_that_hides_something_is_removed_put_back_and_taken_up(
    put_aside: PageTable, open_page: OpenPage
) -> None:
    page = open_page(f"{put_aside.address}/matches/1")
    page.get_by_role("button", name="Remove").click()
    page.get_by_role("button", name="Yes").click()
    let_in(page)
    page.get_by_role("button", name="Put back into the list").click()
    expect(page.get_by_role("button", name="Remove")).to_be_visible()
    page.get_by_role("button", name="Take up again").click()
    page.get_by_role("button", name="Yes").click()
    page.wait_for_url(lambda address: "/matches" not in address)
    assert put_aside.told()["match"] == 1
    page.goto(f"{put_aside.address}/matches/1?everything=1")
    expect(page.locator(".empty")).to_contain_text("This match is still being played.")
    expect(page.get_by_role("link", name="Follow it live")).to_be_visible()
