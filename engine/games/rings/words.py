"""Rings' sentences: why an action is refused, and the rules in brief.

English here is the key of the translations.
"""

from __future__ import annotations

from engine.core import Ending


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


SENTENCES = {
    "place.occupied": _("A pawn is placed on a free cell only; {sites} is taken."),
    "place.two": _("Two pawns were placed ({sites}); one action places one."),
    "place.no-reserve": _("There is no pawn left in the reserve to place on {sites}."),
    "place.flying": _(
        "With an empty reserve and {number} pawns on the track, one of them must be moved; none may be placed ({sites})."
    ),
    "turn.too-far": _("The ring {ring} was turned too far; one action turns it by one radius."),
    "turn.same-ring": _("The ring {ring} was turned last; it may not be turned again before another ring has been."),
    "turn.flying": _(
        "With an empty reserve and {number} pawns on the track, one of them must be moved; the ring {ring} may not be turned."
    ),
    "turn.two": _("Two rings were turned; one action turns one."),
    "move.not-neighbour": _("A pawn moves to a neighbouring cell; these are not neighbours ({sites})."),
    "move.occupied": _("A pawn moves to a free cell only; {sites} is taken."),
    "move.foreign": _("The pawn on {sites} belongs to {colour}."),
    "capture.missing": _("A line was made; of the pawns of {colour} it takes {wanted}, not {number} ({sites})."),
    "capture.too-many": _("Too many pawns of {colour} were taken ({sites}): it must be {wanted}, not {number}."),
    "capture.own": _("Nobody takes a pawn of his own ({sites})."),
    "capture.no-line": _("Nothing may be taken ({sites}): this action made no line that counts."),
    "capture.spent": _("The line {sites} does not count, because it holds spent pawns ({spent})."),
    "two-actions": _("These are two actions; a turn is exactly one ({sites})."),
    "not-your-turn": _("It is the turn of {colour}."),
    "game-over": _("The match is over."),
    "unknown": _("{action} is not possible here."),
}

BRIEF = (
    _(
        "Three rings of eight cells lie one inside the other and turn; the cells of all three stand in eight radii. Every player has ten pawns in reserve."
    ),
    _(
        "Every turn is exactly one action: place a pawn from the reserve on a free cell, turn a ring, or move a pawn of your own."
    ),
    _(
        "Turn: one ring by one radius, either way, with all that stands on it. The ring turned last, by anybody, may not be turned again until another ring has been turned."
    ),
    _("Move: to a free cell beside it on the same ring, or on the next ring on the same radius; never diagonally."),
    _(
        "Line: three pawns of your own on one radius, or side by side on one ring. It counts when your action makes it: on a radius the three must have been apart just before, on a ring the pawn you placed or moved must be one of them. Turning makes lines on radii only."
    ),
    _(
        "The two ends of a line on a ring are spent: they can be in no new line until they are moved themselves; being carried by a turning ring is no move. An action makes at most one line on a ring: the first that counts, going clockwise."
    ),
    _(
        "Capture: for each line you take one pawn on the track from every opponent who has one there, the pawn of your choice, also from players who are out. You must take all of them; they leave the match. Lines that your action makes for others count for nobody."
    ),
    _(
        "Flying: with an empty reserve and four pawns or fewer on the track you must move one of them, to any free cell. If no cell is free, you turn a ring instead."
    ),
    _("Who has only two pawns left, on the track and in reserve together, is out. The last player left wins."),
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
