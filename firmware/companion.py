"""The companion at a table: every frame goes through eye and referee, then into the log, then to the lights.

One thread owns all of it. What was decided is on the disk before a light says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from engine.core import COLOURS, GameError, Json
from engine.match import Match
from engine.referee.explain import Stand
from engine.referee.table import Table
from engine.referee.wishes import take_back
from firmware.chain import Chain, board_lights
from firmware.lights import Lights, Mood, NoLights, Picture, hear, picture
from firmware.seating import Seating
from firmware.store import Store
from firmware.watching import Watcher
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
        self.watcher = Watcher(eye, match, seating.seen_by_rules)
        self.seating = seating
        self.mood = Mood()
        self._store, self._lights, self._chain, self._wall = store, lights, chain, wall
        self._logged: int | None = None
        if resumed is not None:
            self._logged, self.watcher.table = resumed

    @property
    def table(self) -> Table | None:
        return self.watcher.table

    @property
    def shown(self) -> Picture:
        """What the lights showed last."""
        return self._lights.value

    def see(self, frame: Frame) -> list[Json]:
        """What there is to say after a frame."""
        news = self.watcher.see(frame)
        self._tell(news, frame.seconds)
        return news

    def obey(self, word: str, seconds: float) -> list[Json]:
        """A button was pressed; what there is to say to that."""
        table = self.watcher.table
        if table is None or word != "undo":
            return []
        try:
            self.watcher.table = take_back(table)
        except GameError:
            return []
        news = [{"t": round(seconds, 3)} | record for record in self.watcher.table.records()]
        self._tell(news, seconds)
        return news

    def _tell(self, news: Sequence[Json], seconds: float) -> None:
        table = self.watcher.table
        if table is None:
            return
        for event in news:
            self._log(table, event, seconds)
        self.mood = hear(self.mood, table, seconds)
        self._lights.show(picture(self.mood, seconds, table.match.position.players))
        if self._chain is not None:
            own = [site for site, face in table.stand.faces.items() if self._is_movers(table, face)]
            self._chain.show(board_lights(self.mood, seconds, own=own))

    def _log(self, table: Table, event: Json, seconds: float) -> None:
        if self._store is None:
            return
        if self._logged is None:
            start = table.match.positions[0]
            setup = start.setup() if start.faces() else {}
            self._logged = self._store.begin_match(
                table.match.rules, self.seating.players, setup, table.stands[0].turns, started=self._wall()
            )
        payload = {name: value for name, value in event.items() if name not in ("t", "event")}
        self._store.append(self._logged, event["event"], payload, at=self._wall(), seconds=seconds)

    @staticmethod
    def _is_movers(table: Table, face: str) -> bool:
        seat = table.match.position.seat
        return seat is not None and face.startswith(COLOURS[seat])


def resumed_table(match: Match, turns: Mapping[str, int]) -> Table:
    """A match of the log as the referee knows it: what the table showed at every ply."""
    stands = [Stand(match.positions[0].faces(), dict(turns))]
    for action, position in zip(match.actions, match.positions[1:], strict=True):
        lies = dict(stands[-1].turns)
        for name, steps in action.turns.items():
            lies[name] = lies.get(name, 0) + steps
        stands.append(Stand(position.faces(), lies))
    return Table(match, tuple(stands))
