"""My First Triominos: triangular cards laid side to side so that the values at their corners agree."""

from __future__ import annotations

from engine.core import Game
from engine.games.triominos.board import FIDUCIALS, build_board
from engine.games.triominos.faces import CHIP, FACES
from engine.games.triominos.rules import Triominos
from engine.games.triominos.words import BRIEF, COUNTED, ENDINGS, LYING, PARTS, REMARKS, ROWS, SENTENCES, TAP

GAMES: tuple[Game, ...] = (
    Game(
        name="triominos",
        title="My First Triominos",
        hides=True,
        placeable=False,
        make=Triominos,
        bare_board=build_board,
        fiducials=FIDUCIALS,
        faces=FACES,
        endings=ENDINGS,
        parts=PARTS,
        counted=COUNTED,
        sentences=SENTENCES,
        brief=BRIEF,
        tap=TAP,
        remarks=REMARKS,
        lying=LYING,
        rows=ROWS,
        row_face=FACES[CHIP],
        luck=True,
        surveyed=True,
        anonymous=True,
    ),
)
