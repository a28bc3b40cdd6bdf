"""How the actions of Triominos are picked: `134 1,0` (a card, then its cell), `buy`."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import Action, Fact, Position
from engine.games.triominos.actions import BUY, Place, Swap, read_site
from engine.games.triominos.cards import CARD_OF, CARDS, FREE, JOKER, JOKER_FACE
from engine.games.triominos.lattice import site
from engine.games.triominos.rules import TriominosPosition
from engine.targets import Spelling


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


SIGNS = (*CARDS, str(BUY))
_FACES = {card: [face for face, other in CARD_OF.items() if other == card] for card in CARDS}


def spell(position: Position, action: Action) -> Spelling:
    match action:
        case Place() | Swap():
            return (frozenset({CARD_OF[action.face]}), frozenset({site(action.cell)}))
        case _:
            return (frozenset({str(action)}),)


def attempt(position: Position, picks: Sequence[str]) -> Action | None:
    assert isinstance(position, TriominosPosition)
    if tuple(picks) == (str(BUY),):
        return BUY
    if picks[0] not in position.candidates(position.mover):
        return None
    cell = min(position.table.frontier) if len(picks) == 1 else read_site(picks[1])
    if cell is None or len(picks) > 2:
        return None
    asked = position.table.asked(cell)
    face = min(_FACES[picks[0]], key=lambda face: _clashes(face, asked))
    if cell == position.table.joker and picks[0] != JOKER:
        return Swap(face, cell)
    return Place(face, cell)


def _clashes(face: str, asked: str) -> int:
    if face == JOKER_FACE:
        return 0
    return sum(want not in (FREE, value) for want, value in zip(asked, face, strict=True))


def label(pick: str) -> tuple[str, dict[str, Fact]] | None:
    if pick == str(BUY):
        return _("Buy a card"), {}
    if pick == JOKER:
        return _("Joker"), {}
    return (_("Card {card}"), {"card": pick}) if pick in _FACES else None


def suppose(position: Position, picks: Sequence[str], viewer: int | None) -> Sequence[Position]:
    """Only the owner sees a rack: to everybody else it may hold any card that is not face up."""
    assert isinstance(position, TriominosPosition)
    if viewer is not None and viewer == position.seat:
        return (position,)
    return (position.witnessed(),)
