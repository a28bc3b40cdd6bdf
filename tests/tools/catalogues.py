"""Keeps the catalogues in step with the source: `make catalogues` takes in new texts, drops stale ones and compiles."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import engine
import webui
from engine.words import DOMAIN, LANGUAGES

TRANSLATED = tuple(language for language in LANGUAGES if language != "en")
WRITTEN = datetime(2026, 1, 1, tzinfo=UTC)
"""A fixed date in the headers, so that a run that changes no text changes no file."""
KEYWORDS = {"_": None, "Word": None, "SpokenError": None, "N_": None, "ngettext": (1, 2)}

Text = str | tuple[str, ...]
"""A text, or its singular and plural."""


@dataclass(frozen=True)
class Domain:
    """Texts of some parts of the source, in catalogues of their own."""

    name: str
    home: Path
    sources: tuple[str, ...]
    methods: tuple[tuple[str, str], ...] = (("**.py", "python"),)

    def texts(self) -> list[Text]:
        """Every text that the source marks, in the order of the source, each once."""
        texts: dict[Text, None] = {}
        for source in self.sources:
            found = extract_from_dir(
                str(self.home.parent / source), keywords=KEYWORDS, method_map=list(self.methods), options_map={}
            )
            places = sorted(
                ((file, line, text) for file, line, text, _, _ in found if text), key=lambda place: place[:2]
            )
            texts.update(dict.fromkeys(text for _, _, text in places))
        return list(texts)

    def folder(self, language: str) -> Path:
        return self.home / "locale" / language / "LC_MESSAGES"

    def written(self, language: str) -> dict[Text, Text]:
        """The translations as they are in the file that translators edit."""
        path = self.folder(language) / f"{self.name}.po"
        if not path.exists():
            return {}
        with path.open("rb") as file:
            messages = [message for message in read_po(file, locale=language) if message.id]
        return {_value(message.id): _value(message.string) for message in messages}

    def refresh(self, language: str) -> int:
        """Bring one language up to date; the number of texts that still want a translation."""
        known = self.written(language)
        catalogue = Catalog(
            locale=language,
            domain=self.name,
            header_comment="# Magister Ludi",
            project="magister-ludi",
            version="1",
            creation_date=WRITTEN,
            revision_date=WRITTEN,
            last_translator="",
            language_team="",
            msgid_bugs_address="",
        )
        texts = self.texts()
        for text in texts:
            catalogue.add(text, known.get(text, ""))
        self.folder(language).mkdir(parents=True, exist_ok=True)
        with (self.folder(language) / f"{self.name}.po").open("wb") as file:
            write_po(file, catalogue, width=0)
        with (self.folder(language) / f"{self.name}.mo").open("wb") as file:
            write_mo(file, catalogue)
        return sum(not is_said(known.get(text, "")) for text in texts)


def _value(text: object) -> Text:
    return tuple(map(str, text)) if isinstance(text, (tuple, list)) else str(text)


def is_said(text: Text) -> bool:
    """Whether a translation is there, in every one of its numbers."""
    return bool(text) and (isinstance(text, str) or all(text))


DOMAINS = (
    Domain(DOMAIN, Path(engine.__file__).parent, ("engine", "hardware", "firmware")),
    Domain("page", Path(webui.__file__).parent, ("webui",), (("**.py", "python"), ("**.html", "jinja2"))),
)
"""Whoever speaks to people does it through the first; the page has texts of its own."""


def texts_in_source() -> list[Text]:
    return DOMAINS[0].texts()


if __name__ == "__main__":
    for domain in [each for each in DOMAINS if each.name in (sys.argv[1:] or [each.name])]:
        for each in TRANSLATED:
            print(f"{domain.name} {each}: {domain.refresh(each)} texts to translate")
