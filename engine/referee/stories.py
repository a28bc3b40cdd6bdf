"""Finding the way back: what may have happened when nothing explains the table from where the match seemed to stand.

The referee may have misunderstood something before, or a player may have taken an action back and played another in one
go. A story is a short course from any position that was ever accepted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest

from engine.core import Position
from engine.match import Match
from engine.referee.evidence import Evidence
from engine.referee.explain import FIRSTS, GOOD, Explanation, Lead, effects, explain, follow
from engine.referee.stands import Effect, Stand
from engine.referee.story import Story

LIKE = 6
"""From so many earlier positions, those most like what is seen, two actions in a row are tried."""
MOST = 3
"""How many stories are told at most."""


@dataclass(frozen=True)
class RatedStory:
    """A story that explains what is seen, and with how much surprise."""

    surprise: float
    story: Story


def find_stories(
    match: Match,
    stands: Sequence[Stand],
    evidence: Evidence,
    inferred: Collection[int] = frozenset(),
    known: Sequence[Story] = (),
) -> list[RatedStory]:
    """The stories that explain what is seen, likeliest first: `known` ones played on come before all others."""
    found = [told for story in known for told in _from(match, stands, evidence, story.to_ply, story.actions)]
    if not found:
        # What was only inferred goes with what it was inferred from.
        origins = [ply for ply in range(match.ply + 1) if ply == match.ply or ply - 1 not in inferred]
        few = 1 if match.rules.game.anonymous else LIKE
        likest = {match.ply, *sorted(origins, key=lambda ply: (evidence.surprise(stands[ply]), -ply))[:few]}
        for ply in origins:
            found += (_pairs if ply in likest else _from)(match, stands, evidence, ply)
    if not found and not match.rules.game.anonymous:
        found += _three(match, stands, evidence)
    return _likeliest(found, match.ply)


def mended(match: Match, stands: Sequence[Stand], evidence: Evidence, inferred: Collection[int]) -> list[RatedStory]:
    """If the last action was taken to follow others that nobody saw: what explains what is seen if it was a mistake
    instead, which people have taken back and put right in one go."""
    ply = match.ply - 1
    if ply - 1 not in inferred:
        return []
    while ply - 1 in inferred:
        ply -= 1
    return _likeliest(list(_from(match, stands, evidence, ply)), match.ply)


def is_clear(told: Sequence[RatedStory], ply: int, margin: float) -> bool:
    """Whether the first story is simpler, or fits clearly better, than the next."""
    if len(told) < 2:
        return bool(told)
    first, second = told[:2]
    return first.story.length(ply) < second.story.length(ply) or second.surprise - first.surprise >= margin


def _from(match: Match, stands: Sequence[Stand], evidence: Evidence, ply: int, lead: Lead = ()) -> Iterator[RatedStory]:
    """Some actions from this position, and one more."""
    position, stand = follow(match.positions[ply], stands[ply], lead)
    now = evidence.surprise(stand)
    singles = [Explanation(now + evidence.change(stand, each), (each.action,)) for each in effects(position)]
    yield from _good(match, ply, lead, (position, stand), evidence, singles)


def _pairs(
    match: Match, stands: Sequence[Stand], evidence: Evidence, ply: int, lead: Lead = ()
) -> Iterator[RatedStory]:
    """Some actions from this position, and one or two more."""
    position, stand = follow(match.positions[ply], stands[ply], lead)
    if position.rules.game.anonymous:
        # Two actions in one picture are no turn there, so `explain` does not look for them.
        yield from _from(match, stands, evidence, ply, lead)
        for first in _likely(position, stand, evidence):
            yield from _from(match, stands, evidence, ply, (*lead, first.action))
    else:
        yield from _good(match, ply, lead, (position, stand), evidence, explain(position, stand, evidence))


def _three(match: Match, stands: Sequence[Stand], evidence: Evidence) -> Iterator[RatedStory]:
    """Three actions from the present position."""
    for first in _likely(match.position, stands[match.ply], evidence):
        yield from _pairs(match, stands, evidence, match.ply, (first.action,))


def _likely(position: Position, stand: Stand, evidence: Evidence) -> list[Effect]:
    """The actions that explain most of what differs."""
    return nsmallest(FIRSTS, effects(position), key=lambda effect: evidence.change(stand, effect))


def _good(
    match: Match,
    ply: int,
    lead: Lead,
    start: tuple[Position, Stand],
    evidence: Evidence,
    courses: Sequence[Explanation],
) -> Iterator[RatedStory]:
    """The courses that explain what is seen, as stories; one that repeats accepted actions begins after them."""
    position, stand = start
    for course in nsmallest(MOST, courses, key=lambda course: course.surprise):
        actions = (*lead, *course.actions)
        if not course.actions or (ply < match.ply and actions[0] == match.actions[ply]):
            continue
        if evidence.strain(follow(position, stand, course.actions)[1]) <= GOOD:
            yield RatedStory(course.surprise, Story(ply, actions))


def _likeliest(found: Sequence[RatedStory], ply: int) -> list[RatedStory]:
    """The simplest first and, among equally simple ones, the best fit first; each once."""
    once: dict[Story, RatedStory] = {}
    for told in sorted(found, key=lambda each: (each.story.length(ply), each.surprise, str(each.story))):
        once.setdefault(told.story, told)
    return list(once.values())[:MOST]
