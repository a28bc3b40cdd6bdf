"""A player for the virtual table: acts out a script by hand, frame by frame, with the truth about each frame."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np

from engine.core import Action, Json, Position
from engine.face import Face
from engine.match import Match
from engine.referee.explain import by_one_player
from engine.referee.unseen import unseen
from hardware.printing.raster import Painter, rasterise
from hardware.virtual.acting.deeds import (
    Deed,
    Drop,
    Hover,
    Interrupted,
    Lamp,
    Leave,
    Lift,
    Mistake,
    Nudge,
    Pause,
    Play,
    Quick,
    Shove,
    Undo,
)
from hardware.virtual.acting.motion import Hand, Stroke, Visit, out_of_sight, scene_at, still
from hardware.virtual.acting.reach import over_board
from hardware.virtual.acting.script import Layout, Step, plan
from hardware.virtual.errors import ScriptError
from hardware.virtual.painting.render import Renderer
from hardware.virtual.painting.sensor import Exposure
from hardware.virtual.sample import random_sleeve
from hardware.virtual.scene import SKINS, Scene, height_of

ILLEGAL_AFTER = 1.5
"""Seconds that a position must stand before it is called illegal."""
SEATS = {2: (180.0, 0.0), 3: (180.0, 300.0, 60.0), 4: (180.0, 270.0, 0.0, 90.0)}


@dataclass(frozen=True)
class Truth:
    """What is true at the moment of a frame."""

    faces: Mapping[str, Face]
    """What stands on the sites; a pile that is no face of the game is named by its pieces."""
    turns: Mapping[str, float]
    hand: bool
    """Whether a hand is there, even if still on its way."""
    over: bool
    """Whether it is over the board, as the camera sees it."""
    ply: int
    """How many accepted actions stand."""
    events: tuple[Json, ...] = ()
    """What a referee may report from this moment on, as `magister watch --json` writes it."""
    hidden: tuple[str, ...] = ()
    """Sites more than half covered; known only of frames that were rendered."""


@dataclass(frozen=True, eq=False)
class Shot:
    """One frame of the table; `bgr` is None if the camera dropped it."""

    t: float
    scene: Scene
    truth: Truth
    bgr: Exposure | None = None


@dataclass(frozen=True, slots=True)
class _Span:
    """Strokes by one hand; the events come when they are done, or so many seconds later."""

    strokes: tuple[Stroke, ...]
    hand: Hand
    events: tuple[Json, ...] = ()
    later: float = 0.0


@dataclass(frozen=True)
class Style:
    """How people play here."""

    fps: float = 10.0
    pause: float = 1.2
    """Seconds between two visits of a hand."""
    sloppy: float = 0.6
    """Roughly how far pieces miss the middle of their site, mm."""
    speed: float = 520.0
    hands: tuple[Hand, ...] = field(default=())
    """One for each seat; drawn from the seed if there are none."""


class TablePlayer:
    """Plays deeds at one table. The same match, scene, style and seed give the same frames, byte for byte."""

    def __init__(self, match: Match, scene: Scene, style: Style = Style(), seed: int = 0) -> None:  # noqa: B008
        self.match, self.style = match, style
        self._scene = replace(scene, arms=(), stacks=(), cards={})
        self._beside = tuple(stack for stack in scene.stacks if stack.site is None)
        self._random = np.random.default_rng([seed, 11])
        turns = {name: round(lying.turn) for name, lying in scene.sheets.items()}
        self._layout = Layout.showing(scene.board, shown(match.position), turns, style.sloppy)
        self.hands = style.hands or self._draw_hands(match.position.players)
        self._dropping = 0
        self._untold: list[Json] = []
        """Actions that nobody could see; they are told with the next one that is seen."""

    def frames(self, deeds: Iterable[Deed], painter: Painter = rasterise) -> Iterator[Shot]:
        """Every frame of these deeds, rendered."""
        renderer = Renderer(self._scene.board, painter)
        for shot in self.scenes(deeds):
            if self._dropping:
                self._dropping -= 1
                yield shot
                continue
            picture = renderer.render(shot.scene)
            yield replace(shot, bgr=picture.bgr, truth=replace(shot.truth, hidden=tuple(picture.hidden)))

    def scenes(self, deeds: Iterable[Deed]) -> Iterator[Shot]:
        """The same without pictures: quick, for what needs only the truth."""
        number, clock = 0, 0.0
        due: list[tuple[float, Json]] = []
        # One deed at a time: what comes next may follow from what was seen of the last.
        for deed in chain((Pause(1.0),), deeds, (Pause(self.style.pause + ILLEGAL_AFTER),)):
            for span in self._spans(deed):
                for stroke in span.strokes:
                    end = clock + stroke.seconds
                    while number / self.style.fps < end - 1e-9:
                        now = number / self.style.fps
                        ready = tuple(event | {"t": round(now, 3)} for when, event in due if when <= now)
                        due = [(when, event) for when, event in due if when > now]
                        yield self._shot(stroke, (now - clock) / stroke.seconds, span.hand, now, number, ready)
                        number += 1
                    clock = end
                due += [(clock + span.later, event) for event in span.events]

    def _shot(
        self, stroke: Stroke, share: float, hand: Hand, now: float, number: int, events: tuple[Json, ...]
    ) -> Shot:
        scene = scene_at(self._scene, stroke, share, hand)
        scene = replace(scene, stacks=scene.stacks + self._beside, frame=number)
        turns = {name: lying.turn for name, lying in scene.sheets.items()}
        truth = Truth(stroke.layout.faces(), turns, not stroke.gone, self._over(scene), self.match.ply, events)
        return Shot(now, scene, truth)

    def _over(self, scene: Scene) -> bool:
        return any(over_board(arm, scene.board, scene.camera) for arm in scene.arms)

    def _spans(self, deed: Deed) -> Iterator[_Span]:
        match deed:
            case Play():
                yield from self._play(deed)
            case Lift():
                yield from self._lift(deed)
            case Quick():
                yield from self._quick(deed)
            case Interrupted():
                yield from self._interrupted(deed)
            case Mistake():
                yield from self._mistake(deed)
            case Undo():
                yield from self._undo(deed)
            case Shove():
                yield from self._shove(deed)
            case Hover():
                yield from self._finish(self._visit().hover(deed.seconds, deed.over))
            case Nudge() | Lamp() | Leave():
                yield from self._change(deed)
            case Drop():
                self._dropping += deed.frames
                yield self._rest(deed.frames / self.style.fps)
            case Pause():
                yield self._rest(deed.seconds)

    def _change(self, deed: Nudge | Lamp | Leave) -> Iterator[_Span]:
        """What happens around the board: no piece is touched."""
        scene = self._scene
        match deed:
            case Nudge():
                yield self._rest(0.3)
                self._scene = replace(scene, board_at=deed.board_at or scene.board_at, pose=deed.pose or scene.pose)
            case Lamp():
                self._scene = replace(scene, light=deed.light)
            case Leave():
                self._scene = replace(scene, things=() if deed.thing is None else (*scene.things, deed.thing))
        yield self._rest(0.5)

    def _play(self, deed: Play) -> Iterator[_Span]:
        action = self.match.rules.parse(deed.action)
        before, event = self.match.position, self._action_event(action)
        self.match = self.match.play(action)
        if action in unseen(before) and beside(before) == beside(self.match.position):
            # Nobody touches anything: who acts next shows that it was done.
            self._untold.append(event | {"inferred": True})
            yield self._rest(self.style.pause)
            return
        visit = self._visit(before.seat).do(self._steps(shown(self.match.position), action.turns))
        if deed.off != (0.0, 0.0) or deed.lean != (0.0, 0.0):
            visit.layout = _askew(visit.layout, _last_put(before, self.match.position), deed)
        yield from self._finish(visit, (event, *self._result()))

    def _lift(self, deed: Lift) -> Iterator[_Span]:
        position = self.match.position
        action = position.rules.looked_under(position, deed.site)
        event: Json = {"event": "peek", "site": deed.site, "lifted": deed.site}
        if action is not None:
            event = self._action_event(action) | {"lifted": deed.site}
            self.match = self.match.play(action)
        visit = self._visit(position.seat if deed.seat is None else deed.seat).lift(deed.site, deed.seconds)
        yield from self._finish(visit, (event, *self._result()))

    def _quick(self, deed: Quick) -> Iterator[_Span]:
        visit = self._visit(self.match.position.seat)
        events: list[Json] = []
        before: tuple[Position, Action] | None = None
        for text in deed.actions:
            action = self.match.rules.parse(text)
            if before is not None and by_one_player(before[0], (before[1], action)):
                # Only that another hand comes for it shows that it is another player's.
                yield from self._finish(visit, tuple(events), 0.0)
                visit, events = self._visit(self.match.position.seat), []
            before = self.match.position, action
            events.append(self._action_event(action))
            self.match = self.match.play(action)
            visit.do(self._steps(shown(self.match.position), action.turns, visit.layout))
        yield from self._finish(visit, (*events, *self._result()))

    def _interrupted(self, deed: Interrupted) -> Iterator[_Span]:
        action = self.match.rules.parse(deed.action)
        seat, event = self.match.position.seat, self._action_event(action)
        after = self.match.play(action)
        steps = self._steps(shown(after.position), action.turns)
        if len(steps) == 1:
            # An action of one step cannot be half done.
            self.match = after
            yield from self._finish(self._visit(seat).do(steps), (event, *self._result()))
            return
        first = max(1, min(deed.steps, len(steps) - 1))
        yield from self._finish(self._visit(seat).do(steps[:first]), ({"event": "unfinished"},), deed.seconds)
        self.match = after
        yield from self._finish(self._visit(seat).do(steps[first:]), (event, *self._result()))

    def _mistake(self, deed: Mistake) -> Iterator[_Span]:
        seat, stood = self.match.position.seat, shown(self.match.position)
        visit = self._visit(seat).do(self._steps({**deed.faces, **beside(self.match.position)}, deed.turns))
        event: Json = {"event": "illegal", "seat": seat, "rules": list(deed.rules)}
        yield from self._finish(visit, (event,), ILLEGAL_AFTER + 1.0, later=ILLEGAL_AFTER)
        if deed.restore:
            back = {name: -count for name, count in deed.turns.items()}
            visit = self._visit(seat).do(self._steps(stood, back))
            yield from self._finish(visit, ({"event": "restored"},))

    def _undo(self, deed: Undo) -> Iterator[_Span]:
        if not 0 <= deed.to_ply < self.match.ply:
            raise ScriptError(f"cannot undo to ply {deed.to_ply}: only {self.match.ply} actions have been played")
        turns: dict[str, int] = {}
        for action in self.match.actions[deed.to_ply :]:
            for sheet, count in action.turns.items():
                turns[sheet] = turns.get(sheet, 0) - count
        turns = {name: _shortest(count, self._scene.board.by_name[name].turns) for name, count in turns.items()}
        seat = self.match.position.seat
        self.match = self.match.undo(deed.to_ply)
        visit = self._visit(seat).do(self._steps(shown(self.match.position), turns))
        yield from self._finish(visit, ({"event": "undo", "to_ply": deed.to_ply},))

    def _shove(self, deed: Shove) -> Iterator[_Span]:
        if deed.site not in self._layout.piles:
            raise ScriptError(f"nothing stands on {deed.site} that could be shoved")
        board, pile = self._scene.board, self._layout.piles[deed.site]
        site = board.sites[deed.site]
        visit = self._visit().hover(0.6, site.at, max(40.0, site.z + height_of(board, pile.pieces)))
        visit.layout = _askew(visit.layout, deed.site, deed)
        yield from self._finish(visit)

    def _steps(self, faces: Mapping[str, Face], turns: Mapping[str, int], layout: Layout | None = None) -> list[Step]:
        now = (layout or self._layout).faces()
        return plan(self._scene.board, now, faces, turns, land_first=bool(self._random.integers(2)))

    def _visit(self, seat: int | None = None) -> Visit:
        hand = self.hands[seat or 0]
        comes_from = hand.comes_from + float(self._random.normal(0, 8))
        outside = out_of_sight(self._scene.camera, comes_from)
        hand = replace(hand, comes_from=comes_from, outside=outside)
        return Visit(self._scene.board, self._layout, hand, self._random)

    def _finish(
        self, visit: Visit, events: tuple[Json, ...] = (), pause: float | None = None, later: float = 0.0
    ) -> Iterator[_Span]:
        strokes = visit.leave()
        if any(event["event"] == "action" for event in events):
            events, self._untold = (*self._untold, *events), []
        self._layout = visit.layout
        yield _Span(tuple(strokes), visit.hand, events, later)
        yield self._rest(self.style.pause if pause is None else pause)

    def _rest(self, seconds: float) -> _Span:
        return _Span((still(self._layout, max(seconds, 1e-3)),), self.hands[0])

    def _action_event(self, action: Action) -> Json:
        return {"event": "action", "ply": self.match.ply, "seat": self.match.position.seat, "action": str(action)}

    def _result(self) -> tuple[Json, ...]:
        outcome = self.match.position.outcome
        return () if outcome is None else ({"event": "result", **outcome.record()},)

    def _draw_hands(self, players: int) -> tuple[Hand, ...]:
        return tuple(
            Hand(
                comes_from,
                str(self._random.choice(SKINS)),
                random_sleeve(self._random),
                float(self._random.uniform(20, 120)),
                bool(self._random.uniform() < 0.15),
                self.style.speed * float(self._random.uniform(0.85, 1.2)),
                self.style.sloppy,
            )
            for comes_from in SEATS[players]
        )


def shown(position: Position) -> dict[str, Face]:
    """All that lies on the table: the position, and beside it the rows of pieces that people count."""
    return {**position.faces(), **beside(position)}


def beside(position: Position) -> Mapping[str, Face]:
    return position.rules.beside(position)


def _askew(layout: Layout, site: str, deed: Play | Shove) -> Layout:
    pile = layout.piles.get(site)
    if pile is None:
        return layout
    return replace(layout, piles={**layout.piles, site: replace(pile, off=deed.off, lean=deed.lean)})


def _last_put(before: Position, after: Position) -> str:
    """A site that shows something new."""
    old, new = before.faces(), after.faces()
    changed = [site for site, face in new.items() if old.get(site) != face]
    return changed[-1] if changed else ""


def _shortest(count: int, turns: int) -> int:
    """The same turn the short way round."""
    count %= turns
    return count - turns if count > turns // 2 else count
