"""Tables at which everything goes wrong, on readings alone: does the referee find back, and does it always say a word?

Actions are done wrong, put back half, done two at once, taken back and replaced in one go; sites flicker, a hand comes
for nothing, the board is pushed. Then the table stands still and shows a position to which a few legal actions lead
from one that the referee has accepted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random

from engine.core import Action, Json
from engine.face import EMPTY, Face
from engine.match import Match
from engine.referee.explain import effects
from engine.referee.reading import Reading
from engine.referee.stands import Stand
from engine.referee.story import Story
from engine.referee.table import Seen, Table, step
from engine.referee.wishes import declare
from engine.registry import find_game
from engine.slips import slips

FPS = 10
FIRST_PLIES = 8
"""At most so many actions are played as they should be before the trouble begins."""
MOST_TROUBLES = 3
SHORT = 2
"""So many actions after an accepted position are a short course."""
LAST = 3.6
"""Seconds for which the table stands still in the end."""
SURE = -9.0


@dataclass
class HowItEnded:
    """How it ended."""

    game: str
    seed: int
    outcome: str = ""
    """`known`: the referee was never wrong, or knows again; `asked`: people had to say; `later`: what was played next
    made it clear; `lost`: none of these; `over`: the same, but nothing more can be played; `far`: no short course leads
    here from anything accepted."""
    silent: float = 0.0
    """The longest time for which the table stood still, showed something new, and no word was due or said."""
    troubles: list[str] = field(default_factory=list)
    said: list[Json] = field(default_factory=list)


class Muddle:
    """One such table."""

    def __init__(self, game: str, seed: int) -> None:
        self.dice = Random(f"{game} {seed}")
        rules = find_game(game).configure()
        players = self.dice.choice((2, 3, 4))
        setup = rules.deal(players, self.dice)
        self.troubles = self.dice.choices(sorted(TROUBLE), k=self.dice.randint(1, MOST_TROUBLES))
        self.match = Match.begin(rules, players, setup)
        self.board = rules.game.board(players, setup)
        self.turns = [{sheet.name: 0 for sheet in self.board.turnable}]
        start = replace(self.match, positions=(self.match.position.witnessed(),))
        self.table = Table.begin(start, self.turns[0])
        self.seconds, self.silent, self.asked = 0.0, 0.0, False
        self.ending = HowItEnded(game, seed)
        self._shown: Stand | None = None
        self._word = 0.0
        self._talked_about: list[Stand | None] = []
        self._before: Reading | None = None

    # What people do

    def run(self) -> HowItEnded:
        for _ in range(self.dice.randrange(FIRST_PLIES)):
            if not self._plays(1):
                break
            self._stand(self._true, 0.8)
        for name in self.troubles:
            self.ending.troubles.append(name)
            TROUBLE[name](self)
        self._hand()
        self._stand(self._true, LAST)
        self.ending.outcome = self._outcome()
        self.ending.silent = round(self.silent, 2)
        return self.ending

    def _outcome(self) -> str:
        if self.is_known():
            return "asked" if self.asked else "known"
        if not self.is_near():
            return "far"
        for _ in range(SHORT):
            if not self._plays(1):
                return "over"
            self._hand()
            self._stand(self._true, LAST)
            if self.is_known():
                return "later"
        return "lost"

    def is_known(self) -> bool:
        known = self.table.position
        return known.faces() == self.match.position.faces() and known.seat == self.match.position.seat

    def is_near(self) -> bool:
        """Whether a short course leads here from an accepted position."""
        known, true = self.table.match.actions, self.match.actions
        alike = next((ply for ply, pair in enumerate(zip(known, true, strict=False)) if pair[0] != pair[1]), None)
        return len(true) - (min(len(known), len(true)) if alike is None else alike) <= SHORT

    @property
    def _true(self) -> Stand:
        position = self.match.position
        return Stand({**position.faces(), **position.rules.beside(position)}, self.turns[-1])

    def _plays(self, count: int) -> bool:
        """So many legal actions are done on the table, unseen until somebody looks."""
        for _ in range(count):
            if self.match.position.outcome is not None:
                return False
            room = self.board.sites.keys()
            legal = [each.action for each in effects(self.match.position)]
            legal = [each for each in legal if self.match.position.after(each).faces().keys() <= room]
            if not legal:
                return False
            self._do(self.dice.choice(legal))
        return True

    def _do(self, action: Action) -> None:
        self.match = self.match.play(action)
        turns = dict(self.turns[-1])
        for name, steps in action.turns.items():
            turns[name] = turns.get(name, 0) + steps
        self.turns.append(turns)

    def _take_back(self, count: int) -> None:
        ply = max(0, self.match.ply - count)
        if ply < self.match.ply:
            self.match = self.match.undo(ply)
            del self.turns[ply + 1 :]

    def _slip(self) -> Stand | None:
        for slip in slips(self.match.position, self.dice):
            if slip.faces.keys() <= self.board.sites.keys():
                beside = self.match.position.rules.beside(self.match.position)
                now = self.turns[-1]
                return Stand({**slip.faces, **beside}, now | {n: now.get(n, 0) + by for n, by in slip.turns.items()})
        return None

    # What happens to the table

    def done_wrong(self) -> None:
        """A mistake, put back after a while, often one site after the other."""
        wrong = self._slip()
        if wrong is None:
            return
        self._hand()
        self._stand(wrong, self.dice.uniform(0.4, 3.4))
        if self.dice.random() < 0.6:
            self._hand()
            self._stand(self._half(wrong, self._true), self.dice.uniform(0.2, 2.4))
        if self.dice.random() < 0.6:
            self._hand()
            self._stand(self._true, self.dice.uniform(0.1, 1.2))

    def _half(self, one: Stand, other: Stand) -> Stand:
        faces = dict(one.faces)
        for site in sorted(one.faces.keys() | other.faces.keys()):
            if one.faces.get(site) != other.faces.get(site) and self.dice.random() < 0.5:
                faces.pop(site, None)
                if site in other.faces:
                    faces[site] = other.faces[site]
        return Stand(faces, self.dice.choice((one.turns, other.turns)))

    def at_once(self) -> None:
        """Two players act before anybody has looked."""
        self._plays(2)
        self._hand()
        self._stand(self._true, self.dice.uniform(0.1, 2.0))

    def replaced(self) -> None:
        """An action or two are taken back, and others played, in one go."""
        self._take_back(self.dice.choice((1, 1, 2)))
        self._plays(1)
        self._hand()
        self._stand(self._true, self.dice.uniform(0.1, 2.0))

    def taken_back_under_a_hand(self) -> None:
        """An action is begun, and taken back before the hand is gone."""
        before, match, turns = self._true, self.match, list(self.turns)
        if self._plays(1):
            self._hand(self._half(before, self._true))
        self.match, self.turns = match, turns
        self._stand(self._true, self.dice.uniform(0.1, 1.0))

    def flickering(self) -> None:
        """The eye takes one or two sites for something else in some pictures."""
        for _ in range(self.dice.randint(5, 20)):
            self._see(self._true, wrong=self.dice.choice((0, 0, 1, 2)))

    def hidden(self) -> None:
        """An empty hand flickers over one site, or rests on several."""
        sites = frozenset(self.dice.sample(sorted(self.board.sites), self.dice.choice((1, 1, 4))))
        for _ in range(self.dice.randint(3, 30)):
            self._see(self._true, hidden=sites if self.dice.random() < 0.6 else frozenset())

    def pushed(self) -> None:
        """The board is pushed: out of sight, then blurred."""
        for _ in range(self.dice.randint(1, 8)):
            self._step(None, restless=True)
        for _ in range(self.dice.randint(1, 3)):
            self._see(self._true, wrong=3, moving=frozenset(self.board.sites), restless=True)

    # What the referee sees

    def _hand(self, during: Stand | None = None) -> None:
        sites = self.dice.sample(sorted(self.board.sites), min(5, len(self.board.sites)))
        for frame in range(self.dice.randint(3, 7)):
            under = frozenset(sites[frame % 3 : frame % 3 + 3])
            shown = during or self._shown or self._true
            self._see(shown, hidden=under, moving=under, restless=True)

    def _stand(self, stand: Stand, seconds: float) -> None:
        for _ in range(round(seconds * FPS)):
            self._see(stand)

    def _see(
        self,
        stand: Stand,
        wrong: int = 0,
        hidden: frozenset[str] = frozenset(),
        moving: frozenset[str] = frozenset(),
        restless: bool = False,
    ) -> None:
        self._shown = stand
        if wrong or hidden or moving:
            self._word = self.seconds
        faces = dict(stand.faces)
        known = list(self.board.faces.lawful)
        for site in self.dice.sample(sorted(self.board.sites), wrong):
            faces[site] = self.dice.choice(known)
        changed = frozenset(self._changed_sites(faces, stand.turns)) if self._before is not None else frozenset()
        reading = self._reading(faces, stand.turns, hidden)
        self._before = reading
        moved = moving | (changed if not wrong else frozenset())
        self._step(replace(reading, moving=moved, covered=len(hidden) > 1), restless)

    def _changed_sites(self, faces: Mapping[str, Face], turns: Mapping[str, int]) -> Iterator[str]:
        assert self._before is not None
        for site, read in self._before.guesses().items():
            if read.best != faces.get(site, EMPTY):
                yield site
        for sheet in self.board.turnable:
            if self._before.turn(sheet.name)[0] != turns.get(sheet.name, 0) % sheet.turns:
                yield from (name for name, site in self.board.sites.items() if site.sheet == sheet.name)

    def _reading(self, faces: Mapping[str, Face], turns: Mapping[str, int], hidden: frozenset[str]) -> Reading:
        every = (EMPTY, *self.board.faces.lawful) if not self.board.cards else (EMPTY,)
        sites = {}
        for site in self.board.sites:
            if site not in hidden:
                face = faces.get(site, EMPTY)
                sites[site] = {**dict.fromkeys(every, SURE), face: 0.0}
        sheets = {
            sheet.name: tuple(0.0 if turns.get(sheet.name, 0) % sheet.turns == k else SURE for k in range(sheet.turns))
            for sheet in self.board.turnable
        }
        return Reading(sites, sheets, hidden)

    def _step(self, reading: Reading | None, restless: bool = False) -> None:
        self.table = step(self.table, Seen(self.seconds, reading, restless))
        records = [{"t": round(self.seconds, 1)} | each for each in self.table.records()]
        self.ending.said += records
        self._talked_about += [self._shown] if records else []
        self._answer(records)
        if records or self.table.watch.wait is not None or restless or self._is_at_rest:
            self._word = self.seconds
        elif not self._is_told:
            self.silent = max(self.silent, self.seconds - self._word)
        self.seconds += 1 / FPS

    @property
    def _is_at_rest(self) -> bool:
        position = self.table.position
        return self._shown is not None and self._shown.faces == {
            **position.faces(),
            **position.rules.beside(position),
        }

    @property
    def _is_told(self) -> bool:
        """Whether something was said of what stands there, now or before: a position is called a mistake only once."""
        return self._shown in self._talked_about

    def _answer(self, records: list[Json]) -> None:
        """Whoever is asked knows what has happened, and says so if it is among the answers."""
        for event in records:
            if event["event"] != "unclear":
                continue
            for told in event.get("stories", ()):
                actions = [str(each) for each in self.match.actions]
                if [*actions[: told["to_ply"]], *told["actions"]] == actions:
                    story = Story(told["to_ply"], self.match.actions[told["to_ply"] :])
                    self._tell(str(story))
                    return
            true = self.match.actions[self.table.match.ply : self.table.match.ply + 1]
            if true and str(true[0]) in event["actions"]:
                self._tell(str(true[0]))

    def _tell(self, text: str) -> None:
        self.table, self.asked = declare(self.table, text), True
        self.ending.said += [{"t": round(self.seconds, 1), "told": True} | each for each in self.table.records()]


TROUBLE = {
    "done wrong": Muddle.done_wrong,
    "at once": Muddle.at_once,
    "replaced": Muddle.replaced,
    "taken back under a hand": Muddle.taken_back_under_a_hand,
    "flickering": Muddle.flickering,
    "hidden": Muddle.hidden,
    "pushed": Muddle.pushed,
}
