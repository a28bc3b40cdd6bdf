"""Nine Fields: the smallest complete game. Whoever has three pawns in a row wins."""

from __future__ import annotations

from engine.core import Game

from .board import FIDUCIALS, build_board
from .rules import FACES, NineFields
from .words import BRIEF, COUNTED, ENDINGS, PARTS, SENTENCES

GAMES = (
    Game(
        name="nine-fields",
        title="Nine Fields",
        make=NineFields,
        bare_board=build_board,
        fiducials=FIDUCIALS,
        faces=FACES,
        endings=ENDINGS,
        parts=PARTS,
        counted=COUNTED,
        sentences=SENTENCES,
        brief=BRIEF,
        seats=(2,),
    ),
)
