"""The lights: what they tell, and what that does at the wire."""

from __future__ import annotations

import itertools
from dataclasses import replace
from random import Random

import pytest
from gpiozero import Device, DeviceClosed
from gpiozero.pins.mock import MockFactory, MockPWMPin, MockSPIDevice
from tabletop import read

from engine.core import Outcome, Refusal
from engine.match import Match
from engine.referee.news import Agreed, Ended, Illegal, News, Plain, Unclear, Undone, Unfinished
from engine.referee.state import Heard
from engine.referee.table import Seen, Table, step
from engine.registry import find_game
from firmware.devices.chain import Chain, affordable, apa102_bytes, board_lights, current_ma
from firmware.devices.lights import Lights, drawn
from firmware.devices.signals import AMBER, BLACK, BLUE, GREEN, RED, WHITE, Mood, Picture, Status, hear, picture
from firmware.settings.config import LightSettings
from firmware.settings.pins import Pins

PINS = Pins()
FULL = LightSettings(brightness=1.0)
RULES = find_game("memento-tuos").configure()
BOARD = RULES.game.board(2, {})
MOMENTS = [tick / 20 for tick in range(240)]


def table(*news: News) -> Table:
    return replace(Table.begin(Match.begin(RULES, 2, {}), {}), news=news)


# What was said


@pytest.mark.parametrize(
    ("news", "status"),
    [
        (Undone(0), Status.UNDONE),
        (Illegal(0, (Refusal("enter.middle", ("T7",)),)), Status.ILLEGAL),
        (Unfinished(("T4",)), Status.UNFINISHED),
        (Unclear(()), Status.UNCLEAR),
        (Plain("lost"), Status.LOST),
        (Plain("restored"), Status.QUIET),
        (Ended(Outcome((1,), "middles")), Status.RESULT),
    ],
)
def test_news_set_the_mood(news: News, status: Status) -> None:
    mood = hear(Mood(Status.SEEN, 1.0), table(news), 5.0)
    assert (mood.status, mood.since, mood.seat) == (status, 5.0, 0)
    assert hear(mood, table(), 9.0) == mood, "no news, no change"


def test_a_figure_put_down_is_seen_and_lights_its_site() -> None:
    referee, mood = table(), Mood()
    for tick in range(4):
        referee = step(referee, Seen(tick / 10, read(BOARD, {"T1": "red1"}, {})))
        mood = hear(mood, referee, tick / 10)
    assert mood == Mood(Status.SEEN, 0.2, seat=referee.match.position.seat, sites=("T1",))
    assert referee.match.ply == 1


def test_a_mistake_is_told_again_when_a_lost_board_is_found() -> None:
    wrong = hear(Mood(), table(Illegal(0, (Refusal("a", ("T7", "T1")), Refusal("b", ("T7",))))), 1.0)
    assert wrong.sites == ("T7", "T1")
    lost = hear(wrong, table(Plain("lost")), 2.0)
    assert lost.status is Status.LOST
    assert hear(lost, table(Plain("found")), 3.0) == wrong
    assert hear(Mood(Status.LOST), table(Plain("found")), 3.0).status is Status.QUIET


@pytest.mark.parametrize(("news", "winners"), [(Agreed("resign", 0), (1,)), (Agreed("draw"), (0, 1))])
def test_a_match_ended_by_the_players_has_its_winners_lit(news: Agreed, winners: tuple[int, ...]) -> None:
    mood = hear(Mood(), replace(table(news), heard=Heard(closed=True)), 1.0)
    assert (mood.status, mood.winners, mood.seat) == (Status.RESULT, winners, None)


# What every light shows


@pytest.mark.parametrize(
    ("status", "age", "shown"),
    [
        (Status.QUIET, 0.0, Picture((0, 0.08, 0), (0, 1))),
        (Status.SEEN, 0.0, Picture(GREEN, (0, 1))),
        (Status.SEEN, 0.59, Picture(GREEN, (0, 1))),
        (Status.SEEN, 0.61, Picture(BLACK, (0, 1))),
        (Status.SEEN, 0.81, Picture((0, 0.08, 0), (0, 1))),
        (Status.ILLEGAL, 0.1, Picture(RED, (0, 1))),
        (Status.ILLEGAL, 0.3, Picture(BLACK, (0, 1))),
        (Status.ILLEGAL, 60.1, Picture(RED, (0, 1))),
        (Status.UNFINISHED, 0.9, Picture(AMBER, (0, 1))),
        (Status.UNFINISHED, 1.1, Picture(BLACK, (0, 1))),
        (Status.UNCLEAR, 0.1, Picture(AMBER, (0, 0))),
        (Status.UNCLEAR, 0.6, Picture(BLACK, (0, 1))),
        (Status.LOST, 0.0, Picture(BLACK, (0, 0))),
        (Status.LOST, 2.0, Picture(WHITE, (0, 0))),
        (Status.RESULT, 0.0, Picture(RED, (1, 0))),
        (Status.RESULT, 1.0, Picture(GREEN, (1, 0))),
    ],
)
def test_patterns(status: Status, age: float, shown: Picture) -> None:
    told = picture(Mood(status, 10.0, seat=1, winners=(0,)), 10.0 + age, 2)
    assert told.status == pytest.approx(shown.status)
    assert told.players == shown.players


def blinks(status: Status) -> list[tuple[bool, bool]]:
    """A plain status light and the light of the player to move, as one who sees no colours sees them."""
    shown = [picture(Mood(status, seat=0, winners=(0,)), now, 2) for now in MOMENTS]
    return [(max(each.status) >= 0.5, each.players[0] >= 0.5) for each in shown]


def test_every_state_is_told_from_every_other_without_colour() -> None:
    for one, other in itertools.combinations(Status, 2):
        assert blinks(one) != blinks(other), f"{one} and {other} look the same"
    lasting = (Status.ILLEGAL, Status.UNFINISHED, Status.UNCLEAR, Status.LOST)
    lengths = {
        status: {len(list(run)) for _, run in itertools.groupby(lit for lit, _ in blinks(status)[:200])}
        for status in lasting
    }
    for one, other in itertools.combinations(lasting, 2):
        assert max(lengths[one]) != max(lengths[other]), "told apart also by who looks up in the middle of it"


@pytest.mark.parametrize("status", Status)
def test_nothing_flashes_more_than_three_times_a_second(status: Status) -> None:
    lit = [on for on, _ in blinks(status)]
    rises = [not before and after for before, after in itertools.pairwise(lit)]
    assert max(sum(rises[start : start + 20]) for start in range(len(rises))) <= 3


def test_the_terminal_draws_the_lights_in_one_line() -> None:
    shown = picture(Mood(Status.ILLEGAL, seat=1), 0.0, 3)
    assert drawn(shown, ansi=False) == "● status   ○ red  ● yellow  ○ green"
    assert drawn(shown).startswith("\x1b[38;2;255;60;60m●\x1b[0m status")
    assert "\n" not in drawn(shown)


# At the wire


def history(gpio: MockFactory, pin: int) -> list[float]:
    return [each.state for each in gpio.pin(pin).states]


@pytest.mark.parametrize("revision", ["902120", "c03111", "c04170"], ids=["Zero 2 W", "Pi 4", "Pi 5"])
def test_whole_pin_histories_of_a_turn(revision: str) -> None:
    gpio = MockFactory(revision=revision, pin_class=MockPWMPin)
    with Lights(PINS, FULL, pin_factory=gpio) as lights:
        for mood, now in ((Mood(seat=0), 0.0), (Mood(Status.SEEN, 1.0, 1), 1.0), (Mood(Status.ILLEGAL, 2.0, 1), 2.0)):
            lights.show(picture(mood, now, 2))
            lights.show(picture(mood, now, 2))
        assert lights.value == Picture(RED, (0.0, 1.0, 0.0, 0.0), buzz=True)
    assert [history(gpio, pin) for pin in PINS.status] == [[0, 1, 0], [0, 0.08, 1, 0], [0]]
    assert [history(gpio, pin) for pin in PINS.players] == [[0, 1, 0], [0, 1, 0], [0], [0]]


def test_no_light_is_brighter_than_the_limit() -> None:
    gpio, dice = MockFactory(pin_class=MockPWMPin), Random(7)
    with Lights(PINS, LightSettings(brightness=0.25), pin_factory=gpio) as lights:
        for status, now in itertools.product(Status, MOMENTS):
            lights.show(picture(Mood(status, seat=dice.randrange(4), winners=(0, 1, 2, 3)), now, 4))
    assert {max(history(gpio, pin)) for pin in (*PINS.status, *PINS.players)} == {0.25}


def test_what_is_lit_is_never_too_dim_for_the_pins() -> None:
    with Lights(PINS, LightSettings(brightness=0.01), pin_factory=MockFactory(pin_class=MockPWMPin)) as lights:
        lights.show(Picture((1.0, 0.5, 0.0), (0.08,)))
        assert lights.value.status == (0.01, 0.01, 0.0)
        assert lights.value.players[0] == 0.01


def test_plain_leds_are_on_or_off() -> None:
    gpio = MockFactory()
    with Lights(PINS, LightSettings(pwm=False, brightness=0.25), pin_factory=gpio) as lights:
        for now in MOMENTS[:80]:
            lights.show(picture(Mood(Status.LOST, seat=0), now, 2))
        lights.show(picture(Mood(seat=0), 0.0, 2))
    assert [history(gpio, pin) for pin in PINS.status] == [[False, True, False]] * 3
    assert history(gpio, PINS.players[0]) == [False, True, False]


def test_a_common_anode_turns_the_status_light_round() -> None:
    gpio = MockFactory(pin_class=MockPWMPin)
    with Lights(PINS, replace(FULL, common_anode=True), pin_factory=gpio) as lights:
        lights.show(Picture((1.0, 0.25, 0.0), (1.0,)))
        assert [gpio.pin(pin).state for pin in PINS.status] == [0.0, 0.75, 1.0]
        assert gpio.pin(PINS.players[0]).state == 1.0
    assert [gpio.pin(pin).function for pin in PINS.status] == ["input"] * 3


def test_dark_on_exit_also_after_an_error() -> None:
    gpio = MockFactory(pin_class=MockPWMPin)
    lights = Lights(PINS, FULL, pin_factory=gpio)
    lights.show(Picture(WHITE, (1.0, 1.0, 1.0, 1.0)))
    with pytest.raises(ZeroDivisionError), lights:
        raise ZeroDivisionError
    assert [history(gpio, pin) for pin in (*PINS.status, *PINS.players)] == [[0, 1, 0]] * 7
    lights.close()
    assert lights.value.status == BLACK
    with pytest.raises(DeviceClosed):
        lights.show(Picture())


# The chain


@pytest.fixture
def gpio(monkeypatch: pytest.MonkeyPatch) -> MockFactory:
    """Pins that gpiozero's SPI in software finds too: it does not take the factory that it is given."""
    pins = MockFactory()
    monkeypatch.setattr(Device, "pin_factory", pins)
    return pins


class Wire(MockSPIDevice):  # type: ignore[misc] # gpiozero has no types
    """The far end: what was sent between select and deselect."""

    sent: list[bytes]

    def __init__(self, gpio: MockFactory) -> None:
        self.sent = []
        super().__init__(11, 10, 9, 8, pin_factory=gpio)

    def on_start(self) -> None:
        super().on_start()
        self.sent.append(b"")

    def on_bit(self) -> None:
        if len(self.rx_buf) == 8:
            self.sent[-1] += bytes([self.rx_word()])
            self.rx_buf = []


def test_the_wire_format_of_a_chain() -> None:
    assert apa102_bytes([RED, (0.0, 0.5, 1.0)], 1.0).hex(" ") == "00 00 00 00 ff 00 00 ff ff ff 7f 00 00 00 00 00 00"
    assert apa102_bytes([WHITE], 0.3).hex(" ") == "00 00 00 00 ea ed ed ed 00 00 00 00 00"
    assert apa102_bytes([WHITE], 0.0).hex(" ") == "00 00 00 00 e0 00 00 00 00 00 00 00 00"
    assert [len(apa102_bytes([BLACK] * count, 1.0)) - 4 * count for count in (16, 17, 135)] == [9, 10, 17]


def test_a_chain_shows_whole_pictures_and_goes_dark(gpio: MockFactory) -> None:
    wire = Wire(gpio)
    with Chain("abc", FULL, pin_factory=gpio) as chain:
        chain.show({"b": RED})
        chain.show({"c": GREEN})
        assert chain.value == {"c": GREEN}
        with pytest.raises(ValueError, match="there is no light at x, y"):
            chain.show({"y": RED, "x": RED})
    chain.close()
    dark, red, green = ("ff 00 00 00", "ff 00 00 ff", "ff 00 ff 00")
    rows = [(dark, dark, dark), (dark, red, dark), (dark, dark, green), (dark, dark, dark)]
    assert [sent.hex(" ") for sent in wire.sent] == [
        " ".join(("00 " * 4 + row[0], *row[1:], "00 " * 5)).strip() for row in rows
    ]
    with pytest.raises(DeviceClosed):
        chain.show({})


def test_a_chain_goes_dark_after_an_error_too(gpio: MockFactory) -> None:
    wire = Wire(gpio)
    chain = Chain(BOARD.sites, FULL, pin_factory=gpio)
    chain.show(dict.fromkeys(BOARD.sites, WHITE))
    with pytest.raises(ZeroDivisionError), chain:
        raise ZeroDivisionError
    assert len(wire.sent) == 3
    assert wire.sent[-1] == wire.sent[0] == apa102_bytes([BLACK] * len(BOARD.sites), 1.0)


def test_the_budget_holds_whatever_is_shown() -> None:
    dice = Random(3)
    for _ in range(200):
        row = [(dice.random(), dice.random(), dice.random()) for _ in range(dice.randrange(1, 140))]
        brightness = affordable(row, 0.6, 800.0)
        assert current_ma(row, brightness) <= 800.0 + 1e-6
        assert brightness <= 0.6
    assert affordable([RED] * 3, 0.6, 800.0) == 0.6, "what can be afforded is not dimmed"
    assert affordable([WHITE] * 28, 0.6, 800.0) == pytest.approx((800 - 28) / (28 * 60))
    assert affordable([WHITE] * 90, 0.6, 50.0) == 0.0


def test_sites_blink_as_the_status_light_does() -> None:
    wrong = Mood(Status.ILLEGAL, 0.0, seat=0, sites=("T7",))
    assert board_lights(wrong, 0.1, own=["T1", "T7"])["T7"] == RED
    assert board_lights(wrong, 0.3, own=["T1", "T7"])["T7"] == BLACK
    assert board_lights(replace(wrong, status=Status.LOST), 0.1, own=["T1"]) == {}
    quiet = board_lights(Mood(), 0.1, own=["T1"], targets=["T2"], hints=["T3"])
    later = board_lights(Mood(), 1.0, own=["T1"], targets=["T2"], hints=["T3"])
    assert list(quiet) == ["T1", "T2", "T3"]
    assert [site for site in quiet if quiet[site] != later[site]] == ["T3"]


def test_no_site_is_lit_in_a_colour_that_looks_like_a_piece() -> None:
    """A ring of pure green or blue round a free site is taken for a pawn."""
    for status in Status:
        for age in (0.0, 0.1, 0.3, 0.8, 1.4):
            shown = board_lights(Mood(status, 0.0, sites=("T7",)), age, own=["T1"], targets=["T2"], hints=["T3"])
            assert {GREEN, BLUE}.isdisjoint(shown.values()), (status, age)
    assert board_lights(Mood(Status.SEEN, 0.0, sites=("T7",)), 0.1)["T7"] == WHITE


def test_a_buzzer_beeps_twice_at_a_mistake_and_is_silent_after(gpio: MockFactory) -> None:
    wrong = Mood(Status.ILLEGAL, 0.0, sites=("T7",))
    pin = gpio.pin(12)
    with Lights(Pins(buzzer=(12,)), LightSettings(pwm=False), pin_factory=gpio) as lights:
        heard = []
        for step in range(20):
            lights.show(picture(wrong, step / 10 + 0.05, 2))
            heard.append(bool(pin.state))
        assert [one for one, before in zip(heard, [False, *heard], strict=False) if one and not before] == [True, True]
        lights.show(picture(wrong, 0.1, 2))
        assert pin.state
    assert not pin.state, "closed in the middle of a beep"
    loud = {status for status in Status if picture(Mood(status, 0.0), 0.1, 2).buzz}
    assert loud == {Status.ILLEGAL, Status.TIME}


def test_there_is_one_buzzer_at_most() -> None:
    with pytest.raises(ValueError, match="at most one"):
        Pins(buzzer=(12, 18))
    with pytest.raises(ValueError, match="GPIO 16 is used twice"):
        Pins(buzzer=(16,))
