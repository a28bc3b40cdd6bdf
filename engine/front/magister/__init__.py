"""Magister Ludi for other programs: games, rules, matches, and the sentences that explain them.

>>> import magister
>>> rules = magister.find_game("rings").configure()
>>> match = magister.Match.begin(rules, players=2, setup={}).play(rules.parse("+a1"))
>>> match.position.seat, len(match.position.legal())
(1, 29)
>>> [magister.sentence(rules.game, refusal, "de") for refusal in match.position.refusals(rules.parse("+a1"))]
['Ein Stein wird nur auf ein freies Feld gesetzt; a1 ist besetzt.']
"""

from __future__ import annotations

from engine.board import Board
from engine.core import (
    Action,
    Game,
    GameError,
    IllegalActionError,
    InvalidActionError,
    InvalidSetupError,
    Outcome,
    Position,
    Refusal,
    Rules,
)
from engine.match import Match
from engine.registry import all_games, find_game, free_fiducials, register, unregister
from engine.words import LANGUAGES, say, sentence

__all__ = [
    "LANGUAGES",
    "Action",
    "Board",
    "Game",
    "GameError",
    "IllegalActionError",
    "InvalidActionError",
    "InvalidSetupError",
    "Match",
    "Outcome",
    "Position",
    "Refusal",
    "Rules",
    "all_games",
    "find_game",
    "free_fiducials",
    "register",
    "say",
    "sentence",
    "unregister",
]
