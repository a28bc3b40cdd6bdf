"""Tests lights and buttons one by one, with the help of the person at the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from engine.core import COLOURS
from firmware.devices.chain import Chain
from firmware.devices.signals import BLACK, BLUE, GREEN, RED, WHITE, Picture
from firmware.doctor.findings import Finding, bad, good
from hardware.build.wiring import CAPS

Ask = Callable[[str], bool]
"""Asks a question; True if the answer is yes."""
Press = Callable[[], str | None]
"""Waits for a button; its command, or None if nobody pressed in time."""


class Shows(Protocol):
    def show(self, shown: Picture) -> None: ...


def try_lights(lights: Shows, players: int, ask: Ask) -> Iterator[Finding]:
    """Switch on every light in turn; the person says what is lit."""
    dark = (0.0,) * players
    for name, colour in (("red", RED), ("green", GREEN), ("blue", BLUE)):
        lights.show(Picture(colour, dark))
        yield _seen(f"status {name}", ask(f"Is the status light {name}, and no other light on?"), f"status_{name}")
    for seat, name in enumerate(COLOURS[:players]):
        lights.show(Picture(BLACK, tuple(float(each == seat) for each in range(players))))
        lit = ask(f"Is the light of the {name} player on, and no other?")
        yield _seen(f"light {name}", lit, f"players[{seat}]")
    lights.show(Picture(BLACK, dark))


def try_buzzer(lights: Shows, players: int, ask: Ask) -> Iterator[Finding]:
    """Let the buzzer sound while the question is asked."""
    dark = (0.0,) * players
    lights.show(Picture(BLACK, dark, buzz=True))
    is_heard = ask("Does the buzzer sound?")
    lights.show(Picture(BLACK, dark))
    if is_heard:
        yield good("buzzer", "heard")
    else:
        todo = "It must be an active one: + to 3.3 V, transistor as in magister doctor --wiring --drawing FILE."
        yield bad("buzzer", "it is silent", todo)


def _seen(check: str, lit: bool, pin: str) -> Finding:
    if lit:
        return good(check, "seen")
    todo = f"The LED is the wrong way round, a wire is loose, or it is not on pin {pin}: see magister doctor --wiring."
    return bad(check, "not lit, or another one was", todo)


def try_buttons(words: Sequence[str], press: Press, tell: Callable[[str], object]) -> Iterator[Finding]:
    """Each button in turn."""
    for word in words:
        how = "Hold" if word == "new" else "Press"
        tell(f"{how} the {CAPS[word]} button ({word}) …")
        yield _pressed(word, press())


def _pressed(word: str, heard: str | None) -> Finding:
    check = f"button {word}"
    if heard == word:
        return good(check, "heard")
    if heard is None:
        todo = (
            f"Connect one leg to the GPIO of pins.{word}, the other to ground. Legs on the same side are joined inside."
        )
        return bad(check, "no press was noticed", todo)
    return bad(check, f"{heard} was pressed instead", f"Swap the wires of {word} and {heard}, or change [pins].")


def try_chain(chain: Chain, sites: Sequence[str], ask: Ask) -> Iterator[Finding]:
    """Test the first and the last light: a broken or short chain fails at its end."""
    for which, site in (("first", sites[0]), ("last", sites[-1])):
        chain.show({site: WHITE})
        lit = ask(f"Is the {which} light of the chain on ({site} on the board), and no other?")
        todo = f"The chain must have {len(sites)} lights in site order; check the solder joint after the last one lit."
        yield good(f"chain {which}", "seen") if lit else bad(f"chain {which}", "not lit at its site", todo)
    chain.show({})
