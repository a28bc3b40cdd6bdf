"""My First Triominos: triangular cards laid side to side so that the values at their corners agree."""

from __future__ import annotations

from engine.core import Game
from engine.games.triominos.board import build_board
from engine.games.triominos.faces import FACES
from engine.games.triominos.rules import Triominos
from engine.games.triominos.words import BRIEF, REMARKS, SENTENCES

GAMES: tuple[Game, ...] = (
    Game(
        name="triominos",
        title="My First Triominos",
        make=Triominos,
        board=build_board,
        faces=FACES,
        sentences=SENTENCES,
        brief=BRIEF,
        remarks=REMARKS,
    ),
)
