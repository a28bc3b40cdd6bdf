"""The loop at a table. Every frame goes the same way: look, judge, save, show, learn.

One thread owns all of it; others leave wishes. What was decided is on the disk before a light says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.core import COLOURS, Json
from engine.referee.news import Accepted
from engine.referee.table import Seen, Table, step
from engine.spoken import SpokenError
from firmware.coaching.coach import Advice
from firmware.devices.signals import WORD, not_begun, picture
from firmware.log.lines import LogLine, line_of
from firmware.machine.clock import TableClock
from firmware.machine.errors import UsageError
from firmware.settings.eyes import check_refereed
from firmware.table.beginning.plans import MatchPlan, check_seats
from firmware.table.beginning.readiness import Readiness
from firmware.table.beginning.rebuilding import REBUILD
from firmware.table.events import RecentEvents, Said
from firmware.table.gear import Gear
from firmware.table.playing import Playing, Resumed, sit_down
from firmware.table.seeing.covering import LeftLying
from firmware.table.seeing.print_scale import OtherScale
from firmware.table.stage import Tricks
from firmware.table.timekeeping import Timekeeping, ran_out
from vision.frame import Frame, Image
from vision.look import Look


@dataclass(frozen=True)
class RefusedCamera:
    """A camera that was chosen and cannot be had."""

    name: str
    error: UsageError


class Sitting:
    """One table and one camera, match after match: `idle` at first, then `setup` and `playing` in turn."""

    def __init__(self, gear: Gear, camera: str) -> None:
        self.gear, self.camera = gear, camera
        self.phase = "idle"
        self.playing: Playing | None = None
        self.frame: Frame | None = None
        self.look: Look | None = None
        """What was last seen of the board."""
        self.readiness, self.events = Readiness(), RecentEvents()
        self.wants_camera = False
        """Whether the camera must be opened anew: another one was chosen, or another table is simulated."""
        self.camera_trouble: SpokenError | None = None
        """Why the camera gives no pictures."""
        self.camera_refused: RefusedCamera | None = None
        """The one that was chosen last, if it could not be had."""
        self._is_blind = False
        """Whether no frame has come of the camera that was chosen last."""
        self.restart_at: float | None = None
        """When the program is to start anew, by the machine's clock."""
        self.stage = Tricks()
        """What visitors of a simulated table ask for."""
        self._clock = TableClock()
        self._last_frame = 0.0
        """When the last frame came, by the machine's clock."""

    # Frame by frame

    def attend(self, frame: Frame | None) -> list[Said]:
        """One frame, from the camera to the lights; what there is to say. None: it should have come and did not."""
        self.gear.outbox.tend(self.gear.monotonic())
        frame, seconds = self._timed(frame)
        playing = self.playing
        if playing is None or self.frame is None:
            return []
        if self.phase == "setup":
            if frame is not None:
                self._check_the_table(playing, frame)
            return []
        begins = playing.table is None
        seen = self._look(playing, frame, seconds)
        not_there = playing.waiting.follow(playing.sight.not_found if playing.table is None else None, seconds)
        if playing.table is None:
            self._wait_for_the_board(playing, seconds)
            return [Said(seconds, each, playing.start.rules.game) for each in not_there]
        after = self._judge(playing.table, seen)
        if begins:
            after = replace(after, news=(*playing.table.news, *after.news))
        after = playing.rebuilding.hold(playing.table, after, playing.reading)
        playing.table = playing.coach.hold(playing.table, after)
        self._keep_time(playing, playing.table, seconds)
        self._save(playing, playing.table, seconds)
        said = self.show(playing, playing.table, seconds)
        self._learn(playing, playing.table, frame)
        playing.coach.show(playing.table, playing.holding.card(frame, self.look, seen) if playing.goes_on else None)
        return [*said, *self._help(playing, playing.table, seconds)]

    def _timed(self, frame: Frame | None) -> tuple[Frame | None, float]:
        """A frame by the table's own clock, and how late it is there."""
        if frame is None:
            return None, self.seconds + self.gear.monotonic() - self._last_frame
        self.frame = replace(frame, seconds=self._clock.at(frame.seconds))
        self._last_frame, self._is_blind = self.gear.monotonic(), False
        return self.frame, self.seconds

    def _look(self, playing: Playing, frame: Frame | None, seconds: float) -> Seen | None:
        """What the table shows, in the colours of the rules; the match begins when the board is first seen whole.

        One frame that is missing shows nothing new; many show that nothing can be seen.
        """
        table = playing.table
        if frame is None:
            if table is None or seconds - table.watch.last_seen < table.patience.blink:
                return None
            return playing.sight.miss(seconds)
        seen = playing.sight.read(frame, is_first=table is None)
        if seen.reading is not None:
            seen = replace(seen, reading=playing.by_rules(seen.reading))
        if table is None:
            playing.begin(seen)
        self.look = playing.sight.look
        return seen

    @staticmethod
    def _judge(table: Table, seen: Seen | None) -> Table:
        """What the referee makes of it."""
        return step(table, seen) if seen is not None else replace(table, news=())

    @staticmethod
    def _keep_time(playing: Playing, table: Table, seconds: float) -> None:
        """Charge the player to move, and say so when the time is up."""
        if playing.time is not None:
            before, playing.time = playing.time, playing.time.at(seconds)
            playing.table = ran_out(before, playing.time, table)

    def _save(self, playing: Playing, table: Table, seconds: float) -> None:
        if playing.time is not None and playing.time.is_due:
            self.write(playing, LogLine("clock", {"what": "kept"}), seconds)
        for news in table.news:
            if playing.time is not None:
                playing.time = playing.time.hearing(news, table)
            if news == REBUILD:
                continue
            self.write(playing, line_of(playing.told(news), table.match.rules.game), seconds)

    def write(self, playing: Playing, line: LogLine, seconds: float, time: Timekeeping | None = None) -> None:
        """A line for the log; there is none before the match has begun. It tells what the clock shows: now, or as it is
        once this has been written."""
        if playing.table is None:
            return
        time = time or playing.time
        if time is not None:
            line = LogLine(line.kind, line.payload | {"clock": time.clock.record()})
        playing.log.write(line, playing.table, playing.seating, seconds)
        playing.time = time and time.written(seconds)

    def show(self, playing: Playing, table: Table, seconds: float) -> list[Said]:
        """Tell what was decided: with the lights, and to the page."""
        said = [playing.said(news, seconds) for news in table.news]
        if said:
            self.events.add(said, self.gear.wall())
        playing.hear(table, seconds)
        is_unsaved = bool(self.gear.outbox.problem)
        self.gear.lights.show(picture(playing.mood, seconds, table.match.position.players, is_unsaved))
        if playing.chain is not None:
            playing.chain.show(playing.site_lights(table, seconds))
        return said

    def _wait_for_the_board(self, playing: Playing, seconds: float) -> None:
        """The light says so once nothing has begun for a while."""
        if playing.waits_since is None:
            playing.waits_since = seconds
        if seconds - playing.waits_since >= WORD:
            playing.mood = not_begun(playing.mood, seconds)
            self.gear.lights.show(picture(playing.mood, seconds, len(playing.seating)))

    @staticmethod
    def _learn(playing: Playing, table: Table, frame: Frame | None) -> None:
        """Every position that was accepted shows how the pieces look in this light."""
        look = playing.sight.look
        if frame is not None and look is not None and any(isinstance(news, Accepted) for news in table.news):
            playing.sight.eye = playing.learner.learn(playing.sight.eye, frame, look)

    @staticmethod
    def _help(playing: Playing, table: Table, seconds: float) -> list[Said]:
        """What the coach has to say, what keeps the referee from seeing all, and what was printed amiss."""
        helped: list[Advice | LeftLying | OtherScale] = [
            *playing.coach.follow(table),
            *playing.covering.follow(table, seconds),
            *playing.scale.follow(table, playing.sight.eye, playing.sight.look),
        ]
        return [Said(seconds, each, table.match.rules.game) for each in helped]

    def _check_the_table(self, playing: Playing, frame: Frame) -> None:
        """While a table is set up nobody is refereed."""
        start = playing.on_table(playing.start.position.faces())
        if not self.readiness.check(playing.sight.eye, frame, start, playing.surveyed):
            return
        self.look = self.readiness.look
        if playing.lesson is not None and self.readiness.is_laid:
            # A learner has no button to press: the lesson begins when it lies there.
            self.begin()
        self.gear.lights.show(picture(self.readiness.mood, frame.seconds, len(playing.seating)))

    # Match after match

    def play(
        self,
        plan: MatchPlan,
        resumed: Resumed | None = None,
        *,
        setup: Json | None = None,
        guided: bool = False,
        lesson: str | None = None,
    ) -> None:
        """Sit down to a match, or to one of the log that goes on. `setup`: how it begins, if not as it is dealt;
        `guided`: only when somebody says that the table is ready; a `lesson` is not written down."""
        check_refereed(plan.rules.game.name)
        check_seats(plan)
        playing = sit_down(plan, self.gear, resumed, setup, lesson)
        if self.playing is not None and self.playing.chain is not None:
            self.playing.chain.close()
        playing.chain = self.gear.open_chain(playing.board)
        self.playing, self.phase = playing, "setup" if guided else "playing"
        if resumed is not None and self.gear.store is not None:
            self._clock.go_on_from(self.gear.store.last_seconds(resumed[0]))
        elif self.frame is not None:
            self._clock.go_on_from(0.0)
        self.readiness = Readiness()
        self.events.forget()

    def begin(self) -> None:
        """The table is ready."""
        if self.phase != "setup":
            raise SpokenError("the match has already begun")
        self.phase = "playing"
        # Nobody has thought about a move while the table was set up.
        self._clock.go_on_from(0.0)

    def play_again(self) -> None:
        """The same once more: rules, players and seats."""
        assert self.playing is not None
        self.abandon()
        self.wants_camera = self.camera == "sim"
        time = self.playing.time
        clock = None if time is None else time.clock.anew()
        self.play(MatchPlan(self.playing.start.rules, self.playing.seating, clock), guided=True)

    def rest(self) -> None:
        """Nobody plays any more."""
        if self.playing is not None and self.playing.chain is not None:
            self.playing.chain.close()
        self.playing, self.phase = None, "idle"
        self.events.forget()

    def abandon(self) -> None:
        """The match that is being played will not go on: another one begins."""
        playing = self.playing
        if playing is not None and playing.log.is_begun and playing.goes_on:
            self.write(playing, LogLine("abandon", {}), self.seconds)

    def close(self) -> None:
        self.gear.thinker.close()
        if self.playing is not None and self.playing.chain is not None:
            self.playing.chain.close()

    # What others ask

    @property
    def seconds(self) -> float:
        """The table's time."""
        return self._clock.now

    @property
    def wants_restart(self) -> bool:
        return self.restart_at is not None and self.gear.monotonic() >= self.restart_at

    def has_another_camera(self) -> None:
        """The next frame comes by another clock."""
        self._clock.go_on_from(self._clock.now)
        self._is_blind = True

    @property
    def picture(self) -> Image | None:
        """What the camera sees; None while it gives nothing."""
        return None if self.frame is None or self._is_blind or self.camera_trouble is not None else self.frame.bgr

    @property
    def names(self) -> Sequence[str]:
        """Who plays, in seat order."""
        return COLOURS if self.playing is None else [player.name for player in self.playing.seating.players]
