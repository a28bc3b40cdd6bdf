"""Memento: colour markers on stacks of stones, on four turnable triangles (MEMENTO TUOS and memento ludis)."""

from __future__ import annotations

from functools import partial

from engine.core import Game, Option
from engine.games.memento.board import FIDUCIALS, build_board
from engine.games.memento.faces import FACES
from engine.games.memento.points import PASSAGES
from engine.games.memento.rules import Memento
from engine.games.memento.words import BRIEF, COUNTED, ENDINGS, PARTS, REGIONS, REMARKS, SENTENCES, TAP


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


_OPTIONS = (
    Option("constellation_links", _("Three corners that touch are neighbours of one another.")),
    Option("facing_medians", _("Two medians that face each other across an edge are neighbours.")),
    Option(
        "passage",
        _("How open the edge of the board is: closed, open for a step, open to a straight slide, or wide open."),
        ("straight", *(value for value in PASSAGES if value != "straight")),
        {
            "straight": _("open to a straight slide"),
            "closed": _("closed"),
            "step": _("open for one step"),
            "wide": _("wide open"),
        },
    ),
)

GAMES: tuple[Game, ...] = (
    Game(
        name="memento-tuos",
        title="MEMENTO TUOS",
        make=Memento,
        fiducials=FIDUCIALS,
        faces=FACES,
        bare_board=partial(build_board, "memento-tuos", "MEMENTO TUOS"),
        options=_OPTIONS,
        variants={_("original"): {}, _("complex"): {"passage": "wide"}, _("simple"): {"passage": "step"}},
        endings=ENDINGS,
        parts=PARTS,
        counted=COUNTED,
        sentences=SENTENCES,
        brief=BRIEF,
        tap=TAP,
        remarks=REMARKS,
        regions=REGIONS,
    ),
    Game(
        name="memento-ludis",
        title="memento ludis",
        make=Memento,
        fiducials=FIDUCIALS,
        faces=FACES,
        bare_board=partial(build_board, "memento-ludis", "memento ludis"),
        options=_OPTIONS,
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
