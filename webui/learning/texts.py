"""Texts of the script for picking actions."""

from __future__ import annotations

from engine.core import COLOURS
from engine.words import say
from webui.words.texts import N_, spoken

POINTER = {
    "first": N_("Pick what to move: tap it on the board, or choose here."),
    "next": N_("Picked: {picks}. Where to?"),
    "also": N_("Or pick one of these:"),
    "cancel": N_("Start over"),
    "which": N_("Which one?"),
    "no_way": N_("Nothing can be done with that."),
    "play": N_("Play {action}"),
    "elsewhere": N_("Why not elsewhere"),
    "reset": N_("Back to the start"),
    "possible": N_("possible"),
}


def pointer_texts(language: str) -> dict[str, str]:
    """All of them, with the names of the colours."""
    return spoken(POINTER) | {colour: say(colour, language) for colour in COLOURS}
