"""Sentences in the languages of the rulebooks: refusals, rules in brief, option meanings.

English is the key; the gettext catalogues under `engine/locale` hold the rest. What is not translated stays English.
"""

from __future__ import annotations

import gettext
from functools import cache
from importlib import resources

from engine.core import COLOURS, Fact, Game, Refusal, Word
from engine.players.words import TABLE

LANGUAGES = ("en", "de", "fr", "it", "uk")

DOMAIN = "magister"


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


WORDS = (_("red"), _("yellow"), _("green"), _("blue"))
assert WORDS == COLOURS

OUTCOMES = {
    "middles": _("{winner} wins with figures on all four middle points."),
    "triangle": _("{winner} wins with the medians and the middle of one triangle."),
    "last": _("{winner} wins as the last player left."),
    "home": _("{winner} wins: all four figures are home."),
    "chips": _("{winner} wins with the most chips."),
}


@cache
def catalogue(language: str) -> gettext.NullTranslations:
    """The translations into a language; an unknown language falls back to English."""
    path = resources.files("engine") / "locale" / language / "LC_MESSAGES" / f"{DOMAIN}.mo"
    if language == "en" or not path.is_file():
        return gettext.NullTranslations()
    with path.open("rb") as file:
        return gettext.GNUTranslations(file)


def say(text: str, language: str = "en", **facts: Fact) -> str:
    """A text of the catalogues in a language, with its facts filled in."""
    translate = catalogue(language).gettext
    spoken = {name: translate(fact) if isinstance(fact, Word) else fact for name, fact in facts.items()}
    return translate(text).format_map(spoken) if facts else translate(text)


UNEXPLAINED = _("No legal action leads to what is on {sites}.")


def sentence(game: Game, refusal: Refusal, language: str = "en") -> str:
    """Why an action is refused, as a sentence for the players."""
    if refusal.rule == "unknown" and "wanted" in refusal.facts:
        told = say(TABLE["differs"], language, **refusal.facts)
        return told[:1].upper() + told[1:]
    if refusal.rule == "unknown" and "action" not in refusal.facts:
        return say(UNEXPLAINED, language, **refusal.facts)
    return say(game.sentences[refusal.rule], language, **refusal.facts)
