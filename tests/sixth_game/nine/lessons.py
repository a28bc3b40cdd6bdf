"""A lesson in Nine Fields."""

from __future__ import annotations

from engine.lessons import Goal, Lesson

from .words import BRIEF


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


LESSONS = (
    Lesson(
        name="row",
        title=_("Three in a row"),
        rule=BRIEF[1],
        task=_("Complete the row at the top."),
        hint=_("Two of your pawns are there already."),
        done=_("Three in a row: you have won."),
        setup={"sites": {"a1": "red", "b1": "red", "a2": "yellow", "b2": "yellow"}},
        goal=Goal(wins="row"),
        solution="+c1",
        slips={"+b2": "place.occupied"},
        marks=("a1", "b1"),
    ),
)
