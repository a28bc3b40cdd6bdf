"""Texts of the script that people point with."""

from __future__ import annotations

from engine.core import COLOURS
from engine.words import say
from webui.texts import N_, spoken

POINTER = {
    "first": N_("Pick what shall act: tap it on the board, or choose here."),
    "next": N_("Picked: {picks}. Where to?"),
    "also": N_("Or choose another way:"),
    "cancel": N_("Start over"),
    "which": N_("Which of these?"),
    "no_way": N_("Nothing can be done with this."),
    "play": N_("Play {action}"),
    "elsewhere": N_("Why not elsewhere"),
    "reset": N_("From the start"),
    "possible": N_("possible"),
}


def pointer_texts(language: str) -> dict[str, str]:
    """All of them, with the names of the colours."""
    return spoken(POINTER) | {colour: say(colour, language) for colour in COLOURS}
