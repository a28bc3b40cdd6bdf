"""A sixth game is a folder: it is printed, seen, refereed, shown and taught, and no other file knows of it."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from urllib.request import Request, urlopen

import cv2
import pytest
from catalogues import TRANSLATED, Domain, is_said
from page_table import PageTable

from engine.core import Game, Refusal
from engine.lessons import answer, lessons_of
from engine.match import Match
from engine.players.hints import advise
from engine.registry import find_game, forget
from engine.words import sentence
from firmware.commands.cli import main
from hardware.build.models import piece_kinds
from hardware.virtual.acting.deeds import Mistake, Play
from hardware.virtual.acting.player import Style, TablePlayer
from hardware.virtual.camera import Pose
from hardware.virtual.painting.render import Renderer
from hardware.virtual.scene import Scene

HERE = Path(__file__).parent
NAME = "nine-fields"
POSE = Pose(distance=640, tilt=22, direction=190, hfov=66)
FPS = 6.0


@pytest.fixture(scope="module", autouse=True)
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game]:
    """The game as a package that somebody has installed, here and in every process that is started from here."""
    place = tmp_path_factory.mktemp("packages")
    (place / "nine").symlink_to(HERE / "nine")
    info = place / "nine-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: nine\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[magister.games]\nnine = nine\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(place), prepend=os.pathsep)
        patch.syspath_prepend(place)
        forget()
        yield find_game(NAME)
    forget()


def told(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    assert main([str(word) for word in words]) == 0
    return capsys.readouterr().out


def test_no_other_file_knows_of_it() -> None:
    house = HERE.parents[1]
    for room in ("engine", "vision", "hardware", "webui", "firmware"):
        files = [path for path in (house / room).rglob("*") if path.suffix in (".py", ".js", ".html", ".css", ".toml")]
        assert len(files) > 20, room
        assert not [path for path in files if NAME in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("language", TRANSLATED)
def test_its_words_are_in_its_own_catalogues(language: str, game: Game) -> None:
    domain = Domain.of_game(HERE / "nine")
    known = domain.written(language)
    assert known.keys() == set(domain.texts())
    assert all(map(is_said, known.values()))
    refusal = Refusal("place.occupied", ("b2",), {"sites": "b2"})
    assert sentence(game, refusal, language) != sentence(game, refusal)


def test_the_commands_take_it(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert "drei Steinen in einer Reihe" in told(capsys, "rules", NAME, "--lang", "de")
    assert told(capsys, "perft", NAME, "--depth", 3) == "504\n"
    trace = told(capsys, "trace", NAME, "--seed", 4)
    assert json.loads(trace.splitlines()[-1])["result"]["by"] in ("row", "full")
    monkeypatch.setattr("sys.stdin", io.StringIO("+a1\n+a1\n+b1\n+a2\n+b2\n+a3\n"))
    played = told(capsys, "play", NAME)
    assert "There is a pawn on a1 already. [place.occupied]" in played
    assert played.endswith("red wins with three in a row.\n")


def test_it_is_printed(capsys: pytest.CaptureFixture[str], tmp_path: Path, game: Game) -> None:
    told(capsys, "print", NAME, "--out", tmp_path, "--lang", "uk")
    record = json.loads((tmp_path / "board.json").read_text(encoding="utf-8"))
    assert record["fiducials"]["dictionary"] == "DICT_4X4_250"
    assert [mark["id"] for mark in record["fiducials"]["markers"]] == list(game.fiducials)
    assert (tmp_path / f"{NAME}-a4.pdf").stat().st_size > 10_000
    assert next(kind for kind in piece_kinds() if kind.name == "pawn").number >= 10


def test_a_photo_of_it_is_read(capsys: pytest.CaptureFixture[str], tmp_path: Path, game: Game) -> None:
    board, faces = game.board(2), {"a1": "red", "b2": "yellow", "c3": "red"}
    scene = replace(Scene.showing(board, board.faces.read(faces), sloppy=0.6, seed=3), pose=POSE)
    cv2.imwrite(str(tmp_path / "photo.png"), Renderer(board).render(scene).bgr)
    seen = json.loads(told(capsys, "look", tmp_path / "photo.png", "--game", NAME, "--json"))
    assert {site: told["colour"] for site, told in seen["sites"].items()} == faces
    assert main(["look", str(tmp_path / "photo.png"), "--game", "rings"]) == 1
    assert NAME in capsys.readouterr().out


def test_a_match_is_refereed(capsys: pytest.CaptureFixture[str], tmp_path: Path, game: Game) -> None:
    """Two hands at the virtual table; yellow is too quick once and takes the pawn back."""
    match = Match.begin(game.configure(), 2, {})
    early = Mistake({"a1": game.faces["red"], "c1": game.faces["red"]}, rules=("not-your-turn",))
    deeds = (Play("+a1"), early, *map(Play, ("+b1", "+a2", "+b2", "+a3")))
    style = Style(fps=FPS, speed=1200.0, pause=0.6)
    player = TablePlayer(match, replace(Scene(game.board(2)), pose=replace(POSE, size=(960, 540))), style, seed=2)
    for number, shot in enumerate(player.frames(deeds)):
        cv2.imwrite(str(tmp_path / f"frame-{number:06d}.jpg"), shot.bgr)
    words = ("watch", f"frames:{tmp_path}", "--game", NAME, "--players", 2, "--fps", FPS, "--json")
    events = [json.loads(line) for line in told(capsys, *words).splitlines()]
    said = [event.get("action") or event.get("rule") or event["event"] for event in events]
    assert [each for each in said if each != "unfinished"] == [
        *("+a1", "not-your-turn", "restored", "+b1", "+a2", "+b2", "+a3", "result")
    ]
    assert (events[-1]["winner"], events[-1]["by"]) == (0, "row")


def test_hands_play_it_at_the_virtual_table(capsys: pytest.CaptureFixture[str]) -> None:
    out = told(capsys, "demo", "--game", NAME, "--seed", 3, "--actions", 1, "--fast", "--port", 0)
    assert "action     1. red +" in out


def test_it_is_taught_and_hints_are_given(game: Game) -> None:
    (lesson,) = lessons_of(game)
    assert answer(game, lesson, lesson.solution, "fr").text == "Trois en ligne : tu as gagné."
    assert [answer(game, lesson, text).rule for text in lesson.slips] == list(lesson.slips.values())
    start = lesson.start(game)
    assert str(advise(start, [start], Random(1)).action) == "+c1"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[PageTable]:
    table = PageTable(tmp_path / "log.sqlite", NAME, "red=Ada,yellow=Ben")
    yield table
    table.close()


def test_the_page_shows_it(table: PageTable) -> None:
    table.play("+b2")
    table.until(lambda: table.told()["faces"] == {"b2": "red"})
    assert table.told()["supply"]["players"][0] == [{"label": "Pawns to place", "value": 4}]
    table.put(b2="red", a1="yellow", c1="yellow")
    table.until(lambda: any(event.get("rule") == "place.two" for event in table.said))
    table.until(lambda: "Only one pawn is placed in a turn" in table.told()["verdict"]["text"])


def test_the_pages_draw_it(table: PageTable) -> None:
    def page(path: str, language: str = "en") -> str:
        with urlopen(Request(f"{table.address}{path}", headers={"Accept-Language": language})) as answer:
            return str(answer.read().decode())

    table.play("+b2")
    table.until(lambda: 'data-site="b2" data-face="red"' in page("/"))
    live = page("/")
    assert all(f'<circle data-site="{site}"' in live for site in ("a1", "b2", "c3"))
    assert "drei Steinen in einer Reihe" in page(f"/rules/{NAME}", "de")
    assert "Complète la rangée du haut." in page(f"/lessons/{NAME}/row", "fr")
    assert "Nine Fields" in page("/new")


def test_a_folder_of_the_house_is_enough() -> None:
    """What is tested above as a package that is installed works as a folder in `engine/games`, too."""
    code = (
        f"import engine.games; engine.games.__path__.append({str(HERE)!r});"
        f"from firmware.commands.cli import main; main(['rules', {NAME!r}, '--lang', 'it'])"
    )
    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([sys.executable, "-c", code], env=alone, capture_output=True, text=True, check=True)
    assert "tre pedine in fila" in done.stdout
