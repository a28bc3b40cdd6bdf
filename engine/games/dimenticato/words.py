"""Dimenticato's sentences: why an action is refused, and the rules in brief. English is the key of the translations."""

from __future__ import annotations

from engine.core import Ending


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


SENTENCES = {
    "move.count": _("The figure did not go exactly as many fields as the number named ({sites})."),
    "move.bends": _("A figure may change its direction at most twice in a move ({sites})."),
    "move.backward": _("A figure never goes backward ({sites})."),
    "move.corner": _("On a corner card a figure may turn only to the right ({sites})."),
    "move.own": _("An own figure stands on {sites}; own figures are never beaten."),
    "move.safe": _("The figure of {colour} on {sites} stands on its own colour and cannot be beaten."),
    "move.foreign": _("The figure on {sites} belongs to {colour}."),
    "setback.wrong": _("A beaten figure goes back three fields, with one turn at most, to a free field ({sites})."),
    "setback.missing": _("The beaten figure of {colour} must be set back three fields ({sites})."),
    "setback.impossible": _("The figure of {colour} on {sites} cannot be beaten: there is no field to set it back to."),
    "start.foreign": _("The start fields of another player may not be entered ({sites})."),
    "opening.count": _("A figure leaves its home with 2, 3, 4 or 5 fields ({sites})."),
    "opening.card": _("A figure that leaves its home must end beyond its own big card ({sites})."),
    "opening.first": _("The figures that are still at home must leave it before {sites} may move."),
    "goal.occupied": _("A figure already stands on the start field {sites}."),
    "call.wrong": _("The number under {sites} is not {number}; the figure stays and the turn is over."),
    "two-actions": _("These are two actions; a turn is exactly one ({sites})."),
    "not-your-turn": _("It is the turn of {colour}."),
    "game-over": _("The match is over."),
    "unknown": _("{action} is not possible here."),
}

BRIEF = (
    _(
        "Cards with four dice each lie in a ring and make a track of two lanes. Every player has four figures on the start fields of his big card. A figure hides the die it stands on, so remember it."
    ),
    _(
        "Leaving home: as long as you have figures that have never been out, you move one of them, 2, 3, 4 or 5 fields as you like, past your own big card. If none of them can go, you play this turn like any later one."
    ),
    _(
        "Later turns: choose one of your figures on the track and say the number under it. If you are right, it moves exactly that many fields. If you are wrong, it stays, everybody sees the number, and your turn is over."
    ),
    _(
        "The way: clockwise, forward or across to the other lane, never backward. A move may turn twice at most, and on a corner card only to the right. Other figures are jumped; every field counts."
    ),
    _(
        "Beating: you may end on a foreign figure unless it stands on its own colour. You set it back to a free field three fields behind, with one turn at most, but never onto or over its own big card. If there is no such field, it cannot be beaten. Your own figures are never beaten."
    ),
    _(
        "Coming home: from your big card a figure steps out into your start fields by exact count, straight on or along them, never back. Nobody else may enter them, and no figure is beaten there. Instead of calling a number you may move a figure that has come home to any other free start field of yours."
    ),
    _("If none of your figures can move, you pass."),
    _("You win as soon as all four of your figures are back on your start fields after each of them has been out."),
)

REMARKS = {
    "beats": _("It beats the figure of {colour} on {site}."),
    "home": _("It brings a figure home: {number} of {all}."),
    "safe": _("On {site} it stands on its own colour and cannot be beaten."),
}

ENDINGS = {"home": Ending(_("{winner} wins: all four figures are home."), _("all home"))}

PARTS = (_("card"), _("figure"))
