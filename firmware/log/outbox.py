"""What is on its way to the log.

A disk that is full, or may only be read, ends no match: what cannot be written yet is kept in memory, in order, and
written as soon as it can be.
"""

from __future__ import annotations

import shutil
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from firmware.log.claim import own_log
from firmware.log.match.record import LogError, LogUnwritableError
from firmware.log.store import Store
from firmware.machine.errors import Say, UsageError

Job = Callable[[Store], None]
AGAIN = 5.0
"""Seconds between two tries to write what is waiting …"""
LOOK = 30.0
"""… and between two looks at how much room there is."""
CHECKPOINT = 120.0
"""Seconds between two times that the file takes in its journal."""
LITTLE = 20
"""Megabytes left on the disk that are worth a word: a thousand matches need as many."""
_MEGABYTE = 1 << 20


class Outbox:
    """Of the one thread that writes the log."""

    def __init__(
        self,
        store: Store | None = None,
        *,
        reopen: Callable[[], Store] | None = None,
        release: Callable[[], object] = lambda: None,
        say: Say = lambda _: None,
        problem: str = "",
    ) -> None:
        """With `reopen` it is patient: what cannot be written waits. Without, whoever writes is told by an error.
        `release` closes what was opened so."""
        self.store = store
        self.problem = problem
        """Why nothing can be written, if nothing can."""
        self.room: int | None = None
        """How many megabytes are left, if they are few."""
        self._reopen, self._release, self._say = reopen, release, say
        self._waiting = deque[Job]()
        self._tried = self._looked = self._checkpointed = float("-inf")

    @property
    def keeps(self) -> bool:
        """Whether anything is kept at all."""
        return self.store is not None or self._reopen is not None

    @property
    def waiting(self) -> int:
        """How much is only in memory."""
        return len(self._waiting)

    def put(self, job: Job) -> None:
        """Write something; when this returns it is on the disk, unless `problem` says why it is not."""
        if self._reopen is None:
            assert self.store is not None
            job(self.store)
            return
        self._waiting.append(job)
        # Not at every frame: each try may cost a second.
        if not self.problem:
            self._flush()

    def exchange(self, deed: Callable[[Path], list[str]]) -> list[str]:
        """Put another log in the place of this one, while nobody has it open."""
        if self._reopen is None or self.store is None or self._waiting:
            raise LogError("the log cannot be changed now: it must be open, and all of it written")
        path = self.store.path
        self.store = None
        self._release()
        try:
            return deed(path)
        finally:
            self._flush()

    def tend(self, now: float) -> None:
        """Do what is due at this time of the machine's clock: try again, look for room, take in the journal."""
        if self._reopen is None:
            return
        if self.problem and now - self._tried >= AGAIN:
            self._tried = now
            self._flush()
        if self.store is not None and now - self._looked >= LOOK:
            self._looked = now
            self.room = _little_room(self.store.path.parent)
        if self.store is not None and not self.problem and now - self._checkpointed >= CHECKPOINT:
            self._checkpointed = now
            # It is only for those who copy the file alone, and is tried again.
            with suppress(LogError):
                self.store.checkpoint()

    def _flush(self) -> None:
        try:
            if self.store is None:
                assert self._reopen is not None
                self.store = self._reopen()
            while self._waiting:
                self._waiting[0](self.store)
                self._waiting.popleft()
        except (LogError, UsageError) as error:
            if not self.problem:
                self._say(f"{error}; the match goes on in memory and is written as soon as that is possible")
            self.problem = str(error)
            return
        if self.problem:
            self._say("the match log can be written again: nothing is missing")
        self.problem = ""


def _little_room(folder: Path) -> int | None:
    try:
        free = shutil.disk_usage(folder).free // _MEGABYTE
    except OSError:
        return None
    return free if free < LITTLE else None


@contextmanager
def patient_log(path: Path, say: Say) -> Iterator[Outbox]:
    """The log of this program alone; if it cannot be written now, what is played is kept until it can be."""
    with ExitStack() as stack:

        def reopen() -> Store:
            return stack.enter_context(own_log(path))

        try:
            outbox = Outbox(reopen(), reopen=reopen, release=stack.close, say=say)
        except LogUnwritableError as error:
            say(f"{error}; matches are kept in memory and written as soon as that is possible")
            outbox = Outbox(reopen=reopen, release=stack.close, say=say, problem=str(error))
        yield outbox
        if outbox.waiting:
            say(f"{outbox.waiting} entries of the match log could not be written: {outbox.problem}")
