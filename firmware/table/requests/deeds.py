"""What people do at a table beside playing: they press buttons, correct the referee, ask for hints, give names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from engine.core import GameError, Json
from engine.spoken import SpokenError
from firmware.coaching.coach import Advice
from firmware.devices.signals import rest
from firmware.log.backup import restore
from firmware.log.lines import LogLine
from firmware.settings.eyes import check_refereed
from firmware.table.events import Said
from firmware.table.loop import Sitting
from firmware.table.playing import Playing
from firmware.table.requests.corrections import corrected
from firmware.table.requests.resuming import found_match, reopen


def press(sitting: Sitting, button: str) -> list[Said]:
    """A button was pressed; what there is to say to that."""
    playing = sitting.playing
    if playing is None or sitting.frame is None:
        return []
    if sitting.phase == "setup":
        if button == "confirm":
            sitting.begin()
        return []
    if button == "new":
        sitting.play_again()
    elif button == "hint":
        return _advised(sitting, playing, playing.coach.press(playing.table))
    elif button == "undo":
        return _corrected_if_possible(sitting, "take_back", {})
    elif button == "confirm" and playing.asked is not None:
        # The likeliest reading comes first.
        return _corrected_if_possible(sitting, "answer", {"action": str(playing.asked.actions[0])})
    return []


def _corrected_if_possible(sitting: Sitting, wish: str, payload: Json) -> list[Said]:
    try:
        return correct(sitting, wish, payload)
    except GameError:
        return []


def correct(sitting: Sitting, wish: str, payload: Json) -> list[Said]:
    """A person corrects the referee; raises `GameError` if it cannot be."""
    playing, seconds = the_match(sitting), sitting.seconds
    if playing.table is None:
        raise SpokenError("the match has not begun: the board has not been seen yet")
    after, (first, *more) = corrected(playing.table, wish, payload)
    time = playing.time and playing.time.at(seconds)
    for news in after.news:
        time = time and time.hearing(news, after)
    # What the log did not take has not happened; what follows by the rules (a result) may come later.
    sitting.write(playing, first, seconds, time)
    playing.table = after
    if not after.said.asked:
        playing.asked = None
    for line in more:
        sitting.write(playing, line, seconds)
    if not after.news:
        playing.mood = rest(after, seconds)
    return sitting.show(playing, after, seconds)


def ask_for_hint(sitting: Sitting) -> list[Said]:
    """Somebody wants a hint; raises `GameError` if he may have none."""
    playing = the_match(sitting)
    return _advised(sitting, playing, playing.coach.give_hint(playing.table))


def rename(sitting: Sitting, names: Sequence[str]) -> None:
    """Give the players names, in seat order."""
    playing = the_match(sitting)
    seating = playing.seating.renamed(names)
    if playing.log.is_begun:
        line = LogLine("names", {"names": [player.name for player in seating.players]})
        sitting.write(playing, line, sitting.seconds)
    playing.seating = seating


def pause_clock(sitting: Sitting, is_paused: bool) -> None:
    """Stop the clock for a while, or let it go on."""
    playing, seconds = the_match(sitting), sitting.seconds
    if playing.time is None or not playing.goes_on:
        raise SpokenError("no clock is running in this match")
    if playing.time.clock.is_paused != is_paused:
        time = playing.time.at(seconds).paused(is_paused)
        sitting.write(playing, LogLine("clock", {"what": "pause" if is_paused else "go"}), seconds, time)
        assert playing.table is not None
        sitting.show(playing, replace(playing.table, news=()), seconds)


def take_up(sitting: Sitting, number: int) -> None:
    """Go on with a match of the log that was not played to its end; the one at the table is put aside."""
    store, playing = sitting.gear.store, sitting.playing
    if store is None:
        raise SpokenError("no matches are recorded at this table")
    if playing is not None and playing.log.number == number and playing.goes_on:
        raise SpokenError("match {number} is being played", number=number)
    plan, resumed = found_match(store, number)
    check_refereed(plan.rules.game.name)
    if plan.seating.levels and sitting.camera == "sim":
        raise SpokenError("the simulated table plays every seat itself")
    sitting.abandon()
    at = sitting.gear.wall()
    sitting.gear.outbox.put(lambda store: reopen(store, number, at))
    sitting.wants_camera = sitting.camera == "sim"
    sitting.play(plan, resumed)


def restore_log(sitting: Sitting, backup: Path) -> list[str]:
    """Put the log of a backup in the place of this one, which is kept; the match at the table is put aside."""
    try:
        if not backup.name.endswith(".uploaded"):
            raise GameError("this is no backup that was sent to the page")
        sitting.abandon()
        done = sitting.gear.outbox.exchange(lambda log: restore(backup, log, {}))
        sitting.rest()
    finally:
        backup.unlink(missing_ok=True)
    return done


def the_match(sitting: Sitting) -> Playing:
    """The match at the table; raises `SpokenError` if there is none."""
    if sitting.playing is None:
        raise SpokenError("there is no match: start one first")
    return sitting.playing


def _advised(sitting: Sitting, playing: Playing, advice: Sequence[Advice]) -> list[Said]:
    return [Said(sitting.seconds, each, playing.start.rules.game) for each in advice]
