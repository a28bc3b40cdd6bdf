"""Reads the rows of a log out of its raw pages: whatever became of the rest of the file, a page that is whole gives up
all that is written on it.

The format is SQLite's (sqlite.org/fileformat2.html): pages of equal size, of which the leaves of a table hold rows.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from struct import unpack

from firmware.log.disk.chain import Row
from firmware.log.disk.file import part_of
from firmware.log.disk.journal import USUAL_PAGE, frames_of

_HEAD = 100
"""Bytes of the file's own header, on its first page."""
_LEAF = 8
"""Bytes of the header of a leaf."""
_MATCH_COLUMNS, _EVENT_COLUMNS = 9, 7
_WHOLE = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""Bytes of whole numbers, by serial type."""
_LONGEST = 1 << 24
"""Bytes of a row that nobody has ever written."""
_UNREADABLE = (ValueError, IndexError, struct.error, OverflowError)

Pages = Mapping[int, bytes]


def carved_rows(path: Path) -> Iterator[Row]:
    """Everything that looks like a match or an event in a log and its journal: to be checked by its hash."""
    try:
        data = path.read_bytes()
    except OSError:
        data = b""
    size = int.from_bytes(data[16:18], "big")
    for each in dict.fromkeys((size if size >= 512 and size & (size - 1) == 0 else USUAL_PAGE, USUAL_PAGE)):
        stored = {start // each + 1: data[start : start + each] for start in range(0, len(data), each)}
        yield from _rows_of(stored, list(stored.items()), each)
    try:
        frames = frames_of(part_of(path, "-wal").read_bytes())
    except OSError:
        return
    if frames:
        newest = stored | {frame.page: frame.data for frame in frames}
        yield from _rows_of(newest, [(frame.page, frame.data) for frame in frames], len(frames[0].data))


def _rows_of(known: Pages, pages: Sequence[tuple[int, bytes]], size: int) -> Iterator[Row]:
    for number, page in pages:
        start = _HEAD if number == 1 else 0
        try:
            count = int.from_bytes(page[start + 3 : start + 5], "big")
            places = unpack(f">{count}H", page[start + _LEAF : start + _LEAF + 2 * count])
        except _UNREADABLE:
            continue
        for place in places:
            try:
                row = _row(known, page, place, size)
            except _UNREADABLE:
                continue
            if row is not None:
                yield row


def _row(known: Pages, page: bytes, place: int, size: int) -> Row | None:
    length, place = _varint(page, place)
    number, place = _varint(page, place)
    if not 0 < length < _LONGEST:
        return None
    values = _values(_payload(known, page, place, length, size))
    if len(values) == _MATCH_COLUMNS:
        # The id of a match is the number of its row.
        return (number, *values[1:])
    if len(values) == _EVENT_COLUMNS and isinstance(values[3], int | float):
        # A number without a fraction is stored as a whole one.
        return (*values[:3], float(values[3]), *values[4:])
    return None


def _payload(known: Pages, page: bytes, place: int, length: int, size: int) -> bytes:
    """All bytes of a row; a long one goes on elsewhere."""
    most, least = size - 35, (size - 12) * 32 // 255 - 23
    if length <= most:
        return page[place : place + length]
    here = least + (length - least) % (size - 4)
    here = here if here <= most else least
    data = page[place : place + here]
    follow = int.from_bytes(page[place + here : place + here + 4], "big")
    while len(data) < length and follow in known:
        data += known[follow][4:]
        follow = int.from_bytes(known[follow][:4], "big")
    return data[:length]


def _values(payload: bytes) -> list[object]:
    """The columns of a row."""
    end, place = _varint(payload, 0)
    kinds = []
    while place < end:
        kind, place = _varint(payload, place)
        kinds.append(kind)
    return list(_read(payload, kinds, end))


def _read(payload: bytes, kinds: Sequence[int], place: int) -> Iterator[object]:
    for kind in kinds:
        length = _WHOLE.get(kind, 8 if kind == 7 else (kind - 12) // 2 if kind >= 12 else 0)
        data = payload[place : place + length]
        if len(data) < length:
            raise ValueError("the row ends early")
        place += length
        if kind == 0:
            yield None
        elif kind in (8, 9):
            yield kind - 8
        elif kind == 7:
            yield unpack(">d", data)[0]
        elif kind in _WHOLE:
            yield int.from_bytes(data, "big", signed=True)
        else:
            yield data.decode() if kind % 2 else data


def _varint(data: bytes, place: int) -> tuple[int, int]:
    """A number of one to nine bytes, and where it ends."""
    value = 0
    for count in range(9):
        byte = data[place + count]
        if count == 8:
            return value << 8 | byte, place + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, place + count + 1
    raise ValueError("no number")
