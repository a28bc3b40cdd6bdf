"""Analysis of the matches on disk, for the page: cached as long as nothing is added."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from threading import Lock

from engine.core import COLOURS, Action, GameError, Json, Position
from engine.face import EMPTY, spelled
from engine.players.analysis import Judgement, chance
from engine.players.facts import changed_sites, reasons
from engine.players.hidden import ponder
from engine.words import sentence
from firmware.log.analysis import MARKS, chances, judged
from firmware.log.match.history import History
from firmware.log.match.seating import Seating
from firmware.log.store import LogError, Store
from webui.house import NoSuchMatchError

NODES = 400
"""Nodes per position: a graph needs no deep search, and the page must stay fast."""
KEPT = 64
"""Number of analyses to cache."""
LONGEST = 40
"""Actions that can be tried out, one after the other."""


@dataclass(frozen=True)
class Analysed:
    history: History
    judgements: Sequence[Judgement]
    chances: Sequence[Sequence[float]]

    @property
    def first(self) -> int:
        """The moment at which the last position that was set by hand, or the start, is seen."""
        return len(self.history.earlier)


class StoredAnalysis:
    """Analyses matches of a log."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        self._known: OrderedDict[tuple[int, int], Analysed] = OrderedDict()

    def evaluations(self, number: int) -> Sequence[Sequence[float]]:
        """Each seat's chance of winning at every position of a match, from 0 to 1."""
        return self._analysed(number).chances

    def judgements(self, number: int, language: str) -> Sequence[Json]:
        """What each action was worth: see `webui.house.Analyst`."""
        found = self._analysed(number)
        return [_judgement(found, each, language) for each in found.judgements]

    def what_if(self, number: int, moment: int, tried: Sequence[str], language: str) -> Json:
        """The table after these actions, played from a moment of a match: see `webui.house.Analyst`."""
        history = self._history(number)[0]
        ply = moment - len(history.earlier)
        if not 0 <= ply < len(history.match.positions) or len(tried) > LONGEST:
            raise NoSuchMatchError(f"match {number} cannot be played on from moment {moment}")
        earlier = list(history.match.positions[: ply + 1])
        for text in tried:
            refusal = _refusal(earlier[-1], text, language)
            if refusal:
                return {"refusal": refusal}
            earlier.append(earlier[-1].play(earlier[-1].rules.parse(text)))
        return {"refusal": "", **_table(history, earlier, ply, tried), **_advice(earlier, number, language)}

    def _history(self, number: int) -> tuple[History, tuple[int, int]]:
        try:
            with Store(self._path, read_only=True) as store:
                return store.history(number), (number, store.length(number))
        except LogError as error:
            raise NoSuchMatchError(str(error)) from error

    def _analysed(self, number: int) -> Analysed:
        history, key = self._history(number)
        # One at a time: several viewers of the same match wait for one analysis.
        with self._lock:
            if key not in self._known:
                judgements = judged(history, NODES)
                self._known[key] = Analysed(history, judgements, chances(history, judgements))
                while len(self._known) > KEPT:
                    self._known.popitem(last=False)
            return self._known[key]


def _judgement(found: Analysed, each: Judgement, language: str) -> Json:
    position = found.history.match.positions[each.ply]
    return {
        "moment": found.first + each.ply,
        "seat": each.seat,
        "action": each.action,
        "mark": MARKS.get(each.kind or "", ""),
        "comment": each.comment(language),
        "chance": round(each.chance, 3),
        "best": each.best,
        "best_chance": round(each.best_chance, 3),
        **_pointed(position, position.rules.parse(each.best)),
    }


def _pointed(position: Position, action: Action) -> Json:
    """Where an action shows on the board, and the arrow along which its piece goes, if it is one piece that goes."""
    if action not in position.legal():
        return {"sites": [], "arrow": []}
    old, new = position.faces(), position.after(action).faces()
    sites, colour = changed_sites(position, action), COLOURS[position.seat or 0]
    left = [site for site in sites if old.get(site, EMPTY).kind == colour and new.get(site, EMPTY).kind != colour]
    come = [site for site in sites if new.get(site, EMPTY).kind == colour and old.get(site, EMPTY).kind != colour]
    return {"sites": list(sites), "arrow": [*left, *come] if len(left) == len(come) == 1 else []}


def _refusal(position: Position, text: str, language: str) -> str:
    """Why an action cannot be played; empty if it can."""
    try:
        refusals = position.refusals(position.rules.parse(text))
    except GameError as error:
        return str(error)
    return sentence(position.rules.game, refusals[0], language) if refusals else ""


def _table(history: History, positions: Sequence[Position], ply: int, tried: Sequence[str]) -> Json:
    """What the table shows, in the colours in use."""
    position, turns = positions[-1], dict(history.turns[ply])
    for text in tried:
        for sheet, steps in position.rules.parse(text).turns.items():
            turns[sheet] = turns.get(sheet, 0) + steps
    seating = Seating(history.players)
    return {
        "faces": spelled(seating.on_table(position.faces(), position.rules.game.faces)),
        "turns": turns,
        "seat": position.seat,
        "legal": sorted(map(str, position.legal())),
        "over": position.outcome is not None,
    }


def _advice(positions: Sequence[Position], seed: int, language: str) -> Json:
    """What the player to move should play now."""
    *earlier, position = positions
    if position.outcome is not None or not position.legal():
        return {"best": "", "best_chance": None, "why": "", "sites": [], "arrow": []}
    thought = ponder(position, earlier=earlier, random=Random(seed), nodes=NODES)
    best = thought.best
    why = reasons(position, best.action, thought) if best.action in position.legal() else []
    return {
        "best": str(best.action),
        "best_chance": round(chance(best.value, position.players), 3),
        "why": " ".join(reason.say(language) for reason in why[:2]),
        **_pointed(position, best.action),
    }
