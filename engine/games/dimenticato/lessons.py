"""Lessons in Dimenticato, on a small track for two."""

from __future__ import annotations

from engine.core import COLOURS, Json
from engine.games.dimenticato.words import BRIEF
from engine.lessons import Goal, Lesson


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


_TRACK, _LEAVING, _CALLING, _WAY, _BEATING, _HOME, _PASS, _WIN = BRIEF

_DICE = """
2r 4y 3b 5g 1y 4b
5g 1b 6y 2r 2g 6r
6b 3r -- -- 2b 5y
1y 4g -- -- 6g 3r
4r 2g 1r 3y 5b 1g
3b 5y 4b 6g 2y 4r
"""
"""Pips and colour of every field, as they lie."""
_YELLOW = {f"yellow@{start}": "yellow" for start in (1, 2, 3, 4)}


def _track() -> Json:
    rows = [line.split() for line in _DICE.split("\n") if line]
    dice = {
        f"{column}{row}": {"pips": int(die[0]), "colour": next(name for name in COLOURS if name[0] == die[1])}
        for row, line in enumerate(rows, start=1)
        for column, die in zip("abcdef", line, strict=True)
        if die != "--"
    }
    return {"width": 3, "height": 3, "big": [1, 5], "fields": dice}


def _table(red: str, yellow: str = "", known: str = "") -> Json:
    """Red figures that have all been out, and yellow ones, those not named still at home."""
    out = yellow.split()
    home = [site for site in _YELLOW if int(site[-1]) > len(out)]
    sites = dict.fromkeys(red.split(), "red") | dict.fromkeys((*out, *home), "yellow")
    return _track() | {"position": {"sites": sites, "unopened": home, "known": known.split(), "seat": 0}}


LESSONS = (
    Lesson(
        name="leave",
        title=_("Leaving home"),
        rule=_LEAVING,
        task=_("Bring out one of your red figures, past your own big card."),
        hint=_("Two to five fields: down onto the track, then to the right, off the card below your start fields."),
        done=_("As long as any figure has never been out, you must move one that is still at home."),
        setup=_track(),
        goal=Goal(kind="open"),
        solution="@1-e1",
        slips={"@1-d1": "opening.card", "@1-a1": "move.backward", "@1-f6": "opening.count"},
    ),
    Lesson(
        name="call",
        title=_("Say the number"),
        rule=_CALLING,
        task=_("There is a five under your figure on f3. Say it and move the figure."),
        hint=_("Pick the figure on f3, then the number 5, then one of the fields that light up."),
        done=_("The right number, exactly that many fields. Had you been wrong, everybody would now know it."),
        setup=_table("e3 f3 a5 b2"),
        goal=Goal(actions=("f3:5-c5", "f3:5-d6")),
        solution="f3:5-c5",
        slips={"f3:4-e6": "call.wrong", "f3:5-c6": "move.count"},
        marks=("f3",),
    ),
    Lesson(
        name="lanes",
        title=_("Forward or across"),
        rule=_WAY,
        task=_("There is a two under e3. Move that figure to the other lane."),
        hint=_("One field forward (here: down) and one across, in either order."),
        done=_("Forward and across as you like, with at most two turns, but never backward."),
        setup=_table("e3 f3 a5 b2"),
        goal=Goal(actions=("e3:2-f4",)),
        solution="e3:2-f4",
        slips={"e3:2-e1": "move.backward", "e3:2-f5": "move.count"},
        marks=("e3",),
    ),
    Lesson(
        name="corner",
        title=_("Round the corner"),
        rule=_WAY,
        task=_("There is a three under f4. Bring that figure round the corner."),
        hint=_("On the corner card it may only turn right: from going down to going left."),
        done=_("On corner cards a figure turns right, never left, whichever lane it is in."),
        setup=_table("f4 a5 b2 a1"),
        goal=Goal(kind="move", actions=("f4:3-d5", "f4:3-e6")),
        solution="f4:3-e6",
        slips={"f4:3-f5": "move.corner"},
        marks=("f4",),
    ),
    Lesson(
        name="beat",
        title=_("Capturing"),
        rule=_BEATING,
        task=_("There is a two under e3. Capture the yellow figure on e5 and set it back."),
        hint=_("Pick e3, say 2, pick e5, then a free field three fields behind it, with at most one turn."),
        done=_("A captured figure goes back three fields, and you decide where it lands."),
        setup=_table("e3 a5 b2 a1", "e5"),
        goal=Goal(kind="move", shows={"e5": "red"}),
        solution="e3:2xe5>e2",
        slips={"e3:2-e5": "setback.missing", "e3:2xe5>e4": "setback.wrong"},
        marks=("e3", "e5"),
    ),
    Lesson(
        name="safe",
        title=_("Safe on its own colour"),
        rule=_BEATING,
        task=_("There is a two under e2. Try to capture the yellow figure on f3."),
        hint=_("Pick e2, say 2, pick f3 and a field behind it, and see what the referee says."),
        done=_("The die under it is yellow, like the figure. Look for fields like that for your own figures."),
        setup=_table("e2 a5 b2 a1", "f3"),
        goal=Goal(refused="move.safe"),
        solution="e2:2xf3>d2",
        slips={"e2:3-f4": "call.wrong"},
        marks=("e2", "f3"),
    ),
    Lesson(
        name="home",
        title=_("Coming home"),
        rule=_HOME,
        task=_("There is a three under c1, on your big card. Bring that figure home."),
        hint=_("Forward on your card, out into the start fields, along them: three fields end on @2, past @1."),
        done=_("Home by exact count. Nobody can capture it inside the start fields."),
        setup=_table("c1 red@1 red@3 b2"),
        goal=Goal(kind="move", actions=("c1:3-@2",)),
        solution="c1:3-@2",
        slips={"c1:3-@3": "goal.occupied"},
        marks=("c1",),
    ),
    Lesson(
        name="shift",
        title=_("Making room"),
        rule=_HOME,
        task=_("Your figure on the start field @2 is in the way. Move it to another free start field."),
        hint=_("You need no number. Pick the figure at home, then one of your free start fields."),
        done=_("Moving inside your start fields is a whole turn; it needs no number and may go anywhere in the block."),
        setup=_table("c1 red@2 a5 b2"),
        goal=Goal(kind="shift"),
        solution="@2-@4",
        slips={"@2-e1": "move.backward"},
        marks=("red@2",),
    ),
    Lesson(
        name="win",
        title=_("Winning"),
        rule=_WIN,
        task=_("Three of your figures are home. There is a four under b1: bring the last one in."),
        hint=_("Forward onto your big card, out into the start fields, and along to the free one."),
        done=_("All four have been out and are home again: you win."),
        setup=_table("b1 red@1 red@3 red@4"),
        goal=Goal(wins="home"),
        solution="b1:4-@2",
        slips={"b1:3-@2": "call.wrong", "b1:4-@3": "goal.occupied"},
        marks=("b1",),
    ),
)
