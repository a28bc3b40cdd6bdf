"""The command line from outside: what it prints, what it refuses, and with which exit code."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from argparse import Namespace
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from firmware.bench import Row
from firmware.commands.cli import build_parser, main
from firmware.devices.sources import check_source


def call(*words: object, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """The real program in a process of its own."""
    command = [sys.executable, "-m", "firmware", *map(str, words)]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=120)


def told(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    """The same in this process, which is quicker."""
    try:
        code = main([str(word) for word in words])
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 1
    said = capsys.readouterr()
    return code, said.out, said.err


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize(
    ("words", "count"),
    [
        (["memento-tuos", "--players", 2, "--depth", 0], 1),
        (["memento-tuos", "--players", 2, "--depth", 1], 28),
        (["memento-tuos", "--players", 2, "--depth", 2], 4026),
        (["memento-ludis", "--players", 4, "--depth", 2], 4026),
        (["rings", "--players", 2, "--depth", 1], 24 + 3 * 2),
        # 16 entry points are left; T1 and L3 make two triangles worth turning; T7 has six neighbours.
        (["memento-tuos", "--depth", 1, "--after", "+T7 +T1,L3"], 16 * 15 // 2 + 2 * 2 + 6),
    ],
)
def test_perft_prints_one_number(capsys: pytest.CaptureFixture[str], words: list[object], count: int) -> None:
    assert told(capsys, "perft", *words) == (0, f"{count}\n", "")


def test_the_program_starts_without_what_only_pictures_need() -> None:
    """Else every command, however small, takes half as long again, and far longer on a Raspberry Pi."""
    script = """if True:
        import sys
        from firmware.commands.cli import build_parser
        build_parser()
        print(*(name for name in ("numpy", "cv2", "PIL", "vision.look", "flask") if name in sys.modules))
    """
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout == "\n"


def test_without_a_command_the_page_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[Namespace] = []
    monkeypatch.setattr("firmware.commands.run.run", lambda args: called.append(args) or 0)
    monkeypatch.setattr("firmware.table.cameras.chosen.webcams", lambda known: [(2, "C920")])
    assert main([]) == 0
    monkeypatch.setattr("firmware.table.cameras.chosen.webcams", lambda known: [])
    assert main([]) == 0
    assert [(args.open, args.camera, args.game) for args in called] == [(True, "usb:2", None), (True, "phone", None)]


def test_the_container_calls_the_program_as_it_can_be_called() -> None:
    recipe = (Path(__file__).parents[3] / "Containerfile").read_text()
    words = json.loads(recipe.partition("\nCMD ")[2])
    args = build_parser().parse_args(words)
    check_source(args.camera)
    assert str(args.log).startswith("/data/")
    assert "VOLUME /data" in recipe


def test_it_says_which_version_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = told(capsys, "--version")
    assert (code, out, err) == (0, f"magister {metadata.version('magister-ludi')}\n", "")


def test_perft_divided_adds_up(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = told(capsys, "perft", "rings", "--depth", 2, "--divide")
    *parts, total = out.splitlines()
    assert code == 0
    assert len(parts) == 30
    assert sum(int(part.split()[1]) for part in parts) == int(total) == 864


@pytest.mark.parametrize("game", ["memento-tuos", "memento-ludis", "rings", "dimenticato", "triominos"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_trace_replays_to_itself(capsys: pytest.CaptureFixture[str], tmp_path: Path, game: str, players: int) -> None:
    code, out, err = told(capsys, "trace", game, "--players", players, "--seed", 5, "--plies", 40)
    assert (code, err) == (0, "")
    header, *plies, last = lines(out)
    assert set(header) == {"game", "variant", "players", "options", "setup"}
    assert [line["ply"] for line in plies] == list(range(len(plies)))
    assert all(line["legal"] == sorted(line["legal"]) and line["played"] in line["legal"] for line in plies)
    assert set(last) == {"result"}
    file = tmp_path / "trace.jsonl"
    file.write_text(out)
    assert told(capsys, "trace", game, "--replay", file) == (0, out, "")
    shorter = "".join(line + "\n" for line in out.splitlines()[:-1])
    file.write_text(shorter)
    assert told(capsys, "trace", game, "--replay", file) == (0, out, "")


def test_the_header_holds_only_what_differs(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--variant", "complex", "--option", "passage=wide", "--option", "facing_medians=off", "--plies", 1]
    _, out, _ = told(capsys, "trace", "memento-tuos", *words)
    assert lines(out)[0] | {"setup": {}} == {
        "game": "memento-tuos",
        "variant": "complex",
        "players": 2,
        "options": {"facing_medians": False},
        "setup": {},
    }
    assert lines(told(capsys, "trace", "rings", "--plies", 1)[1])[0]["variant"] is None


def write_trace(path: Path, *played: str, **header: object) -> Path:
    first = {"game": "memento-tuos", "variant": "original", "players": 2, "options": {}, "setup": {}} | header
    rows = [first, *({"ply": ply, "played": text} for ply, text in enumerate(played))]
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


@pytest.mark.parametrize("coding", ["ascii", "latin-1", "cp1252"])
def test_a_terminal_that_lacks_letters_gets_the_others(coding: str) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": coding}
    words = [sys.executable, "-m", "firmware", "rules", "rings", "--lang", "uk"]
    done = subprocess.run(words, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"Trois Anneaux")


@pytest.mark.parametrize(("output", "code"), [(">&-", 0), (">/dev/full", 2)])
def test_output_that_goes_nowhere(output: str, code: int) -> None:
    words = f"{shlex.quote(sys.executable)} -m firmware trace rings --plies 300 {output}"
    done = subprocess.run(["/bin/sh", "-c", words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (code, code // 2), done.stderr


def shell(words: str) -> subprocess.CompletedProcess[str]:
    """The program (`magister` in these words) as a person calls it, with output that waits until there is enough."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    words = f'magister() {{ {shlex.quote(sys.executable)} -m firmware "$@"; }}; set -o pipefail; {words}'
    return subprocess.run(["/bin/bash", "-c", words], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("output", [">/dev/full", "| true"])
@pytest.mark.parametrize(("second", "code"), [({"kind": "song"}, 2), ({"played": "castle"}, 1)])
def test_what_is_wrong_is_told_also_where_the_output_takes_nothing(
    tmp_path: Path, output: str, second: object, code: int
) -> None:
    file = write_trace(tmp_path / "t")
    file.write_text(f"{file.read_text()}\n{json.dumps(second)}\n")
    done = shell(f"magister trace memento-tuos --replay {shlex.quote(str(file))} {output}")
    assert (done.returncode, done.stderr.count("\n")) == (code, 1), done.stderr
    assert done.stderr.startswith("magister trace: ")


@pytest.mark.parametrize("word", ["--help", "--version", "log show --help"])
@pytest.mark.parametrize(("output", "code", "told"), [("| true", 0, ""), (">/dev/full", 2, "magister: No space left")])
def test_help_and_version_into_an_output_that_takes_nothing(word: str, output: str, code: int, told: str) -> None:
    done = shell(f"magister {word} {output}")
    assert (done.returncode, done.stderr.count("\n")) == (code, code // 2), done.stderr
    assert done.stderr.startswith(told)


@pytest.mark.parametrize("words", ["rules chess", "chess"])
def test_the_exit_code_tells_where_no_error_can_be_written(words: str) -> None:
    assert shell(f"magister {words} 2>/dev/full").returncode == 2


def test_a_closed_input_is_one_that_holds_nothing() -> None:
    words = f"{shlex.quote(sys.executable)} -m firmware play rings"
    closed, empty = (
        subprocess.run(["/bin/sh", "-c", f"{words} {stdin}"], capture_output=True, text=True, check=False)
        for stdin in ("<&-", "</dev/null")
    )
    assert (closed.returncode, closed.stdout, closed.stderr) == (0, empty.stdout, "")


def test_what_is_wrong_goes_nowhere_where_errors_are_closed() -> None:
    words = f"{shlex.quote(sys.executable)} -m firmware rules chess 2>&-"
    done = subprocess.run(["/bin/sh", "-c", words], stdout=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, ""), "the output holds results and nothing else"


def test_an_illegal_action_stops_a_replay_with_its_rule(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = write_trace(tmp_path / "t", "+T1", "+T7,L1")
    code, out, err = told(capsys, "trace", "memento-tuos", "--replay", file)
    assert code == 1
    assert len(lines(out)) == 2
    assert err.count("\n") == 1
    assert "ply 1: +T7,L1 is not legal: enter.middle: " in err


@pytest.mark.parametrize("text", ["castle", "+L3,L1", "", "+T1 "])
def test_a_text_that_is_no_action_is_refused_by_a_replay(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str
) -> None:
    file = write_trace(tmp_path / "t", "+T1", text)
    code, out, err = told(capsys, "trace", "memento-tuos", "--replay", file)
    assert (code, len(lines(out)), err.count("\n")) == (1, 2, 1)
    assert f"ply 1: {text!r} is not an action of Memento" in err
    assert err.endswith(": unknown\n")


def test_an_action_after_the_end_stops_a_replay(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = write_trace(tmp_path / "t", "I4-I7", "L1-L7", setup=WON)
    code, out, err = told(capsys, "trace", "memento-tuos", "--replay", file)
    assert code == 1
    assert "game-over" in err
    file = write_trace(tmp_path / "t", "I4-I7", setup=WON)
    _, out, _ = told(capsys, "trace", "memento-tuos", "--replay", file)
    assert lines(out)[-1] == {"result": {"winner": 0, "by": "middles"}}


WON = {"sites": {"T7": "red1", "L7": "red1", "R7": "red1", "I4": "red1", "L1": "yellow1"}}


@pytest.mark.parametrize(
    ("setup", "first", "result"),
    [(WON, "I4-I7", {"winner": 0, "by": "middles"}), ({}, "+L1", "capped"), ({}, "+L1", {"winner": 1, "by": "last"})],
)
def test_an_action_after_the_result_stops_a_replay(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, setup: object, first: str, result: object
) -> None:
    file = write_trace(tmp_path / "t", first, setup=setup)
    with file.open("a") as trace:
        trace.write(f"\n{json.dumps({'result': result})}\n")
    assert told(capsys, "trace", "memento-tuos", "--replay", file)[0] == 0
    with file.open("a") as trace:
        trace.write(f"\n{json.dumps({'ply': 1, 'played': '+T1,T3'})}\n")
    code, out, err = told(capsys, "trace", "memento-tuos", "--replay", file)
    assert (code, len(lines(out)), err.count("\n")) == (1, 2, 1)
    assert "ply 1: +T1,T3 is not legal: game-over: " in err


BAD_TRACES = {
    "empty": "",
    "not JSON": "hello\n",
    "nested too deeply": '{"a":' * 5000 + "\n",
    "cut off": '{"game": "memento-tuos", "variant": "original", "players": 2}\n{"ply": 0, "pl',
    "a list": "[1, 2]\n",
    "no game": '{"players": 2}\n',
    "another game": '{"game": "rings", "variant": null, "players": 2}\n',
    "no players": '{"game": "memento-tuos"}\n',
    "players as a word": '{"game": "memento-tuos", "players": "two"}\n',
    "five players": '{"game": "memento-tuos", "players": 5}\n',
    "an unknown variant": '{"game": "memento-tuos", "variant": "blitz", "players": 2}\n',
    "an unknown option": '{"game": "memento-tuos", "players": 2, "options": {"wings": true}}\n',
    "a wrong value": '{"game": "memento-tuos", "players": 2, "options": {"facing_medians": 1}}\n',
    "options as a list": '{"game": "memento-tuos", "players": 2, "options": []}\n',
    "a set-up as a list": '{"game": "memento-tuos", "players": 2, "setup": []}\n',
    "a foreign line": '{"game": "memento-tuos", "players": 2}\n{"kind": "song"}\n',
    "a foreign line at the end": '{"game": "memento-tuos", "players": 2}\n{"result": "capped"}\n{"kind": "song"}\n',
    "an action as a number": '{"game": "memento-tuos", "players": 2}\n{"played": 7}\n',
}


@pytest.mark.parametrize("text", BAD_TRACES.values(), ids=BAD_TRACES)
def test_a_file_that_is_no_trace_gets_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str) -> None:
    file = tmp_path / "t"
    file.write_text(text)
    code, _, err = told(capsys, "trace", "memento-tuos", "--replay", file)
    assert code == 2
    assert err.startswith("magister trace: ")
    assert err.count("\n") == 1


def test_unreadable_files_get_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    for file in (tmp_path / "missing", tmp_path, tmp_path / "bytes"):
        for words in (["trace", "rings", "--replay"], ["perft", "rings", "--depth", 1, "--setup"]):
            code, _, err = told(capsys, *words, file)
            assert (code, err.count("\n")) == (2, 1), err


KEEPERS: list[list[object]] = [
    ["demo", "--fast", "--port", 0],
    ["run", "--camera", "sim", "--lights", "none", "--port", 0],
    ["watch", "frames:nowhere", "--game", "rings", "--players", 2],
    ["tell", "draw", "--page", "http://127.0.0.1:9/"],
]
"""Commands that take a log."""


@pytest.mark.parametrize(
    "words",
    [
        ["chess"],
        ["perft"],
        ["perft", "chess", "--depth", 1],
        ["perft", "rings"],
        ["perft", "rings", "--depth", "deep"],
        ["perft", "rings", "--depth", -1],
        ["perft", "rings", "--depth", 10**10],
        ["perft", "rings", "--depth", 1, "--players", 5],
        ["perft", "rings", "--depth", 1, "--players", 1],
        ["perft", "rings", "--depth", 1, "--variant", "simple"],
        ["perft", "rings", "--depth", 1, "--option", "flying"],
        ["perft", "rings", "--depth", 1, "--option", "flying=perhaps"],
        ["perft", "rings", "--depth", 1, "--option", "wings=on"],
        ["perft", "rings", "--depth", 1, "--after", "a1"],
        ["trace", "triominos", "--players", 7],
        ["trace", "dimenticato", "--option", "speed=9"],
        ["play", "rings", "--random", "purple"],
        ["play", "rings", "--random", "red,yellow"],
        ["demo", "--game", "chess"],
        ["demo", "--players", 9],
        ["demo", "--seed", -1, "--fast", "--port", 0],
        *([*words, "--log", log] for words in KEEPERS for log in (".", "/", "")),
        ["rules", "chess"],
        ["rules", "rings", "--lang", "la"],
        ["bench", "everything"],
    ],
)
def test_wrong_use_gets_one_line_and_code_2(capsys: pytest.CaptureFixture[str], words: list[object]) -> None:
    code, out, err = told(capsys, *words)
    assert (code, out) == (2, "")
    assert err.startswith("magister")
    assert err.count("\n") == 1


def test_chance_may_come_from_any_number(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = told(capsys, "trace", "triominos", "--seed", -1, "--plies", 1)
    assert (code, err, len(lines(out))) == (0, "", 3)


def test_an_illegal_action_before_perft_is_a_no(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = told(capsys, "perft", "memento-tuos", "--depth", 1, "--after", "+T1 T1-L1")
    assert (code, out, err.count("\n")) == (1, "", 1)


def test_the_program_starts_by_itself() -> None:
    done = call("perft", "memento-tuos", "--depth", 1)
    assert (done.returncode, done.stdout, done.stderr) == (0, "28\n", "")


def test_a_reader_that_stops_early_is_no_error() -> None:
    command = f"{sys.executable} -m firmware trace memento-tuos --plies 60 | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=120)
    assert (done.stdout.count("\n"), done.stderr) == (1, "")


@pytest.mark.parametrize("game", ["memento-tuos", "memento-ludis", "rings", "dimenticato", "triominos"])
def test_rules_in_brief_name_the_options_in_force(capsys: pytest.CaptureFixture[str], game: str) -> None:
    code, out, err = told(capsys, "rules", game)
    assert (code, err) == (0, "")
    assert len(out.split("\n\n")) > 4
    assert max(map(len, out.splitlines())) <= 88


def test_rules_show_a_house_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert "passage = wide" in told(capsys, "rules", "memento-tuos", "--option", "passage=wide")[1]
    assert "passage = step" in told(capsys, "rules", "memento-tuos", "--variant", "simple")[1]
    assert "flying = off" in told(capsys, "rules", "rings", "--option", "flying=off")[1]


def test_two_people_play_in_the_terminal() -> None:
    typed = [
        "?",
        "? +T",
        "why +T1,L3",
        "why +T1",
        "",
        "+T1",
        "T1-T9",
        "+T7,L1",
        "undo",
        "undo",
        "+T2",
        "+T1,L3",
        "quit",
    ]
    done = call("play", "memento-tuos", "--lang", "en", stdin="\n".join(typed) + "\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "there must be exactly 1." in done.stdout
    assert "It is legal." in done.stdout
    assert "'T1-T9' is not an action of Memento" in done.stdout
    assert "A new figure may not enter on a middle point (T7). [enter.middle]" in done.stdout
    assert "cannot go back" in done.stdout
    assert "T2=R1" in done.stdout
    assert "L3=Y1" in done.stdout


def test_typed_bytes_that_are_no_letters_are_no_action() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "firmware", "play", "memento-tuos"],
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        input=b"\xff\n+T1\nquit\n",
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert "is not an action of Memento" in done.stdout.decode()
    assert "T1=R1" in done.stdout.decode(), "the match goes on"


def test_one_person_plays_against_chance_and_may_leave() -> None:
    done = call("play", "rings", "--random", "yellow", "--seed", 3, stdin="+b3\nundo\n+b4\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("yellow plays ") == 2


@pytest.mark.parametrize("game", ["memento-tuos", "rings"])
def test_demo_plays_watches_and_tells(capsys: pytest.CaptureFixture[str], game: str) -> None:
    code, out, err = told(capsys, "demo", "--game", game, "--seed", 8, "--actions", 1, "--fast")
    assert (code, err) == (0, "")
    assert "The page: http://127.0.0.1:" in out
    assert "action     1. red +" in out
    assert "● status" in out
    assert out.endswith("action seen.\n")


def test_demo_of_a_game_that_is_none_names_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = told(capsys, "demo", "--game", "chess", "--fast")
    assert code == 2
    assert "unknown game 'chess'; there are: dimenticato, " in err


@pytest.mark.parametrize("command", ["demo", "run", "hub"])
@pytest.mark.parametrize("host", ["", "a b", "\x1b[31m", "a\nb", "\0", "a" * 300])
def test_what_cannot_be_a_host_is_refused_before_anything_is_opened(
    capsys: pytest.CaptureFixture[str], command: str, host: str
) -> None:
    code, _, err = told(capsys, command, f"--host={host}")
    assert code == 2
    assert "is not an address: use one such as 0.0.0.0" in err
    assert err.replace("\n", "").isprintable()


@pytest.mark.parametrize("host", ["nohost.invalid", "a..b", "192.0.2.1"])
def test_a_host_that_is_not_this_machine_is_not_blamed_on_the_port(
    capsys: pytest.CaptureFixture[str], host: str
) -> None:
    code, _, err = told(capsys, "demo", "--fast", "--host", host)
    assert (code, err.count("\n")) == (2, 1)
    assert f"{host} is not an address of this machine" in err
    assert "--host" in err
    assert "--port" not in err


def test_bench_rows_tell_what_was_missed() -> None:
    row = Row(what="speed", value=2.0, reference=4.0, of="something", goal=1.0)
    assert row.record() == {
        "what": "speed",
        "value": 2.0,
        "reference": 4.0,
        "of": "something",
        "ratio": 0.5,
        "goal": 1.0,
        "ok": False,
    }
    assert str(row).endswith("MISSED")
    assert Row(what="time", value=1.5, unit="ms", goal=2.0, at_most=True).ok
    assert not Row(what="time", value=2.5, unit="ms", goal=2.0, at_most=True).ok
    assert Row(what="free", value=2.5).ok


def test_a_photo_that_is_none_is_an_error_also_where_json_tells_why(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It is told at once: an eye takes a second to make.
    monkeypatch.delattr("firmware.photos.looking.make_eye")
    (tmp_path / "noise.jpg").write_bytes(b"\xff\xd8noise")
    for file in (tmp_path / "missing.jpg", tmp_path / "noise.jpg", tmp_path):
        code, out, err = told(capsys, "look", file, "--game", "rings", "--json")
        assert (code, err.count("\n"), lines(out)[0]["found"]) == (2, 1, False)
        assert err == f"magister look: {lines(out)[0]['why']}\n"
        code, out, err = told(capsys, "look", file, file, "--game", "rings")
        assert (code, out, err.count("\n")) == (2, "", 2)
