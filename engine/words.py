"""Sentences in the languages of the rulebooks: refusals, rules in brief, option meanings.

English is the key; the gettext catalogues under `engine/locale`, and under `locale` in each game's folder, hold the
rest. What is not translated stays English.
"""

from __future__ import annotations

import gettext
from functools import cache
from importlib import resources

from engine.core import COLOURS, Fact, Game, Refusal, Word
from engine.players.words import TABLE
from engine.registry import packages

LANGUAGES = ("en", "de", "fr", "it", "uk")

DOMAIN = "magister"


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


WORDS = (_("red"), _("yellow"), _("green"), _("blue"))
assert WORDS == COLOURS


@cache
def _catalogue(language: str, packages: tuple[str, ...]) -> gettext.NullTranslations:
    """What these packages say in a language, the first that knows a text; of an unknown one nothing: English is said.

    Whatever more than one of them says, all must say alike.
    """
    found = gettext.NullTranslations()
    for package in packages:
        path = resources.files(package) / "locale" / language / "LC_MESSAGES" / f"{DOMAIN}.mo"
        if path.is_file():
            with path.open("rb") as file:
                found.add_fallback(gettext.GNUTranslations(file))
    return found


def say(text: str, language: str = "en", **facts: Fact) -> str:
    """A text of the catalogues, the house's or a game's, in a language, with its facts put in."""
    translate = _catalogue(language, ("engine", *packages())).gettext
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


def ending_sentence(game: Game, by: str, winner: str, language: str = "en") -> str:
    """How a match ended."""
    return say(game.endings[by].sentence, language, winner=winner)
