"""The English sentences with which logs of version 1 (before 0.1.0) told what was illegal, instead of its facts.

They are history: nothing new is said with them, and they do not change.
"""

from __future__ import annotations

from collections.abc import Mapping

_MEMENTO = {
    "enter.count": "Figures entered on {sites}: {number}; it must be exactly {wanted}.",
    "enter.middle": "A new figure may not enter on a middle point ({sites}).",
    "enter.inner": "A new figure may not enter on the inner triangle ({sites}).",
    "enter.occupied": "A new figure may not enter where a figure stands ({sites}).",
    "enter.height": "New figures enter as Singles only ({sites}).",
    "enter.no-stones": "There are not enough stones in the supply to enter ({number} left).",
    "enter.no-markers": "There are not enough own markers left to enter ({number} left).",
    "turn.previous-turned": "The triangle {tile} may not be turned: the action just before was a turn.",
    "turn.twice": "The triangle {tile} may not be turned: the same player's last action was a turn too.",
    "turn.no-change": "Turning the triangle {tile} would change nothing.",
    "turn.two": "Two triangles were turned; one action turns one.",
    "move.foreign": "The figure on {sites} belongs to {colour}.",
    "move.too-far": "The {figure} cannot go that far ({sites}).",
    "move.bend": "The {figure} slides along one straight line only; this way has a bend ({sites}).",
    "move.blocked": "The stack on {sites} is in the way.",
    "move.off-board": "The way over the edge of the board is not open to the {figure} ({sites}).",
    "capture.height": "The stack on {sites} has {number} stones; after this capture it must have {wanted}.",
    "capture.marker": "The beaten marker must leave the board ({sites}).",
    "split.occupied": "A figure splits onto free points only; {sites} is taken.",
    "split.unreachable": "The {figure} could not move to {sites}, so no part of it can go there.",
    "split.origin": "When the {figure} splits, its own point {sites} must be free afterwards, with no stone left behind.",
    "split.no-markers": "Splitting so needs {wanted} spare markers; there are {number}.",
    "split.single": "The Single on {sites} cannot be split.",
    "stones.too-many": "There are {number} stones where there can be only {wanted} ({sites}).",
    "markers.too-many": "There are more markers on the board than the player has ({sites}).",
    "two-actions": "These are two actions; a turn is exactly one ({sites}).",
    "not-your-turn": "It is the turn of {colour}.",
    "game-over": "The match is over.",
    "unknown": "{action} is not possible here.",
}
_RINGS = {
    "place.occupied": "A pawn is placed on a free cell only; {sites} is taken.",
    "place.two": "Two pawns were placed ({sites}); one action places one.",
    "place.no-reserve": "There is no pawn left in the reserve to place on {sites}.",
    "place.flying": "With an empty reserve and {number} pawns on the track, one of them must be moved; none may be placed ({sites}).",
    "turn.too-far": "The ring {ring} was turned too far; one action turns it by one radius.",
    "turn.same-ring": "The ring {ring} was turned last; it may not be turned again before another ring has been.",
    "turn.flying": "With an empty reserve and {number} pawns on the track, one of them must be moved; the ring {ring} may not be turned.",
    "turn.two": "Two rings were turned; one action turns one.",
    "move.not-neighbour": "A pawn moves to a neighbouring cell; these are not neighbours ({sites}).",
    "move.occupied": "A pawn moves to a free cell only; {sites} is taken.",
    "move.foreign": "The pawn on {sites} belongs to {colour}.",
    "capture.missing": "A line was made; of the pawns of {colour} it takes {wanted}, not {number} ({sites}).",
    "capture.too-many": "Too many pawns of {colour} were taken ({sites}): it must be {wanted}, not {number}.",
    "capture.own": "Nobody takes a pawn of his own ({sites}).",
    "capture.no-line": "Nothing may be taken ({sites}): this action made no line that counts.",
    "capture.spent": "The line {sites} does not count, because it holds spent pawns ({spent}).",
    "two-actions": "These are two actions; a turn is exactly one ({sites}).",
    "not-your-turn": "It is the turn of {colour}.",
    "game-over": "The match is over.",
    "unknown": "{action} is not possible here.",
}
SENTENCES: Mapping[str, Mapping[str, str]] = {"memento-tuos": _MEMENTO, "memento-ludis": _MEMENTO, "rings": _RINGS}
"""By game and rule."""
UNEXPLAINED = (
    "What stands on {sites} follows from no legal action.",
    "{colour} wants {wanted}, not {action}. Please put it back and make {wanted}.",
)
"""What stood nowhere in the rules (`unknown`): a picture that nothing legal led to, or not what the program wanted."""
