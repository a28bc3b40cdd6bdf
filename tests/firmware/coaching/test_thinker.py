"""Thinking in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from multiprocessing.connection import Connection
from random import Random

import pytest
from midgames import midgames

from engine.core import Position
from engine.players.levels import LEVELS, Level, decide
from engine.registry import find_game
from firmware.coaching.thinker import NICENESS, RESTARTS, Reply, Thinker, hint_question, play_question, think_about

PATIENCE = 60.0
ENDLESS = Level(number=9, name="Endless", word="sage", about="never comes to an end", nodes=10**9)


@pytest.fixture
def thinker() -> Iterator[Thinker]:
    thinker = Thinker()
    yield thinker
    thinker.close()


def positions(plies: int = 12) -> tuple[Position, ...]:
    *_, last = midgames(find_game("memento-tuos").configure(), 2, 5, plies)
    return last


def heard(thinker: Thinker) -> Reply | None:
    """The answer, waited for as long as there is a question."""
    until = time.monotonic() + PATIENCE
    while thinker.pending is not None and time.monotonic() < until:
        if (answer := thinker.answer()) is not None:
            return answer
        time.sleep(0.005)
    return None


def test_it_answers_as_thinking_here_would(thinker: Thinker) -> None:
    question = hint_question(positions(), 3)
    thinker.ask(question)
    answer = heard(thinker)
    assert answer == think_about(question, lambda: False)
    assert answer is not None
    assert answer.hint is not None
    assert answer.hint.text("de").startswith("Spiele ")
    assert thinker.answer() is None


def test_a_new_question_ends_the_thinking_about_the_old_one(thinker: Thinker) -> None:
    thinker.ask(play_question(positions(), ENDLESS, 1))
    other = positions(14)
    thinker.ask(play_question(other, LEVELS[1], 1))
    answer = heard(thinker)
    assert answer == think_about(play_question(other, LEVELS[1], 1), lambda: False)


def test_asking_does_not_wait(thinker: Thinker) -> None:
    thinker.ask(play_question(positions(), LEVELS[0], 1))
    heard(thinker)
    before = time.process_time()
    thinker.ask(play_question(positions(), ENDLESS, 1))
    for _ in range(20):
        assert thinker.answer() is None
    assert time.process_time() - before < 0.1


def test_a_process_that_dies_is_started_and_asked_again(thinker: Thinker) -> None:
    thinker.ask(play_question(positions(), ENDLESS, 1))
    first = thinker.process
    assert first is not None
    assert first.pid is not None
    os.kill(first.pid, signal.SIGKILL)
    first.join()
    assert thinker.answer() is None
    assert thinker.process is not None
    assert thinker.process is not first
    assert thinker.pending is not None
    thinker.ask(play_question(positions(), LEVELS[1], 1))
    assert heard(thinker) is not None


def die(pipe: Connection) -> None:
    """A process that every question kills."""
    pipe.recv()
    os._exit(1)


def test_a_deadly_question_is_given_up() -> None:
    thinker = Thinker(serve=die)
    thinker.ask(play_question(positions(), LEVELS[0], 1))
    assert heard(thinker) is None
    assert thinker.pending is None
    assert thinker.process is None
    assert RESTARTS == 3


def test_it_ends_cleanly_even_while_it_thinks() -> None:
    thinker = Thinker()
    thinker.ask(play_question(positions(), ENDLESS, 1))
    process = thinker.process
    assert process is not None
    pid = process.pid
    assert pid is not None
    thinker.close()
    thinker.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_it_leaves_the_cores_to_the_referee_and_ctrl_c_to_the_program(thinker: Thinker) -> None:
    thinker.ask(play_question(positions(), LEVELS[0], 1))
    heard(thinker)
    assert thinker.process is not None
    pid = thinker.process.pid
    assert pid is not None
    wished = os.getpriority(os.PRIO_PROCESS, 0) + NICENESS
    assert os.getpriority(os.PRIO_PROCESS, pid) == min(wished, 19)
    os.kill(pid, signal.SIGINT)
    thinker.ask(play_question(positions(), LEVELS[1], 1))
    assert heard(thinker) is not None
    assert thinker.process is not None
    assert thinker.process.pid == pid, "it is still the same one"


def test_ctrl_c_while_it_starts_is_for_the_program_too() -> None:
    # A program of its own: only in the first process that it starts is Python's tracker started as well.
    script = (
        "import os, signal, time\n"
        "from engine.match import Match\n"
        "from engine.players.levels import LEVELS\n"
        "from engine.registry import find_game\n"
        "from firmware.coaching.thinker import Thinker, play_question\n"
        "thinker = Thinker()\n"
        "match = Match.begin(find_game('rings').configure(), 2, {})\n"
        "thinker.ask(play_question(match.positions, LEVELS[0], 1))\n"
        "first = thinker.process\n"
        "os.kill(first.pid, signal.SIGINT)\n"
        "while thinker.answer() is None:\n"
        "    time.sleep(0.01)\n"
        "print(thinker.process is first, signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()))\n"
        "thinker.close()\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.stdout, done.stderr) == ("True False\n", "")


def test_a_number_remembered_wrongly_is_called_wrong() -> None:
    """What is answered can be played, whatever the player believed."""
    rules = find_game("dimenticato").configure()
    forgetful = replace(LEVELS[1], memory=1)
    wrong = 0
    for match in [match for seed in range(4) for match in list(midgames(rules, 2, seed, 60))[30::5]]:
        answer = think_about(play_question(match, forgetful, 2), lambda: False)
        believed, _ = decide(forgetful, match[-1], match[:-1], Random(2))
        assert answer.action in map(str, match[-1].legal())
        wrong += str(believed) != answer.action
    assert wrong
