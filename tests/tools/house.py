"""A house for the page's tests: it shows what it is told to and remembers what was wished."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.core import Json
from firmware.coaching.classroom import Classroom
from webui.house import Access, Analyst, BackupError, NoIndexError, NoSuchMatchError, Update, WishRefusedError

ACCESS = Access("4711", b"not a secret")


@dataclass
class PaperArchive:
    """Matches that are given."""

    known: dict[int, Json] = field(default_factory=dict)
    files: dict[tuple[int, str], bytes] = field(default_factory=dict)

    def matches(self) -> Sequence[Json]:
        return [self.known[number] for number in sorted(self.known, reverse=True)]

    def records(self) -> Sequence[Json]:
        return [{"events": []} | match for match in self.matches()]

    def match(self, number: int) -> Json:
        if number not in self.known:
            raise NoSuchMatchError(f"there is no match {number}")
        return self.known[number]

    def export(self, number: int, form: str) -> bytes:
        if (number, form) not in self.files:
            raise NoSuchMatchError(f"there is no match {number}")
        return self.files[number, form]

    def backup(self) -> tuple[str, bytes]:
        return "magister-20260102T200000Z.zip", b"PK"

    def take_in(self, data: bytes) -> str:
        if not data.startswith(b"PK"):
            raise BackupError("the file is damaged or not a backup of Magister Ludi: nothing was changed")
        return "/kept.uploaded"


@dataclass
class PaperUpdates:
    """Versions that are given; None where nobody can be asked."""

    index: str = ""
    waiting: str = ""
    newer: str | None = ""

    def offered(self) -> str:
        if self.newer is None:
            raise NoIndexError
        return self.newer


@dataclass
class PaperHouse:
    """A house with nobody in it."""

    shown: Json = field(default_factory=lambda: {"phase": "idle"})
    archive: PaperArchive = field(default_factory=PaperArchive)
    wishes: list[tuple[str, Json]] = field(default_factory=list)
    refuses: str = ""
    version: str = "0.1.0"
    school: Classroom = field(default_factory=Classroom)
    analyst: Analyst | None = None
    updates: PaperUpdates = field(default_factory=PaperUpdates)
    photo: bytes | None = None
    glances: dict[str, bytes] = field(default_factory=dict)
    number: int = 1

    def state(self) -> Update:
        return Update(self.number, self.shown)

    def wait(self, since: int, timeout: float) -> Update | None:
        return self.state() if since < self.number else None

    def alive(self) -> bool:
        return True

    def wish(self, kind: str, payload: Json) -> Json:
        if self.refuses:
            raise WishRefusedError(self.refuses)
        self.wishes.append((kind, payload))
        return {}

    def board_to_print(self, game: str, players: int, paper: str, language: str, address: str) -> bytes:
        return f"%PDF {game} {players} {paper} {language} {address}".encode()

    def picture(self, overlay: bool) -> bytes | None:
        return self.photo

    def glance(self, camera: str) -> bytes | None:
        return self.glances.get(camera)
