"""Texts that are marked in one place and shown in another: in the navigation, in scripts and in the stream."""

from __future__ import annotations

import gettext
from collections.abc import Mapping
from functools import cache
from importlib import resources

from flask_babel import gettext as translated


def N_(text: str) -> str:  # noqa: N802 - what gettext calls it
    """Marks a text for the catalogues; it is translated when it is shown."""
    return text


def spoken(texts: Mapping[str, str]) -> dict[str, str]:
    """Texts for a script, in the language of this request."""
    return {name: translated(text) for name, text in texts.items()}


@cache
def _catalogue(language: str) -> gettext.NullTranslations:
    path = resources.files("webui") / "locale" / language / "LC_MESSAGES" / "page.mo"
    if language == "en" or not path.is_file():
        return gettext.NullTranslations()
    with path.open("rb") as file:
        return gettext.GNUTranslations(file)


def tell(text: str, language: str, **facts: object) -> str:
    """A text of the page in a language, also outside a request: in the event stream."""
    said = _catalogue(language).gettext(text)
    return said % facts if facts else said
