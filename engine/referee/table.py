"""The referee at one table: `step(table, event)` gives the table afterwards, with what there is to say.

A picture counts once it has stood unchanged, with no hand over the board, for a few frames. A legal action is accepted
as soon as that is so; what no legal action explains is called illegal only after a grace, because it may be half done.
Time comes with the events.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.core import Action, Json, Refusal
from engine.match import Match
from engine.referee.explain import Evidence, Explanation, Stand, explain, is_unfinished, played_twice
from engine.referee.news import Accepted, Ended, Illegal, News, Plain, Unclear, Undone, Unfinished
from engine.referee.reading import EMPTY, Reading, guess


@dataclass(frozen=True, kw_only=True)
class Patience:
    """How long the referee waits, and how sure it must be."""

    frames: int = 3
    """So many like pictures in a row settle a position …"""
    seconds: float = 0.6
    """… or like pictures for so long, whichever is shorter."""
    busy: float = 2.0
    """Seconds that a position must stand while something still moves beside the board: a second piece may follow."""
    calm: float = 0.15
    """Seconds without any motion after which nobody is busy."""
    grace: float = 1.5
    """Seconds that a position which no legal action explains may stand before it is called illegal."""
    lying: float = 2.0
    """Seconds after which what covers the board unmoved counts as left lying, not as a hand."""
    good: float = 5.0
    """An explanation that surprises more than this is none."""
    margin: float = 3.0
    """By so much must the best explanation be better than the next for it to be clear."""


@dataclass(frozen=True)
class Seen:
    """A look at the table; no reading means that the board is not to be seen."""

    seconds: float
    reading: Reading | None
    restless: bool = False
    """Whether something moves in the picture, be it beside the board: somebody may still be busy."""


@dataclass(frozen=True, slots=True)
class Settling:
    """Like pictures in a row."""

    key: object
    since: float
    frames: int


@dataclass(frozen=True)
class Table:
    """A match under the referee's eye. A value: every step makes another one."""

    match: Match
    stands: tuple[Stand, ...]
    """What the table showed at each ply, from the start to now."""
    patience: Patience = Patience()
    settling: Settling | None = None
    covered: Settling | None = None
    moved: float = float("-inf")
    """When something last moved in the picture."""
    said: object = None
    """The picture about which something has been said already."""
    troubled: bool = False
    """Whether the table shows something other than the last accepted position, and that was said."""
    lost: bool = False
    rejected: tuple[Action, ...] = ()
    """Actions that a person has taken back: the same picture must not bring them in again."""
    closed: bool = False
    """Whether the players have ended the match: by resigning, or by agreeing a draw."""
    news: tuple[News, ...] = ()
    """What this step has to say."""

    @classmethod
    def begin(cls, match: Match, turns: Mapping[str, int], patience: Patience | None = None) -> Table:
        """A match that starts with the turnable sheets in these positions."""
        return cls(match, (Stand(match.position.faces(), dict(turns)),), patience or Patience())

    @property
    def stand(self) -> Stand:
        return self.stands[-1]

    def records(self) -> list[Json]:
        """The news as the event log writes them."""
        return [each.record(self.match) for each in self.news]


def step(table: Table, event: Seen) -> Table:
    """The table after an event."""
    table = replace(table, news=(), moved=event.seconds if event.restless else table.moved)
    if table.closed:
        return table
    if event.reading is None:
        return table if table.lost else replace(table, lost=True, settling=None, news=(Plain("lost"),))
    if table.lost:
        table = replace(table, lost=False, news=(Plain("found"),))
    if _hand_over(table, event, event.reading):
        return replace(table, settling=None, covered=_settled_on(table.covered, event.reading.hidden, event.seconds))
    evidence = Evidence(event.reading)
    ranked = explain(table.match.position, table.stand, evidence, table.stands[:-1], table.patience.good)
    best = choose(ranked)
    reachable = best.surprise <= table.patience.good
    key: object = (best.actions, best.to_ply) if reachable else _picture(event.reading, evidence, table.stand)
    settling = _settled_on(table.settling, key, event.seconds)
    table = replace(table, settling=settling)
    waited = event.seconds - settling.since
    if not _has_settled(table, settling, waited, event.seconds - table.moved):
        return table
    if not reachable:
        return _unreachable(table, event.reading, evidence, min(waited, event.seconds - table.moved))
    if best.to_ply is not None:
        return undo(table, best.to_ply)
    if not best.actions:
        return _steady(table)
    if best.actions == table.rejected:
        return table
    rivals = _rivals(ranked, best, table.patience.margin)
    return _ask(table, rivals) if len(rivals) > 1 else accept(table, best.actions)


def _hand_over(table: Table, event: Seen, reading: Reading) -> bool:
    """Whether something over the board is still to be waited for: a thing left lying is not."""
    if reading.moving:
        return True
    if not reading.covered and not reading.hidden:
        return False
    lying = table.covered
    return lying is None or lying.key != reading.hidden or event.seconds - lying.since < table.patience.lying


def _has_settled(table: Table, settling: Settling, waited: float, calm: float) -> bool:
    patience = table.patience
    if calm < patience.calm:
        return waited >= patience.busy
    return settling.frames >= patience.frames or waited >= patience.seconds


def _settled_on(before: Settling | None, key: object, seconds: float) -> Settling:
    if before is not None and before.key == key:
        return replace(before, frames=before.frames + 1)
    return Settling(key, seconds, 1)


def choose(ranked: Sequence[Explanation]) -> Explanation:
    """The best explanation; where an undo is no better than nothing or an action, that was it."""
    best = ranked[0]
    if best.to_ply is None:
        return best
    alike = [each for each in ranked if each.surprise - best.surprise < 0.5]
    plain = [each for each in alike if each.to_ply is None]
    return plain[0] if plain else max(alike, key=lambda each: each.to_ply or 0)


def _rivals(ranked: Sequence[Explanation], best: Explanation, margin: float) -> tuple[Action, ...]:
    """The first actions of all explanations that are hardly worse than the best."""
    close = [each for each in ranked if each.actions and each.surprise - best.surprise < margin]
    alone = [each for each in close if len(each.actions) == len(best.actions)]
    return tuple(dict.fromkeys(each.actions[0] for each in alone))


def _picture(reading: Reading, evidence: Evidence, stand: Stand) -> object:
    """What is different from the last accepted position, as far as it was seen."""
    sites = tuple((site, guess(reading.sites[site]).best) for site in evidence.differing(stand))
    return sites, tuple(reading.turn(name)[0] for name in reading.sheets)


def accept(table: Table, actions: Sequence[Action]) -> Table:
    """The table once these legal actions have been played, one after the other."""
    match, stands, news = table.match, list(table.stands), list(table.news)
    for action in actions:
        seat = match.position.seat
        assert seat is not None
        news.append(Accepted(match.ply, seat, action))
        match = match.play(action)
        turns = dict(stands[-1].turns)
        for name, steps in action.turns.items():
            turns[name] = turns.get(name, 0) + steps
        stands.append(Stand(match.position.faces(), turns))
    if match.position.outcome is not None:
        news.append(Ended(match.position.outcome))
    return replace(table, match=match, stands=tuple(stands), news=tuple(news), said=None, troubled=False, settling=None)


def undo(table: Table, to_ply: int) -> Table:
    """The table back at an earlier position of the match."""
    calm = replace(table, said=None, troubled=False, settling=None, rejected=())
    return replace(
        calm,
        match=table.match.undo(to_ply),
        stands=table.stands[: to_ply + 1],
        news=(*table.news, Undone(to_ply)),
    )


def _steady(table: Table) -> Table:
    table = replace(table, rejected=())
    if not table.troubled:
        return table
    return replace(table, troubled=False, said=None, news=(*table.news, Plain("restored")))


def _ask(table: Table, actions: tuple[Action, ...]) -> Table:
    said = ("unclear", frozenset(actions))
    if table.said == said:
        return table
    return replace(table, said=said, troubled=True, news=(*table.news, Unclear(actions)))


def _unreachable(table: Table, reading: Reading, evidence: Evidence, waited: float) -> Table:
    assert table.settling is not None
    key = table.settling.key
    if waited < table.patience.grace:
        if table.said == ("unfinished", key):
            return table
        if not is_unfinished(table.match.position, table.stand, evidence, table.patience.good):
            return table
        half_done = Unfinished(evidence.differing(table.stand))
        return replace(table, said=("unfinished", key), troubled=True, news=(*table.news, half_done))
    if table.said == ("illegal", key):
        return table
    position = table.match.position
    refusals = _blame(table, reading, evidence)
    news = (*table.news, Illegal(position.seat, refusals))
    return replace(table, said=("illegal", key), troubled=True, news=news)


def _blame(table: Table, reading: Reading, evidence: Evidence) -> tuple[Refusal, ...]:
    """The rules that were broken; where no mistake of the game fits, the sites that differ."""
    position, stand = table.match.position, table.stand
    sites = evidence.differing(stand)
    if position.outcome is not None:
        return (Refusal("game-over", sites),)
    seen = {site: stand.faces[site] for site in stand.faces if site not in reading.sites}
    for site in reading.sites:
        face = guess(reading.sites[site]).best if site in sites else stand.faces.get(site, EMPTY)
        if face != EMPTY:
            seen[site] = face
    turned = {}
    for name, values in reading.sheets.items():
        steps = (reading.turn(name)[0] - stand.turns.get(name, 0)) % len(values)
        if steps:
            turned[name] = steps if 2 * steps <= len(values) else steps - len(values)
    if named := tuple(position.rules.diagnose(position, seen, turned)):
        return named
    rule = "two-actions" if played_twice(position, seen, turned) else "unknown"
    return (Refusal(rule, sites, {"sites": ", ".join(sites or turned)}),)
