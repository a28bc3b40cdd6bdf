"""What lies beside the board, in words: the counts that people see at a table."""

from __future__ import annotations

from engine.core import Json
from webui.texts import N_, tell

COUNTED = {
    "stones": N_("Stones in the supply"),
    "markers": N_("Markers in hand"),
    "reserve": N_("Pawns in reserve"),
    "taken": N_("Pawns taken"),
    "chips": N_("Chips"),
    "rack_sizes": N_("Cards in hand"),
    "pot_size": N_("Cards in the pot"),
}


def told_supply(state: Json, language: str) -> Json:
    """What is common to all, and what each player has: `{"common": [{label, value}], "players": [[…], …]}`."""
    view, seats = state.get("view") or {}, len(state.get("players", ()))
    common: list[Json] = []
    each: list[list[Json]] = [[] for _ in range(seats)]
    for name, text in COUNTED.items():
        value, label = view.get(name), tell(text, language)
        if isinstance(value, int) and not isinstance(value, bool):
            common.append({"label": label, "value": value})
        elif isinstance(value, list) and len(value) == seats:
            for seat, own in enumerate(value):
                each[seat].append({"label": label, "value": own})
    return {"common": common, "players": each}
