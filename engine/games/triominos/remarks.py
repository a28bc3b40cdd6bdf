"""What an action of Triominos does, in the game's words: for hints and comments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.core import Action, Remark
from engine.games.triominos.actions import Place, Swap
from engine.games.triominos.lattice import sides, site

if TYPE_CHECKING:
    from engine.games.triominos.rules import TriominosPosition


def remarks(position: TriominosPosition, action: Action) -> Iterator[Remark]:
    """Most telling first."""
    if isinstance(action, Swap):
        yield Remark("joker", (site(action.cell),), {"site": site(action.cell)})
    if not isinstance(action, Place):
        return
    table, seat = position.table, position.mover
    bonus = table.bonus(action.cell)
    if bonus:
        touching = sum(side in table.faces for side in sides(action.cell))
        yield Remark("bridge" if touching == 1 else "hexagon", (site(action.cell),), {"site": site(action.cell)})
    if len(position.racks[seat]) == 1:
        yield Remark("last-card")
    earned = position.after(action).chips[seat] - position.chips[seat]
    yield Remark("chips", (), {"number": earned})
