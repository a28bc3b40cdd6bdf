"""A sitting: one table, one camera, match after match. The thread that runs it owns everything; others leave wishes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

from engine.board import Board
from engine.core import COLOURS, GameError, Json, Rules
from engine.match import Match
from engine.players.levels import Level
from engine.referee.table import Table
from engine.registry import find_game
from firmware.advice import Adviser
from firmware.assistance import Assistance
from firmware.chain import Chain
from firmware.checks import check_table
from firmware.chronicle import Chronicle
from firmware.companion import Companion
from firmware.corrections import WISHES
from firmware.counsel import Counsel
from firmware.eyes import REFEREED, check_refereed, make_eye
from firmware.lights import Lights, Mood, NoLights, Status, picture
from firmware.plans import Plan, read_plan
from firmware.prompting import Prompter
from firmware.seating import Seating
from firmware.store import Store
from firmware.table_args import dealt
from firmware.web_state import lights_state, match_state, seen, trace_of
from vision.frame import Frame
from vision.lens import Lens
from vision.look import Eye, Look

LOOK_AGAIN = 0.4
"""Seconds between two looks at a table that is being set up."""


@dataclass
class Gear:
    """What a sitting works with."""

    lights: Lights | NoLights
    store: Store | None = None
    lens: Lens | None = None
    open_chain: Callable[[Board], Chain | None] = lambda board: None
    wall: Callable[[], str] = lambda: ""
    random: Random = field(default_factory=Random)
    cameras: Callable[[], list[str]] = list
    """What the page may choose from."""
    make_eye: Callable[[Board, Lens | None], Eye] = make_eye
    adviser: Adviser = field(default_factory=Adviser)
    computers: Mapping[str, Level] = field(default_factory=dict)
    """The colours that the program plays, and how well."""


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
        """Why the camera that was chosen could not be had."""
        self.counsel = Counsel(gear.adviser, gear.random)
        self.lesson: str | None = None
        """The lesson that is being done at the table: its game and its name."""
        self._checks: list[Json] = []
        self._looked = float("-inf")
        self._chain: Chain | None = None
        self._chronicle = Chronicle()
        self._told: object = None

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
        computers = self.gear.computers if lesson is None else {}
        self.counsel = Counsel(self.gear.adviser, self.gear.random, plan.seating, computers)
        self.companion.helps = lambda seat: self.assistance.shows(seat)
        self.companion.watcher.hold = self.prompter.hold
        self.lesson = lesson[0] if lesson is not None else None
        self._checks, self._looked = [], float("-inf")
        self._chronicle.forget()

    def see(self, frame: Frame) -> list[Json]:
        """What there is to say after a frame."""
        self.frame = frame
        if self.companion is None:
            return []
        if self.phase == "setup":
            self._look_at_table(self.companion, frame)
            return []
        news = self.companion.see(frame)
        self.look = self.companion.watcher.before
        return [*self._heard(self.companion, news), *self.counsel.follow(self.companion, self.seconds)]

    def obey(self, word: str) -> list[Json]:
        """A button was pressed."""
        if self.companion is None or self.frame is None:
            return []
        if self.phase == "setup":
            if word == "confirm":
                self._begin({})
            return []
        if word == "new":
            self._again()
            return []
        if word == "hint":
            return self.counsel.press(self.companion, self.seconds)
        return self._heard(self.companion, self.companion.obey(word, self.seconds))

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
        return self.frame.seconds if self.frame is not None else 0.0

    def close(self) -> None:
        self.gear.adviser.close()
        if self._chain is not None:
            self._chain.close()

    def _look_at_table(self, companion: Companion, frame: Frame) -> None:
        if 0 <= frame.seconds - self._looked < LOOK_AGAIN:
            return
        self._looked = frame.seconds
        start = companion.seating.on_table(companion.watcher.match.position.faces())
        checks, self.look = check_table(companion.watcher.eye, frame, start)
        self._checks = [check.record() for check in checks]
        if self.lesson is not None and any(check.name == "pieces" and not check.problem for check in checks):
            # A learner has no button to press: the lesson begins when it lies there.
            self._begin({})
        ready = all(check["ok"] for check in self._checks)
        mood = Mood() if ready else Mood(Status.LOST)
        self.gear.lights.show(picture(mood, frame.seconds, len(companion.seating)))

    def _heard(self, companion: Companion, news: list[Json]) -> list[Json]:
        if news:
            self._chronicle.add(news, companion.heard[-len(news) :], companion.seating, self.gear.wall())
        return news

    def fresh(self) -> list[Json]:
        """The events since this was last asked, as the page is told them."""
        return self._chronicle.fresh()

    # What is wished

    def wish(self, kind: str, payload: Json) -> tuple[Json, list[Json]]:
        """Carry out a wish; what to answer, and what there is to say. Raises `GameError` where it cannot be."""
        if kind == "new":
            return self._new(payload), []
        if kind == "lesson":
            return self._teach(payload), []
        if self.companion is None:
            raise GameError("there is no match: begin one first")
        if kind == "begin":
            return self._begin(payload), []
        if kind == "assist":
            self.counsel.assistance = self.counsel.assistance.agree(payload)
            return {}, []
        if kind == "hint":
            return {}, self.counsel.hint(self.companion, self.seconds)
        if kind == "names":
            self.companion.rename(_texts(payload.get("names")), self.seconds)
            return {}, []
        if kind not in WISHES:
            raise GameError(f"nobody can wish for {kind!r}")
        if kind == "position":
            payload = self._placed(self.companion, payload)
        if kind == "answer" and self.companion.table is not None:
            self.prompter.check(self.companion.table.match, str(payload.get("action")))
        news = self.companion.correct(kind, payload, self.seconds)
        return {}, self._heard(self.companion, news)

    def _placed(self, companion: Companion, payload: Json) -> Json:
        """A position as the rules know it: their colours, and the sheets lying as they are seen to."""
        setup = {name: value for name, value in payload.items() if name in ("sites", "seat")}
        if isinstance(setup.get("sites"), Mapping):
            setup["sites"] = companion.seating.by_rules(setup["sites"])
        reading = companion.reading
        turns = {name: reading.turn(name)[0] for name in reading.sheets} if reading is not None else {}
        return {"setup": setup, "turns": turns}

    def _new(self, payload: Json) -> Json:
        plan = read_plan(payload, self.gear.random)
        check_refereed(plan.rules.game.name)
        camera = payload.get("camera") or self.camera
        if camera != self.camera and camera not in self.gear.cameras():
            raise GameError(f"there is no camera {camera!r}")
        if self.companion is not None and self.phase == "playing":
            self.companion.abandon(self.seconds)
        self.wants_camera = camera != self.camera or camera == "sim"
        self.camera = camera
        self.play(plan, guided=True)
        return {"first": plan.seating.players[0].record()}

    def _teach(self, payload: Json) -> Json:
        """A lesson at the table: `{"game", "variant", "players", "setup", "name"}`, in the colours of the rules."""
        rules = find_game(str(payload.get("game"))).configure(payload.get("variant"))
        players, setup = payload.get("players"), payload.get("setup")
        if type(players) is not int or not isinstance(setup, dict):
            raise GameError("a lesson needs a number of players and a set-up")
        rules.start(players, setup)
        plan = Plan(rules, Seating.parse(",".join(COLOURS[:players])))
        if self.companion is not None and self.phase == "playing":
            self.companion.abandon(self.seconds)
        self.wants_camera = self.camera == "sim"
        self.play(plan, guided=True, lesson=(f"{rules.game.name}/{payload.get('name')}", setup))
        return {"lesson": self.lesson}

    def _begin(self, _: Json) -> Json:
        if self.phase != "setup":
            raise GameError("the match has begun already")
        self.phase = "playing"
        return {}

    def _again(self) -> None:
        """The same once more: rules, players and seats."""
        assert self.companion is not None
        rules: Rules = self.companion.watcher.match.rules
        self.companion.abandon(self.seconds)
        self.wants_camera = self.camera == "sim"
        self.play(Plan(rules, self.companion.seating), guided=True)

    # What is shown

    def changed(self) -> bool:
        """Whether the page should be told anew since this was last asked."""
        companion = self.companion
        table = companion.table if companion is not None else None
        now: object = (
            self.phase,
            self._chronicle.number,
            self._checks,
            (self.camera, self.camera_problem),
            self.assistance,
            self.prompter.key(),
            companion and (id(companion), companion.mood.status, companion.seating, companion.number, seen(companion)),
            table and (len(table.stands), table.closed),
        )
        if now == self._told:
            return False
        self._told = now
        return True

    def state(self) -> Json:
        """How things are, for anyone."""
        state: Json = {
            "phase": self.phase,
            "camera": {"source": self.camera, "problem": self.camera_problem},
            "refereed": list(REFEREED),
            "recent": self._chronicle.recent(),
            "checks": self._checks,
            "ready": bool(self._checks) and all(check["ok"] for check in self._checks),
        }
        if self.companion is None:
            return state | {"cameras": self.gear.cameras()}
        players = tuple(player.colour for player in self.companion.seating.players)
        told = match_state(self.companion)
        if self.phase == "playing" and (told["closed"] or told["result"]):
            state["phase"] = "over"
        if self.phase != "playing" or state["phase"] == "over":
            state["cameras"] = self.gear.cameras()
        helped = {"assist": self.assistance.records(), "lesson": self.lesson, "advice": self.prompter.record()}
        return state | told | helped | {"lights": lights_state(self.companion.mood, players)}

    def trace(self) -> Json | None:
        return trace_of(self.companion) if self.companion is not None else None


def _texts(value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise GameError("names must be a list of texts")
    return value
