"""Why the table refuses a request, as plain values: the page says it in the language of the person who asked."""

from __future__ import annotations

from engine.core import GameError, IllegalActionError, InvalidActionError, InvalidSetupError, Json, Word
from engine.spoken import SpokenError
from firmware.machine.errors import UsageError
from firmware.table.companion import Companion
from firmware.table.state import refusal_record


def told_refusal(error: GameError | UsageError, payload: Json, companion: Companion | None) -> Json:
    """`message` in English; beside it a text of the catalogues with its facts, or the rules that were broken."""
    plain: Json = {"message": str(error)}
    match error:
        case IllegalActionError() if companion is not None:
            blame = [refusal_record(refusal, companion.seating) for refusal in error.refusals]
            game = companion.watcher.match.rules.game.name
            return plain | {"action": str(error.action), "game": game, "blame": blame}
        case SpokenError():
            return plain | _said(error)
        case InvalidActionError():
            unknown = SpokenError("{action} is not an action of this game.", action=str(payload.get("action")))
            return plain | _said(unknown)
        case InvalidSetupError():
            return plain | _said(SpokenError("This cannot be played: {why}", why=str(error)))
    return plain


def _said(error: SpokenError) -> Json:
    facts = {name: {"word": str(fact)} if isinstance(fact, Word) else fact for name, fact in error.facts.items()}
    return {"text": error.text, "facts": facts}
