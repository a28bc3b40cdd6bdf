"""What is refused is said in the language of whoever wished for it."""

from __future__ import annotations

from pathlib import Path

from house import ACCESS, PaperHouse
from page_table import PageTable

from engine.words import LANGUAGES
from firmware.devices.lights import NoLights
from firmware.settings.config import CameraSettings
from firmware.table.cameras.chosen import Cameras, EmptyRoom
from firmware.table.gear import Gear
from firmware.table.loop import Sitting
from firmware.table.state import state_of
from webui import create_app
from webui.house import Update
from webui.words.telling import notice, told_state


def test_the_table_refuses_in_every_language(tmp_path: Path) -> None:
    table = PageTable(tmp_path / "log.sqlite")
    try:
        table.set(T1="red1", L1="blue1")
        assert table.refused("/match/begin", "uk", {}) == "партія вже почалася"
        assert table.refused("/match/take-back", "uk", {}) == "немає дії, яку можна повернути"
        assert table.refused("/match/take-back", "en", {}) == "there is no action to take back"
        assert table.refused("/match/answer", "uk", {"action": "ой"}) == "ой — це не дія цієї гри."
        assert table.refused("/match/position", "uk", {"sites": {"Z9": "red1"}}).startswith("Так грати не можна: ")
        many = {"sites": {f"L{place}": "red2" for place in range(1, 7)}}
        set_by_hand = {language: table.refused("/match/position", language, many) for language in LANGUAGES}
        assert set_by_hand["de"] == "12 Spielsteine auf dem Brett, aber es gibt nur 11."
        assert len(set(set_by_hand.values())) == len(LANGUAGES)
        stale = {"sites": {"T1": "red1"}, "since": {"ply": 1, "faces": {"T1": "red1", "L1": "blue1"}}}
        gone_on = {language: table.refused("/match/position", language, stale) for language in LANGUAGES}
        assert gone_on["de"].startswith("Die Partie ist inzwischen weitergegangen")
        assert len(set(gone_on.values())) == len(LANGUAGES)
        illegal = {language: table.refused("/match/answer", language, {"action": "T1-T4"}) for language in LANGUAGES}
        assert illegal["en"] == "T1-T4: The Single cannot go that far (T1, T4)."
        assert len(set(illegal.values())) == len(LANGUAGES)
    finally:
        table.close()


def test_a_wrong_pin_and_too_many_of_them_are_told_in_ukrainian() -> None:
    client = create_app(PaperHouse(), ACCESS).test_client()
    said = [
        client.post(
            "/api/v1/match/draw", json={}, headers={"X-Magister-Pin": "0000", "Accept-Language": "uk,en;q=0.5"}
        ).get_json()["message"]
        for _ in range(6)
    ]
    assert said[0] == "Це не PIN столу; його показано там, де працює програма."
    assert said[5].startswith("Забагато неправильних PIN-кодів: зачекайте ")
    plain = client.post("/api/v1/match/draw", json={}, headers={"Accept-Language": "uk"}).get_json()
    assert plain["message"] == "Щоб щось змінити, потрібен PIN столу."


def test_a_camera_that_cannot_be_had_is_told_in_ukrainian() -> None:
    sitting = Sitting(Gear(NoLights()), "sim")
    cameras = Cameras(sitting, CameraSettings(), lambda _: EmptyRoom())
    sitting.camera, sitting.wants_camera = "frames:/nowhere", True
    cameras.change()
    told = told_state(Update(1, state_of(sitting)), "uk")["camera"]
    assert told["text"].startswith("Камеру frames:/nowhere не вдається використати")
    assert told["source"] == "sim"
    sitting.close()


def test_a_game_says_in_its_own_words_what_lies_there() -> None:
    told = [notice({"game": game, "lying": ["1,0"]}, "de") for game in ("triominos", "rings")]
    assert told[0].startswith(
        "Was auf 1,0 liegt, sieht für die Kamera nach keiner Karte oder Bonusmarke dieses Spiels aus: "
    )
    assert told[1] == "Auf 1,0 liegt etwas: Der Schiedsrichter sieht nicht, was dort steht."
