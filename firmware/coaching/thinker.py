"""Runs the search in a process of its own: the referee asks, goes on watching the table, and gets the answer later.

A new question ends the thinking about the one before. A process that dies is started again, and asked again.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from random import Random

from engine.core import Position
from engine.players.hints import Hint, advise
from engine.players.levels import HINTS, Level, decide
from firmware.machine.ctrl_c import deaf_to_ctrl_c
from firmware.machine.priority import stand_back

NICENESS = 10
"""Niceness: the referee has priority when both need the same core."""
RESTARTS = 3
"""How often a question may crash the process before it is dropped."""
GOODBYE = 2.0
"""Seconds the process gets to end by itself."""


@dataclass(frozen=True)
class Question:
    """What to play in a position, for a player who has seen the earlier ones."""

    position: Position
    earlier: tuple[Position, ...]
    level: Level
    seed: int
    hint: bool
    """Whether a hint with reasons is wanted; otherwise just what a player of this level would play."""


@dataclass(frozen=True)
class Reply:
    """The action as text, and the hint if one was requested."""

    action: str
    hint: Hint | None = None


class Thinker:
    """Asks questions and collects answers; never waits for one."""

    def __init__(self, serve: Callable[[Connection], None] | None = None) -> None:
        """`serve` is the function the process runs: it answers questions."""
        self._serve = serve or answer_questions
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._number = 0
        self._open: Question | None = None
        self._deaths = 0

    @property
    def pending(self) -> Question | None:
        """The question not answered yet."""
        return self._open

    @property
    def process(self) -> BaseProcess | None:
        return self._process

    def ask(self, question: Question) -> None:
        """Start thinking about this question and drop any other."""
        self._open, self._deaths = question, 0
        self._send()

    def forget(self) -> None:
        """Drop the question."""
        self._open = None

    def answer(self) -> Reply | None:
        """The answer to the last question, once, when it is ready."""
        if self._open is None or self._pipe is None:
            return None
        try:
            while self._pipe.poll():
                number, answer = self._pipe.recv()
                if number == self._number:
                    self._open = None
                    return answer if isinstance(answer, Reply) else None
        except (EOFError, OSError):
            self._died()
        return None

    def close(self) -> None:
        """End the process, gently if possible; may be called twice."""
        pipe, process = self._pipe, self._process
        self._pipe = self._process = self._open = None
        if pipe is not None:
            with suppress(OSError):
                pipe.send(None)
            pipe.close()
        if process is not None:
            process.join(GOODBYE)
            if process.is_alive():
                process.kill()
                process.join()
            process.close()

    def _send(self) -> None:
        if self._process is None or not self._process.is_alive():
            self._start()
        self._number += 1
        assert self._pipe is not None
        try:
            self._pipe.send((self._number, self._open))
        except OSError:
            self._died()

    def _start(self) -> None:
        question = self._open
        self.close()
        self._open = question
        # Not a fork: the program has threads.
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=self._serve, args=(theirs,), name="thinker", daemon=True)
        # Python starts its resource tracker with the first process and then unblocks Ctrl-C.
        resource_tracker.ensure_running()
        with deaf_to_ctrl_c():
            self._process.start()
        theirs.close()

    def _died(self) -> None:
        self._deaths += 1
        if self._deaths > RESTARTS:
            self.close()
            return
        self._start()
        self._send()


def answer_questions(pipe: Connection) -> None:
    """Answer questions until told to end, or until the other side is gone."""
    # Ctrl-C at the terminal is for the program, which then ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError):
        stand_back(NICENESS)
    try:
        while (message := pipe.recv()) is not None:
            number, question = message
            pipe.send((number, think_about(question, pipe.poll)))
    except (EOFError, OSError):
        return


def think_about(question: Question, stop: Callable[[], bool]) -> Reply:
    """Think until there is an answer, or until told to stop."""
    random = Random(question.seed)
    if question.hint:
        hint = advise(question.position, question.earlier, random, level=question.level, stop=stop)
        return Reply(str(hint.action), hint)
    action, _ = decide(question.level, question.position, question.earlier, random, stop)
    return Reply(str(question.position.rules.attempt(question.position, action)))


def hint_question(positions: tuple[Position, ...], seed: int) -> Question:
    """A hint for the player to move in the last of these positions."""
    return Question(positions[-1], positions[:-1], HINTS, seed, hint=True)


def play_question(positions: tuple[Position, ...], level: Level, seed: int) -> Question:
    """What a player of this level plays in the last of these positions."""
    return Question(positions[-1], positions[:-1], level, seed, hint=False)
