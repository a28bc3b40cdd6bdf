"""Keeps the catalogues in step with the source: `make catalogues` takes in new texts, drops stale ones and compiles."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
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
    sources: tuple[Path, ...]
    methods: tuple[tuple[str, str], ...] = (("**.py", "python"),)
    file: str = DOMAIN

    @classmethod
    def of_game(cls, folder: Path) -> Domain:
        """The texts of one game, which has all that it says in its own folder."""
        return cls(folder.name, folder, (folder,))

    def texts(self) -> list[Text]:
        """Every text that the source marks, in the order of the source, each once."""
        return list(_marked(self.sources, self.methods))

    def folder(self, language: str) -> Path:
        return self.home / "locale" / language / "LC_MESSAGES"

    def written(self, language: str) -> dict[Text, Text]:
        """The translations as they are in the file that translators edit."""
        path = self.folder(language) / f"{self.file}.po"
        if not path.exists():
            return {}
        with path.open("rb") as file:
            messages = [message for message in read_po(file, locale=language) if message.id]
        return {_value(message.id): _value(message.string) for message in messages}

    def refresh(self, language: str, elsewhere: Mapping[Text, Text]) -> int:
        """Bring one language up to date; the number of texts that still want a translation. A text that has moved here
        from elsewhere brings its translation along."""
        known = {**elsewhere, **self.written(language)}
        catalogue = Catalog(
            locale=language,
            domain=self.file,
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
        with (self.folder(language) / f"{self.file}.po").open("wb") as file:
            write_po(file, catalogue, width=0)
        with (self.folder(language) / f"{self.file}.mo").open("wb") as file:
            write_mo(file, catalogue)
        return sum(not is_said(known.get(text, "")) for text in texts)


@cache
def _marked(sources: tuple[Path, ...], methods: tuple[tuple[str, str], ...]) -> tuple[Text, ...]:
    texts: dict[Text, None] = {}
    for source in sources:
        found = extract_from_dir(
            str(source), keywords=KEYWORDS, method_map=list(methods), options_map={}, directory_filter=_is_ours
        )
        places = sorted(((file, line, text) for file, line, text, _, _ in found if text), key=lambda place: place[:2])
        texts.update(dict.fromkeys(text for _, _, text in places))
    return tuple(texts)


def _is_ours(folder: str) -> bool:
    """Whether a domain speaks for a folder: each game speaks for itself."""
    return Path(folder) != GAMES and not Path(folder).name.startswith((".", "_"))


def _value(text: object) -> Text:
    return tuple(map(str, text)) if isinstance(text, (tuple, list)) else str(text)


def is_said(text: Text) -> bool:
    """Whether a translation is there, in every one of its numbers."""
    return bool(text) and (isinstance(text, str) or all(text))


ENGINE, PAGE = Path(engine.__file__).parent, Path(webui.__file__).parent
GAMES = ENGINE / "games"
HOUSE = Domain("engine", ENGINE, (ENGINE, ENGINE.parent / "hardware", ENGINE.parent / "firmware"))
DOMAINS = (
    HOUSE,
    Domain("page", PAGE, (PAGE,), (("**.py", "python"), ("**.html", "jinja2")), "page"),
    *(Domain.of_game(path.parent) for path in sorted(GAMES.glob("*/__init__.py"))),
)
"""Whoever speaks to people does it through the first; the page and each game have texts of their own."""


def all_written(language: str) -> dict[Text, Text]:
    """What the catalogues say in a language, all together."""
    return {text: said for domain in DOMAINS for text, said in domain.written(language).items()}


def main(wanted: list[str]) -> None:
    """Refresh some catalogues: all, or those of these names, or of games in these folders."""
    known = {domain.name: domain for domain in DOMAINS}
    written = {language: all_written(language) for language in TRANSLATED}
    for name in wanted or known:
        domain = known.get(name) or Domain.of_game(Path(name).resolve())
        for language in TRANSLATED:
            print(f"{domain.name} {language}: {domain.refresh(language, written[language])} texts to translate")


if __name__ == "__main__":
    main(sys.argv[1:])
