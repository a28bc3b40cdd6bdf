"""What a site of a board can show, as values: a game declares its faces once, and nobody takes their names apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

_KNOWN: dict[tuple[Any, ...], Face] = {}


@dataclass(frozen=True, slots=True, eq=False, init=False)
class Face:
    """One thing that a site can show: a figure, a stack, a card, or nothing at all.

    Faces made alike are one object, in other processes too: they are the keys of the referee's inner loops, and so
    cost no more to compare than numbers.
    """

    name: str
    """Its one spelling on a board (`red2`, `134`), for JSON and for people."""
    kind: str
    """What it is apart from its level: `red`, `BARE`, a card."""
    level: int
    """How many storeys it has; 0 where the game knows none."""
    pieces: tuple[str, ...]
    """What it is built of, from the bottom up."""
    sheet: str
    """The sheet of the card that lies there …"""
    angle: float
    """… and how far it is turned, degrees clockwise."""
    likeness: str
    """Faces of one likeness are easily mistaken for each other: unless a game says otherwise, those of one kind that
    differ in level."""
    lawful: bool
    """Whether a position of the game can show it. What cannot (a stack too tall) is still seen at real tables."""

    def __new__(
        cls,
        name: str,
        kind: str,
        level: int = 0,
        pieces: tuple[str, ...] = (),
        sheet: str = "",
        angle: float = 0.0,
        likeness: str = "",
        lawful: bool = True,
    ) -> Face:
        values = (name, kind, level, pieces, sheet, angle, likeness or (kind if level else name), lawful)
        if values not in _KNOWN:
            face = object.__new__(cls)
            for each, value in zip(fields(cls), values, strict=True):
                object.__setattr__(face, each.name, value)
            _KNOWN.setdefault(values, face)
        return _KNOWN[values]

    def __reduce__(self) -> tuple[type[Face], tuple[Any, ...]]:
        return Face, tuple(getattr(self, each.name) for each in fields(self))

    def __lt__(self, other: Face) -> bool:
        return self.name < other.name

    def __str__(self) -> str:
        return self.name

    @property
    def parts(self) -> tuple[str, ...]:
        """The things of which it takes one each: pieces, or a card."""
        return (*self.pieces, self.sheet) if self.sheet else self.pieces


EMPTY = Face("", "")
"""The face of a site where nothing is."""
BARE = "bare"
"""The kind of a stack with nothing on top that tells whose it is."""


class FaceSet(Mapping[str, Face]):
    """The faces of a game by their names."""

    def __init__(self, faces: Iterable[Face] = ()) -> None:
        self._by_name = {face.name: face for face in faces}
        self._by_kind = {(face.kind, face.level): face for face in self._by_name.values()}
        self._by_pieces = {face.pieces: face for face in self._by_name.values() if face.pieces}
        self.lawful = tuple(face for face in self._by_name.values() if face.lawful)
        """Those that a position can show."""
        self.tops = {face.kind: face.pieces[-1] for face in self.lawful if face.pieces and face.kind != BARE}
        """For every kind that is built of pieces the uppermost one: by that it is told."""

    def __getitem__(self, name: str) -> Face:
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    def of(self, kind: str, level: int = 0) -> Face:
        """The face of this kind and level."""
        return self._by_kind[kind, level]

    def read(self, names: Mapping[str, str]) -> dict[str, Face]:
        """The faces of sites, by their names; raises `KeyError` for a name that no face has."""
        return {site: self._by_name[name] for site, name in names.items()}

    def piled(self, pieces: tuple[str, ...]) -> Face:
        """The face that these pieces show; a pile that the game does not know is told by its pieces."""
        name = "+".join(pieces)
        return self._by_pieces.get(pieces) or Face(name, name, pieces=pieces, lawful=False)

    def recoloured(self, face: Face, colours: Mapping[str, str]) -> Face:
        """The same face in another colour, if its kind is one of these."""
        return self._by_kind[colours[face.kind], face.level] if face.kind in colours else face


Faces = Mapping[str, Face]
"""What sites show, by the sites' names."""


def spelled(faces: Mapping[str, Face]) -> dict[str, str]:
    """Faces of sites by their names, as JSON holds them."""
    return {site: face.name for site, face in faces.items()}
