"""Translates sentences that were logged in English: old logs keep texts, not facts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import product

from engine.core import Game, Word
from engine.words import UNEXPLAINED, say

_FACT = re.compile(r"\{(\w+)\}")


def retold(game: Game, rules: Sequence[str], text: str, language: str) -> str:
    """Why something was refused, by these rules in this order; the text itself if it does not follow from them."""
    known = [_templates(game, rule) for rule in rules]
    for templates in product(*known):
        found = _reader(templates).fullmatch(text)
        if found is None:
            continue
        said = []
        for place, template in enumerate(templates):
            # A fact that is a word of the game is in the catalogues; any other is the same in every language.
            facts = {name: Word(found[f"{name}_{place}"]) for name in _FACT.findall(template)}
            said.append(say(template, language, **facts))
        return " ".join(said)
    return text


def _templates(game: Game, rule: str) -> tuple[str, ...]:
    own = (game.sentences[rule],) if rule in game.sentences else ()
    return (*own, UNEXPLAINED) if rule == "unknown" else own


@lru_cache(maxsize=256)
def _reader(templates: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(" ".join(_pattern(template, place) for place, template in enumerate(templates)))


def _pattern(template: str, place: int) -> str:
    parts, seen = [], set()
    for k, part in enumerate(_FACT.split(template)):
        if k % 2 == 0:
            parts.append(re.escape(part))
        elif part in seen:
            parts.append(f"(?P={part}_{place})")
        else:
            parts.append(f"(?P<{part}_{place}>.+?)")
            seen.add(part)
    return "".join(parts)
