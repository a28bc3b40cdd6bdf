"""Rings, on screen Trois Anneaux: lines of three pawns on three concentric rings that turn."""

from __future__ import annotations

from engine.core import Game, Option
from engine.games.rings.board import FIDUCIALS, build_board
from engine.games.rings.faces import FACES
from engine.games.rings.rules import RING_LINE_CHOICES, Rings
from engine.games.rings.words import BRIEF, COUNTED, ENDINGS, PARTS, REGIONS, REMARKS, SENTENCES, TAP


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


GAMES: tuple[Game, ...] = (
    Game(
        name="rings",
        title="Trois Anneaux",
        make=Rings,
        bare_board=build_board,
        fiducials=FIDUCIALS,
        faces=FACES,
        options=(
            Option(
                "flying",
                _("With an empty reserve and at most four pawns on the track, one of them must fly to any free cell."),
            ),
            Option(
                "ring_line_choice",
                _("Which way to look first if a pawn completes more than one line on its ring: only the first counts."),
                RING_LINE_CHOICES,
                {
                    "first-clockwise": _("the first one clockwise"),
                    "first-counterclockwise": _("the first one counterclockwise"),
                },
            ),
        ),
        endings=ENDINGS,
        parts=PARTS,
        counted=COUNTED,
        sentences=SENTENCES,
        brief=BRIEF,
        tap=TAP,
        remarks=REMARKS,
        regions=REGIONS,
    ),
)
