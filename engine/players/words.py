"""What hints and comments say. English here is the key of the translations."""

from __future__ import annotations


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


REASONS = {
    "single": _("It is the only legal action."),
    "shares": _("It ends the match in a shared win."),
    "only": _("Every other action loses at once."),
    "few": _("Only {number} of {count} actions do not lose at once."),
    "stops": _("It stops {colour}, who could win next with {action}."),
    "stops.there": _("It stops {colour}, who could win next with {action} ({region})."),
    "forced": _("Whatever the answer, it leads to a win."),
    "threatens": _("It threatens to win next with {action}."),
    "answers": _("Answers that stop it: {number} of {count}."),
    "leads": _("It wins by force (own actions needed: {number})."),
    "attacks": _("It threatens to take something next with {action}."),
    "guards": _("After it, none of your pieces can be taken next."),
    "saves": _("After it, fewer of your pieces can be taken next: {number}, not {count}."),
    "hopeless": _("The match can no longer be saved; this holds out longest."),
    "best": _("Nothing better was found (actions looked ahead: {number})."),
    "guess": _("The number is a guess: it fits {number} of {count} possible deals."),
}

NUDGE = _("Look at {region}.")
NUDGE_SPOT = _("Look here: {region}.")
NUDGE_ASIDE = _("This time nothing on the board needs to move.")
FIGURE_AT = _("It is about the piece on {site}.")
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
"""Where something is on the table, for boards whose parts have no names; seen from the south."""

COMMENTS = {
    "missed-win": _("Here {action} would have won."),
    "missed-stop": _("This let {colour} win; {action} would have prevented it."),
    "better": _("{action} was better."),
}

TABLE = {
    "asks": _("{colour} plays {action}. Please make this move on the board."),
    "differs": _("{colour} plays {wanted}, not {action}. Please undo that on the board and play {wanted}."),
    "thinks": _("{colour} is thinking."),
}
"""When the program plays a seat and a person makes its moves."""

SHOWN = {
    "none": _("{what}: it fits nowhere now."),
    "some": _("{what}: it fits."),
    "one": _("{what}: it fits in one place."),
    "many": _("{what}: it fits in {number} places."),
    "lies": _("{what}: it is already on the table ({sites})."),
    "best": _("Best here: {site}."),
}
"""Of a card that somebody shows to the camera beside the board."""

PLAYERS = _("Players: {number}")

BALANCE = {
    "source": _("Based on {count} matches of the program against itself ({level})."),
    "first": _("The player who begins scores {number} % ({low} to {high} %)."),
    "length": _("Actions in a match: {low} to {high} in nine out of ten, median {number}."),
    "ends": _("How the matches end: {ends}."),
}

CAPPED = _("unfinished")
