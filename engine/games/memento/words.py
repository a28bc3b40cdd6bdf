"""Memento's sentences: why an action is refused, and the rules in brief.

English here is the key of the translations; the figures keep the rulebook's names (Single, Double, Tripple).
"""

from __future__ import annotations

from engine.core import Ending


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


SENTENCES = {
    "enter.count": _("Figures entered on {sites}: {number}; it must be exactly {wanted}."),
    "enter.middle": _("A new figure may not enter on a middle point ({sites})."),
    "enter.inner": _("A new figure may not enter on the inner triangle ({sites})."),
    "enter.occupied": _("A new figure may not enter where a figure stands ({sites})."),
    "enter.height": _("New figures enter as Singles only ({sites})."),
    "enter.no-stones": _("There are not enough stones in the supply to enter ({number} left)."),
    "enter.no-markers": _("There are not enough own markers left to enter ({number} left)."),
    "turn.previous-turned": _("The triangle {tile} may not be turned: the action just before was a turn."),
    "turn.twice": _("The triangle {tile} may not be turned: the same player's last action was a turn too."),
    "turn.no-change": _("Turning the triangle {tile} would change nothing."),
    "turn.two": _("Two triangles were turned; one action turns one."),
    "move.foreign": _("The figure on {sites} belongs to {colour}."),
    "move.too-far": _("The {figure} cannot go that far ({sites})."),
    "move.bend": _("The {figure} slides along one straight line only; this way has a bend ({sites})."),
    "move.blocked": _("The stack on {sites} is in the way."),
    "move.off-board": _("The way over the edge of the board is not open to the {figure} ({sites})."),
    "capture.height": _("The stack on {sites} has {number} stones; after this capture it must have {wanted}."),
    "capture.marker": _("The beaten marker must leave the board ({sites})."),
    "split.occupied": _("A figure splits onto free points only; {sites} is taken."),
    "split.unreachable": _("The {figure} could not move to {sites}, so no part of it can go there."),
    "split.origin": _(
        "When the {figure} splits, its own point {sites} must be free afterwards, with no stone left behind."
    ),
    "split.no-markers": _("Splitting so needs {wanted} spare markers; there are {number}."),
    "split.single": _("The Single on {sites} cannot be split."),
    "stones.too-many": _("There are {number} stones where there can be only {wanted} ({sites})."),
    "markers.too-many": _("There are more markers on the board than the player has ({sites})."),
    "two-actions": _("These are two actions; a turn is exactly one ({sites})."),
    "not-your-turn": _("It is the turn of {colour}."),
    "game-over": _("The match is over."),
    "unknown": _("{action} is not possible here."),
}

BRIEF = (
    _(
        "Four triangles of seven points each make one big triangle. A figure is one, two or three stones (Single, Double, Tripple) under a colour marker."
    ),
    _(
        "The first player puts one Single on any point. After that every turn is exactly one action, and it must change the board."
    ),
    _(
        "Enter: two Singles on two free points of the outer triangles, never on a middle point. It needs two stones in the supply and two own markers."
    ),
    _(
        "Turn: one triangle by a third, with all that stands on it. Not if the action before was a turn, and no player turns twice in a row."
    ),
    _(
        "Move: every figure goes to a neighbouring point. A Double also slides along a straight line until something is in its way. A Tripple on a middle point also jumps to any other middle point or to a corner of the big triangle."
    ),
    _(
        "Capture: move onto any figure, even your own. The beaten marker goes back to its owner and the stacks become one; above three stones, three go back to the supply."
    ),
    _(
        "Split: a Double into two Singles, a Tripple into a Double and a Single or into three Singles, each on a free point that the whole figure could move to. Its own point stays empty, and every new figure needs a marker."
    ),
    _(
        "The corners lead off the board: from a corner of the big triangle to another one or to the three corners opposite, and between the places where three corners touch."
    ),
    _(
        "You win with figures on all four middle points, or on the three medians and the middle of one triangle, or as the last player with figures on the board. Who loses all figures is out."
    ),
)

REMARKS = {
    "takes": _("It takes the {figure} of {colour} on {site}."),
    "out": _("{colour} has no figure left and is out."),
    "joins": _("It makes a {figure} of two figures on {site}."),
    "stones": _("Three stones go back to the supply."),
    "middles": _("It holds {number} of the four middle points."),
    "triangle": _("It holds {number} of the four points that win on the triangle {tile}."),
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
