"""What hints and comments say. English here is the key of the translations."""

from __future__ import annotations


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


REASONS = {
    "single": _("It is the only legal action."),
    "shares": _("It ends the match with a win that is shared."),
    "only": _("Every other action loses at once."),
    "few": _("Only {number} of {count} actions do not lose at once."),
    "stops": _("It stops {colour}, who could win next with {action}."),
    "stops.there": _("It stops {colour}, who could win next with {action} ({region})."),
    "forced": _("Whatever the answer, a win follows."),
    "threatens": _("It threatens to win next with {action}."),
    "answers": _("Answers that stop that: {number} of {count}."),
    "leads": _("It wins by force (own actions needed: {number})."),
    "attacks": _("It threatens to take something next with {action}."),
    "guards": _("After it nothing of yours can be taken next."),
    "saves": _("After it fewer of your pieces can be taken next: {number}, not {count}."),
    "hopeless": _("Nothing stops the loss any more; this takes longest."),
    "best": _("Nothing better was found (actions looked ahead: {number})."),
    "guess": _("The number is a guess: it fits {number} of {count} deals that are possible."),
}

NUDGE = _("Look at {region}.")
NUDGE_SPOT = _("Look there: {region}.")
NUDGE_ASIDE = _("This time nothing on the board has to move.")
FIGURE_AT = _("It is about what stands on {site}.")
FIGURE = _("It is about this: {what}.")
ACTION = _("Play {action}.")

SPOTS = {
    (-1, -1): _("top left"),
    (0, -1): _("top"),
    (1, -1): _("top right"),
    (-1, 0): _("left"),
    (0, 0): _("in the middle"),
    (1, 0): _("right"),
    (-1, 1): _("bottom left"),
    (0, 1): _("bottom"),
    (1, 1): _("bottom right"),
}
"""Where something is on the table, for boards whose parts have no names; seen from the side where south is."""

COMMENTS = {
    "missed-win": _("Here {action} would have won."),
    "missed-stop": _("This let {colour} win; {action} would have stopped it."),
    "better": _("Better was {action}."),
}

TABLE = {
    "asks": _("{colour} plays {action}. Please make it on the board."),
    "differs": _("{colour} wants {wanted}, not {action}. Please put it back and make {wanted}."),
    "thinks": _("{colour} is thinking."),
}
"""When the program plays a seat and a person's hand makes its actions."""

PLAYERS = _("Players: {number}")

BALANCE = {
    "source": _("From matches of the program against itself ({level}): {count}."),
    "first": _("Score of the player who begins: {number} % ({low} to {high} %)."),
    "length": _("Actions in a match: {low} to {high} in nine of ten, {number} in the middle."),
    "ends": _("How the matches end: {ends}."),
}

CAPPED = _("not over in time")
