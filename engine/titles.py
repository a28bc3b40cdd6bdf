"""What a rule is about, in a word or two: the part of its code before the dot. Codes are for programs."""

from __future__ import annotations

from engine.words import say


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


TITLES = {
    "move": _("Moving"),
    "setback": _("Setting back"),
    "start": _("Start fields"),
    "opening": _("Opening"),
    "goal": _("Coming home"),
    "call": _("Saying the number"),
    "setup": _("Set-up"),
    "two-actions": _("One action a turn"),
    "not-your-turn": _("Whose turn it is"),
    "game-over": _("End of the match"),
    "enter": _("Entering"),
    "turn": _("Turning"),
    "capture": _("Capturing"),
    "split": _("Splitting"),
    "stones": _("Stones"),
    "markers": _("Markers"),
    "place": _("Placing"),
    "swap": _("Swapping the joker"),
    "buy": _("Buying"),
    "pass": _("Passing"),
    "chips": _("Chips"),
}
NOT_LEGAL = _("Not a legal action")


def title_of_rule(code: str, language: str = "en") -> str:
    """What people call the rule of this code."""
    return say(TITLES.get(code.partition(".")[0], NOT_LEGAL), language)
