"""Texts that are marked in one place and said in another: the navigation's, and those that scripts show."""

from __future__ import annotations

from collections.abc import Mapping

from flask_babel import gettext


def N_(text: str) -> str:  # noqa: N802 - what gettext calls it
    """Marks a text for the catalogues; it is translated when it is shown."""
    return text


def spoken(texts: Mapping[str, str]) -> dict[str, str]:
    """Texts for a script, in the language of this request."""
    return {name: gettext(text) for name, text in texts.items()}
