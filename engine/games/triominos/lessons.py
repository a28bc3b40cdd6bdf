"""Lessons in Triominos. The learner sits behind the first rack and sees it."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core import Json
from engine.games.triominos.cards import CARD_OF, CARDS
from engine.games.triominos.words import BRIEF
from engine.lessons import Goal, Lesson


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


_CARDS, _ACTIONS, _LAY, _EXTRA, _LAST, _JOKER, _BUY, _END = BRIEF
_OTHERS = 6
"""Cards in the other player's rack."""


def _table(table: Mapping[str, str], rack: str, chips: tuple[int, int] = (4, 4), *, last: bool = False) -> Json:
    """Cards on the table and in the learner's rack; the rest is dealt in order. In the last turn the pot is empty."""
    own = rack.split()
    lying = {CARD_OF[face] for face in table.values()}
    rest = [card for card in CARDS if card not in lying and card not in own]
    others = len(rest) if last else _OTHERS
    position = {
        "table": dict(table),
        "chips": list(chips),
        "seat": 0,
        "passes": 0,
        "turns_left": 1 if last else None,
        "joker": None,
    }
    return {"racks": [own, rest[:others]], "first": table["0,0"], "pot": rest[others:], "position": position}


LESSONS = (
    Lesson(
        name="lay",
        title=_("Laying a card"),
        rule=_LAY,
        task=_("One of your cards fits beside the card on the table. Lay it."),
        hint=_("Look at the right side of the card: a 1 at the top and a 2 at the bottom. Your 112 has both."),
        done=_("It fits, and the bank gives you a chip."),
        setup=_table({"0,0": "123"}, "112 345 355 444 445 455"),
        goal=Goal(kind="place"),
        solution="211@1,0",
        slips={"345@1,0": "place.corner", "211@3,0": "place.side", "121@1,0": "place.corner"},
    ),
    Lesson(
        name="corner",
        title=_("Corners must agree"),
        rule=_LAY,
        task=_("Try to lay card 345 below the card on the table, and see why it is refused."),
        hint=_("Pick 345, then the cell below the card."),
        done=_("Every corner that meets another must show the same number, not just one of them."),
        setup=_table({"0,0": "123"}, "112 345 355 444 445 455"),
        goal=Goal(refused="place.corner"),
        solution="345@0,1",
        slips={"345@0,3": "place.side"},
        marks=("0,1",),
    ),
    Lesson(
        name="bridge",
        title=_("A bridge"),
        rule=_EXTRA,
        task=_("Lay 135 as a bridge: it has only one neighbour, and its far corner touches another card."),
        hint=_("There is a gap on the left, between the upper and the lower row."),
        done=_("One chip for the card, one more for the bridge."),
        setup=_table(
            {
                "-3,-1": "553",
                "-2,-1": "551",
                "-1,-1": "125",
                "-1,0": "452",
                "0,0": "234",
                "-2,1": "114",
                "-1,1": "441",
                "0,1": "443",
            },
            "135 222 333",
        ),
        goal=Goal(actions=("135@-3,0",)),
        solution="135@-3,0",
        slips={"222@-3,0": "place.corner"},
        marks=("-3,0",),
    ),
    Lesson(
        name="hexagon",
        title=_("A hexagon"),
        rule=_EXTRA,
        task=_("Five cards lie round one point. Close the hexagon."),
        hint=_("The gap is on the lower right. Turn your 225 until the 5 is at the common point."),
        done=_("Six cards round one point: one extra chip."),
        setup=_table(
            {"0,0": "555", "0,1": "355", "1,0": "551", "1,1": "523", "2,0": "125"},
            "225 111 144",
        ),
        goal=Goal(shows={"2,1": "252"}),
        solution="252@2,1",
        slips={"144@2,1": "place.corner"},
        marks=("2,1",),
    ),
    Lesson(
        name="joker",
        title=_("The joker fits everywhere"),
        rule=_JOKER,
        task=_("None of your number cards fits. Lay the joker instead."),
        hint=_("Any free cell beside the card will do."),
        done=_("The joker counts like any other card, and leaves its free corner open."),
        setup=_table({"0,0": "555"}, "J 123 124 134 234 333"),
        goal=Goal(kind="place"),
        solution="JJJ@1,0",
        slips={"123@1,0": "place.corner", "JJJ@4,0": "place.side"},
    ),
    Lesson(
        name="swap",
        title=_("Swapping the joker"),
        rule=_JOKER,
        task=_("The joker lies below the card. Put a card that fits in its place and take it."),
        hint=_("It lies against two fives. Your 355 fits there, turned the right way."),
        done=_("The joker is in your rack now. There is no chip for a swap."),
        setup=_table({"0,0": "255", "0,1": "JJJ"}, "355 111 134"),
        goal=Goal(kind="swap"),
        solution="355~0,1",
        slips={"111~0,1": "swap.fit", "355~0,0": "swap.not-joker"},
        marks=("0,1",),
    ),
    Lesson(
        name="buy",
        title=_("Buying"),
        rule=_BUY,
        task=_("Nothing in your rack fits. What can you do?"),
        hint=_("You have chips, and the pot has cards. Passing is only for those who can do nothing at all."),
        done=_("One chip for a card; your turn is over."),
        setup=_table({"0,0": "555"}, "123 124 134 234 333 222"),
        goal=Goal(actions=("buy",)),
        solution="buy",
        slips={"--": "pass.could-play", "222@1,0": "place.corner"},
    ),
    Lesson(
        name="win",
        title=_("Winning"),
        rule=_END,
        task=_("This is the last turn of the match, and yellow has as many chips as you. Win it."),
        hint=_("Laying a card earns a chip; the last card of your rack earns one more."),
        done=_("The most chips win, and every card you lay counts."),
        setup=_table({"0,0": "123"}, "112", (7, 7), last=True),
        goal=Goal(wins="chips"),
        solution="211@1,0",
        slips={"buy": "buy.empty-pot", "--": "pass.could-play"},
    ),
)
