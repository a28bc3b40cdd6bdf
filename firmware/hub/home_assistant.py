"""What Home Assistant is told of a table, so that it shows it without any further setting up (MQTT discovery)."""

from __future__ import annotations

from engine.core import Json
from firmware.hub.contract import topic

PREFIX = "homeassistant"
WATCH, TAKE_BACK = "watch", "take-back"
MODES = ("", WATCH, TAKE_BACK)
"""Nothing, what it may see, and also a button that takes back."""
PRESSED = "take_back"
"""What the button sends."""

_STATE = "{% set s = value_json.state %}"
_NAMES = "{% for seat in seats %}{{ s.players[seat].name }}{% if not loop.last %}, {% endif %}{% endfor %}"
TURN = _STATE + "{% if s.seat is number and s.begun %}{{ s.players[s.seat].name }}{% else %}–{% endif %}"
VERDICT = _STATE + "{{ (s.lights | default({})).status | default('quiet') }}"
CLOCK = _STATE + "{% if s.clock and s.seat is number %}{{ s.clock.left[s.seat] | round(1) }}{% else %}None{% endif %}"
RESULT = (
    _STATE
    + "{% set ended = s.recent | default([]) | selectattr('event', 'in', ['draw', 'resign', 'abandon']) | list %}"
    + "{% if s.result %}{% set seats = [s.result.winner] if s.result.winner is number else s.result.winner %}"
    + _NAMES
    + "{% elif s.closed %}{{ (ended | last).event if ended else 'over' }}{% else %}–{% endif %}"
)
ONLINE = "{{ 'ON' if value_json.online else 'OFF' }}"
IS_THERE = "{{ 'online' if value_json.online else 'offline' }}"
MAY_TAKE_BACK = _STATE + "{{ 'online' if s.ply | default(0) > 0 and not s.closed else 'offline' }}"


def announcements(table: str, uid: str, program: str, mode: str) -> dict[str, Json | None]:
    """Topics and payloads, all retained; None takes back what an earlier run has told."""
    node = f"magister-{uid[:16]}"
    device = {
        "identifiers": [node],
        "name": f"Magister Ludi: {table}",
        "manufacturer": "Magister Ludi",
        "sw_version": program,
    }
    there: Json = {"topic": topic(table, "online"), "value_template": IS_THERE}

    def told(name: str, **more: object) -> Json:
        about = {"name": name, "unique_id": f"{node}-{name.lower().replace(' ', '-')}", "device": device}
        return about | {"origin": {"name": "Magister Ludi", "sw_version": program}} | more

    def shown(name: str, template: str, icon: str, **more: object) -> Json:
        of_table = {"state_topic": topic(table, "state"), "value_template": template, "availability": [there]}
        return told(name, icon=icon, **of_table, **more)

    seconds = {"device_class": "duration", "unit_of_measurement": "s"}
    button = told(
        "Take back",
        icon="mdi:undo",
        command_topic=topic(table, "press"),
        payload_press=PRESSED,
        availability=[there, {"topic": topic(table, "state"), "value_template": MAY_TAKE_BACK}],
        availability_mode="all",
    )
    entities: dict[str, Json | None] = {
        "sensor/turn": shown("Turn", TURN, "mdi:account-arrow-right"),
        "sensor/verdict": shown("Verdict", VERDICT, "mdi:gavel"),
        "sensor/clock": shown("Clock", CLOCK, "mdi:timer-outline", **seconds),
        "sensor/result": shown("Result", RESULT, "mdi:trophy"),
        "binary_sensor/online": told(
            "Online",
            state_topic=topic(table, "online"),
            value_template=ONLINE,
            device_class="connectivity",
        ),
        "button/take-back": button if mode == TAKE_BACK else None,
    }
    return {_place(node, place): payload for place, payload in entities.items()}


def _place(node: str, place: str) -> str:
    component, name = place.split("/")
    return f"{PREFIX}/{component}/{node}/{name}/config"
