"""`magister run` put together: seats and colours, a match that goes on after a restart, a table without pins."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from queue import SimpleQueue
from random import Random
from urllib.request import urlopen

import cv2
import numpy as np
import pytest
from logbook import write_match
from page_table import PaperEye
from pictured import seen
from place import Place
from tabletop import Tabletop, read

from engine.core import GameError, Json
from engine.face import spelled
from engine.match import Match
from engine.players.levels import LEVELS
from engine.referee.table import Seen, step
from engine.registry import find_game
from firmware.coaching.computers import named
from firmware.commands.cli import main
from firmware.devices.lights import NoLights
from firmware.devices.recorded import FrameFolder
from firmware.devices.simulated import SimulatedCamera, at_random
from firmware.log.match.seating import Seating, names_of
from firmware.log.store import Store
from firmware.machine.clock import wall_clock
from firmware.machine.errors import UsageError
from firmware.page.desk import Wish
from firmware.photos.looking import told
from firmware.settings.eyes import make_eye
from firmware.table.attending import Attendant
from firmware.table.beginning.plans import MatchPlan
from firmware.table.loop import Sitting
from firmware.table.playing import resumed_table
from firmware.table.requests.resuming import found_match, resume
from vision.frame import Frame


def test_seats_are_told_by_number_or_by_colours_with_names() -> None:
    assert [player.colour for player in Seating.parse("3").players] == ["red", "yellow", "green"]
    seating = Seating.parse("blue=Ada,red")
    assert names_of(seating.players) == "Ada (blue), red"
    assert seating.to_seat_colours == {"blue": "red", "red": "yellow", "yellow": "green", "green": "blue"}


@pytest.mark.parametrize("text", ["purple", "red,red", "red;blue", "", "7"])
def test_strange_seats_get_one_line(text: str) -> None:
    with pytest.raises(UsageError, match=r"seat order|at most 4, not 7") as caught:
        Seating.parse(text)
    assert "\n" not in str(caught.value)


def test_the_rules_see_seat_colours_whatever_pieces_are_played_with() -> None:
    board = find_game("rings").board(2, {})
    reading = Seating.parse("blue,green").seen_by_rules(read(board, {"a1": "blue", "b2": "green"}, {}), board.faces)
    assert seen(reading) == {"a1": "red", "b2": "yellow"}
    plain = read(board, {"a1": "red"}, {})
    assert Seating.parse("2").seen_by_rules(plain, board.faces) is plain


def test_a_match_of_the_log_goes_on_where_the_table_stands() -> None:
    rules = find_game("rings").configure()
    dice, table = Random(3), Tabletop(rules)
    table.turns = {"ring-a": 2, "ring-b": 0, "ring-c": 5}
    table.table = type(table.table).begin(table.table.match, table.turns)
    first = dict(table.turns)
    for _ in range(8):
        table.play(str(dice.choice(table.table.match.position.legal())))
    again = resumed_table(Match.replay(rules, 2, {}, map(str, table.table.match.actions)), first)
    assert [stand.faces for stand in again.stands] == [stand.faces for stand in table.table.stands]
    board = table.board
    for frame in range(10):
        again = step(again, Seen(frame / 10, read(board, table.faces, table.turns)))
        assert again.news == (), "the table still shows the position: there is nothing to say"


def test_a_table_that_was_changed_meanwhile_is_told_where() -> None:
    rules = find_game("rings").configure()
    match = Match.replay(rules, 2, {}, ["+a8", "+c4", "+b1"])
    again, board = resumed_table(match, {}), rules.game.board(2, {})
    moved = {"a8": "red", "c4": "yellow", "b5": "red"}
    news = []
    for frame in range(20):
        again = step(again, Seen(frame / 10, read(board, moved, {})))
        news += again.records()
    assert [(event["event"], event.get("sites")) for event in news] == [("illegal", ["b1"])]
    for frame in range(5):
        again = step(again, Seen(2.0 + frame / 10, read(board, spelled(match.position.faces()), {})))
        news += again.records()
    assert news[-1]["event"] == "restored", "and once it is put right, play goes on"


@pytest.fixture
def left(tmp_path: Path) -> Iterator[Store]:
    """A log whose last match, of a person against the program, was cut short."""
    rules = find_game("memento-tuos").configure("simple")
    with Store(tmp_path / "matches.sqlite") as store:
        number = store.begin_match(rules, LEFT.players, {}, started=THEN)
        store.append(number, "action", {"ply": 0, "seat": 0, "action": "+T1"}, at=THEN, seconds=4.0)
        yield store


THEN = "2026-01-02T20:00:00+00:00"
LEFT = named(Seating.parse("blue=Ada,red"), {1: LEVELS[3]})
SIMPLE = find_game("memento-tuos").configure("simple")


def test_whoever_names_no_game_goes_on_with_the_last_match(left: Store) -> None:
    said: list[str] = []
    found = resume(left, None, said.append)
    assert found is not None
    plan, (number, table) = found
    assert (plan.rules, plan.seating) == (SIMPLE, LEFT)
    assert plan.seating.levels == {1: LEVELS[3]}, "the program plays on as well as it did"
    assert (number, table.match.ply) == (1, 1)
    assert said == ["resuming match 1 after 1 action (use --new to start another)"]


def test_who_plays_a_seat_is_what_was_said_last(left: Store) -> None:
    asked = MatchPlan(SIMPLE, named(Seating.parse("blue,red"), {0: LEVELS[0]}))
    found = resume(left, asked, lambda _: None)
    assert found is not None
    assert [(player.name, player.level) for player in found[0].seating.players] == [("Parvulus", 1), ("red", None)]
    same = resume(left, MatchPlan(SIMPLE, named(Seating.parse("blue,red"), {1: LEVELS[3]})), lambda _: None)
    assert same is not None
    assert same[0].seating == LEFT, "names are kept"


@pytest.mark.parametrize("players", ["red,blue", "blue,red,green"])
def test_other_seats_are_another_match(left: Store, players: str) -> None:
    assert resume(left, MatchPlan(SIMPLE, Seating.parse(players)), lambda _: None) is None


def test_another_game_is_another_match(left: Store) -> None:
    assert resume(left, MatchPlan(find_game("memento-tuos").configure("complex"), LEFT), lambda _: None) is None


def test_a_match_that_is_put_aside_for_another_is_named(left: Store) -> None:
    said: list[str] = []
    assert resume(left, MatchPlan(find_game("rings").configure(), Seating.parse("2")), said.append) is None
    assert said == ["match 1 is put aside: `magister run --match 1` goes on with it"]


def test_a_match_is_taken_up_by_its_number(
    left: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.table.running.make_eye", lambda board, _, paints: PaperEye(board))
    left.append(1, "abandon", {}, at=THEN, seconds=9.0)
    cv2.imwrite(str(tmp_path / "frame-000000.png"), np.full((360, 640, 3), (90, 128, 150), np.uint8))
    words = ["run", "--no-page", "--camera", f"frames:{tmp_path}", "--lights", "none", "--log", str(left.path)]
    assert main([*words, "--match", "7"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert main([*words, "--match", "1", "--game", "rings"]) == 2
    assert "leave out --game" in capsys.readouterr().err
    assert main([*words, "--match", "1"]) == 0
    assert "resuming match 1 after 1 action" in capsys.readouterr().err
    assert left.unfinished_match() == 1


def test_a_match_that_was_won_is_not_taken_up(left: Store) -> None:
    write_match(left, "rings", seed=3, plies=1000)
    with pytest.raises(GameError, match="match 2 was played to its end"):
        found_match(left, 2)


def test_a_match_that_is_over_does_not_go_on(left: Store) -> None:
    left.append(1, "resign", {"seat": 0}, at=THEN, seconds=9.0)
    assert resume(left, None, lambda _: None) is None


def test_a_match_after_which_another_was_played_does_not_go_on(left: Store) -> None:
    again = left.begin_match(SIMPLE, LEFT.players, {}, started=THEN)
    left.append(again, "draw", {}, at=THEN, seconds=9.0)
    assert resume(left, None, lambda _: None) is None


def test_a_match_that_one_of_three_gave_up_does_not_go_on_until_he_says_it_was_a_mistake(left: Store) -> None:
    match = left.begin_match(SIMPLE, Seating.parse("3").players, {}, started=THEN)
    left.append(match, "resign", {"seat": 0}, at=THEN, seconds=9.0)
    assert resume(left, None, lambda _: None) is None
    left.append(match, "correction", {"what": "reopen"}, at=THEN, seconds=9.5)
    found = resume(left, None, lambda _: None)
    assert found is not None
    assert found[1][0] == match


def test_sheets_lie_as_they_lay_when_the_match_began(left: Store) -> None:
    match = left.begin_match(SIMPLE, LEFT.players, {}, {"tile-T": 2}, started=THEN)
    left.append(match, "action", {"action": "+T1"}, at=THEN, seconds=1.0)
    found = resume(left, None, lambda _: None)
    assert found is not None
    _, (_, table) = found
    assert [stand.turns["tile-T"] for stand in table.stands] == [2, 2]


def test_the_time_of_day_is_told_with_its_zone_to_the_millisecond() -> None:
    told = wall_clock()
    assert datetime.fromisoformat(told).utcoffset() == timedelta()
    assert len(told) == len("2026-01-02T20:00:00.000+00:00")


def test_run_without_pins_or_board_says_so_and_leaves_a_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (360, 640, 3), dtype=np.uint8)
    cv2.imwrite(str(tmp_path / "frame-000000.png"), noise)
    log = tmp_path / "deep" / "matches.sqlite"
    words = ["run", "--game", "rings", "--camera", f"frames:{tmp_path}", "--lights", "none", "--log", str(log)]
    assert main(words) == 0
    said = capsys.readouterr()
    assert said.out.startswith("Trois Anneaux: red, yellow.")
    assert said.err.count("\n") == 1
    assert log.exists()


def test_without_a_game_or_a_page_the_match_that_was_cut_short_goes_on(
    left: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.table.running.make_eye", lambda board, _, paints: PaperEye(board))
    cv2.imwrite(str(tmp_path / "frame-000000.png"), np.full((360, 640, 3), (90, 128, 150), np.uint8))
    words = ["run", "--no-page", "--camera", f"frames:{tmp_path}", "--lights", "none", "--log", str(left.path)]
    assert main([*words, "--new"]) == 2
    assert "--game" in capsys.readouterr().err
    assert main(words) == 0
    said = capsys.readouterr()
    assert said.out.startswith("MEMENTO TUOS: Ada (blue), Peritus (red).")
    assert "resuming match 1 after 1 action" in said.err


def test_a_game_without_a_name_is_no_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", "--game", "", "--camera", "sim", "--lights", "none", "--log", str(tmp_path / "log.sqlite")]
    assert main(words) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("camera", ["usb:nine", "webcam", "frames:/nowhere", "video:/nowhere", "url:here"])
def test_no_such_camera_gets_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], camera: str) -> None:
    words = ["run", "--game", "rings", "--camera", camera, "--lights", "none", "--log", str(tmp_path / "log.sqlite")]
    assert main(words) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_without_a_camera_the_page_is_there_and_says_so(tmp_path: Path) -> None:
    words = ["run", "--camera", "url:http://ada:hush@127.0.0.1:9/video", "--port", "0", "--lights", "none"]
    command = [sys.executable, "-m", "firmware", *words, "--log", str(tmp_path / "log.sqlite")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        try:
            assert program.stdout is not None
            address = program.stdout.readline().removeprefix("The page: ").strip()
            with urlopen(f"{address}api/v1/state", timeout=60) as answer:
                camera = json.load(answer)["camera"]
        finally:
            program.send_signal(signal.SIGTERM)
            _, said = program.communicate(timeout=60)
    assert program.returncode == 130
    assert camera["text"].startswith("No camera answers at http://127.0.0.1:9/video: check address and port")
    assert camera["text"] in said
    assert "hush" not in said + str(camera)


def test_a_log_that_cannot_be_written_gets_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("in the way")
    words = ["run", "--game", "rings", "--camera", "sim", "--lights", "none", "--log", str(tmp_path / "file" / "log")]
    assert main(words) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("game", ["triominos"])
def test_a_game_that_cannot_be_followed_yet_gets_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    monkeypatch.setattr("vision.readers.registry.READERS", ())
    log = tmp_path / "log.sqlite"
    for words in (
        ["run", "--game", game, "--camera", "sim", "--lights", "none", "--log", str(log)],
        ["watch", f"frames:{tmp_path}", "--game", game, "--players", "2"],
    ):
        assert main(words) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert f"{game} cannot be refereed yet: nothing reads its " in said
    assert not log.exists()


def test_ended_by_a_signal_it_ends_in_order(tmp_path: Path) -> None:
    words = ["run", "--game", "rings", "--camera", "sim", "--no-page", "--lights", "none", "--log", str(tmp_path / "l")]
    with subprocess.Popen(
        [sys.executable, "-m", "firmware", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline().startswith("Trois Anneaux"), "it runs"
        program.send_signal(signal.SIGTERM)
        _, said = program.communicate(timeout=60)
    assert program.returncode == 130
    assert "Traceback" not in said
    assert not list(tmp_path.glob("l-*")), "the log was closed: nothing lies beside it"


def test_at_the_simulated_table_too_a_match_goes_on_where_it_was_left() -> None:
    game = find_game("rings")
    match = Match.begin(game.configure(), 2, {})
    for action in ("+a8", "a<", "+b5"):
        match = match.play(match.rules.parse(action))
    table = resumed_table(match, {})
    camera = SimulatedCamera(match, game.board(2, {}), 1, at_random(1, 1), lambda _: None, turns=table.stand.turns)
    frame = next(camera.frames())
    assert frame is not None
    seen = told(game.board(2, {}), make_eye(game.board(2, {}), None).look(frame))
    assert {site: piece["colour"] for site, piece in seen["sites"].items()} == spelled(match.position.faces())
    assert {name: lying["turn"] for name, lying in seen["sheets"].items()} == {"ring-a": 7, "ring-b": 0, "ring-c": 0}


class PaperDesk:
    """A desk without a page: one wish, and what was done in which order."""

    def __init__(self, *wishes: Wish) -> None:
        self.waiting, self.done = list(wishes), list[str]()
        self.attendant: Attendant | None = None

    def wishes(self) -> list[Wish]:
        waiting, self.waiting = self.waiting, []
        return waiting

    def beat(self) -> None:
        self.done.append("beat")

    def wanted_pictures(self) -> list[tuple[int, bool]]:
        return []

    def wanted_glances(self) -> list[tuple[int, str]]:
        return []

    def publish(self, *_: object) -> None:
        self.done.append("published")

    def answer(self, wish: Wish, told: Json | None, refused: Json | None) -> None:
        self.done.append("refused" if refused else "answered")


def serve(place: Place, desk: PaperDesk, frame: Frame | None) -> list[str]:
    desk.attendant = desk.attendant or Attendant(place.sitting, SimpleQueue(), desk, lambda _: None)  # type: ignore[arg-type]
    desk.attendant.serve(frame)
    done, desk.done = desk.done, []
    return done


def test_the_page_shows_what_was_wished_before_it_is_answered_and_hears_only_what_is_new() -> None:
    place, picture = Place(computers=""), np.full((180, 320, 3), 120, np.uint8)
    desk = PaperDesk(Wish(1, "draw", {}), Wish(2, "dance", {}))
    assert serve(place, desk, Frame(picture, 9.0)) == ["beat", "published", "answered", "refused"]
    serve(place, desk, Frame(picture, 9.1))
    assert serve(place, desk, Frame(picture, 9.2)) == ["beat"]


def test_a_camera_that_gives_nothing_is_not_called_alive_while_it_is_needed() -> None:
    place = Place(computers="")
    assert "beat" not in serve(place, PaperDesk(), None)
    place.sitting.playing = None
    assert "beat" in serve(place, PaperDesk(), None), "nobody plays yet"


def test_all_that_was_opened_is_closed_and_what_is_odd_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []

    class Thing(NoLights):
        def __init__(self, name: str) -> None:
            self.name = name

        def close(self) -> None:
            done.append(f"{self.name} closed")

    class Pulse:
        def beat(self, _: float) -> None:
            done.append("beat")

        def stopping(self) -> None:
            done.append("stopping")

    monkeypatch.setattr("firmware.table.running.make_eye", lambda board, _, paints: PaperEye(board))
    monkeypatch.setattr("firmware.table.running.open_lights", lambda *_: Thing("lights"))
    monkeypatch.setattr("firmware.table.running.open_panel", lambda *_: Thing("panel"))
    monkeypatch.setattr("firmware.table.attending.Heartbeat.from_environment", lambda *_: Pulse())
    for kind, name in ((FrameFolder, "camera"), (Sitting, "sitting")):
        monkeypatch.setattr(kind, "close", lambda _, name=name: done.append(f"{name} closed"))
    cv2.imwrite(str(tmp_path / "frame-000000.png"), np.full((360, 640, 3), (90, 128, 150), np.uint8))
    (tmp_path / "log.sqlite").write_bytes(b"Dear diary")
    (tmp_path / "config.toml").write_text("[page]\non = false\n")
    files = ["--log", str(tmp_path / "log.sqlite"), "--config", str(tmp_path / "config.toml")]
    assert main(["run", "--game", "rings", "--camera", f"frames:{tmp_path}", "--lights", "none", *files]) == 0
    assert done == ["beat", "stopping", "panel closed", "camera closed", "sitting closed", "lights closed"]
    said = capsys.readouterr()
    assert "it was kept as log.sqlite.damaged-1" in said.err
    assert "http" not in said.out, "by the settings there is no page"


HOLDER = """
import sys
from pathlib import Path
from firmware.log.claim import claimed
with claimed(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_two_programs_do_not_go_on_with_the_same_match(
    left: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.table.running.make_eye", lambda board, _, paints: PaperEye(board))
    linked = tmp_path / "linked.sqlite"
    linked.symlink_to(left.path)
    words = ["run", "--no-page", "--camera", f"frames:{tmp_path}", "--lights", "none", "--log", str(linked)]
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(left.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        whole = left.path.read_bytes()
        damaged = whole[:2000]
        left.path.write_bytes(damaged)
        assert main(words) == 2
        assert left.path.read_bytes() == damaged, "what another program writes is not set aside"
        said = capsys.readouterr()
        assert "another magister run is using the log" in said.err
        assert said.err.count("\n") == 1
        left.path.write_bytes(whole)
        other.kill()
    assert main(words) == 2
    assert "holds no frame" in capsys.readouterr().err, "once that one is gone, however it went, all is as ever"
    assert not list(tmp_path.glob("*.lock"))
