"""What is chosen on the page: checked by what reads the settings file, whole on the disk, and never in the way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.core import GameError, Json
from engine.registry import find_game
from firmware.log.backup import make_backup, restore
from firmware.machine.errors import UsageError
from firmware.page.keys import Keys
from firmware.settings.config import Config, HouseRules
from firmware.settings.own import NAME, OwnSettings
from firmware.settings.toml import read_tables, written

LENS = {"size": [1280, 720], "fx": 1000.0, "fy": 1000.0, "cx": 640.0, "cy": 360.0, "k1": -0.05}


@pytest.fixture
def own(tmp_path: Path) -> OwnSettings:
    config = tmp_path / "config.toml"
    config.write_text("[lights]\nbrightness = 0.5\npwm = false\n[rules.rings]\nflying = false\n")
    (tmp_path / "data").mkdir()
    return OwnSettings(tmp_path / "data" / "matches.sqlite", config)


def no_word(text: str) -> None:
    raise AssertionError(text)


def test_it_lies_over_the_settings_file_setting_by_setting(own: OwnSettings) -> None:
    none_of = {"language": "", "hub": "", "table": "", "token": "", "home_assistant": "", "screen": False}
    assert own.state() == {"clock": "", "voice": "", "brightness": 50, "lens": False, "colours": False} | none_of
    assert own.change({"brightness": 30, "voice": "de"})
    assert not own.change({"clock": "10+5"}), "a clock needs no restart"
    assert not own.change({"language": "fr"}), "nor does a language"
    config = own.load(no_word)
    assert (config.lights.brightness, config.lights.pwm) == (0.3, False)
    assert config.rules["rings"].options == {"flying": False}
    assert (config.clock.time, config.page.language, config.voice.language) == ("10+5", "fr", "de")
    assert own.state()["brightness"] == 30


def test_house_rules_are_kept_as_far_as_they_are_unusual(own: OwnSettings) -> None:
    game = find_game("memento-tuos")
    variant = list(game.variants)[-1]
    usual = dict(game.defaults(variant))
    name = next(name for name, value in usual.items() if isinstance(value, bool))
    wanted = {"game": game.name, "variant": variant, "options": usual | {name: not usual[name]}}
    assert not own.change({"rules": wanted}), "the next match has them"
    assert own.load(no_word).for_game(game.name) == HouseRules(variant, {name: not usual[name]})
    assert own.load(no_word).rules["rings"].options == {"flying": False}, "other games are left alone"
    own.change({"rules": {"game": "rings", "variant": None, "options": {"flying": True}}, "clock": "5"})
    config = own.load(no_word)
    assert config.for_game("rings").options.get("flying", True), "over those of the settings file"
    assert config.for_game(game.name).variant == variant


def test_a_hub_is_joined_from_the_page_and_its_secrets_are_not_shown(own: OwnSettings) -> None:
    assert own.change({"hub": "mqtts://ada:secret@club.example", "table": "Table 1", "token": "abc"})
    hub = own.load(no_word).hub
    assert (hub.url, hub.table, hub.token) == ("mqtts://ada:secret@club.example", "Table 1", "abc")
    told = own.state()
    assert (told["hub"], told["table"], told["token"]) == ("mqtts://…@club.example", "Table 1", "")


@pytest.mark.parametrize(
    "wanted",
    [
        *({"clock": "soon"}, {"voice": "xx"}, {"brightness": 0}, {"brightness": 101}, {"hub": "mqtt://club.example"}),
        *({"hub": "club.example", "table": "A"}, {"table": "a/b"}, {"home_assistant": "yes"}),
    ],
)
def test_what_the_settings_file_could_not_say_is_refused_and_changes_nothing(own: OwnSettings, wanted: object) -> None:
    own.change({"clock": "10"})
    before = own.path.read_bytes()
    with pytest.raises(GameError, match="This cannot be set"):
        own.change({"voice": "de"} | wanted)  # type: ignore[operator] # a parametrised record
    assert own.path.read_bytes() == before
    assert sorted(each.name for each in own.path.parent.iterdir()) == [NAME]


@pytest.mark.parametrize(
    "rules",
    [
        {"game": "rings", "options": {"kings": True}},
        {"game": "rings", "options": {"flying": "high"}},
        {"game": "memento-tuos", "variant": "nonsense"},
        {"game": "chess"},
    ],
)
def test_house_rules_that_there_are_not_are_refused(own: OwnSettings, rules: Json) -> None:
    with pytest.raises(GameError) as caught:
        own.change({"voice": "de", "rules": rules})
    assert "\n" not in str(caught.value)
    assert not own.path.exists()


def test_a_file_that_was_spoilt_by_hand_does_not_keep_the_table_from_starting(own: OwnSettings) -> None:
    own.path.write_text("[lights]\nbrightness = 'bright'\n")
    said: list[str] = []
    assert own.load(said.append).lights.brightness == 0.5
    assert len(said) == 1
    assert "left aside" in said[0]
    own.path.write_text("[lights\n")
    own.change({"clock": "7"})
    assert own.load(no_word).clock.time == "7"


def test_a_mistake_in_the_settings_file_itself_is_still_an_error(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("[clock]\ntime = 'soon'\n")
    with pytest.raises(UsageError, match=r"config\.toml"):
        OwnSettings(tmp_path / "matches.sqlite", tmp_path / "config.toml").load(no_word)


def test_tables_are_read_as_they_are_written() -> None:
    tables = {"a": {"x": 1, "y": 0.25, "z": 'a "quoted" Ω \\ text', "on": True, "list": [1, 2]}, "b": {}}
    tables["rules"] = {"memento-tuos": {"variant": "simple", "draw": True}, "plain": 1, "rings": {}}
    assert read_tables(written(tables)) == tables


def test_lens_and_colours_are_kept_only_if_they_can_be_used(own: OwnSettings) -> None:
    own.take_in("lens", json.dumps(LENS))
    assert own.file("lens") == own.path.with_name("lens.json")
    for bad in ("{", "[1]", json.dumps(LENS | {"fx": "wide"}), "[" * 5000):
        with pytest.raises(GameError, match="This cannot be set"):
            own.take_in("lens", bad)
    assert json.loads(own.path.with_name("lens.json").read_text()) == LENS
    with pytest.raises(GameError, match="no game has a piece"):
        own.take_in("colours", json.dumps({"colours": {"queen": "#ffffff"}}))
    own.take_in("lens", None)
    own.take_in("lens", None)
    assert own.file("lens") is None


def test_another_pin_is_whole_on_the_disk_and_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "page.json"
    keys = Keys.kept(path, print)
    changed = keys.change_pin(path, "2468")
    assert Keys.read(path) == changed
    assert changed.secret == keys.secret
    assert path.stat().st_mode & 0o777 == 0o600
    for bad in ("", "123", "1" * 13, "12a4", "١٢٣٤"):
        with pytest.raises(GameError):
            keys.change_pin(path, bad)
    assert Keys.read(path).pin == "2468"


def test_a_backup_holds_what_was_chosen_on_the_page_and_brings_it_back(own: OwnSettings, tmp_path: Path) -> None:
    own.change({"clock": "10+5"})
    log = own.path.with_name("matches.sqlite")
    backup = tmp_path / "backup.zip"
    backup.write_bytes(make_backup(log, {}, "2026-01-02T20:00:00+00:00"))
    own.change({"clock": "3"})
    restore(backup, log, {})
    assert own.load(no_word).clock.time == "10+5"


def test_without_own_settings_nothing_is_different(tmp_path: Path) -> None:
    assert OwnSettings(tmp_path / "matches.sqlite", None).load(no_word) == Config()
