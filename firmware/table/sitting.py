"""A sitting: one table, one camera, match after match. Its thread owns everything; others leave requests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.core import COLOURS, Json, Rules
from engine.match import Match
from engine.referee.news import Undone
from engine.referee.table import Table
from engine.spoken import SpokenError
from firmware.coaching.assistance import Assistance
from firmware.coaching.prompter import Prompter
from firmware.devices.chain import Chain
from firmware.devices.lights import picture
from firmware.machine.clock import TableClock
from firmware.settings.arguments import dealt
from firmware.settings.eyes import check_refereed, refereed
from firmware.table.chronicle import Chronicle
from firmware.table.companion import Companion
from firmware.table.counsel import Counsel
from firmware.table.covering import Covering
from firmware.table.gear import Gear
from firmware.table.plans import Plan
from firmware.table.readiness import Readiness
from firmware.table.state import lights_state, match_state, seen, trace_of
from vision.frame import Frame
from vision.look import Look


class Sitting:
    """Set-up, match, and the next match."""

    def __init__(self, gear: Gear, camera: str) -> None:
        self.gear, self.camera = gear, camera
        self.phase = "idle"
        self.companion: Companion | None = None
        self.frame: Frame | None = None
        self.look: Look | None = None
        self.wants_camera = False
        """Whether the camera must be opened anew: another one was chosen, or another table is simulated."""
        self.camera_problem = ""
        """Why the camera that was chosen could not be had …"""
        self.camera_refused = ""
        """… and which one that was."""
        self.counsel = Counsel(gear.adviser, gear.random)
        self.lesson: str | None = None
        """The lesson that is being done at the table: its game and its name."""
        self._readiness, self._covering = Readiness(), Covering()
        self._chain: Chain | None = None
        self._chronicle, self._clock = Chronicle(), TableClock()
        self._told: object = None
        self._last_frame = 0.0
        """When the last frame came, by the machine's clock."""
        self._unseen = self._cleared = False
        """Whether the table of a match that goes on was not seen to show it yet, and then that it is empty."""

    @property
    def names(self) -> Sequence[str]:
        """Who plays, in seat order."""
        return COLOURS if self.companion is None else [player.name for player in self.companion.seating.players]

    # What happens

    def play(
        self,
        plan: Plan,
        resumed: tuple[int, Table] | None = None,
        *,
        guided: bool = False,
        lesson: tuple[str, Json] | None = None,
    ) -> None:
        """Sit down to a match; `guided` waits until somebody says that the table is ready. A `lesson` starts from a
        set-up of its own, and nobody writes it down."""
        check_refereed(plan.rules.game.name)
        players = len(plan.seating)
        setup = dealt(plan.rules, players, self.gear.random) if lesson is None else lesson[1]
        match = Match.begin(plan.rules, players, setup)
        board = plan.rules.game.board(players, setup)
        eye = self.gear.make_eye(board, self.gear.lens)
        if self._chain is not None:
            self._chain.close()
        self._chain = self.gear.open_chain(board)
        self.companion = Companion(
            eye,
            match,
            plan.seating,
            store=self.gear.store if lesson is None else None,
            lights=self.gear.lights,
            chain=self._chain,
            wall=self.gear.wall,
            resumed=resumed,
        )
        self.phase = "setup" if guided else "playing"
        if resumed is not None and self.gear.store is not None:
            self._clock.go_on_from(self.gear.store.last_seconds(resumed[0]))
        elif self.frame is not None:
            self._clock.go_on_from(0.0)
        self.counsel = Counsel(self.gear.adviser, self.gear.random, plan.seating)
        self.companion.helps = lambda seat: self.assistance.shows(seat)
        self.companion.watcher.hold = self._hold
        self._unseen, self._cleared = resumed is not None, False
        self.lesson = lesson[0] if lesson is not None else None
        self._readiness, self._covering = Readiness(), Covering()
        self._chronicle.forget()

    def see(self, frame: Frame) -> list[Json]:
        """What there is to say after a frame."""
        self.frame = frame = replace(frame, seconds=self._clock.at(frame.seconds))
        self._last_frame = self.gear.monotonic()
        if self.companion is None:
            return []
        if self.phase == "setup":
            self._set_up(self.companion, frame)
            return []
        news = self.companion.see(frame)
        if self._cleared:
            self.abandon()
            self.play(Plan(self.companion.watcher.match.rules, self.companion.seating))
            return [{"t": round(self.seconds, 3), "event": "abandon"}]
        self.look = self.companion.watcher.before
        said = [*self._heard(self.companion, news), *self.counsel.follow(self.companion, self.seconds)]
        table = self.companion.table
        return [*said, *self._covering.see(table, self.seconds)] if table is not None else said

    def miss(self) -> list[Json]:
        """What there is to say where a frame should have come and did not."""
        if self.companion is None or self.phase != "playing" or self.frame is None:
            return []
        return self._heard(self.companion, self.companion.miss(self.seconds + self.gear.monotonic() - self._last_frame))

    def _hold(self, before: Table, after: Table) -> Table:
        """A board that is cleared when a match of the log is to go on was cleared for another one."""
        self._unseen = self._unseen and not before.accepted.habit.taught
        undone = any(isinstance(news, Undone) and news.to_ply == 0 for news in after.news)
        if self._unseen and undone and not after.stand.faces:
            self._cleared = True
            return replace(before, news=())
        return self.prompter.hold(before, after)

    def obey(self, word: str) -> list[Json]:
        """A button was pressed."""
        if self.companion is None or self.frame is None:
            return []
        if self.phase == "setup":
            if word == "confirm":
                self.begin()
            return []
        if word == "new":
            self.again()
            return []
        if word == "hint":
            return self.counsel.press(self.companion, self.seconds)
        return self._heard(self.companion, self.companion.obey(word, self.seconds))

    def correct(self, wish: str, payload: Json) -> list[Json]:
        """A person corrects the referee; raises `GameError` if it cannot be."""
        assert self.companion is not None
        return self._heard(self.companion, self.companion.correct(wish, payload, self.seconds))

    def begin(self) -> None:
        """The table is ready."""
        if self.phase != "setup":
            raise SpokenError("the match has already begun")
        self.phase = "playing"

    def again(self) -> None:
        """The same once more: rules, players and seats."""
        assert self.companion is not None
        rules: Rules = self.companion.watcher.match.rules
        self.companion.abandon(self.seconds)
        self.wants_camera = self.camera == "sim"
        self.play(Plan(rules, self.companion.seating), guided=True)

    def abandon(self) -> None:
        """The match that is being played will not go on."""
        if self.companion is not None:
            self.companion.abandon(self.seconds)

    @property
    def assistance(self) -> Assistance:
        """How much help each player has agreed to."""
        return self.counsel.assistance

    @property
    def prompter(self) -> Prompter:
        return self.counsel.prompter

    @property
    def seconds(self) -> float:
        """The table's time."""
        return self._clock.now

    def has_another_camera(self) -> None:
        """The next frame comes by another clock."""
        self._clock.go_on_from(self._clock.now)

    def close(self) -> None:
        self.gear.adviser.close()
        if self._chain is not None:
            self._chain.close()

    def _set_up(self, companion: Companion, frame: Frame) -> None:
        if not self._readiness.see(companion, frame):
            return
        self.look = self._readiness.look
        if self.lesson is not None and self._readiness.is_laid:
            # A learner has no button to press: the lesson begins when it lies there.
            self.begin()
        self.gear.lights.show(picture(self._readiness.mood, frame.seconds, len(companion.seating)))

    def _heard(self, companion: Companion, news: list[Json]) -> list[Json]:
        if news:
            self._chronicle.add(news, companion.heard[-len(news) :], companion.seating, self.gear.wall())
        return news

    def fresh(self) -> list[Json]:
        """The events since this was last asked, as the page is told them."""
        return self._chronicle.fresh()

    # What is shown

    def changed(self) -> bool:
        """Whether the page should be told anew since this was last asked."""
        companion = self.companion
        table = companion.table if companion is not None else None
        now: object = (
            self.phase,
            self._chronicle.number,
            self._readiness.checks,
            (self.camera, self.camera_problem),
            self.assistance,
            self.prompter.key(),
            (self._covering.lying, self._covering.hidden),
            companion and (id(companion), companion.mood.status, companion.seating, companion.number, seen(companion)),
            table is not None,
        )
        if now == self._told:
            return False
        self._told = now
        return True

    def state(self) -> Json:
        """How things are, for anyone."""
        state: Json = {
            "phase": self.phase,
            "camera": {"source": self.camera, "problem": self.camera_problem, "refused": self.camera_refused},
            "refereed": list(refereed()),
            "recent": self._chronicle.recent(),
            "checks": self._readiness.checks,
            "ready": self._readiness.is_ready,
        }
        if self.companion is None:
            return state | {"cameras": self.gear.cameras()}
        players = tuple(player.colour for player in self.companion.seating.players)
        told = match_state(self.companion)
        if self.phase == "playing" and (told["closed"] or told["result"]):
            state["phase"] = "over"
        if self.phase != "playing" or state["phase"] == "over":
            state["cameras"] = self.gear.cameras()
        told |= self._covering.record()
        helped: Json = {"assist": self.assistance.records(), "lesson": self.lesson, "advice": self.prompter.record()}
        helped["computers"] = self.prompter.computers(len(players))
        return state | told | helped | {"lights": lights_state(self.companion.mood, players)}

    def trace(self) -> Json | None:
        return trace_of(self.companion) if self.companion is not None else None
