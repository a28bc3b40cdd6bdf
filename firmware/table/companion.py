"""The companion at a table: every frame goes through eye and referee, then into the log, then to the lights.

One thread owns all of it. What was decided is on the disk before a light says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from engine.core import COLOURS, GameError, Json
from engine.face import Face, FaceSet
from engine.match import Match
from engine.referee.explain import Stand
from engine.referee.news import News, Plain, Unclear
from engine.referee.reading import Reading
from engine.referee.state import Course
from engine.referee.table import Table
from engine.spoken import SpokenError
from firmware.coaching.assistance import lifted, targets
from firmware.devices.chain import Chain, board_lights
from firmware.devices.lights import Lights, Mood, NoLights, Picture, Status, hear, picture, rest
from firmware.log.seating import Seating, one_line
from firmware.log.store import Store
from firmware.table.corrections import Kept, corrected
from firmware.table.watching import Watcher
from vision.frame import Frame
from vision.look import Eye


class Companion:
    """A match, seen, refereed, logged and shown."""

    def __init__(
        self,
        eye: Eye,
        match: Match,
        seating: Seating,
        *,
        store: Store | None,
        lights: Lights | NoLights,
        chain: Chain | None = None,
        wall: Callable[[], str],
        resumed: tuple[int, Table] | None = None,
    ) -> None:
        """`wall` tells the time of day for the log; `resumed` is a match of the log that goes on."""
        self.watcher = Watcher(eye, match, seating)
        self.seating = seating
        self.mood = Mood()
        self.heard: tuple[News, ...] = ()
        """What the last step had to say."""
        self.asked: Unclear | None = None
        """The question that is open."""
        self.pointing: tuple[str, ...] = ()
        """The sites that a hint, or the program's own seat, points at."""
        self.helps: Callable[[int | None], bool] = lambda seat: False
        """Whether a player is shown where a figure may go that he has lifted."""
        self._store, self._lights, self._chain, self._wall = store, lights, chain, wall
        self._logged: int | None = None
        if resumed is not None:
            self._logged, table = resumed
            untold = {sheet.name for sheet in eye.board.turnable} - table.stands[0].turns.keys()
            self.watcher.table = replace(table, accepted=replace(table.accepted, unsure=frozenset(untold)))

    @property
    def faces(self) -> FaceSet:
        """All that a site of this game can show."""
        return self.watcher.match.rules.game.faces

    @property
    def table(self) -> Table | None:
        return self.watcher.table

    @property
    def number(self) -> int | None:
        """The match's number in the log."""
        return self._logged

    @property
    def shown(self) -> Picture:
        """What the lights showed last."""
        return self._lights.value

    @property
    def reading(self) -> Reading | None:
        """What was read last, in the colours of the rules; None where the board was not found."""
        look = self.watcher.before
        return self.seating.seen_by_rules(look.reading, self.faces) if look is not None else None

    def see(self, frame: Frame) -> list[Json]:
        """What there is to say after a frame."""
        news = self.watcher.see(frame)
        for event in news:
            self._keep(
                Kept(event["event"], {name: value for name, value in event.items() if name not in ("t", "event")}),
                frame.seconds,
            )
        self._show(frame.seconds)
        return news

    def miss(self, seconds: float) -> list[Json]:
        """No picture has come until now: that may mean that nothing can be seen."""
        news = self.watcher.miss(seconds)
        for event in news:
            self._keep(Kept(event["event"], {}), seconds)
        self._show(seconds)
        return news

    def obey(self, word: str, seconds: float) -> list[Json]:
        """A button was pressed; what there is to say to that."""
        try:
            if word == "undo":
                return self.correct("take_back", {}, seconds)
            if word == "confirm" and self.asked is not None:
                # The likeliest reading comes first.
                return self.correct("answer", {"action": str(self.asked.actions[0])}, seconds)
        except GameError:
            return []
        return []

    def correct(self, wish: str, payload: Json, seconds: float) -> list[Json]:
        """A person corrects the referee; raises `GameError` if it cannot be."""
        table = self.watcher.table
        if table is None:
            raise SpokenError("the match has not begun: the board has not been seen yet")
        after, (first, *more) = corrected(table, wish, payload)
        # What the log did not take has not happened; what follows by the rules (a result) may come later.
        self._keep(first, seconds)
        self.watcher.table = after
        if not after.said.asked:
            self.asked = None
        for line in more:
            self._keep(line, seconds)
        if not self.watcher.table.news:
            self.mood = rest(self.watcher.table, seconds)
        self._show(seconds)
        return [{"t": round(seconds, 3)} | record for record in self.seating.records(self.watcher.table)]

    def rename(self, names: Sequence[str], seconds: float) -> None:
        """The players' names, in seat order."""
        if len(names) != len(self.seating):
            raise GameError(f"{len(names)} names for {len(self.seating)} players")
        said = [one_line(str(name)) for name in names]
        players = [
            replace(player, name=name or player.colour) for name, player in zip(said, self.seating.players, strict=True)
        ]
        if self._logged is not None:
            self._keep(Kept("names", {"names": [player.name for player in players]}), seconds)
        self.seating = replace(self.seating, players=tuple(players))

    def abandon(self, seconds: float) -> None:
        """The match will not go on: another one begins."""
        table = self.watcher.table
        if self._logged is not None and table is not None and not table.closed and table.match.position.outcome is None:
            self._keep(Kept("abandon", {}), seconds)

    def _show(self, seconds: float) -> None:
        table = self.watcher.table
        if table is None:
            return
        if table.news:
            self.heard = table.news
            # Who covers the board for a moment has not answered the question.
            if not all(isinstance(news, Plain) and news.event in ("lost", "found") for news in table.news):
                self.asked = next((news for news in reversed(table.news) if isinstance(news, Unclear)), None)
        self.mood = hear(self.mood, table, seconds)
        self._lights.show(picture(self.mood, seconds, table.match.position.players))
        if self._chain is not None:
            own = [site for site, face in table.stand.faces.items() if self._is_movers(table, face)]
            shown = board_lights(self.mood, seconds, own=own, targets=self._targets(table), hints=self.pointing)
            self._chain.show(shown)

    def _targets(self, table: Table) -> tuple[str, ...]:
        """Where the figure may go that somebody holds in the hand."""
        position, reading = table.match.position, self.reading
        if self.mood.status is not Status.UNFINISHED or reading is None or not self.helps(position.seat):
            return ()
        site = lifted(table.stand.faces, reading)
        return () if site is None else targets(position, site)

    def _keep(self, line: Kept, seconds: float) -> None:
        table = self.watcher.table
        if self._store is None or table is None:
            return
        if self._logged is None:
            start = table.match.positions[0]
            setup = start.setup() if start.faces() else {}
            self._logged = self._store.begin_match(
                table.match.rules, self.seating.players, setup, table.known_turns(0), started=self._wall()
            )
        self._store.append(self._logged, line.kind, line.payload, at=self._wall(), seconds=seconds)

    @staticmethod
    def _is_movers(table: Table, face: Face) -> bool:
        seat = table.match.position.seat
        return seat is not None and face.kind == COLOURS[seat]


def resumed_table(match: Match, turns: Mapping[str, int]) -> Table:
    """A match of the log as the referee knows it: what the table showed at every ply."""
    stands = [Stand(match.positions[0].faces(), dict(turns))]
    for action, position in zip(match.actions, match.positions[1:], strict=True):
        lies = dict(stands[-1].turns)
        for name, steps in action.turns.items():
            lies[name] = lies.get(name, 0) + steps
        stands.append(Stand(position.faces(), lies))
    return Table(Course(match, tuple(stands)))
