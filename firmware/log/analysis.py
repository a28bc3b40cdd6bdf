"""Analysis of a logged match: what each action was worth, as a table, as data, or as comments in its notation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.core import Json
from engine.players.analysis import NODES, Judgement, analyse, graph
from firmware.log.exchange.notation import ScoreSheet, score_of, write_notation
from firmware.log.match.history import History
from firmware.log.match.record import Comment, Entry, Played

MARKS = {"missed-win": "??", "missed-stop": "??", "better": "?"}


def judged(history: History, nodes: int = NODES) -> list[Judgement]:
    """Every action not taken back, since the start or since the position was last set by hand."""
    return list(analyse(history.match, seed=history.saved.id, nodes=nodes))


def as_lines(history: History, judgements: Sequence[Judgement], language: str) -> Iterator[str]:
    """The match for a terminal: one action per line, with the mover's chance of winning after it."""
    for each in judgements:
        mark = MARKS.get(each.kind or "", "")
        told = f"{each.ply + 1:4}. {history.players[each.seat].colour:<7} {each.action + mark:<18} {each.chance:4.0%}"
        yield f"{told}  {each.comment(language)}".rstrip()


def as_data(history: History, judgements: Sequence[Judgement], language: str) -> Json:
    """The same for programs."""
    return {
        "id": history.saved.id,
        "game": history.saved.game,
        "players": [player.record() for player in history.players],
        "actions": [each.record(language) for each in judgements],
        "graph": graph(judgements),
    }


def chances(history: History, judgements: Sequence[Judgement]) -> list[list[float]]:
    """Each seat's chance of winning at every position: the mover's is evaluated, the rest is shared."""
    players = len(history.players)
    found = [[1 / players] * players]
    for each in judgements:
        found.append(_shared(found[-1], each))
    winner = (history.result or {}).get("winner")
    if winner is not None and judgements:
        winners = winner if isinstance(winner, list) else [winner]
        found[-1] = [1 / len(winners) if seat in winners else 0.0 for seat in range(players)]
    lead = [[1 / players] * players] * len(history.earlier)
    return [[round(share, 3) for share in moment] for moment in [*lead, *found]]


def _shared(before: Sequence[float], judgement: Judgement) -> list[float]:
    """The chances after the mover's was evaluated: the others keep their proportions."""
    rest = 1 - judgement.chance
    others = sum(share for seat, share in enumerate(before) if seat != judgement.seat)
    shares = [share * rest / others if others else rest / (len(before) - 1) for share in before]
    shares[judgement.seat] = judgement.chance
    return shares


def commented(history: History, language: str) -> str:
    """The match in text notation, with a comment after every action that deserves one."""
    return write_notation(annotate(score_of(history), judged(history), language))


def annotate(score: ScoreSheet, judgements: Sequence[Judgement], language: str) -> ScoreSheet:
    """A score sheet with comments on its last actions."""
    entries: list[Entry] = []
    left = sum(isinstance(entry, Played) for entry in score.entries) - len(judgements)
    told = iter(judgements)
    for entry in score.entries:
        entries.append(entry)
        if not isinstance(entry, Played):
            continue
        left -= 1
        if left < 0 and (comment := next(told).comment(language)):
            entries.append(Comment(comment))
    return replace(score, entries=tuple(entries))
