"""Dimenticato: figures on a double track hide the dice that say how far they go."""

from __future__ import annotations

from engine.core import Game, Option
from engine.games.dimenticato.board import FIDUCIALS, lay_out, mat_board
from engine.games.dimenticato.faces import FACES
from engine.games.dimenticato.rules import Dimenticato
from engine.games.dimenticato.words import BRIEF, ENDINGS, PARTS, REMARKS, SENTENCES, TAP


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


GAMES: tuple[Game, ...] = (
    Game(
        name="dimenticato",
        title="Dimenticato",
        hides=True,
        covers=True,
        seats_printed=True,
        memories=frozenset({"known"}),
        surveyed=True,
        setup_readers=("dice",),
        make=Dimenticato,
        bare_board=mat_board,
        dress=lay_out,
        fiducials=FIDUCIALS,
        faces=FACES,
        options=(Option("extra_lap", _("A figure may pass its own big card and run another lap.")),),
        endings=ENDINGS,
        parts=PARTS,
        sentences=SENTENCES,
        brief=BRIEF,
        tap=TAP,
        remarks=REMARKS,
        opener=_("The youngest player begins."),
    ),
)
