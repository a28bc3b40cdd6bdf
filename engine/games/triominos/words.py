"""The sentences of Triominos: why an action is refused, and the rules in brief.

English here is the key of the translations.
"""

from __future__ import annotations

from engine.core import Ending


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


NO_SUCH_CARD = _("no card of this set has these corners in this order")
LIES_ALREADY = _("this card is already on the table")
NOT_IN_RACK = _("this card is not in the player's rack")

SENTENCES = {
    "place.corner": _("{card} does not fit there: {clash} where corners meet ({sites})."),
    "place.side": _("A card must share a whole side with a card on the table ({sites})."),
    "place.card": _("{card} cannot be laid: {reason} ({sites})."),
    "place.taken": _("There is already a card there, and it must stay where it is ({sites})."),
    "place.two": _("More than one card was laid; a turn allows exactly one ({sites})."),
    "place.empty-rack": _("The rack is empty: buy a card first, which takes a turn of its own."),
    "swap.not-joker": _("Only the joker can be taken back from the table; there is no joker on {sites}."),
    "swap.fit": _("{card} does not fit in the joker's place: {clash} where corners meet ({sites})."),
    "buy.no-chip": _("There is no chip left to pay for a card."),
    "buy.empty-pot": _("The pot is empty; there is no card to buy."),
    "pass.could-play": _("Only a player who can neither lay, swap nor buy a card may pass."),
    "setup.first": _("Lay the first card on the marked cell in the middle: with it the match begins."),
    "setup.face-down": _(
        "Something lies on the marked cell, but no card of this set face up: turn it over, or take it away."
    ),
    "setup.joker": _("The joker cannot be the first card: put it back into the pot and turn up another one."),
    "setup.others": _("Only the first card may lie on the mat before the match begins ({sites})."),
    "setup.chips": _("Everybody starts with {wanted} chips on the mat, or all with none; {colour} has {number}."),
    "chips.more": _("{colour} may take {number} more from the bank: {due} chips are due, {seen} lie there."),
    "chips.bridge": _(
        "{colour} may take {number} more from the bank: the card on {site} makes a bridge. {due} chips are due, {seen} lie there."
    ),
    "chips.hexagon": _(
        "{colour} may take {number} more from the bank: the card on {site} closes a hexagon. {due} chips are due, {seen} lie there."
    ),
    "chips.last-card": _(
        "{colour} may take {number} more from the bank: it was the last card of the rack. {due} chips are due, {seen} lie there."
    ),
    "chips.less": _("{colour} has {number} too many: {due} chips are due, {seen} lie there."),
    "not-your-turn": _("It is {colour}'s turn."),
    "game-over": _("The match is over."),
    "unknown": _("{action} is not possible here."),
}

LYING = _("The camera sees no card or chip of this set in what lies on {sites}: turn it over, or take it away.")

ROWS = {
    "seen": _("Chips in the rows: {counts}."),
    "empty": _("No chips in the rows: whenever somebody buys a card or passes, enter it on the page."),
    "unsure": _("Not sure how many chips are in these rows: {unsure}."),
}

BRIEF = (
    _(
        "Thirty-five triangular cards show a number from 1 to 5 in each corner, with a colour for each number; one more card is the joker. Everybody starts with six cards and four chips, and one card lies face up on the table."
    ),
    _("In every turn you do exactly one thing: lay a card, swap the joker, or buy a card."),
    _(
        "Lay: put a card from your rack against a whole side of any card on the table. Wherever its corners meet other corners, the numbers must be the same. The bank gives you one chip for it."
    ),
    _(
        "Hexagon: if your card is the last of six around one point, you get an extra chip for each such point. Bridge: if your card has only one neighbour and its far corner touches another card, you get an extra chip."
    ),
    _("If it was the last card in your rack, you get an extra chip; after that you can only buy."),
    _(
        "The joker fits everywhere. Where it lies alone at a corner, that corner is open to any number. On your turn you may put a card that fits in its place and take the joker into your rack; you get no chip for that."
    ),
    _(
        "Buy: pay one chip and take a card from the pot. You may always do so while you have a chip and the pot has a card. Only a player who can do none of these things passes."
    ),
    _(
        "When the last card of the pot has been bought, everybody has one more turn, the buyer last. The match is also over when all players pass one after another. Whoever has the most chips wins."
    ),
)

REMARKS = {
    "hexagon": _("It closes a hexagon on {site}."),
    "bridge": _("It makes a bridge on {site}."),
    "last-card": _("It plays the last card of the rack."),
    "joker": _("It takes the joker from {site} into the rack."),
    "chips": _("Chips earned: {number}."),
}

ENDINGS = {"chips": Ending(_("{winner} wins with the most chips."), _("most chips"))}

PARTS = (_("card"), _("chip"))

COUNTED = {"chips": _("Chips"), "rack_sizes": _("Cards in hand"), "pot_size": _("Cards in the pot")}

TAP = _("Choose a card below to see where it fits, and why it fits nowhere else.")
