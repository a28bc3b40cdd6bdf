"""How a match of Triominos begins at a real table: with the first card on the marked cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.core import COLOURS, Refusal, Word
from engine.face import EMPTY, Face
from engine.games.triominos.cards import JOKER_FACE
from engine.games.triominos.faces import CHIP
from engine.games.triominos.lattice import FIRST, site
from engine.games.triominos.purse import START, row
from engine.referee.reading import Reading
from engine.survey import Survey

SURE = 0.9
"""How likely the first card must be."""


def survey(players: int, readings: Sequence[Reading]) -> Survey:
    """What the last look tells: which card lies first, and whether chips are counted on the mat."""
    reading = readings[-1]
    guesses = reading.guesses()
    faces = {name: guess.best for name, guess in guesses.items() if guess.best != EMPTY}
    cards = {name: face for name, face in faces.items() if face.sheet}
    chips = [sum(faces.get(name, EMPTY).kind == CHIP for name in row(seat)) for seat in range(players)]
    first = site(FIRST)
    flaws = tuple(_flaws(cards, chips, first in reading.hidden))
    if flaws or first in reading.hidden or guesses[first].p < SURE:
        return Survey(flaws=flaws, is_laid=[flaw.rule for flaw in flaws] == ["setup.first"])
    setup = {"racks": None, "first": cards[first].name, "pot": None}
    told = {"first": cards[first].name} | ({} if any(chips) else {"chips": "page"})
    return Survey(setup, told)


def _flaws(cards: Mapping[str, Face], chips: Sequence[int], is_covered: bool) -> Iterator[Refusal]:
    first = site(FIRST)
    if is_covered:
        yield Refusal("setup.face-down", (first,))
    elif first not in cards:
        yield Refusal("setup.first", (first,))
    elif cards[first].name == JOKER_FACE:
        yield Refusal("setup.joker", (first,))
    if others := tuple(sorted(cards.keys() - {first})):
        yield Refusal("setup.others", others, {"sites": ", ".join(others)})
    if any(chips):
        for seat, number in enumerate(chips):
            if number != START:
                yield Refusal("setup.chips", (), {"colour": Word(COLOURS[seat]), "number": number, "wanted": START})
