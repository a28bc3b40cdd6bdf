"""The settings page: what a family changes without a terminal, behind the PIN."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from browsing import PHONE, OpenPage
from flask.testing import FlaskClient
from house import ACCESS, PaperHouse
from page_table import PIN, PageTable
from playwright.sync_api import expect

from firmware.page.keys import Keys
from firmware.settings.own import OwnSettings
from webui import create_app


@pytest.fixture
def house() -> PaperHouse:
    return PaperHouse()


@pytest.fixture
def client(house: PaperHouse) -> FlaskClient:
    return create_app(house, ACCESS).test_client()


LENS = {"size": [1280, 720], "fx": 1000.0, "fy": 1000.0, "cx": 640.0, "cy": 360.0}


def test_settings_pin_and_lens_are_changed_on_the_page(table: PageTable, open_page: OpenPage, tmp_path: Path) -> None:
    own, gear = OwnSettings(tmp_path / "log.sqlite", None), table.sitting.gear
    kept = tmp_path / "page.json"
    gear.own, gear.change_pin = own, lambda pin: table.desk.knows_pin(Keys(PIN, "00").change_pin(kept, pin).pin)
    page = open_page(f"{table.address}/settings", viewport=PHONE, forgive="the server responded with a status of 4")
    page.get_by_label("Play with a clock").check()
    page.get_by_label("Minutes for each player").fill("15")
    page.get_by_role("button", name="Save", exact=True).click()
    page.locator("#pin").fill(PIN)
    page.get_by_role("button", name="Unlock").click()
    expect(page.locator("#toast")).to_have_text("Saved.")
    assert own.state()["clock"] == "15+5"
    assert str(gear.control) == "15+5", "the next match has it at once"
    page.get_by_label("Language of this table").select_option("de")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("h1")).to_have_text("Einstellungen")
    assert (own.state()["language"], gear.language) == ("de", "de")
    page.goto(f"{table.address}/language/en?back=/settings")
    expect(page.get_by_label("Language of this table")).to_have_value("de")
    page.get_by_label("Voice of the table").select_option("de")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("dialog")).to_contain_text("takes effect when the program is restarted")
    page.get_by_role("button", name="No", exact=True).click()
    assert own.state()["voice"] == "de"
    page.get_by_label("Address of the hub").fill("mqtt://club.example")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#toast")).to_contain_text("hub.table must say")
    page.get_by_label("Name of this table at the hub").fill("Table 7")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("button", name="No", exact=True).click()
    assert (own.state()["hub"], own.state()["table"]) == ("mqtt://club.example", "Table 7")
    lens = tmp_path / "measured.json"
    lens.write_text(json.dumps(LENS, indent=2))
    page.locator(".file[data-kind=lens] input").set_input_files(lens)
    page.get_by_role("button", name="No", exact=True).click()
    expect(page.locator(".file[data-kind=lens]")).to_contain_text("in use")
    page.get_by_label("New PIN").fill("13579")
    page.get_by_role("button", name="Change the PIN").click()
    expect(page.locator("#toast")).to_contain_text("All other devices")
    expect(page.get_by_label("New PIN")).to_have_value("")
    assert page.request.get(f"{table.address}/api/v1/session").json()["may_change"], "whoever changed it knows it"
    answer = page.request.post(f"{table.address}/api/v1/match/take-back", data={}, headers={"X-Magister-Pin": PIN})
    assert answer.status == 403, "the old one is no good any more"
    expect(page.locator("h1")).to_have_text("Settings")
    asked: list[bool] = []
    table.until(lambda: table.sitting.restart_at is None)
    page.get_by_role("button", name="Restart", exact=True).click()
    page.get_by_role("button", name="Yes", exact=True).click()
    table.until(partial(_note, asked, table))
    assert asked


def _note(asked: list[bool], table: PageTable) -> bool:
    if table.sitting.wants_restart:
        asked.append(True)
    return bool(asked)


def test_what_is_newer_is_told_and_asked_for_only_with_the_pin(client: FlaskClient, house: PaperHouse) -> None:
    ask = partial(client.post, "/api/v1/settings/newer", json={})
    pin = {"X-Magister-Pin": ACCESS.pin}
    assert ask().status_code == 401
    assert ask(headers=pin).status_code == 409, "where no index is named none is asked"
    house.updates.index, house.updates.newer, house.updates.waiting = "http://index", "0.3.0", "0.2.0"
    assert ask(headers=pin).get_json() == {"version": "0.3.0"}
    page = client.get("/settings").get_data(as_text=True)
    assert "Version 0.2.0 is installed and will run after a restart." in page
    assert "Look for a newer version" in page
    house.updates.newer = None
    answer = ask(headers=pin | {"Accept-Language": "de"})
    assert answer.status_code == 409
    assert answer.get_json()["message"].startswith("Nach neueren Versionen kann")
    house.updates.index = house.updates.waiting = ""
    page = client.get("/settings").get_data(as_text=True)
    assert "newer version" not in page
    assert "is installed and will run" not in page


def test_a_demo_keeps_no_settings_but_tells_its_version(client: FlaskClient, house: PaperHouse) -> None:
    house.refuses = "the settings of this table are not kept"
    page = client.get("/settings").get_data(as_text=True)
    assert "it is a demo" in page
    assert "Magister Ludi 0.1.0" in page
    assert 'id="restart"' not in page
