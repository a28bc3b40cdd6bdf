"""Rings' sentences: why an action is refused, and the rules in brief.

English here is the key of the translations.
"""

from __future__ import annotations

from engine.core import Ending


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


SENTENCES = {
    "place.occupied": _("A pawn may only be placed on a free cell; {sites} is occupied."),
    "place.two": _("Two pawns were placed ({sites}); an action places only one."),
    "place.no-reserve": _("There is no pawn left in the reserve to place on {sites}."),
    "place.flying": _(
        "With an empty reserve and {number} pawns on the track, one of them must move; none may be placed ({sites})."
    ),
    "turn.too-far": _("Ring {ring} was turned too far; an action turns it by one radius."),
    "turn.same-ring": _("Ring {ring} was turned last; another ring must be turned before it can be turned again."),
    "turn.flying": _(
        "With an empty reserve and {number} pawns on the track, one of them must move; ring {ring} may not be turned."
    ),
    "turn.two": _("Two rings were turned; an action turns only one."),
    "move.not-neighbour": _("A pawn moves to a neighbouring cell; these are not neighbours ({sites})."),
    "move.occupied": _("A pawn may only move to a free cell; {sites} is occupied."),
    "move.foreign": _("The pawn on {sites} belongs to {colour}."),
    "capture.missing": _("A line was made; it takes {wanted} of the {colour} pawns, not {number} ({sites})."),
    "capture.too-many": _("Too many {colour} pawns were taken ({sites}): {number} instead of {wanted}."),
    "capture.own": _("A player may not take their own pawn ({sites})."),
    "capture.no-line": _("Nothing may be taken ({sites}): this action made no line that counts."),
    "capture.spent": _("The line {sites} does not count, because it holds spent pawns ({spent})."),
    "two-actions": _("That is two actions; a turn is exactly one ({sites})."),
    "not-your-turn": _("It is {colour}'s turn."),
    "game-over": _("The match is over."),
    "unknown": _("{action} is not possible here."),
}

BRIEF = (
    _(
        "Three rings of eight cells lie one inside the other and turn; the cells of all three stand in eight radii. Every player has ten pawns in reserve."
    ),
    _(
        "Every turn is exactly one action: place a pawn from your reserve on a free cell, turn a ring, or move one of your pawns."
    ),
    _(
        "Turn: one ring by one radius, either way, with everything on it. The ring turned last, by any player, may not be turned again until another ring has been turned."
    ),
    _("Move: to a free cell beside it on the same ring, or on the next ring on the same radius; never diagonally."),
    _(
        "Line: three of your pawns on one radius, or side by side on one ring. It counts when your action makes it: on a radius the three must have been apart just before, on a ring the pawn you placed or moved must be one of them. Turning makes lines on radii only."
    ),
    _(
        "The two ends of a line on a ring are spent: they cannot be part of a new line until they themselves are moved; being carried by a turning ring does not count. An action makes at most one line on a ring: the first that counts, going clockwise."
    ),
    _(
        "Capture: for each line you take one pawn on the track from every opponent who has one there, whichever you choose, even from players who are out. You must take all of them; they leave the match. Lines that your action makes for others count for nobody."
    ),
    _(
        "Flying: with an empty reserve and four pawns or fewer on the track you must move one of them, to any free cell. If no cell is free, you turn a ring instead."
    ),
    _("A player with only two pawns left, on the track and in reserve together, is out. The last player left wins."),
)

REMARKS = {
    "line": _("It makes a line."),
    "lines": _("It makes {number} lines at once."),
    "takes": _("It takes from {colour}: {sites}."),
    "out": _("{colour} has only two pawns left and is out."),
    "unspent": _("The pawn that comes to {site} is no longer spent."),
}

ENDINGS = {"last": Ending(_("{winner} wins as the last player left."), _("last one left"))}

PARTS = (_("ring"), _("pawn"))

COUNTED = {"reserve": _("Pawns in reserve"), "taken": _("Pawns taken")}

REGIONS = {
    "ring-a": _("the inner ring"),
    "ring-b": _("the middle ring"),
    "ring-c": _("the outer ring"),
}

TAP = _("Tap a pawn to see where it may go, and why it cannot go elsewhere.")
