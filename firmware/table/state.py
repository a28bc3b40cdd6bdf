"""The state of a table for the page: plain values, in the colours in use, not yet in any language."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any

from engine.core import Action, Json, Position, Rules
from engine.discretion import discreet_events, retold
from engine.face import EMPTY, Face, spelled
from engine.match import Match
from engine.referee.explain import follow
from engine.referee.payments import reminders
from engine.referee.purse import due, parted
from engine.referee.reading import Reading
from engine.referee.story import Story
from engine.referee.table import Table
from engine.referee.unseen import unseen_courses
from engine.spoken import refusal_record
from firmware.devices.no_camera import NoCameraError, why_record
from firmware.devices.signals import BLINKS, GREEN, SEATS, Mood, Rgb, Status
from firmware.log.match.seating import Seating
from firmware.log.outbox import Outbox
from firmware.settings.eyes import refereed
from firmware.table.gear import Gear
from firmware.table.loop import Sitting
from firmware.table.playing import Playing

SURE = 0.9
"""A site is said to differ only where its reading is as likely as this."""
PUZZLED = (Status.ILLEGAL, Status.UNFINISHED, Status.UNCLEAR, Status.REBUILD)
MOST_DECLARED = 12


def state_of(sitting: Sitting) -> Json:
    """How things are, for anyone."""
    playing = sitting.playing
    state: Json = {
        "phase": sitting.phase,
        "camera": camera_state(sitting),
        "cameras": sitting.gear.cameras(),
        "refereed": list(refereed()),
        "recent": _recent(sitting),
        # They tell what lies where; once the match has begun, that may have to be remembered.
        "checks": sitting.readiness.checks if sitting.phase == "setup" else [],
        "ready": sitting.readiness.is_ready,
        "log": log_state(sitting.gear.outbox),
        "language": sitting.gear.language,
        "usual_clock": str(sitting.gear.control or ""),
        "usual_rules": usual_rules(sitting.gear),
        "hub": hub_state(sitting),
    }
    if sitting.camera == "sim":
        state["stage"] = sitting.stage.record()
    if playing is None:
        return state
    told = match_state(playing, sitting.gear.monotonic())
    if sitting.phase == "playing" and (told["closed"] or told["result"]):
        state["phase"] = "over"
    return state | told | playing.covering.record() | {"scale": playing.scale.percent} | help_state(playing)


def usual_rules(gear: Gear) -> Json | None:
    """The house rules of the games that have any; None where none can be kept."""
    if gear.own is None:
        return None
    return {game: {"variant": each.variant, "options": dict(each.options)} for game, each in gear.rules.items()}


def _recent(sitting: Sitting) -> list[Json]:
    """What has been said lately, as far as nobody has to remember it."""
    playing, told = sitting.playing, sitting.events.all()
    if playing is None or not playing.goes_on:
        return told
    return discreet_events(playing.match.position, told)


def log_state(outbox: Outbox) -> Json:
    """Whether the match log can be written, how much waits for that, and how many megabytes are left if few are."""
    return {"problem": outbox.problem, "waiting": outbox.waiting, "room": outbox.room}


def camera_state(sitting: Sitting) -> Json:
    """The camera in use, and why it gives no pictures, or why another one could not be had: in English (`problem`), and
    as a text of the catalogues with its facts (`why`)."""
    refused, why = sitting.camera_refused, sitting.camera_trouble
    if refused is not None:
        why = refused.error.why if isinstance(refused.error, NoCameraError) else None
    return {
        "source": sitting.camera,
        "refused": refused.name if refused is not None else "",
        "problem": str(refused.error if refused is not None else why or ""),
        "why": why_record(why),
    }


def hub_state(sitting: Sitting) -> Json | None:
    """How things are with the hub; None for a table that has joined none."""
    return sitting.gear.hub.record() if sitting.gear.hub is not None else None


def shown_key(sitting: Sitting) -> object:
    """Differs from the one before if and only if the page should be told anew; cheaper than the state itself."""
    playing = sitting.playing
    return (
        sitting.phase,
        sitting.events.number,
        sitting.readiness.checks,
        sitting.gear.control,
        sitting.gear.language,
        usual_rules(sitting.gear),
        tuple(camera_state(sitting).values()),
        (*sitting.stage.asked, sitting.stage.has_cup),
        tuple(log_state(sitting.gear.outbox).values()),
        tuple((hub_state(sitting) or {}).values()),
        None if playing is None else _match_key(playing),
    )


def _match_key(playing: Playing) -> object:
    covered = playing.covering.lying, playing.covering.hidden, playing.waiting.others, playing.scale.percent
    at_table = playing.table is not None, playing.mood.status, playing.mood.why, playing.seating, playing.log.number
    survey = None if playing.is_known else playing.beginning.survey
    time = playing.time and playing.time.changes
    back = playing.is_to_be_put_back
    return id(playing), survey, _rows_key(playing), *at_table, time, playing.coach.key(), covered, back, seen(playing)


def _rows_key(playing: Playing) -> object:
    """What of the rows is shown; before a match begins they are counted with every look."""
    if playing.table is not None:
        return playing.table.purse.rest, playing.table.purse.told
    return parted(playing.reading, playing.start.position)[1] if playing.reading is not None else ()


def help_state(playing: Playing) -> Json:
    """How the players are helped, and what the lights show."""
    coach = playing.coach
    return {
        "assist": coach.agreed.records(),
        "lesson": playing.lesson,
        "advice": coach.record(),
        "computers": coach.computers(len(playing.seating)),
        "lights": lights_state(playing.mood, playing.seating.colours),
    }


def match_state(playing: Playing, monotonic: float) -> Json:
    """Everything about the match that may be shown to anyone, at this moment of the machine's clock."""
    match, seating = playing.match, playing.seating
    position, rules = match.position, match.rules
    table = playing.table
    closed = table is not None and table.closed
    return {
        "match": playing.log.number,
        "begun": table is not None,
        "game": rules.game.name,
        "title": rules.game.title,
        "variant": rules.variant,
        "options": dict(rules.options),
        "players": [player.record() for player in seating.players],
        "seat": None if closed else position.seat,
        "ply": match.ply,
        "survey": None if playing.is_known else _survey(playing),
        "rows": rows_state(playing),
        "faces": _spelled(position.faces(), seating, rules),
        "turns": dict(table.stand.turns) if table else {},
        "view": _view(position, seating) if playing.is_known else {},
        "last": _last(match, seating, table),
        "result": position.outcome.record() if position.outcome else None,
        "closed": closed,
        "asking": [_asking(each, match, seating, table) for each in _asked(playing)],
        "reached": None if closed or position.outcome else _reached(match, table),
        "declarable": [] if closed or not playing.is_known else _declarable(match),
        "callable": [] if closed or not playing.is_known else list(rules.callable(position)),
        "seen": seen(playing),
        "wait": _wait(playing),
        "putting_back": playing.is_to_be_put_back,
        "other_boards": list(playing.waiting.others),
        "clock": None if playing.time is None else playing.time.state(monotonic),
    }


def rows_state(playing: Playing) -> Json | None:
    """The rows in which players count pieces for all to see: how many were `seen` in each (None where that cannot be
    told) and how many are `due`, the `faces` to show there, and reminders of what is not as it should be yet (`off`, by
    seat). None in games without rows."""
    match, table = playing.match, playing.table
    position, rules = match.position, match.rules
    rows = rules.rows(position.players)
    if not rows:
        return None
    if table is not None:
        seen: tuple[int | None, ...] = table.purse.rest
    else:
        seen = parted(playing.reading, position)[1] if playing.reading is not None else ()
    owed, off = due(position), reminders(table) if table is not None else ()
    face = rules.game.row_face
    assert face is not None
    faces = {site: face for row, number in zip(rows, seen, strict=False) for site in row[: number or 0]}
    return {
        "seen": list(seen),
        "due": list(owed),
        "faces": spelled(faces),
        "off": {str(each.seat): refusal_record(playing.seating.spoken(each.told)) for each in off},
    }


def _survey(playing: Playing) -> Json:
    """What the table has told so far of how the match begins: what is wrong, and what people may have to tell."""
    survey = playing.beginning.survey
    return {
        "flaws": [refusal_record(playing.seating.spoken(flaw)) for flaw in survey.flaws],
        "doubts": {place: list(choices) for place, choices in survey.doubts.items()},
        "told": dict(playing.beginning.told),
    }


def trace_of(sitting: Sitting) -> Json | None:
    """What the position can be made from again; it may hold what nobody should see, so it goes to no page."""
    if sitting.playing is None or not sitting.playing.is_known:
        return None
    match = sitting.playing.match
    rules, start = match.rules, match.positions[0]
    return {
        "game": rules.game.name,
        "variant": rules.variant,
        "options": dict(rules.options),
        "players": start.players,
        "setup": start.setup() if start.seat is not None else {},
        "actions": [str(action) for action in match.actions],
    }


def _view(position: Position, seating: Seating) -> Json:
    """What a spectator may know; what he would have to remember is not kept before his eyes."""
    view = {name: value for name, value in position.view(None).items() if name not in position.rules.game.memories}
    return view | ({"sites": _spelled(position.faces(), seating, position.rules)} if "sites" in view else {})


def _spelled(faces: Mapping[str, Face], seating: Seating, rules: Rules) -> dict[str, str]:
    """Faces by their names, in the colours in use."""
    return spelled(seating.on_table(faces, rules.game.faces))


def _asked(playing: Playing) -> tuple[Any, ...]:
    """What people may say has happened: the answers to a question, or what may have been instead of a mistake."""
    if playing.asked is not None:
        return playing.asked.actions
    return playing.table.said.stories if playing.table is not None else ()


def _wait(playing: Playing) -> Json | None:
    """What the referee waits for and has said so with the light; None if it waits for nothing."""
    mood = playing.mood
    return {"why": mood.why, "sites": list(mood.sites)} if mood.status is Status.WAITING else None


def _last(match: Match, seating: Seating, table: Table | None) -> Json | None:
    if not match.ply:
        return None
    action, before, after = match.actions[-1], match.positions[-2], match.positions[-1]
    told = retold(after, str(action)) if table is not None and not table.closed else str(action)
    return {"seat": before.seat, "action": told} | _changes(before.faces(), after.faces(), action.turns)


def _changes(before: Mapping[str, Face], after: Mapping[str, Face], turns: Mapping[str, int]) -> Json:
    sites = [site for site in {**before, **after} if before.get(site) != after.get(site)]
    return {"sites": sites, "sheets": list(turns)}


def _asking(each: Action | Story, match: Match, seating: Seating, table: Table | None) -> Json:
    if not isinstance(each, Story):
        return _option(match, str(each), seating, table)
    assert table is not None, "stories are told of a match that has begun"
    position, stand = follow(match.positions[each.to_ply], table.stands[each.to_ply], each.actions)
    changes = _changes(match.position.faces(), position.faces(), {})
    shown = {"action": str(each), "faces": _spelled(position.faces(), seating, match.rules), "turns": dict(stand.turns)}
    sheets = [name for name, turn in stand.turns.items() if turn != table.stand.turns.get(name, 0)]
    return shown | changes | {"sheets": sheets, "story": each.record()}


def _reached(match: Match, table: Table | None) -> Json | None:
    """Whose arm seems to have played the last action, and what others may have done before; None if it was the
    mover's."""
    reached = None if table is None else table.accepted.reached
    if reached is None:
        return None
    options = []
    for story in reached.stories:
        position, before = match.positions[story.to_ply], []
        for action in story.actions[:-1]:
            before.append({"seat": position.seat, "action": str(action)})
            position = position.after(action)
        options.append({"action": str(story), "before": before})
    return {"seat": reached.seat, "options": options}


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
    return [str(action) for action in sorted(position.rules.sayable(position), key=str)[:MOST_DECLARED]]


def seen(playing: Playing) -> Json:
    """What the table shows otherwise than the position, as far as it is sure; nothing while all is quiet."""
    table, reading = playing.table, playing.reading
    is_puzzled = playing.mood.status in PUZZLED or playing.is_to_be_put_back
    if table is None or reading is None or not is_puzzled:
        return {"faces": {}, "sheets": [], "hidden": []}
    return differences(table, reading, playing.seating)


def differences(table: Table, reading: Reading, seating: Seating) -> Json:
    """What is counted beside the board is no part of the position, so that nothing of it is wrong there."""
    stand = table.stand
    reading, _counts = parted(reading, table.position)
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
