"""What the referee says, in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from engine.core import Json
from engine.registry import known_game
from engine.saying import told_action
from engine.spoken import read_facts, reasons
from engine.titles import title_of_rule
from engine.words import ending_sentence, say
from webui.house import Update
from webui.words import clock
from webui.words.supply import told_supply
from webui.words.texts import N_, tell
from webui.words.voice import spoken

WAITING = {
    "unfinished": N_("Half done: waiting for the rest of the action."),
    "unclear": N_("More than one action fits what the camera sees. Which one was it?"),
    "rebuild": N_("The pieces are not where the match was left. Put them back as shown, or begin anew."),
    "lost": N_("The board cannot be seen."),
    "found": N_("The board is in view again."),
    "setup": N_("The set-up was read from the table."),
    "restored": N_("The table is back at the last accepted position."),
    "correction": N_("The position was set by hand."),
    "gap": N_("Events are missing here: a damaged log has lost them. What follows cannot be shown on the board."),
    "draw": N_("The players have agreed on a draw."),
    "abandon": N_("The match was abandoned."),
    "imported": N_("This match was imported from a file."),
}
BAFFLED = N_("What is on the table does not follow from the last move. What happened?")
DOUBTED = N_("That was not clearly visible. Is this what happened? %(told)s")
NONE = N_("None of the actions the referee asked about was played.")
REOPENED = N_("The end of the match was taken back: play on.")
ENDINGS = {"resign": N_("%(name)s has resigned."), "over": N_("The match is over.")}
LEFT = N_("%(name)s wins because the others have resigned.")
UNDECIDED = {
    "who": N_("%(name)s has resigned; the match ends undecided."),
    "somebody": N_("A player has resigned; the match ends undecided."),
}
"""With three or more players, a resignation leaves no winner."""
HELD_UP = {
    "hand": N_("Waiting: something is over the board."),
    "moving": N_("Waiting: something is still moving in the picture."),
    "wavering": N_("Waiting: the picture is not steady yet."),
    "unsure": N_("Waiting: it is not clear yet what the table shows."),
}
"""Why the referee says nothing else, although the table may show something new."""
HELD_UP_AT = {
    "hand": N_("Waiting: something is over %(sites)s."),
    "moving": N_("Waiting: something is still moving; changed: %(sites)s."),
    "wavering": N_("Waiting: the picture is not steady yet on %(sites)s."),
    "unsure": N_("Waiting: it is not clear yet what is on %(sites)s."),
}
STORY = N_("Back to move %(number)s, then %(actions)s")
STORY_BACK = N_("Back to move %(number)s")
REACHED = N_("That looked like %(name)s’s arm. If it was already %(name)s’s turn, what happened before that?")
TURN = N_("It is %(name)s’s turn.")
UNDONE = N_("Taken back to move %(number)s.")
PUT_BACK = N_("Taken back. Now put the pieces back as the board here shows.")
PEEK = N_("Somebody has looked under %(site)s.")
CALLED = N_("%(name)s said %(number)s for %(site)s.")
LYING = N_("Something is lying on %(sites)s: the referee cannot see what stands there.")
TOO_LARGE = N_(
    "The cards are about %(percent)s %% too large for this board. Was the board scaled to fit the page when it was "
    "printed? Print both at actual size (100 %%)."
)
TOO_SMALL = N_(
    "The cards are about %(percent)s %% too small for this board. Were they scaled to fit the page when they were "
    "printed? Print both at actual size (100 %%)."
)
UNSAVED = N_(
    "The match log cannot be written: is the disk full or read-only? The match goes on, but %(number)s entries are in "
    "memory only. Do not switch off yet."
)
LITTLE_ROOM = N_("The disk is nearly full: %(number)s MB are left for the match log.")
MOST_NAMED = 8
"""How many sites a sentence names at most."""
NO_CAMERA = N_("Camera %(camera)s cannot be used: is it plugged in, or is another program using it?")
OTHER_BOARD = N_("The camera sees the board of another game: %(game)s.")
OTHER_SEATS = N_("This board is for a different number of players.")
NOT_BEGUN = N_("Waiting until the whole board is visible.")


def told_state(update: Update, language: str) -> Json:
    """The state as the API and the stream send it."""
    return _told_state(_Same(update), language)


class _Same:
    """An update as a cache key: each is translated once per language."""

    __slots__ = ("update",)

    def __init__(self, update: Update) -> None:
        self.update = update

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.update.state is other.update.state

    def __hash__(self) -> int:
        return id(self.update.state)


@lru_cache(maxsize=16)
def _told_state(same: _Same, language: str) -> Json:
    update = same.update
    state = dict(update.state)
    recent = [told_event(event, state, language) for event in state.get("recent", ())]
    players = [
        player | {"said": name_of(state, seat, language)} for seat, player in enumerate(state.get("players", ()))
    ]
    if "camera" in state:
        state["camera"] = told_camera(state["camera"], language)
    now = verdict(state, language)
    state["checks"] = [_told_check(check, state, language) for check in state.get("checks", ())]
    if state.get("reached"):
        state["reached"] = _told_reached(state["reached"], state, language)
    if state.get("rows"):
        state["rows"] = _told_rows(state["rows"], state, language)
    return (
        {"number": update.number}
        | state
        | {"recent": recent, "verdict": now, "voice": spoken(now, state.get("lights", {}).get("since", 0.0))}
        | {"asking": [_told_option(option, language) for option in state.get("asking", ())]}
        | {"notice": notice(state, language), "said": _said(state, language)}
        | {"players": players, "supply": told_supply(state, language)}
    )


def _told_check(check: Json, state: Json, language: str) -> Json:
    """What was checked, with a sentence where only the game has one, or the seats have names."""
    told = {name: value for name, value in check.items() if name != "flaws"}
    if check["name"] == "survey":
        rules = [flaw["rule"] for flaw in check["flaws"]]
        return told | {"rules": rules, "text": blamed(state.get("game"), check["flaws"], language)}
    game = known_game(state.get("game"))
    if check["name"] == "rows" and game is not None:
        counts = ", ".join(f"{say(colour, language)} {count}" for colour, count in check["counts"].items())
        unsure = ", ".join(say(colour, language) for colour in check["unsure"])
        text = game.rows["unsure" if unsure else "seen" if counts else "empty"]
        return told | {"text": say(text, language, counts=counts, unsure=unsure)}
    return told


def _told_rows(rows: Json, state: Json, language: str) -> Json:
    """The rows of pieces, with a kind sentence for each that is not as it should be."""
    off = {seat: _begun(blamed(state.get("game"), [refusal], language)) for seat, refusal in rows["off"].items()}
    return rows | {"off": off, "text": " ".join(off.values())}


def _told_reached(reached: Json, state: Json, language: str) -> Json:
    """Whose arm it seems to have been, and each thing that may have happened before, in words."""
    name, options = name_of(state, reached["seat"], language), []
    for option in reached["options"]:
        before = (action_text(each["action"], each["seat"], state, language) for each in option["before"])
        options.append(option | {"text": " ".join(before)})
    return reached | {"text": _begun(tell(REACHED, language, name=name)), "options": options}


def _told_option(option: Json, language: str) -> Json:
    """Something that may have happened, with words for what is more than an action."""
    if "story" not in option:
        return option | {"text": option["action"]}
    number, actions = option["story"]["to_ply"], ", ".join(option["story"]["actions"])
    text = STORY if actions else STORY_BACK
    return option | {"text": tell(text, language, number=number, actions=actions)}


def _said(state: Json, language: str) -> Json:
    """In words, the actions that may be asked about or declared, and the last one."""
    if state.get("game") is None:
        return {}
    last: Json = state.get("last") or {}
    offered = [option["action"] for option in state.get("asking", ()) if "story" not in option] + list(
        state.get("declarable", ())
    )
    mover = state.get("seat")
    said = {last["action"]: action_text(last["action"], last["seat"], state, language)} if last else {}
    return said | {action: action_text(action, mover, state, language) for action in offered}


def action_text(action: str, seat: int | None, state: Json, language: str) -> str:
    """What an action of this seat is in words."""
    name, game = _begun(name_of(state, seat, language)), known_game(state.get("game"))
    return told_action(game, action, name, language) if game is not None else f"{name}: {action}"


def told_event(event: Json, state: Json, language: str) -> Json:
    """An event with its sentence, without the raw facts."""
    shown = {name: value for name, value in event.items() if name != "refusals"}
    return shown | {"text": event_text(event, state, language)}


def event_text(event: Json, state: Json, language: str) -> str:
    """An event as a sentence."""
    return _begun(_event_text(event, state, language))


def _begun(said: str) -> str:
    """A sentence that may begin with the name of a colour."""
    return said[:1].upper() + said[1:]


def _event_text(event: Json, state: Json, language: str) -> str:
    kind = event["event"]
    if kind in SENTENCES:
        return SENTENCES[kind](event, state, language)
    return tell(WAITING[kind], language) if kind in WAITING else kind


def _illegal(event: Json, state: Json, language: str) -> str:
    return blamed(state.get("game"), event.get("refusals", ()), language) or str(event.get("text", ""))


def _corrected(event: Json, _: Json, language: str) -> str:
    said = {"none": NONE, "reopen": REOPENED}.get(str(event.get("what")), WAITING["correction"])
    return tell(said, language)


def _unclear(event: Json, state: Json, language: str) -> str:
    if event.get("stories"):
        return tell(BAFFLED, language)
    if len(event["actions"]) == 1:
        return tell(DOUBTED, language, told=action_text(event["actions"][0], state.get("seat"), state, language))
    return tell(WAITING["unclear"], language)


def _called(event: Json, state: Json, language: str) -> str:
    name = name_of(state, event["seat"], language)
    return tell(CALLED, language, name=name, number=event["said"], site=event["site"])


SENTENCES: dict[str, Callable[[Json, Json, str], str]] = {
    "action": lambda event, state, language: action_text(event["action"], event["seat"], state, language),
    "illegal": _illegal,
    "chips": _illegal,
    "correction": _corrected,
    "unclear": _unclear,
    "undo": lambda event, _, language: tell(UNDONE, language, number=event["to_ply"]),
    "peek": lambda event, _, language: tell(PEEK, language, site=event["site"]),
    "call": _called,
    "clock": lambda event, state, language: tell(clock.OUT, language, name=name_of(state, event["seat"], language)),
    "resign": lambda event, state, language: tell(
        ENDINGS["resign"], language, name=name_of(state, event["seat"], language)
    ),
    "result": lambda event, state, language: result_text(event, state, language),
}
"""How each kind of event is told; any other has one sentence."""


def verdict(state: Json, language: str) -> Json:
    """The one thing that matters now: its kind, its sentence, and the rule it comes from."""
    status = state.get("lights", {}).get("status", "quiet")
    recent: Sequence[Json] = state.get("recent", ())
    said = next((event for event in reversed(recent) if event["event"] == status), None)
    rules = [broken["rule"] for broken in (said or {}).get("refusals", ())]
    text = _headline(status, said, state, language)
    last = next((event for event in reversed(recent) if event["event"] in ("action", "undo", "correction")), None)
    is_told = last is not None and status in ("quiet", "seen", "undone")
    return {
        "status": status,
        "text": text,
        "rules": rules,
        "titles": list(dict.fromkeys(title_of_rule(rule, language) for rule in rules)),
        "sites": (said or {}).get("sites", []),
        "before": event_text(last, state, language) if last is not None and is_told else "",
        "notation": last.get("action", "") if last is not None and is_told else "",
    }


def _headline(status: str, said: Json | None, state: Json, language: str) -> str:
    if status in ("illegal", "unfinished", "unclear", "lost", "clock") and said is not None:
        return event_text(said, state, language)
    if status == "waiting" and state.get("begun", False):
        return _held_up(state.get("wait") or {}, language)
    if status == "rebuild" and state.get("putting_back"):
        return tell(PUT_BACK, language)
    if status in WAITING:
        return tell(WAITING[status], language)
    if not state.get("begun", False):
        return _not_begun(state, language) if state.get("phase") == "playing" else ""
    if state.get("seat") is not None:
        return _begun(tell(TURN, language, name=name_of(state, state["seat"], language)))
    return _how_it_ended(state, language)


def _how_it_ended(state: Json, language: str) -> str:
    ended = next(
        (event for event in reversed(state.get("recent", ())) if event["event"] in ("result", "resign", "draw")), None
    )
    if ended is None:
        return tell(ENDINGS["over"], language)
    if ended["event"] == "resign":
        return _begun(_resigned(ended["seat"], state, language))
    return event_text(ended, state, language)


def _held_up(wait: Json, language: str) -> str:
    """What the referee waits for, and where."""
    why, sites = wait.get("why", ""), wait.get("sites", ())
    if why not in HELD_UP:
        return ""
    return tell(HELD_UP_AT[why], language, sites=_named(sites)) if sites else tell(HELD_UP[why], language)


def _not_begun(state: Json, language: str) -> str:
    """Why a match does not begin."""
    others = state.get("other_boards", ())
    if not others:
        return tell(NOT_BEGUN, language)
    if state["game"] in others:
        return tell(OTHER_SEATS, language)
    titles = [game.title for each in others if (game := known_game(each)) is not None]
    return tell(OTHER_BOARD, language, game=" / ".join(titles))


def _resigned(seat: int, state: Json, language: str) -> str:
    """What happens when a player resigns."""
    if len(state["players"]) == 2:
        return result_text({"winner": 1 - seat, "by": "resign"}, state, language)
    return tell(UNDECIDED["who"], language, name=name_of(state, seat, language))


def told_camera(camera: Json, language: str) -> Json:
    """The camera, with a sentence about why it gives no pictures, or why a requested one cannot be had."""
    why, wished = camera.get("why"), camera.get("refused")
    fallback = tell(NO_CAMERA, language, camera=wished) if wished else ""
    return camera | {"text": refused(camera["problem"], why, language) if why else fallback}


def notice(state: Json, language: str) -> str:
    """What keeps the match from beginning, the referee from seeing the board, or the log from being written."""
    if flaws := (state.get("survey") or {}).get("flaws"):
        return blamed(state.get("game"), flaws, language)
    told = (
        _log_notice(state.get("log", {}), language),
        state.get("camera", {}).get("text"),
        _lying(state, language),
        _other_scale(state, language),
    )
    return " ".join(each for each in told if each)


def _log_notice(log: Json, language: str) -> str:
    if log.get("problem"):
        return tell(UNSAVED, language, number=log["waiting"])
    return tell(LITTLE_ROOM, language, number=log["room"]) if log.get("room") is not None else ""


def _lying(state: Json, language: str) -> str:
    sites: Sequence[str] = state.get("lying", ())
    if not sites:
        return ""
    game = known_game(state.get("game"))
    if game is not None and game.lying and len(sites) == 1:
        return say(game.lying, language, sites=_named(sites))
    return tell(LYING, language, sites=_named(sites))


def _other_scale(state: Json, language: str) -> str:
    if not (percent := state.get("scale")):
        return ""
    return tell(TOO_LARGE if percent > 0 else TOO_SMALL, language, percent=abs(percent))


def _named(sites: Sequence[str]) -> str:
    return ", ".join(sites[:MOST_NAMED]) + (", …" if len(sites) > MOST_NAMED else "")


def name_of(state: Json, seat: int | None, language: str) -> str:
    """A player's name, or the colour if there is none."""
    players = state.get("players", ())
    if seat is None or not 0 <= seat < len(players):
        return "–"
    player = players[seat]
    return say(player["colour"], language) if player["name"] == player["colour"] else str(player["name"])


def result_text(result: Json, state: Json, language: str) -> str:
    """How a match ended."""
    winners = result["winner"] if isinstance(result["winner"], list) else [result["winner"]]
    names = ", ".join(name_of(state, seat, language) for seat in winners if seat is not None)
    game = known_game(state.get("game"))
    if names and game is not None and result["by"] in game.endings:
        return ending_sentence(game, result["by"], names, language)
    if result["by"] == "time":
        return tell(clock.WON, language, name=names) if names else tell(clock.UNDECIDED, language)
    if result["by"] == "resign":
        return tell(LEFT, language, name=names) if names else tell(UNDECIDED["somebody"], language)
    return tell(WAITING.get(result["by"], ENDINGS["over"]), language)


def blamed(game: str | None, refusals: Sequence[Json], language: str) -> str:
    """Why something is not allowed, in the words of its rules; nothing where the game is not known any more."""
    known = known_game(game)
    return reasons(known, refusals, language) if known is not None else ""


def refused(message: str, told: Json, language: str) -> str:
    """Why the table will not do something."""
    if told.get("refusals"):
        return f"{told['action']}: {blamed(told['game'], told['refusals'], language)}"
    if language == "en" or "text" not in told:
        return message
    return say(told["text"], language, **read_facts(told["facts"]))
