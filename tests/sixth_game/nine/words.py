"""What Nine Fields says."""

from __future__ import annotations

from engine.core import Ending


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


SENTENCES = {
    "place.occupied": _("There is a pawn on {sites} already."),
    "place.two": _("Only one pawn is placed in a turn ({sites})."),
    "move": _("A pawn stays where it was placed ({sites})."),
    "not-your-turn": _("It is {colour}'s turn."),
    "game-over": _("The match is over."),
    "unknown": _("{action} is not possible here."),
}

BRIEF = (
    _("Red and yellow take turns to place a pawn on a free field. A pawn that stands is never moved."),
    _("You win with three pawns in a row: across, down or along a diagonal."),
    _("If all nine fields are taken and nobody has a row, both win."),
)

ENDINGS = {
    "row": Ending(_("{winner} wins with three in a row."), _("three in a row")),
    "full": Ending(_("All fields are taken; {winner} share the win."), _("all fields taken")),
}

PARTS = (_("pawn"),)

COUNTED = {"left": _("Pawns to place")}
