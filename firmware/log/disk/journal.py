"""The write-ahead log beside a file, looked at from outside: SQLite takes a damaged frame for the end of all, and says
nothing of what follows it.

A frame torn by a power cut is the last thing that was written: each commit is synced before the next begins. Where
another commit follows a frame that is not as it was written, the disk has changed what was safe.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from struct import unpack

HEADER, FRAME = 32, 24
"""Bytes of the file's header and of each frame's."""
_MAGIC = {0x377F0682: "<", 0x377F0683: ">"}
_SIZES = {2**power for power in range(9, 17)}
USUAL_PAGE = 4096
_TRIES = 3


@dataclass(frozen=True)
class WalFrame:
    """One page as it was written."""

    page: int
    data: bytes
    salts: bytes
    commits: bool
    is_sound: bool
    """Whether its checksum, and those of all before it, are right."""


def frames_of(data: bytes) -> list[WalFrame]:
    """All frames of a write-ahead log, in the order of the file."""
    size, sums = _page_size(data), _header_sums(data)
    order = _MAGIC.get(int.from_bytes(data[:4], "big"), "<")
    frames = []
    for place in range(HEADER, len(data) - FRAME - size + 1, FRAME + size):
        head, body = data[place : place + FRAME], data[place + FRAME : place + FRAME + size]
        page, truncated = unpack(">II", head[:8])
        if sums is not None:
            sums = _summed(body, order, _summed(head[:8], order, sums))
            sums = sums if head[8:16] == data[16:24] and sums == unpack(">II", head[16:24]) else None
        frames.append(WalFrame(page, body, head[8:16], truncated > 0, sums is not None))
    return frames


def is_broken(data: bytes) -> bool:
    """Whether something in a write-ahead log was changed after it was safe."""
    frames, salts = frames_of(data), data[16:24]
    if _header_sums(data) is None:
        # The frames still tell which of them belong together.
        commits = [frame.salts for frame in frames if frame.commits]
        salts = next((one for one, other in pairwise(commits) if one == other), salts)
    left = [frame for frame in frames if frame.salts == salts and not frame.is_sound]
    ends = [place for place, frame in enumerate(left) if frame.commits]
    return bool(ends) and ends[0] < len(left) - 1


def journal_is_broken(journal: Path) -> bool:
    """The same of a file that somebody may be writing to."""
    for _ in range(_TRIES):
        try:
            data = journal.read_bytes()
            with journal.open("rb") as again:
                head = again.read(HEADER)
        except OSError:
            return False
        # Between two looks it may have been begun anew.
        if head == data[:HEADER]:
            return is_broken(data)
    return False


def _header_sums(data: bytes) -> tuple[int, int] | None:
    """The checksum of the header; None if it is not right."""
    order = _MAGIC.get(int.from_bytes(data[:4], "big"))
    if order is None or len(data) < HEADER:
        return None
    sums = _summed(data[:24], order, (0, 0))
    return sums if sums == unpack(">II", data[24:HEADER]) else None


def _page_size(data: bytes) -> int:
    size = int.from_bytes(data[8:12], "big")
    return size if size in _SIZES else USUAL_PAGE


def _summed(data: bytes, order: str, sums: tuple[int, int]) -> tuple[int, int]:
    """SQLite's checksum, going on from another."""
    first, second = sums
    for one, other in _pairs(data, order):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + other + first) & 0xFFFFFFFF
    return first, second


def _pairs(data: bytes, order: str) -> Iterator[tuple[int, int]]:
    words = unpack(f"{order}{len(data) // 4}I", data)
    return zip(words[::2], words[1::2], strict=True)
