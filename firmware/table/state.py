"""The state of a table for the page: plain values, in the colours in use, not yet in any language."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any

from engine.core import Json, Position, Refusal, Rules, Word
from engine.face import EMPTY, Face, spelled
from engine.match import Match
from engine.referee.news import Illegal, News, Unclear
from engine.referee.reading import Reading
from engine.referee.table import Table
from engine.referee.unseen import unseen, unseen_courses
from firmware.devices.lights import BLINKS, GREEN, SEATS, Mood, Rgb, Status
from firmware.log.seating import Seating
from firmware.table.companion import Companion

SURE = 0.9
"""A site is said to differ only where its reading is as likely as this."""
PUZZLED = (Status.ILLEGAL, Status.UNFINISHED, Status.UNCLEAR)
MOST_DECLARED = 12


def match_state(companion: Companion) -> Json:
    """Everything about the match that may be shown to anyone."""
    match, seating = _match(companion), companion.seating
    position, rules = match.position, match.rules
    table = companion.table
    closed = table is not None and table.closed
    return {
        "match": companion.number,
        "begun": table is not None,
        "game": rules.game.name,
        "title": rules.game.title,
        "variant": rules.variant,
        "options": dict(rules.options),
        "players": [player.record() for player in seating.players],
        "seat": None if closed else position.seat,
        "ply": match.ply,
        "faces": _spelled(position.faces(), seating, rules),
        "turns": dict(table.stand.turns) if table else {},
        "view": _view(position, seating),
        "last": _last(match, seating, table),
        "result": position.outcome.record() if position.outcome else None,
        "closed": closed,
        "asking": [_option(match, str(action), seating, table) for action in _asked(companion)],
        "declarable": [] if closed else _declarable(match),
        "seen": seen(companion),
    }


def trace_of(companion: Companion) -> Json:
    """What the position can be made from again; it may hold what nobody should see, so it goes to no page."""
    match = _match(companion)
    rules, start = match.rules, match.positions[0]
    return {
        "game": rules.game.name,
        "variant": rules.variant,
        "options": dict(rules.options),
        "players": start.players,
        "setup": start.setup() if start.seat is not None else {},
        "actions": [str(action) for action in match.actions],
    }


def _match(companion: Companion) -> Match:
    table = companion.table
    return table.match if table is not None else companion.watcher.match


def _view(position: Position, seating: Seating) -> Json:
    view = position.view(None)
    return view | ({"sites": _spelled(position.faces(), seating, position.rules)} if "sites" in view else {})


def _spelled(faces: Mapping[str, Face], seating: Seating, rules: Rules) -> dict[str, str]:
    """Faces by their names, in the colours that are played with."""
    return spelled(seating.on_table(faces, rules.game.faces))


def _asked(companion: Companion) -> tuple[Any, ...]:
    return companion.asked.actions if companion.asked is not None else ()


def _last(match: Match, seating: Seating, table: Table | None) -> Json | None:
    if not match.ply:
        return None
    action, before, after = match.actions[-1], match.positions[-2], match.positions[-1]
    return {"seat": before.seat, "action": str(action)} | _changes(before.faces(), after.faces(), action.turns)


def _changes(before: Mapping[str, Face], after: Mapping[str, Face], turns: Mapping[str, int]) -> Json:
    sites = [site for site in {**before, **after} if before.get(site) != after.get(site)]
    return {"sites": sites, "sheets": list(turns)}


def _option(match: Match, action: str, seating: Seating, table: Table | None) -> Json:
    """An action that may have been played, with the board as it would stand."""
    played = match.rules.parse(action)
    # Somebody may have acted before, unseen.
    movers = chain((match.position,), (then for _, then in unseen_courses(match.position)))
    mover = next((each for each in movers if played in each.legal()), None)
    if mover is None:
        return {"action": action, "faces": {}, "turns": {}, "sites": [], "sheets": []}
    after = mover.after(played).faces()
    turns = dict(table.stand.turns) if table else {}
    for name, steps in played.turns.items():
        turns[name] = turns.get(name, 0) + steps
    changes = _changes(match.position.faces(), after, played.turns)
    return {"action": action, "faces": _spelled(after, seating, match.rules), "turns": turns} | changes


def _declarable(match: Match) -> list[str]:
    """Legal actions that no camera can see: a pass, a purchase, a call."""
    position = match.position
    if position.outcome is not None:
        return []
    return [str(action) for action in unseen(position)[:MOST_DECLARED]]


def seen(companion: Companion) -> Json:
    """What the table shows otherwise than the position, as far as it is sure; nothing while all is quiet."""
    table, reading = companion.table, companion.reading
    if table is None or reading is None or companion.mood.status not in PUZZLED:
        return {"faces": {}, "sheets": [], "hidden": []}
    return differences(table, reading, companion.seating)


def differences(table: Table, reading: Reading, seating: Seating) -> Json:
    stand = table.stand
    faces = {
        site: guess.best
        for site, guess in reading.guesses().items()
        if guess.best != stand.faces.get(site, EMPTY) and guess.p >= SURE
    }
    sheets = [
        name
        for name, values in reading.sheets.items()
        if (reading.turn(name)[0] - stand.turns.get(name, 0)) % len(values) and reading.turn(name)[1] >= SURE
    ]
    return {"faces": _spelled(faces, seating, table.match.rules), "sheets": sheets, "hidden": sorted(reading.hidden)}


def lights_state(mood: Mood, players: tuple[str, ...]) -> Json:
    """The lights as a pattern: the page blinks by itself."""
    blink = BLINKS.get(mood.status)
    lit = [seat in mood.winners if mood.status is Status.RESULT else seat == mood.seat for seat in range(len(players))]
    return {
        "status": mood.status.value,
        "since": round(mood.since, 3),
        "colour": _hex(blink.colour if blink else GREEN),
        "on": blink.on if blink else None,
        "off": blink.off if blink else None,
        "times": blink.times if blink else None,
        "players": [
            {"colour": _hex(SEATS[colour]), "on": on and mood.status is not Status.LOST}
            for colour, on in zip(players, lit, strict=True)
        ],
    }


def _hex(colour: Rgb) -> str:
    return "#" + "".join(f"{round(255 * level):02x}" for level in colour)


def blame(news: News, seating: Seating) -> list[Json]:
    """The rules that were broken, with the facts of their sentences."""
    if not isinstance(news, Illegal):
        return []
    return [refusal_record(refusal, seating) for refusal in news.refusals]


def refusal_record(refusal: Refusal, seating: Seating) -> Json:
    facts = {
        name: {"word": str(fact)} if isinstance(fact, Word) else fact
        for name, fact in seating.spoken(refusal).facts.items()
    }
    return {"rule": refusal.rule, "sites": list(refusal.sites), "facts": facts}


def is_question(news: News) -> bool:
    return isinstance(news, Unclear)
