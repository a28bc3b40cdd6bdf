"""Reasons for an action: facts about the position before and after it that anyone can check against the rules.

"Could win next" and "threatens" mean: if it were that player's turn on the table as it stands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from math import dist

from engine.board import turned
from engine.core import COLOURS, Action, Fact, Position, Remark, Word
from engine.players.search import SURE, WIN, Thought
from engine.players.words import REASONS
from engine.words import say


@dataclass(frozen=True, slots=True)
class Reason:
    """One fact: its code, the sites it is about, and its sentence."""

    code: str
    text: str
    facts: Mapping[str, Fact] = field(default_factory=dict)
    sites: tuple[str, ...] = ()

    def say(self, language: str = "en", colours: Mapping[str, str] | None = None) -> str:
        """The sentence; `colours` maps the colours of the rules to those in use."""
        return tell(self.text, language, self.facts, colours)


def tell(text: str, language: str, facts: Mapping[str, Fact], colours: Mapping[str, str] | None = None) -> str:
    """A sentence with a capital, in the colours of the table."""
    shown = {
        name: Word((colours or {}).get(fact, fact)) if isinstance(fact, Word) else fact for name, fact in facts.items()
    }
    told = say(text, language, **shown)
    return told[:1].upper() + told[1:]


def reasons(position: Position, action: Action, thought: Thought) -> list[Reason]:
    """Reasons for an action, most telling first; the facts hold in this position, which the player knows."""
    if len(position.legal()) == 1:
        return [_reason("single")]
    found = list(_final(position, action)) or [*_defence(position, action), *_attack(position, action, thought)]
    if not any(reason.code == "wins" for reason in found):
        found += remarked(position, action)
        found += _safety(position, action)
    if not found:
        code = "hopeless" if _is_lost(position, thought) else "best"
        found = [_reason(code, number=thought.depth)]
    return found


def _reason(code: str, sites: tuple[str, ...] = (), **facts: Fact) -> Reason:
    return Reason(code, REASONS[code], facts, sites)


def _final(position: Position, action: Action) -> Iterator[Reason]:
    outcome = position.after(action).outcome
    if outcome is None or position.seat not in outcome.winners:
        return
    sites = changed_sites(position, action)
    if len(outcome.winners) > 1:
        yield _reason("shares", sites)
    else:
        ending = position.rules.game.endings[outcome.by]
        yield Reason("wins", ending.sentence, {"winner": Word(COLOURS[position.seat])}, sites)


def _is_lost(position: Position, thought: Thought) -> bool:
    """Whether nothing helps. Of three and more, two might work together in thought and not at the table: there it is
    sure only that the next player wins at once."""
    return thought.best.value <= (-SURE if position.players == 2 else 2 - WIN)


def rivals(position: Position) -> list[int]:
    """The other players who are still in the match, in the order of their turns."""
    out = position.view(None).get("out", ())
    mover = position.seat or 0
    following = ((mover + step) % position.players for step in range(1, position.players))
    return [seat for seat in following if seat not in out]


def threat(position: Position, seat: int) -> Action | None:
    """How this player would win if it were their turn."""
    return position.rules.winning(position.turned_to(seat))


def _defence(position: Position, action: Action) -> Iterator[Reason]:
    after = position.after(action)
    left = rivals(after.turned_to(position.seat or 0)) if after.outcome is None else []
    for seat in rivals(position):
        winning = threat(position, seat)
        if winning is None or (seat in left and threat(after, seat) is not None):
            continue
        sites = changed_sites(position.turned_to(seat), winning)
        facts: dict[str, Fact] = {"colour": Word(COLOURS[seat]), "action": str(winning)}
        sheet = sheet_of(position.turned_to(seat), winning, sites)
        if sheet is None:
            yield _reason("stops", sites, **facts)
        else:
            yield _reason("stops.there", sites, **facts, region=Word(position.rules.game.regions[sheet]))
    yield from _narrow(position, action)


def _narrow(position: Position, action: Action) -> Iterator[Reason]:
    """How few actions do not let the next player win at once."""
    legal = position.legal()
    holding = [each for each in legal if _holds(position, each)]
    if action not in holding or 2 * len(holding) > len(legal):
        return
    if len(holding) == 1:
        yield _reason("only")
    else:
        yield _reason("few", number=len(holding), count=len(legal))


def _holds(position: Position, action: Action) -> bool:
    after = position.after(action)
    if after.outcome is not None:
        return position.seat in after.outcome.winners
    return position.rules.winning(after) is None


def _attack(position: Position, action: Action, thought: Thought) -> Iterator[Reason]:
    seat, rules = position.seat, position.rules
    after = position.after(action)
    assert seat is not None
    if after.outcome is not None or rules.winning(after) is not None:
        return
    value = next(scored.value for scored in thought.ranked if scored.action == action)
    if value >= SURE and position.players == 2:
        yield _reason("leads", number=(WIN - value + 1) // 2)
    winning = threat(after, seat)
    if winning is None:
        return
    yield _reason("threatens", changed_sites(after.turned_to(seat), winning), action=str(winning))
    if position.players == 2:
        answers = after.legal()
        good = sum(_stops_it(after.after(each), seat) for each in answers)
        if 2 * good <= len(answers):
            yield _reason("answers", number=good, count=len(answers)) if good else _reason("forced")


def _stops_it(reply: Position, seat: int) -> bool:
    """Whether after this answer the player has not won and cannot win at once."""
    if reply.outcome is not None:
        return reply.outcome.winners != (seat,)
    return reply.rules.winning(reply) is None


def remarked(position: Position, action: Action) -> Iterator[Reason]:
    """What the game itself says of an action."""
    sentences = position.rules.game.remarks
    for remark in position.rules.remarks(position, action):
        yield Reason(remark.code, sentences[remark.code], remark.facts, remark.sites)


def _safety(position: Position, action: Action) -> Iterator[Reason]:
    """What can be taken from whom next, before and after."""
    seat = position.seat
    after = position.after(action)
    assert seat is not None
    if after.outcome is not None:
        return
    before_open, after_open = exposed(position, seat), exposed(after.turned_to(seat), seat)
    if before_open and not after_open:
        yield _reason("guards", tuple(sorted(before_open)))
    elif len(after_open) < len(before_open):
        yield _reason("saves", number=len(after_open), count=len(before_open))
    known = {remark.sites for _, remark in takings(position)}
    for again, remark in takings(after.turned_to(seat)):
        if remark.sites not in known:
            yield _reason("attacks", remark.sites, action=str(again))
            return


def takings(position: Position) -> Iterator[tuple[Action, Remark]]:
    """Every action that costs another player something, with the remark that says so."""
    for action in position.legal():
        for remark in position.rules.remarks(position, action):
            if remark.victim not in (None, position.seat) and remark.sites:
                yield action, remark


def exposed(position: Position, seat: int) -> set[str]:
    """The sites of the pieces that one of the others could take from this player next."""
    found: set[str] = set()
    for other in rivals(position.turned_to(seat)):
        for action, remark in takings(position.turned_to(other)):
            if remark.victim == seat:
                found.update(_stood(position, action, remark.sites))
    return found


def _stood(position: Position, action: Action, sites: Collection[str]) -> set[str]:
    """Where the pieces stand now that an action takes on these sites: it may have turned a sheet under them first."""
    if not action.turns:
        return set(sites)
    board = position.rules.game.board(position.players)
    sheets = {sheet.name: sheet for sheet in board.sheets}
    found: set[str] = set()
    for site in sites:
        here = board.sites[site]
        if steps := action.turns.get(here.sheet):
            sheet = sheets[here.sheet]
            at = turned(here.at, -360 * steps / sheet.turns, sheet.centre)
            beside = [name for name, each in board.sites.items() if each.sheet == sheet.name]
            site = min(beside, key=lambda name: dist(board.sites[name].at, at))
        found.add(site)
    return found


def changed_sites(position: Position, action: Action) -> tuple[str, ...]:
    """The sites that show something else after an action."""
    old, new = position.faces(), position.after(action).faces()
    return tuple(site for site in {**old, **new} if old.get(site) != new.get(site))


def sheet_of(position: Position, action: Action, sites: Collection[str]) -> str | None:
    """The sheet on which an action mainly happens, if the game has a name for it."""
    named = position.rules.game.regions
    if not named:
        return None
    home = position.rules.game.board(position.players).sites
    colour = COLOURS[position.seat or 0]
    own = [home[site].sheet for site, face in position.after(action).faces().items() if face.kind == colour]
    held = [home[site].sheet for site in sites]
    # As many here as there: then it is about the sheet on which the player has more.
    return max(
        (sheet for sheet in named if sheet in held), key=lambda each: (held.count(each), own.count(each)), default=None
    )
