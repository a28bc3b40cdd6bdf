"""A match before visitors: it does the tricks they ask for, and takes back what the referee took back."""

from __future__ import annotations

from collections import deque
from itertools import islice

from engine.match import Match
from engine.registry import find_game
from hardware.virtual.deeds import Deed, Lamp, Leave, Mistake, Nudge, Undo
from hardware.virtual.player import TablePlayer
from hardware.virtual.scene import Cup, Scene
from hardware.virtual.show import shown_deeds

RULES = find_game("rings").configure()


class Show:
    """A show whose hand is followed by a referee that sees everything."""

    def __init__(self, actions: int = 6) -> None:
        match, scene = Match.begin(RULES, 2, {}), Scene(RULES.game.board(2, {}))
        self.asked: deque[str] = deque()
        self.player = TablePlayer(match, scene, seed=1)
        self.taken_back = 0
        ask = lambda: self.asked.popleft() if self.asked else None  # noqa: E731
        self.deeds = shown_deeds(match, scene, 1, ask, self.judged, actions=actions)

    def judged(self) -> tuple[object, ...]:
        actions = self.player.match.actions
        return actions[: len(actions) - self.taken_back]

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


def test_what_the_referee_took_back_is_taken_back_on_the_table() -> None:
    show = Show()
    show.taken_back = 1
    show.next()
    assert not isinstance(show.next(), Undo), "what was not judged yet was not taken back"
    show.taken_back = 0
    show.next()
    ply = show.player.match.ply
    show.taken_back = 1
    assert show.next() == Undo(ply - 1)
    show.taken_back = 0
    assert not [deed for deed in islice(show.deeds, 1) if isinstance(deed, Undo)]
