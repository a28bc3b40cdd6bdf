"""Home Assistant finds the table by itself, sees what happens there, and may take back where that is allowed."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from hub_room import HubRoom, until
from jinja2.sandbox import SandboxedEnvironment
from page_table import PageTable

from firmware.hub.address import BrokerAddress
from firmware.hub.home_assistant import announcements
from firmware.hub.joining import open_link
from firmware.hub.key import FILE, TableKey
from firmware.hub.link import Link
from firmware.machine.errors import UsageError
from firmware.table.state import state_of

SHARED = {"name", "unique_id", "device", "origin", "icon", "availability", "availability_mode", "device_class"}
DOCUMENTED = {
    "sensor": SHARED | {"state_topic", "value_template", "unit_of_measurement"},
    "binary_sensor": SHARED | {"state_topic", "value_template"},
    "button": SHARED | {"command_topic", "payload_press"},
}
"""Of the documented members of each component those that are used here (www.home-assistant.io/integrations/mqtt)."""
NEEDED = {"sensor": {"state_topic"}, "binary_sensor": {"state_topic"}, "button": {"command_topic"}}
CLASSES = {"sensor": {"duration"}, "binary_sensor": {"connectivity"}}
UID = "9f" * 16


def rendered(template: str, value: object) -> str:
    """As Home Assistant does it: Jinja in a sandbox, with the payload as `value_json`."""
    return SandboxedEnvironment().from_string(template).render(value_json=value)


def told(mode: str = "take-back") -> dict[str, Any]:
    return {place.split("/")[3]: payload for place, payload in announcements("A b", UID, "1", mode).items()}


def test_what_is_announced_is_what_is_documented() -> None:
    names = set()
    for place, payload in announcements("A b", UID, "1", "take-back").items():
        assert payload is not None
        found = re.fullmatch(r"homeassistant/(\w+)/([a-zA-Z0-9_-]+)/([a-zA-Z0-9_-]+)/config", place)
        assert found is not None, place
        component = found[1]
        assert NEEDED[component] <= payload.keys() <= DOCUMENTED[component], place
        assert payload.get("device_class") in (None, *CLASSES.get(component, ()))
        assert payload["device"].keys() <= {"identifiers", "name", "manufacturer", "sw_version"}
        assert payload["origin"].keys() <= {"name", "sw_version"}
        for each in payload.get("availability", ()):
            assert each.keys() == {"topic", "value_template"}
        names.add(payload["unique_id"])
    assert len(names) == 6
    assert told("watch")["take-back"] is None


def test_a_real_table_is_shown(tmp_path: Path) -> None:
    table = PageTable(tmp_path / "log.sqlite")
    try:
        table.until(lambda: state_of(table.sitting).get("begun"))

        def shown(name: str) -> str:
            return rendered(told()[name]["value_template"], {"state": json.loads(json.dumps(state_of(table.sitting)))})

        def may_take_back() -> str:
            template = told()["take-back"]["availability"][1]["value_template"]
            return rendered(template, {"state": json.loads(json.dumps(state_of(table.sitting)))})

        assert (shown("turn"), shown("clock"), shown("result"), may_take_back()) == ("Ada", "None", "–", "offline")
        playing: Any = table.sitting.playing
        table.play(str(playing.match.position.legal()[0]))
        assert (shown("turn"), may_take_back()) == ("Ben", "online")
        assert shown("verdict") in ("seen", "quiet")
        table.wish("/match/draw")
        table.until(lambda: shown("result") == "draw")
        assert (shown("turn"), may_take_back()) == ("–", "offline")
    finally:
        table.close()


def test_results_and_clocks_in_words() -> None:
    state = {"players": [{"name": "Ada"}, {"name": "Ben"}], "begun": True, "seat": 1}
    clock = {"clock": {"left": [60.0, 31.26]}}
    assert rendered(told()["clock"]["value_template"], {"state": state | clock}) == "31.3"
    for winner, said in ((1, "Ben"), ([0, 1], "Ada, Ben")):
        ended = {"state": state | {"result": {"winner": winner}, "closed": True}}
        assert rendered(told()["result"]["value_template"], ended) == said
    assert rendered(told()["turn"]["value_template"], {"state": {"phase": "idle"}}) == "–"
    assert rendered(told()["verdict"]["value_template"], {"state": {}}) == "quiet"
    assert rendered(told()["online"]["value_template"], {"online": False}) == "OFF"
    assert rendered(told()["turn"]["availability"][0]["value_template"], {"online": True}) == "online"


@pytest.mark.parametrize("mode", ["take-back", "watch"])
def test_the_button_takes_back_where_that_is_allowed(room: HubRoom, tmp_path: Path, mode: str) -> None:
    log = tmp_path / "T" / "matches.sqlite"
    log.parent.mkdir()
    token = room.hub.people.invite_table("T")
    key, said = TableKey.kept(log.with_name(FILE)), list[str]()
    address = BrokerAddress("127.0.0.1", room.hub.address.port)
    link = Link(address, "T", key, log, said.append, token=token, home_assistant=mode)
    link.open()
    try:
        link.show({"match": 3, "ply": 7})
        until(lambda: link.record()["online"])
        for pressed in (b"something else", b"take_back"):
            room.hub.listener.send("T", "press", pressed)
        wishes: list[Any] = []
        if mode == "watch":
            time.sleep(1)
            assert not list(link.wishes())
            assert said == []
            return
        until(lambda: wishes.extend(link.wishes()) or wishes)
        assert [(each.kind, each.match, each.ply) for each in wishes] == [("take_back", 3, 7)]
        assert any("no button" in each for each in said)
    finally:
        link.close()


def test_another_setting_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="must be watch or take-back, not 'yes'"):
        open_link("mqtt://127.0.0.1", "T", tmp_path / "log.sqlite", lambda _: None, home_assistant="yes")
