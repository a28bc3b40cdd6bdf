"""Keeps the catalogues in step with the source: `make catalogues` takes in new texts, drops stale ones and compiles."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import engine
from engine.words import DOMAIN, LANGUAGES

ROOT = Path(engine.__file__).parent
SOURCES = ("engine", "hardware", "firmware", "webui")
"""Whoever speaks to people does it through the same catalogues."""
TRANSLATED = tuple(language for language in LANGUAGES if language != "en")
WRITTEN = datetime(2026, 1, 1, tzinfo=UTC)
"""A fixed date in the headers, so that a run that changes no text changes no file."""


def texts_in_source() -> list[str]:
    """Every text that the source marks, in the order of the source, each once."""
    texts: dict[str, None] = {}
    for source in SOURCES:
        found = extract_from_dir(
            str(ROOT.parent / source), keywords={"_": None, "Word": None}, method_map=[("**.py", "python")]
        )
        places = sorted((file, line, text) for file, line, text, _, _ in found if isinstance(text, str))
        texts.update(dict.fromkeys(text for _, _, text in places))
    return list(texts)


def folder(language: str) -> Path:
    return ROOT / "locale" / language / "LC_MESSAGES"


def written(language: str) -> dict[str, str]:
    """The translations as they are in the file that translators edit."""
    path = folder(language) / f"{DOMAIN}.po"
    if not path.exists():
        return {}
    with path.open("rb") as file:
        return {str(message.id): str(message.string) for message in read_po(file, locale=language) if message.id}


def refresh(language: str) -> int:
    """Bring one language up to date; the number of texts that still want a translation."""
    known = written(language)
    catalogue = Catalog(
        locale=language,
        domain=DOMAIN,
        header_comment="# Magister Ludi",
        project="magister-ludi",
        version="1",
        creation_date=WRITTEN,
        revision_date=WRITTEN,
        last_translator="",
        language_team="",
        msgid_bugs_address="",
    )
    for text in texts_in_source():
        catalogue.add(text, known.get(text, ""))
    folder(language).mkdir(parents=True, exist_ok=True)
    with (folder(language) / f"{DOMAIN}.po").open("wb") as file:
        write_po(file, catalogue, width=0)
    with (folder(language) / f"{DOMAIN}.mo").open("wb") as file:
        write_mo(file, catalogue)
    return sum(not known.get(text) for text in texts_in_source())


if __name__ == "__main__":
    for each in TRANSLATED:
        print(f"{each}: {refresh(each)} texts to translate")
