"""What an action on the rings does, in the game's words: for hints and comments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.core import COLOURS, Action, Remark, Word
from engine.games.rings.actions import Move, Place, Turn
from engine.games.rings.cells import NAMES, bits

if TYPE_CHECKING:
    from engine.games.rings.rules import RingsPosition


def remarks(position: RingsPosition, action: Action) -> Iterator[Remark]:
    """Most telling first."""
    assert isinstance(action, Place | Turn | Move)
    step = position.step(action)
    if step.lines > 1:
        yield Remark("lines", (), {"number": step.lines})
    elif step.lines:
        yield Remark("line")
    after = position.after(action)
    for seat, own in enumerate(step.pawns):
        if taken := own & action.taken:
            sites = tuple(NAMES[cell] for cell in bits(taken))
            facts = {"colour": Word(COLOURS[seat]), "sites": ", ".join(sites)}
            yield Remark("takes", sites, facts, seat)
        if after.is_out(seat) and not position.is_out(seat):
            yield Remark("out", (), {"colour": Word(COLOURS[seat])}, seat)
    # Moved it is free again, unless it has made a line and stands at its end.
    if isinstance(action, Move) and position.spent >> action.origin & 1 and not after.spent >> action.target & 1:
        yield Remark("unspent", (NAMES[action.target],), {"site": NAMES[action.target]})
