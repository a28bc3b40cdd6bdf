"""Memento's sentences: why an action is refused, and the rules in brief.

English here is the key of the translations; the figures keep the rulebook's names (Single, Double, Tripple).
"""

from __future__ import annotations

from engine.core import Ending


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


SENTENCES = {
    "enter.count": _("Figures entered on {sites}: {number}; there must be exactly {wanted}."),
    "enter.middle": _("A new figure may not enter on a middle point ({sites})."),
    "enter.inner": _("A new figure may not enter on the inner triangle ({sites})."),
    "enter.occupied": _("A new figure may not enter where a figure already stands ({sites})."),
    "enter.height": _("New figures may only enter as Singles ({sites})."),
    "enter.no-stones": _("There are not enough stones in the supply to enter ({number} left)."),
    "enter.no-markers": _("The player does not have enough markers to enter ({number} left)."),
    "turn.previous-turned": _("Triangle {tile} may not be turned: the previous action was a turn."),
    "turn.twice": _("Triangle {tile} may not be turned: this player's last action was also a turn."),
    "turn.no-change": _("Turning triangle {tile} would change nothing."),
    "turn.two": _("Two triangles were turned; an action turns only one."),
    "move.foreign": _("The figure on {sites} belongs to {colour}."),
    "move.too-far": _("The {figure} cannot go that far ({sites})."),
    "move.bend": _("The {figure} slides only in a straight line; this path bends ({sites})."),
    "move.blocked": _("The stack on {sites} is in the way."),
    "move.off-board": _("The {figure} may not go over the edge of the board here ({sites})."),
    "capture.height": _("The stack on {sites} has {number} stones; after this capture it must have {wanted}."),
    "capture.marker": _("The captured marker must leave the board ({sites})."),
    "split.occupied": _("A figure may only split onto free points; {sites} is occupied."),
    "split.unreachable": _("The {figure} could not move to {sites}, so no part of it can go there."),
    "split.origin": _("When the {figure} splits, its own point {sites} must be left empty, with no stone behind."),
    "split.no-markers": _("Spare markers needed for this split: {wanted}; there are {number}."),
    "split.single": _("The Single on {sites} cannot be split."),
    "stones.too-many": _("There are {number} stones where there can be only {wanted} ({sites})."),
    "markers.too-many": _("There are more markers on the board than the player has ({sites})."),
    "two-actions": _("That is two actions; a turn is exactly one ({sites})."),
    "not-your-turn": _("It is {colour}'s turn."),
    "game-over": _("The match is over."),
    "unknown": _("{action} is not possible here."),
}

BRIEF = (
    _(
        "Four triangles of seven points each make one big triangle. A figure is one, two or three stones (Single, Double, Tripple) under a colour marker."
    ),
    _(
        "The first player puts one Single on any point. After that, every turn is exactly one action, and it must change the board."
    ),
    _(
        "Enter: two Singles on two free points of the outer triangles, never on a middle point. It needs two stones in the supply and two markers of your own."
    ),
    _(
        "Turn: rotate one triangle by a third, with everything on it. Not if the previous action was a turn, and no player may turn twice in a row."
    ),
    _(
        "Move: any figure can go to a neighbouring point. A Double also slides along a straight line until something is in its way. A Tripple on a middle point also jumps to any other middle point or to a corner of the big triangle."
    ),
    _(
        "Capture: move onto any figure, even your own. The captured marker goes back to its owner and the stacks become one; if there are more than three stones, three go back to the supply."
    ),
    _(
        "Split: a Double into two Singles, a Tripple into a Double and a Single or into three Singles, each on a free point that the whole figure could move to. Its own point stays empty, and every new figure needs a marker."
    ),
    _(
        "The corners lead off the board: from a corner of the big triangle to another one or to the three corners opposite, and between the places where three corners touch."
    ),
    _(
        "You win with figures on all four middle points, or on the three medians and the middle of one triangle, or as the last player with figures on the board. A player who loses all figures is out."
    ),
)

REMARKS = {
    "takes": _("It captures the {colour} {figure} on {site}."),
    "out": _("{colour} has no figure left and is out."),
    "joins": _("It joins two figures into a {figure} on {site}."),
    "stones": _("Three stones go back to the supply."),
    "middles": _("It holds {number} of the four middle points."),
    "triangle": _("It holds {number} of the four winning points of triangle {tile}."),
}

ENDINGS = {
    "middles": Ending(_("{winner} wins with figures on all four middle points."), _("four middles")),
    "triangle": Ending(_("{winner} wins with the medians and the middle of one triangle."), _("a triangle")),
    "last": Ending(_("{winner} wins as the last player left."), _("last one left")),
}

PARTS = (_("tile"), _("stone"), _("marker"))

COUNTED = {"stones": _("Stones in supply"), "markers": _("Markers in hand")}

REGIONS = {
    "tile-T": _("the top triangle"),
    "tile-L": _("the left triangle"),
    "tile-R": _("the right triangle"),
    "tile-I": _("the inner triangle"),
}

TAP = _("Tap a figure to see where it may go, and why it cannot go elsewhere.")
