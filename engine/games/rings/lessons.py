"""Lessons in Rings."""

from __future__ import annotations

from engine.games.rings.words import BRIEF
from engine.lessons import Goal, Lesson


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


_BOARD, _ACTION, _TURN, _MOVE, _LINE, _SPENT, _CAPTURE, _FLYING, _WIN = BRIEF

LESSONS = (
    Lesson(
        name="place",
        title=_("Placing a pawn"),
        rule=_ACTION,
        task=_("Place a pawn from your reserve on a free cell of the middle ring (b)."),
        hint=_("Pick the reserve, then any free cell between the inner and the outer ring."),
        done=_("One pawn, one free cell: that is your whole turn."),
        setup={"sites": {"b3": "yellow"}},
        goal=Goal(kind="place", actions=tuple(f"+b{radius}" for radius in (1, 2, 4, 5, 6, 7, 8))),
        solution="+b4",
        slips={"+b3": "place.occupied"},
    ),
    Lesson(
        name="move",
        title=_("Moving a pawn"),
        rule=_MOVE,
        task=_("Move your pawn from b1 outward to c1."),
        hint=_("The next ring on the same radius is a neighbour. A diagonal is not."),
        done=_("One cell along the ring or along the radius, never diagonally."),
        setup={"sites": {"b1": "red", "c2": "red", "a5": "yellow", "b5": "yellow"}},
        goal=Goal(actions=("b1-c1",)),
        solution="b1-c1",
        slips={"b1-a2": "move.not-neighbour", "a5-a6": "move.foreign", "c2-c4": "move.not-neighbour"},
        marks=("b1", "c1"),
    ),
    Lesson(
        name="ring-line",
        title=_("A line on a ring"),
        rule=_LINE,
        task=_("Make a line of three on the middle ring and take a yellow pawn."),
        hint=_("Your pawns on b1 and b2 need a third one beside them. Then pick the pawn you take."),
        done=_("The line takes one pawn from every opponent, and you choose which. Its two ends are now spent."),
        setup={"sites": {"b1": "red", "b2": "red", "a5": "yellow", "c6": "yellow"}},
        goal=Goal(kind="place", actions=("+b3xa5", "+b3xc6", "+b8xa5", "+b8xc6")),
        solution="+b3xa5",
        slips={"+b3": "capture.missing", "+b3xa5,c6": "capture.too-many", "+b5xa5": "capture.no-line"},
        marks=("b1", "b2"),
    ),
    Lesson(
        name="turn",
        title=_("Turning a ring"),
        rule=_TURN,
        task=_("Turn the inner ring (a) so that your pawn goes from a1 to a2."),
        hint=_("By one radius, clockwise. The yellow pawn on this ring goes with it."),
        done=_("A ring carries everything on it, by one radius."),
        setup={"sites": {"a1": "red", "a5": "yellow", "c3": "yellow"}},
        goal=Goal(kind="turn", shows={"a2": "red"}),
        solution="a>",
        slips={"a1-c1": "move.not-neighbour"},
        marks=("a1", "a2"),
    ),
    Lesson(
        name="no-turn",
        title=_("Not the ring turned last"),
        rule=_TURN,
        task=_("Yellow has just turned the middle ring (b). Try to turn it back."),
        hint=_("Pick the middle ring and turn it either way."),
        done=_("It is free again as soon as somebody has turned another ring."),
        setup={"sites": {"a1": "red", "b2": "red", "b5": "yellow"}, "last_turned": "b"},
        goal=Goal(refused="turn.same-ring"),
        solution="b<",
        slips={"b2-c3": "move.not-neighbour"},
    ),
    Lesson(
        name="radius-line",
        title=_("A line by turning"),
        rule=_CAPTURE,
        task=_("Bring three of your pawns onto one radius by turning a ring, and take a yellow pawn."),
        hint=_("Your pawns are on a1, b2 and c1. Which ring has to go back by one?"),
        done=_("A turn makes lines along the radii. Their pawns are not spent."),
        setup={"sites": {"a1": "red", "b2": "red", "c1": "red", "b5": "yellow", "c6": "yellow"}},
        goal=Goal(kind="turn", shows={"b1": "red"}),
        solution="b<xb4",
        slips={"b<": "capture.missing", "b>xc6": "capture.no-line"},
        marks=("a1", "b2", "c1"),
    ),
    Lesson(
        name="spent",
        title=_("Spent pawns"),
        rule=_SPENT,
        task=_("Your pawns on b1 and b3 are spent. Place a pawn on a1, and take what you are owed."),
        hint=_("a1, b1 and c1 are all yours. But b1 is the end of an older line."),
        done=_("You are owed nothing: a line with a spent pawn does not count until that pawn has been moved."),
        setup={
            "sites": {"b1": "red", "b2": "red", "b3": "red", "c1": "red", "a5": "yellow", "c6": "yellow"},
            "spent": ["b1", "b3"],
        },
        goal=Goal(actions=("+a1",)),
        solution="+a1",
        slips={"+a1xa5": "capture.spent"},
        marks=("a1", "b1", "b3"),
    ),
    Lesson(
        name="flying",
        title=_("Flying"),
        rule=_FLYING,
        task=_("Your reserve is empty and four pawns are left. Fly to make a line, and take a pawn."),
        hint=_("b1 and b2 are waiting. Either of your other two pawns can be there at once."),
        done=_("With so few pawns left you may go anywhere, but you may not turn or place."),
        setup={
            "sites": {"b1": "red", "b2": "red", "a6": "red", "c5": "red", "b5": "yellow", "c7": "yellow"},
            "reserve": [0, 5],
        },
        goal=Goal(
            actions=tuple(
                f"{pawn}-{end}x{taken}" for pawn in ("a6", "c5") for end in ("b3", "b8") for taken in ("b5", "c7")
            )
        ),
        solution="a6-b3xb5",
        slips={"a>": "turn.flying", "+b3": "place.flying", "a6-b3": "capture.missing"},
        marks=("b1", "b2"),
    ),
    Lesson(
        name="win",
        title=_("Winning"),
        rule=_WIN,
        task=_("Yellow has three pawns left. One action wins."),
        hint=_("A player with only two pawns left is out, so one line is enough."),
        done=_("Yellow is down to two and out: you are the last player left."),
        setup={
            "sites": {"a2": "red", "b2": "red", "c3": "red", "a5": "yellow", "b6": "yellow", "c7": "yellow"},
            "reserve": [4, 0],
        },
        goal=Goal(wins="last"),
        solution="+c2xa5",
        slips={"+c2": "capture.missing"},
    ),
)
