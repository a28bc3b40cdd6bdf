"""A short match at the virtual table, refereed from its pictures and compared with what happened."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from random import Random
from time import process_time
from typing import TYPE_CHECKING

from engine.core import Action, Json, Position
from engine.face import Face
from engine.match import Match
from engine.referee.lifting import LOOKS
from engine.referee.purse import due
from engine.referee.state import TICK
from engine.referee.table import Table, step
from engine.referee.wishes import declare, deny
from engine.registry import find_game
from firmware.bench.rigs.arm_trial import ArmTrial
from firmware.bench.rigs.tables import GameVariant, table_of

if TYPE_CHECKING:
    from engine.board import Board
    from firmware.table.loop import Sitting
    from hardware.printing.raster import Painter
    from hardware.virtual.acting.deeds import Deed
    from hardware.virtual.acting.motion import Hand
    from hardware.virtual.acting.player import Shot, TablePlayer
    from hardware.virtual.scene import Scene

ACTIONS = 4
"""Actions of a match, if no other number is asked for: it starts anywhere in the middle of one, or from the empty
board."""
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
    is_fresh: bool
    """Whether it begins as matches do, not in the middle of one."""
    scene: Scene
    player: TablePlayer
    deeds: tuple[Deed, ...]
    painter: Painter
    """How its board is printed."""

    @classmethod
    def drawn(
        cls,
        seed: int,
        left_lying: float = 0.0,
        table: GameVariant | None = None,
        strange: bool = False,
        actions: int = ACTIONS,
    ) -> Trial:
        """`strange`: at the table of a stranger, with pieces, print, lamps and hands of his own."""
        from hardware.printing.raster import rasterise
        from hardware.virtual.acting.chance import Rates, random_deeds
        from hardware.virtual.acting.player import Style, TablePlayer
        from hardware.virtual.acting.strewing import strewn

        dice = Random(seed)
        game, variant = table or table_of(seed)
        match, is_fresh = _middle(game, variant, dice)
        board = strewn(match.rules.game.board(match.position.players, match.position.setup()), seed)
        scene, painter = _strange_scene(board, seed) if strange else (_scene(board, seed), rasterise)
        player = TablePlayer(match, scene, Style(fps=FPS, pause=0.6, speed=dice.uniform(600, 1000)), seed)
        if strange:
            player.hands = _strange_hands(player.hands, seed)
        rates = Rates(one_hand=0.06, undo=0.08, quick=0.08, nudge=0.1, lamp=0.06, thing=left_lying, peek=0.08)
        return cls(match, is_fresh, scene, player, tuple(random_deeds(match, scene, actions, seed, rates)), painter)


def play_match(seed: int, left_lying: float = 0.0, strange: bool = False, actions: int = ACTIONS) -> Json:
    """One match as a JSON object: what was done, what the referee said, and when. `left_lying`: see `LEFT_LYING`;
    `strange`: see `Trial.drawn`."""
    import cv2

    from vision.frame import Frame

    cv2.setNumThreads(1)
    start, account, frames = process_time(), Account(), 0
    trial = Trial.drawn(seed, left_lying, strange=strange, actions=actions)
    sitting, arms = _watched(trial), ArmTrial()
    for shot in trial.player.frames(trial.deeds, trial.painter):
        frames += 1
        account.happens(shot, trial.player.match)
        if shot.bgr is not None:
            before = None if sitting.playing is None else sitting.playing.table
            news = [said.record() for said in sitting.attend(Frame(shot.bgr, shot.t)) if said.is_kept]
            if sitting.playing is not None and sitting.playing.table is not None:
                arms.follows(before or sitting.playing.table, sitting.playing.table)
                sitting.playing.table = account.hears(news, sitting.playing.table, shot)
    spent = {"left_lying": left_lying, "strange": strange, "actions": actions, "cpu": round(process_time() - start, 1)}
    table = None if sitting.playing is None else sitting.playing.table
    return _record(seed, trial, account, arms, frames, table) | spent


def _watched(trial: Trial) -> Sitting:
    """The loop as it runs at a table, in front of the drawn one."""
    from firmware.devices.lights import NoLights
    from firmware.log.match.seating import Seating
    from firmware.table.beginning.plans import MatchPlan
    from firmware.table.gear import Gear
    from firmware.table.loop import Sitting

    start = trial.match.position
    sitting = Sitting(Gear(NoLights()), "sim")
    plan = MatchPlan(trial.match.rules, Seating.parse(str(start.players)))
    # Where the table tells how a match begins, nobody else does.
    known = start.witnessed().setup() if start.faces() else {}
    sitting.play(plan, setup=None if trial.match.rules.game.surveyed and trial.is_fresh else known)
    return sitting


def play_unseen(seed: int, actions: int = ACTIONS) -> Json:
    """The same match without pictures: a truthful eye tells the referee what it would see."""
    from firmware.bench.rigs.truthful_eye import TruthfulEye

    trial, account, frames = Trial.drawn(seed, actions=actions), Account(), 0
    turns = {name: round(lying.turn) for name, lying in trial.scene.sheets.items()}
    eye = TruthfulEye(trial.scene.board, Random(seed), blur=7.0 / (1 + trial.scene.pose.tilt / 6))
    match, arms = trial.match, ArmTrial()
    table = Table.begin(replace(match, positions=(match.position.witnessed(),)), turns)
    for shot in trial.player.scenes(trial.deeds):
        frames += 1
        account.happens(shot, trial.player.match)
        before, table = table, step(table, eye.see(shot))
        arms.follows(before, table)
        table = account.hears([{"t": shot.t} | record for record in table.records()], table, shot)
    return _record(seed, trial, account, arms, frames, table)


def _record(seed: int, trial: Trial, account: Account, arms: ArmTrial, frames: int, table: Table | None) -> Json:
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
        "arms": dict(arms.counts),
        "rows": _rows_at_the_end(trial.player.match.position, table),
    }


def _rows_at_the_end(position: Position, table: Table | None) -> Json | None:
    """How many pieces are in the players' rows, how many the referee counts there, and how many it thinks are due;
    None in games without rows."""
    if not (true := due(position)):
        return None
    seen, known = ((), ()) if table is None else (table.purse.counts, due(table.position))
    return {"true": list(true), "seen": list(seen), "due": list(known)}


def _memory() -> int:
    """The most that this process ever took, kilobytes."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _middle(game: str, variant: str | None, dice: Random) -> tuple[Match, bool]:
    """A match that begins where another one has come to, and whether that is its start."""
    rules, players = find_game(game).configure(variant), dice.choice((2, 3, 4))
    position = rules.start(players, rules.deal(players, dice))
    skipped = dice.choice(SKIPPED)
    for _ in range(skipped):
        after = position.after(dice.choice(_possible(position)))
        if after.outcome is not None:
            break
        position = after
    return Match.begin(rules, players, position.setup() if position.faces() else {}), not skipped


def _possible(position: Position) -> list[Action]:
    from hardware.virtual.acting.chance import possible

    return possible(position, position.rules.game.board(position.players, None))


def _scene(board: Board, seed: int) -> Scene:
    """A table anywhere in the promised range; the camera is not shaken all the time."""
    from hardware.virtual.sample import random_scene

    scene = random_scene(board, {}, seed, hand=False)
    return replace(scene, sensor=replace(scene.sensor, motion=(0.0, 0.0)))


def _strange_scene(board: Board, seed: int) -> tuple[Scene, Painter]:
    import numpy as np

    from hardware.virtual.strangers import strange_place, strange_set

    random = np.random.default_rng([seed, 83])
    board, painter = strange_set(board, random)
    scene = strange_place(board, {}, seed, random)
    return replace(scene, sensor=replace(scene.sensor, motion=(0.0, 0.0))), painter


def _strange_hands(hands: tuple[Hand, ...], seed: int) -> tuple[Hand, ...]:
    import numpy as np

    from hardware.virtual.strangers import strange_hand

    random = np.random.default_rng([seed, 89])
    return tuple(strange_hand(hand, random) for hand in hands)


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
    _standing: set[str] = field(default_factory=set)
    """Where pieces stood when no hand was over the board …"""
    _bare: Counter[str] = field(default_factory=Counter)
    """… and in how many pictures since then they were seen to be gone."""
    _untold: list[str] = field(default_factory=list)
    """Actions that no camera could see and that people have to tell."""
    _question: Json | None = None
    """What the referee wants to know."""

    def happens(self, shot: Shot, match: Match) -> None:
        events = [dict(event) for event in shot.truth.events]
        self._lifts(shot, events)
        self.expected += events
        self._fresh += events
        if not shot.truth.over and shot.bgr is not None and (self._fresh or self._settled is None):
            self._in_sight(shot)
        shown = dict(shot.truth.faces), dict(shot.truth.turns)
        if shown != self._shown:
            self._shown, self._since = shown, shot.t
        if shot.truth.over:
            self._over = shot.t
        position = match.position
        self._half = {**position.faces(), **position.rules.beside(position)} != dict(shot.truth.faces)

    def _lifts(self, shot: Shot, events: list[Json]) -> None:
        """Marks a piece lifted and put back that the camera never saw gone, for a hand hid its place: then people say
        what was done."""
        if shot.bgr is not None:
            gone = {site for site in self._standing if site not in shot.truth.faces and site not in shot.truth.hidden}
            self._bare.update(gone)
        for event in events:
            site = event.pop("lifted", None)
            if site is not None and self._bare[site] < LOOKS:
                event["unseen"] = True
                self._untold += [event["action"]] if event["event"] == "action" else []
        if not shot.truth.over:
            self._standing = set(shot.truth.faces)
            self._bare.clear()

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
        for text in self._untold:
            if table.match.rules.parse(text) in table.position.legal():
                table = declare(table, text)
                self.got += [record | {"t": shot.t, "answered": True} for record in table.records()]
        self._untold = []
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
