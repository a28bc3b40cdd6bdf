"""What a player can do in Triominos, and how it is written."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.core import Action, InvalidActionError, Pass
from engine.games.triominos.lattice import Cell, site


@dataclass(frozen=True, slots=True)
class Place(Action):
    """A rack card laid on a cell, its corners clockwise from the apex as in `face`."""

    face: str
    cell: Cell

    def __str__(self) -> str:
        return f"{self.face}@{site(self.cell)}"


@dataclass(frozen=True, slots=True)
class Swap(Action):
    """A rack card put in the place of the joker, which goes to the rack."""

    face: str
    cell: Cell

    def __str__(self) -> str:
        return f"{self.face}~{site(self.cell)}"


@dataclass(frozen=True, slots=True)
class Buy(Action):
    """A card drawn from the pot for a chip."""

    def __str__(self) -> str:
        return "buy"


PASS = Pass()
BUY = Buy()

# Nine digits are far more than any table needs, and keep a hostile text from costing time.
_NUMBER = "(0|-?[1-9][0-9]{0,8})"
_PLACE = re.compile(rf"([1-5]{{3}}|JJJ)@{_NUMBER},{_NUMBER}")
_SWAP = re.compile(rf"([1-5]{{3}})~{_NUMBER},{_NUMBER}")


def parse(text: str) -> Action:
    """Parse an action: exactly the texts that `str` of an action produces."""
    if text == "--":
        return PASS
    if text == "buy":
        return BUY
    if found := _PLACE.fullmatch(text):
        return Place(found[1], (int(found[2]), int(found[3])))
    if found := _SWAP.fullmatch(text):
        return Swap(found[1], (int(found[2]), int(found[3])))
    raise InvalidActionError(
        f"{text!r} is not an action of My First Triominos (such as 134@1,0  JJJ@-1,0  341~1,0  buy  --)"
    )


def read_site(text: str) -> Cell | None:
    """The cell of that name; None if the text is not one."""
    found = re.fullmatch(rf"{_NUMBER},{_NUMBER}", text)
    return (int(found[1]), int(found[2])) if found else None
