"""Dimenticato's sentences: why an action is refused, and the rules in brief. English is the key of the translations."""

from __future__ import annotations

from engine.core import Ending


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


SENTENCES = {
    "move.count": _("The figure must move exactly as many fields as the number called ({sites})."),
    "move.bends": _("A figure may change direction at most twice in a move ({sites})."),
    "move.backward": _("A figure never moves backward ({sites})."),
    "move.corner": _("On a corner card a figure may only turn right ({sites})."),
    "move.own": _("One of your own figures is on {sites}; you cannot capture it."),
    "move.safe": _("The {colour} figure on {sites} stands on its own colour and cannot be captured."),
    "move.foreign": _("The figure on {sites} belongs to {colour}."),
    "setback.wrong": _("A captured figure goes back three fields, with at most one turn, to a free field ({sites})."),
    "setback.missing": _("The captured {colour} figure must be set back three fields ({sites})."),
    "setback.impossible": _("The {colour} figure on {sites} cannot be captured: there is no field to set it back to."),
    "start.foreign": _("A figure may not enter another player's start fields ({sites})."),
    "opening.count": _("A figure leaves home by moving 2, 3, 4 or 5 fields ({sites})."),
    "opening.card": _("A figure that leaves home must end up past its own big card ({sites})."),
    "opening.first": _("The figures still at home must come out before {sites} may move."),
    "goal.occupied": _("There is already a figure on the start field {sites}."),
    "call.wrong": _("The number under {sites} is not {number}; the figure stays and the turn is over."),
    "setup.card": _(
        "No card with dice can be seen on {sites}: it is missing, covered, face down or from another game."
    ),
    "setup.unsure": _(
        "The dice on {sites} cannot be read for certain: move the lamp or whatever is in front of them, or say what is there."
    ),
    "setup.figure": _("The {colour} figure on {sites} should stand on a start field."),
    "setup.stray": _("A {colour} figure is not standing on any field; it is near {sites}."),
    "setup.home": _("There is no {colour} figure on {sites}, where one belongs at the start."),
    "setup.alike": _("The cards on {sites} are alike: did one from another deck slip in? If they are right, say so."),
    "two-actions": _("That is two actions; a turn is exactly one ({sites})."),
    "not-your-turn": _("It is {colour}'s turn."),
    "game-over": _("The match is over."),
    "unknown": _("{action} is not possible here."),
}

BRIEF = (
    _(
        "Cards with four dice each lie in a ring and make a track of two lanes. Every player has four figures on the start fields of their big card. A figure hides the die it stands on, so remember it."
    ),
    _(
        "Leaving home: as long as any of your figures has never been out, you must move one of those 2, 3, 4 or 5 fields, as you like, past your own big card. If none of them can move, you play this turn like a later one."
    ),
    _(
        "Later turns: choose one of your figures on the track and say the number under it. If you are right, it moves exactly that many fields. If you are wrong, it stays, everybody sees the number, and your turn is over."
    ),
    _(
        "Moving: clockwise, forward or across to the other lane, never backward. A move may turn at most twice, and on a corner card only to the right. Figures jump over other figures; every field counts."
    ),
    _(
        "Capturing: you may end on another player's figure unless it stands on its own colour. You set it back to a free field three fields behind, with at most one turn, but never onto or over its own big card. If there is no such field, it cannot be captured. You never capture your own figures."
    ),
    _(
        "Coming home: from your big card a figure steps out into your start fields by exact count, straight on or along them, never back. Nobody else may enter them, and no figure can be captured there. Instead of calling a number you may move a figure that has come home to any other free start field of yours."
    ),
    _("If none of your figures can move, you pass."),
    _("You win as soon as all four of your figures are back on your start fields, once each of them has been out."),
)

REMARKS = {
    "beats": _("It captures the {colour} figure on {site}."),
    "home": _("It brings a figure home: {number} of {all}."),
    "safe": _("On {site} it stands on its own colour and cannot be captured."),
}

ENDINGS = {"home": Ending(_("{winner} wins: all four figures are home."), _("all home"))}

PARTS = (_("card"), _("figure"))

TAP = _("Tap a figure to see where it may go, and why it cannot go elsewhere.")
