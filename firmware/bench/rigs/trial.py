"""A short match at the virtual table, refereed from its pictures and compared with what happened."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random
from time import process_time
from typing import TYPE_CHECKING

from engine.core import Json
from engine.face import Face
from engine.match import Match
from engine.referee.state import TICK
from engine.referee.table import Table, step
from engine.referee.wishes import declare, deny
from engine.registry import find_game
from firmware.bench.rigs.tables import table_of

if TYPE_CHECKING:
    from engine.board import Board
    from firmware.table.loop import Sitting
    from hardware.virtual.deeds import Deed
    from hardware.virtual.player import Shot, TablePlayer
    from hardware.virtual.scene import Scene

ACTIONS = 4
"""Actions of a match: it starts anywhere in the middle of one, or from the empty board."""
THINKING = 1.5
"""Seconds after which whoever is asked says that it was nothing of the kind."""
SKIPPED = (0, 0, 5, 10, 16, 24, 36)
FPS = 10.0
LEFT_LYING = 0.3
"""How often, before an action, somebody leaves a cup or a sleeve on the board, in matches in which people do so."""

Shown = tuple[dict[str, Face], dict[str, float]]
"""What stands on the sites, and how the sheets lie."""


@dataclass(frozen=True)
class Trial:
    """A match drawn from a seed, ready to be played."""

    match: Match
    scene: Scene
    player: TablePlayer
    deeds: tuple[Deed, ...]

    @classmethod
    def drawn(cls, seed: int, left_lying: float = 0.0) -> Trial:
        from hardware.virtual.chance import Rates, random_deeds
        from hardware.virtual.player import Style, TablePlayer

        dice = Random(seed)
        game, variant = table_of(seed)
        match = _middle(game, variant, dice)
        scene = _scene(match.rules.game.board(match.position.players, {}), seed)
        player = TablePlayer(match, scene, Style(fps=FPS, pause=0.6, speed=dice.uniform(600, 1000)), seed)
        rates = Rates(undo=0.08, quick=0.08, nudge=0.1, lamp=0.06, thing=left_lying)
        return cls(match, scene, player, tuple(random_deeds(match, scene, ACTIONS, seed, rates)))


def play_match(seed: int, left_lying: float = 0.0) -> Json:
    """One match as a JSON object: what was done, what the referee said, and when. `left_lying`: see `LEFT_LYING`."""
    import cv2

    from vision.frame import Frame

    cv2.setNumThreads(1)
    start, trial, account, frames = process_time(), Trial.drawn(seed, left_lying), Account(), 0
    sitting = _watched(trial)
    for shot in trial.player.frames(trial.deeds):
        frames += 1
        account.happens(shot, trial.player.match)
        if shot.bgr is not None:
            news = [said.record() for said in sitting.attend(Frame(shot.bgr, shot.t)) if said.is_kept]
            if sitting.playing is not None and sitting.playing.table is not None:
                sitting.playing.table = account.hears(news, sitting.playing.table, shot)
    spent = {"left_lying": left_lying, "cpu": round(process_time() - start, 1)}
    return _record(seed, trial, account, frames) | spent


def _watched(trial: Trial) -> Sitting:
    """The loop as it runs at a table, in front of the drawn one."""
    from firmware.devices.lights import NoLights
    from firmware.log.seating import Seating
    from firmware.table.gear import Gear
    from firmware.table.loop import Sitting
    from firmware.table.plans import MatchPlan

    start = trial.match.position
    sitting = Sitting(Gear(NoLights()), "sim")
    plan = MatchPlan(trial.match.rules, Seating.parse(str(start.players)))
    sitting.play(plan, setup=start.setup() if start.faces() else {})
    return sitting


def play_unseen(seed: int) -> Json:
    """The same match without pictures: a truthful eye tells the referee what it would see."""
    from firmware.bench.rigs.truthful_eye import TruthfulEye

    trial, account, frames = Trial.drawn(seed), Account(), 0
    turns = {name: round(lying.turn) for name, lying in trial.scene.sheets.items()}
    eye = TruthfulEye(trial.scene.board, Random(seed), blur=7.0 / (1 + trial.scene.pose.tilt / 6))
    table = Table.begin(trial.match, turns)
    for shot in trial.player.scenes(trial.deeds):
        frames += 1
        account.happens(shot, trial.player.match)
        table = step(table, eye.see(shot))
        table = account.hears([{"t": shot.t} | record for record in table.records()], table, shot)
    return _record(seed, trial, account, frames)


def _record(seed: int, trial: Trial, account: Account, frames: int) -> Json:
    return {
        "seed": seed,
        "game": trial.match.rules.game.name,
        "variant": trial.match.rules.variant,
        "players": trial.match.position.players,
        "tilt": round(trial.scene.pose.tilt, 1),
        "expected": account.expected,
        "got": account.got,
        "frames": frames,
        "memory": _memory(),
    }


def _memory() -> int:
    """The most that this process ever took, kilobytes."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _middle(game: str, variant: str | None, dice: Random) -> Match:
    """A match that begins where another one has come to."""
    rules, players = find_game(game).configure(variant), dice.choice((2, 3, 4))
    position = rules.start(players, {})
    for _ in range(dice.choice(SKIPPED)):
        after = position.after(dice.choice(position.legal()))
        if after.outcome is not None:
            break
        position = after
    return Match.begin(rules, players, position.setup() if position.faces() else {})


def _scene(board: Board, seed: int) -> Scene:
    """A table anywhere in the promised range; the camera is not shaken all the time."""
    from hardware.virtual.sample import random_scene

    scene = random_scene(board, {}, seed, hand=False)
    return replace(scene, sensor=replace(scene.sensor, motion=(0.0, 0.0)))


@dataclass
class Account:
    """What happened and what was said, in order."""

    expected: list[Json] = field(default_factory=list)
    got: list[Json] = field(default_factory=list)
    _over: float = 0.0
    """When a hand was last over the board."""
    _since: float = 0.0
    """Since when the table stands as it does."""
    _shown: object = None
    _half: bool = False
    """Whether the table shows something other than the position of the match."""
    _settled: Shown | None = None
    """How the table stood when the hand was gone after what happened last."""
    _fresh: list[Json] = field(default_factory=list)
    """What happened since then."""
    _question: Json | None = None
    """What the referee wants to know."""

    def happens(self, shot: Shot, match: Match) -> None:
        events = [dict(event) for event in shot.truth.events]
        self.expected += events
        self._fresh += events
        if not shot.truth.over and shot.bgr is not None and (self._fresh or self._settled is None):
            self._in_sight(shot)
        shown = dict(shot.truth.faces), dict(shot.truth.turns)
        if shown != self._shown:
            self._shown, self._since = shown, shot.t
        if shot.truth.over:
            self._over = shot.t
        self._half = dict(match.position.faces()) != dict(shot.truth.faces)

    def _in_sight(self, shot: Shot) -> None:
        """Marks what has happened where the camera sees nothing of it: behind a cup, or under a cloth."""
        faces, turns = dict(shot.truth.faces), dict(shot.truth.turns)
        if self._settled is not None and self._settled[1] == turns:
            before = self._settled[0]
            changed = {site for site in faces | before if faces.get(site) != before.get(site)}
            if changed and changed <= set(shot.truth.hidden):
                for event in self._fresh:
                    event["unseen"] = True
        self._settled = faces, turns
        self._fresh = []

    def hears(self, news: list[Json], table: Table, shot: Shot) -> Table:
        """The table once a question, if there is one, was answered."""
        for event in news:
            self.got.append({name: value for name, value in event.items() if name != "text"} | self._times(shot))
            self._question = event if event["event"] == "unclear" else None
        return table if self._question is None else self._answer(self._question, table, shot)

    def _times(self, shot: Shot) -> Json:
        return {
            "gone": round(shot.t - self._over, 3),
            "stood": round(shot.t - max(self._over, self._since), 3),
            "half": self._half,
        }

    def _answer(self, event: Json, table: Table, shot: Shot) -> Table:
        """Whoever played says which of the actions it was, or in the end that it was none."""
        done = [each for each in self.expected if each["event"] == "action" and each["ply"] == table.match.ply]
        if done and done[-1]["action"] in event["actions"]:
            table = declare(table, done[-1]["action"])
        elif table.said.asked and not shot.truth.over and shot.t - event["t"] > THINKING - TICK:
            table = deny(table)
        else:
            return table
        self._question = None
        self.got += [record | {"t": shot.t, "answered": True} for record in table.records()]
        return table
