"""A match before visitors: it does the tricks they ask for, and takes back what the referee took back."""

from __future__ import annotations

from collections import deque

from engine.match import Match
from engine.registry import find_game
from hardware.virtual.acting.deeds import Deed, Lamp, Leave, Mistake, Nudge, Undo
from hardware.virtual.acting.player import TablePlayer
from hardware.virtual.acting.show import shown_deeds
from hardware.virtual.scene import Cup, Scene

RULES = find_game("rings").configure()


class Show:
    """A show whose hand is followed by a referee that sees everything."""

    def __init__(self, actions: int = 6) -> None:
        match, scene = Match.begin(RULES, 2, {}), Scene(RULES.game.board(2, {}))
        self.asked: deque[str] = deque()
        self.player = TablePlayer(match, scene, seed=1)
        self.stands: int | None = None
        ask = lambda: self.asked.popleft() if self.asked else None  # noqa: E731
        self.deeds = shown_deeds(match, scene, 1, ask, lambda: self.stands, actions=actions)

    def next(self) -> Deed:
        deed = next(self.deeds)
        list(self.player.scenes([deed]))
        return deed


def test_it_goes_on_for_as_long_as_it_should() -> None:
    show = Show(actions=6)
    for deed in iter(lambda: next(show.deeds, None), None):
        list(show.player.scenes([deed]))
    assert show.player.match.ply == 6


def test_tricks_are_done_when_they_are_asked_for() -> None:
    show = Show()
    show.next()
    show.asked.extend(("cheat", "lamp", "bump", "cup", "cup"))
    cheat, lamp, bump, there, gone = (show.next() for _ in range(5))
    assert isinstance(cheat, Mistake)
    assert cheat.restore, "the hand puts it right again"
    assert isinstance(lamp, Lamp)
    assert isinstance(bump, Nudge)
    assert isinstance(there, Leave)
    assert isinstance(there.thing, Cup)
    assert gone == Leave(None)


def test_what_was_taken_back_is_taken_back_on_the_table() -> None:
    show = Show()
    show.next()
    show.next()
    ply = show.player.match.ply
    show.stands = ply - 1
    assert show.next() == Undo(ply - 1)
    assert not isinstance(show.next(), Undo), "once is enough"


def test_a_trick_is_done_while_the_match_is_filmed() -> None:
    show = Show(actions=3)
    for shot in show.player.scenes(show.deeds):
        if shot.t == 2.0:
            show.asked.append("cup")
        if shot.scene.things:
            break
    assert show.player.match.ply == 1, "at the very next moment, and not when all is over"
