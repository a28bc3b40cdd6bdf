"""What the lights show. `hear` and `picture` are pure: the lights follow from what was reported, and when.

Every state can be told from every other without its colour, and with plain LEDs: by how often, how long and together
with what it blinks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from math import cos, pi

from engine.referee.news import (
    Accepted,
    Agreed,
    Ended,
    Illegal,
    LostOnTime,
    News,
    OutOfTime,
    Plain,
    Unclear,
    Undone,
    Unfinished,
)
from engine.referee.table import Table

Rgb = tuple[float, float, float]
"""Red, green and blue, each from 0 to 1."""

BLACK, WHITE = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
RED, GREEN, BLUE, AMBER = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.5, 0.0)
SEATS = {"red": RED, "yellow": (1.0, 0.8, 0.0), "green": GREEN, "blue": BLUE}

BEEPS = 2
"""With so many of the first flashes of a mistake a buzzer sounds."""
GLOW = 0.08
"""Brightness of the status light when there is nothing to report: enough to see that the power is on."""
BREATH, RAINBOW = 4.0, 3.0
"""Seconds for one fade in and out, and once through the rainbow."""


WORD = 2.0
"""Seconds for which the referee may wait for something without the light saying so."""
UNSAVED, FLASH = 3.0, 0.2
"""Seconds from one flash to the next while the log cannot be written, and how long each is."""


class Status(Enum):
    QUIET = "quiet"
    SEEN = "seen"
    UNDONE = "undone"
    ILLEGAL = "illegal"
    UNFINISHED = "unfinished"
    UNCLEAR = "unclear"
    REBUILD = "rebuild"
    WAITING = "waiting"
    LOST = "lost"
    TIME = "clock"
    RESULT = "result"


@dataclass(frozen=True, slots=True)
class Blink:
    """Seconds lit, seconds dark, and how often; None: until something else happens."""

    colour: Rgb
    on: float
    off: float
    times: int | None = None

    def is_over(self, age: float) -> bool:
        return self.times is not None and age >= self.times * (self.on + self.off)

    def is_lit(self, age: float) -> bool:
        return age % (self.on + self.off) < self.on


# None flashes more than three times a second: that is where flashing red becomes dangerous to some (WCAG 2.3.1).
BLINKS = {
    Status.SEEN: Blink(GREEN, 0.6, 0.2, times=1),
    Status.UNDONE: Blink(BLUE, 0.25, 0.25, times=2),
    Status.ILLEGAL: Blink(RED, 0.2, 0.2),
    Status.UNFINISHED: Blink(AMBER, 1.0, 1.0),
    Status.UNCLEAR: Blink(AMBER, 0.5, 0.5),
    Status.REBUILD: Blink(BLUE, 2.0, 0.5),
    Status.WAITING: Blink(WHITE, 0.5, 1.5),
    Status.TIME: Blink(WHITE, 1.5, 0.3, times=3),
}


@dataclass(frozen=True, slots=True)
class Mood:
    """What the lights express, and since when."""

    status: Status = Status.QUIET
    since: float = 0.0
    seat: int | None = None
    """Whose turn it is."""
    sites: tuple[str, ...] = ()
    """The sites it is about: of a mistake, of an action just seen, of what is waited for."""
    why: str = ""
    """What is waited for: see `Wait`; `board` before a match can begin."""
    winners: tuple[int, ...] = ()
    before: Mood | None = None
    """The mood before the board was lost, or before somebody's time ran out; it returns after that."""


@dataclass(frozen=True, slots=True)
class Picture:
    """What every light shows, before any limit of brightness."""

    status: Rgb = BLACK
    players: tuple[float, ...] = ()
    buzz: bool = False
    """Whether a buzzer, where there is one, sounds: twice shortly at a mistake, three times long when time is up."""


def hear(mood: Mood, table: Table, now: float) -> Mood:
    """The mood after these events."""
    if mood.status is Status.TIME and BLINKS[mood.status].is_over(now - mood.since):
        mood = mood.before if mood.before is not None and _lasts(mood.before) else rest(table, now)
    for news in table.news:
        mood = _heard(mood, news, table, now)
    mood = _waiting(mood, table, now)
    return replace(mood, seat=None if table.closed else table.match.position.seat)


def _waiting(mood: Mood, table: Table, now: float) -> Mood:
    """The mood once it is told that the referee waits for something, unless there is more to tell."""
    wait = table.watch.wait
    if mood.status is Status.WAITING:
        if wait is None:
            return rest(table, now)
        return mood if wait.why == mood.why else replace(mood, sites=wait.sites, why=wait.why)
    if mood.status not in (Status.QUIET, Status.SEEN, Status.UNDONE) or wait is None or now - wait.since < WORD:
        return mood
    return Mood(Status.WAITING, now, sites=wait.sites, why=wait.why)


def not_begun(mood: Mood, now: float) -> Mood:
    """The mood before the board was seen: it is waited for from `now` on."""
    return mood if mood.status is Status.WAITING else Mood(Status.WAITING, now, why="board")


def _lasts(mood: Mood) -> bool:
    """Whether it is shown until something else happens."""
    blink = BLINKS.get(mood.status)
    return blink is not None and blink.times is None


def _heard(mood: Mood, news: News, table: Table, now: float) -> Mood:
    winners = _winners(news, table)
    if winners is not None:
        return Mood(Status.RESULT, now, winners=winners)
    match news:
        case Accepted():
            return Mood(Status.SEEN, now, sites=_changed(table))
        case Undone():
            return Mood(Status.UNDONE, now)
        case Illegal(refusals=refusals):
            sites = tuple(dict.fromkeys(site for refusal in refusals for site in refusal.sites))
            return Mood(Status.ILLEGAL, now, sites=sites)
        case Unfinished(sites=sites):
            return Mood(Status.UNFINISHED, now, sites=sites)
        case Unclear():
            return Mood(Status.UNCLEAR, now)
        case Plain(event="lost"):
            return Mood(Status.LOST, now, before=mood)
        case Plain(event="rebuild"):
            return Mood(Status.REBUILD, now)
        case Plain(event="found"):
            return mood.before or rest(table, now)
        case OutOfTime():
            return Mood(Status.TIME, now, before=mood)
        case _:
            return rest(table, now)


def _winners(news: News, table: Table) -> tuple[int, ...] | None:
    """Who has won, if this ends the match."""
    match news:
        case LostOnTime(winner=winner):
            return () if winner is None else (winner,)
        case Ended(outcome=outcome):
            return outcome.winners
        case Agreed(seat=seat):
            return _left(table.match.position.players, seat)
        case _:
            return None


def rest(table: Table, now: float) -> Mood:
    """The table shows the last accepted position again."""
    outcome = table.match.position.outcome
    return Mood(since=now) if outcome is None else Mood(Status.RESULT, now, winners=outcome.winners)


def _changed(table: Table) -> tuple[str, ...]:
    """The sites that the last action changed."""
    if len(table.stands) < 2:
        return ()
    old, new = table.stands[-2].faces, table.stands[-1].faces
    return tuple(site for site in {**old, **new} if old.get(site) != new.get(site))


def _left(players: int, resigned: int | None) -> tuple[int, ...]:
    """Whose lights are on when the players end a match: all for a draw, the opponent's when one of two resigns."""
    if resigned is None:
        return tuple(range(players))
    return (1 - resigned,) if players == 2 else ()


def picture(mood: Mood, now: float, players: int, is_unsaved: bool = False) -> Picture:
    """What every light shows at this moment; where the log cannot be written, a short red flash now and then."""
    age = max(now - mood.since, 0.0)
    blink = BLINKS.get(mood.status)
    turn = [1.0 if seat == mood.seat else 0.0 for seat in range(players)]
    if mood.status is Status.LOST:
        return Picture(dimmed(WHITE, (1 - cos(2 * pi * age / BREATH)) / 2), (0.0,) * players)
    if mood.status is Status.RESULT:
        return Picture(_hue(age / RAINBOW), tuple(float(seat in mood.winners) for seat in range(players)))
    if blink is None or blink.is_over(age):
        flashes = is_unsaved and now % UNSAVED < FLASH
        return Picture(RED if flashes else dimmed(GREEN, GLOW), tuple(turn))
    return _blinking(mood, blink, age, turn)


def _blinking(mood: Mood, blink: Blink, age: float, turn: list[float]) -> Picture:
    """What the lights show so long after something was said that blinks; `turn` is who is to move."""
    lit = blink.is_lit(age)
    if mood.status is Status.UNCLEAR:
        # Status and player light in turn: the question is for the player to move.
        turn = [level * (not lit) for level in turn]
    is_new = (mood.status is Status.ILLEGAL and age < BEEPS * (blink.on + blink.off)) or mood.status is Status.TIME
    return Picture(blink.colour if lit else BLACK, tuple(turn), buzz=lit and is_new)


def dimmed(colour: Rgb, level: float) -> Rgb:
    red, green, blue = colour
    return red * level, green * level, blue * level


def _hue(turn: float) -> Rgb:
    """A colour of the rainbow at full brightness; 0 to 1 goes once round."""
    place = (turn % 1.0) * 6
    levels = [min(max(abs((place + shift) % 6 - 3) - 1, 0.0), 1.0) for shift in (0, 4, 2)]
    return levels[0], levels[1], levels[2]
