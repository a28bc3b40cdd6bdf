"""The clock on the page, chosen, counted and looked at again; and the voice, which says what the referee says."""

from __future__ import annotations

from dataclasses import replace

from browsing import PHONE, OpenPage
from page_table import PIN, PageTable
from playwright.sync_api import expect

from firmware.table.timekeeping import Timekeeping


def test_a_clock_is_chosen_counts_by_itself_is_paused_and_runs_out(table: PageTable, open_page: OpenPage) -> None:
    page = open_page(f"{table.address}/new#pin={PIN}", viewport=PHONE)
    page.get_by_label("Play with a clock").check()
    page.get_by_label("Minutes for each player").fill("1")
    page.get_by_label("Seconds for each turn").fill("0")
    page.get_by_label("Whoever runs out of time loses").check()
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
    page.wait_for_timeout(1500)
    news, shown = table.told()["number"], running.text_content()
    assert shown is not None
    expect(running).not_to_have_text(shown)
    assert table.told()["number"] == news, "nobody told the page: it counts by itself"
    page.get_by_role("button", name="Pause the clock").click()
    expect(page.get_by_text("The clock is paused.")).to_be_visible()
    stood = running.text_content()
    page.wait_for_timeout(1500)
    assert running.text_content() == stood
    page.get_by_role("button", name="Let the clock run").click()
    hurried: Timekeeping | None = None

    def nearly_over() -> bool:
        """All but a second passes at once: tried again until the table, which writes the time too, has charged it."""
        nonlocal hurried
        time = playing.time
        assert time is not None
        left = time.clock.hands.left[mover]
        if left > 5 and time.running is not None and time is not hurried:
            playing.time = hurried = replace(time, since=time.since - left + 1)
        return left <= 5

    table.until(nearly_over)
    expect(page.locator("#headline")).to_contain_text("wins on time.")
    expect(running).to_have_text("0:00")
    number = playing.log.number
    page.goto(f"{table.address}/matches/{number}#1")
    expect(page.locator("#clocks .left")).to_have_text(["1:00", "1:00"])
    expect(page.get_by_text("is out of time.")).to_be_visible()
    page.goto(f"{table.address}/statistics")
    expect(page.locator(".numbers")).to_contain_text("Ran out of time")


HEARD = """
window.heard = [];
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
const voices = { getVoices: () => [{ lang: "de-DE" }, { lang: "en-GB" }], cancel() {} };
voices.speak = (said) => window.heard.push(`${said.lang} ${said.text}`);
Object.defineProperty(window, "speechSynthesis", { value: voices });
window.AudioContext = class extends AudioContext {
  createOscillator() {
    window.heard.push("sound");
    return super.createOscillator();
  }
};
"""


def test_the_voice_is_off_until_it_is_tapped_and_then_says_each_verdict_once(
    table: PageTable, open_page: OpenPage
) -> None:
    page = open_page(f"{table.address}/language/en")
    page.add_init_script(HEARD)
    page.reload()
    button = page.get_by_role("button", name="Speak what the referee says")
    table.play("+I1")
    expect(page.locator("#before")).to_contain_text("+I1")
    assert page.evaluate("heard") == []
    expect(button).to_have_attribute("aria-pressed", "false")
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("heard.filter((each) => each !== 'sound')") == ["en-GB It is Ben’s turn."]
    page.evaluate("heard.length = 0")
    table.play("+L1,L2")
    expect(page.locator("#before")).to_contain_text("+L1,L2")
    told = page.locator("#before").text_content().removesuffix(" +L1,L2"), page.locator("#headline").text_content()
    assert page.evaluate("heard") == ["sound", "sound", f"en-GB {told[0]} {told[1]}"]
    page.reload()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("heard") == [], "what was said before is not said again"
    button.click()
    table.put(T7="blue3")
    expect(page.locator("#verdict")).to_have_attribute("data-status", "illegal")
    assert page.evaluate("heard") == []
