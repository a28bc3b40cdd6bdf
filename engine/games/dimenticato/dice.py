"""The dice on the fields: how they are dealt, and how the unseen ones are dealt again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import perm, prod
from random import Random

from engine.core import COLOURS, Json
from engine.games.dimenticato.plan import DEFAULT_PLANS, Plan, bits
from engine.games.dimenticato.walk import NUMBERS

SMALL_CARDS, BIG_CARDS = 12, 4
RARE, OFTEN = 10, 11
"""How often each number occurs in the whole deck; four of the six occur once more than the other two."""
FREQUENT = 4


@dataclass(frozen=True)
class Dice:
    """The die of every field, in field order."""

    pips: tuple[int, ...]
    colours: tuple[int, ...]
    """As the seats of those colours, whether they are in play or not."""

    @cached_property
    def of_colour(self) -> tuple[int, ...]:
        """For every colour the fields that carry it."""
        sets = [0] * len(COLOURS)
        for field, colour in enumerate(self.colours):
            sets[colour] |= 1 << field
        return tuple(sets)

    def written(self, plan: Plan, fields: int) -> Json:
        """Some of the dice as set-ups and views hold them."""
        return {
            plan.names[field]: {"pips": self.pips[field], "colour": COLOURS[self.colours[field]]}
            for field in bits(fields)
        }


def deal(players: int, random: Random) -> Json:
    """The usual plan for so many players, with cards drawn from the whole deck."""
    width, height, big = DEFAULT_PLANS[players]
    plan = Plan(width, height, big)
    pips = _deck(random.sample(NUMBERS, FREQUENT))
    random.shuffle(pips)
    cards = [list(zip(pips[first : first + 4], range(4), strict=True)) for first in range(0, len(pips), 4)]
    for card in cards:
        random.shuffle(card)
    small, large = cards[:SMALL_CARDS], cards[SMALL_CARDS:]
    random.shuffle(small)
    table: dict[int, tuple[int, int]] = {}
    for position, fields in enumerate(plan.card_fields):
        card = large[big.index(position)] if position in big else small.pop()
        table |= zip(bits(fields), card, strict=True)
    dice = Dice(tuple(table[field][0] for field in range(plan.size)), tuple(table[f][1] for f in range(plan.size)))
    return {"width": width, "height": height, "big": list(big), "fields": dice.written(plan, plan.track)}


def _deck(frequent: Sequence[int]) -> list[int]:
    """The numbers of all sixteen cards."""
    return [number for number in NUMBERS for _ in range(OFTEN if number in frequent else RARE)]


def redeal(plan: Plan, dice: Dice, covered: int, known: int, random: Random) -> Dice:
    """Random dice under the figures that fit what is visible, without looking at the hidden ones."""
    pips, colours = list(dice.pips), list(dice.colours)
    unknown = list(bits(covered & ~known))
    seen = Counter(dice.pips[field] for field in bits(plan.track & ~covered | known))
    for field, number in zip(unknown, _numbers_left(seen, len(unknown), random), strict=True):
        pips[field] = number
    for fields in plan.card_fields:
        hidden = list(bits(fields & covered))
        open_colours = [dice.colours[field] for field in bits(fields & ~covered)]
        for field, colour in zip(hidden, _colours_left(open_colours, random), strict=False):
            colours[field] = colour
    return Dice(tuple(pips), tuple(colours))


def _numbers_left(seen: Mapping[int, int], count: int, random: Random) -> list[int]:
    """This many numbers from the unseen part of the deck; any numbers if the dice are from another deck."""
    decks = [_deck(frequent) for frequent in combinations(NUMBERS, FREQUENT)]
    weights = [prod(perm(deck.count(number), seen.get(number, 0)) for number in NUMBERS) for deck in decks]
    if not any(weights):
        return random.choices(NUMBERS, k=count)
    rest = Counter(random.choices(decks, weights)[0])
    rest.subtract(seen)
    return random.sample(list(rest.elements()), count)


def _colours_left(seen: Sequence[int], random: Random) -> list[int]:
    """The colours that a card still lacks, in any order; any colours if it is of another deck."""
    if len(set(seen)) < len(seen):
        return random.choices(range(4), k=4)
    return random.sample([colour for colour in range(4) if colour not in seen], 4 - len(seen))
