"""The settings file: TOML, every key known, a mistyped one is an error.

```toml
# [rules.GAME]                  # house rules, for every match of this game unless the command line says otherwise
# variant = "NAME"              # `magister rules GAME` tells what there is to choose
# OPTION = false

[pins]                          # BCM numbers; only what differs from the plan in firmware/settings/pins.py
status_red = 17
players = [5, 6, 13, 19]        # one LED per seat, in seat order; [] for none
confirm = 16                    # buttons: confirm, undo, hint, new
buzzer = []                     # [12]: an active buzzer behind a transistor at GPIO 12

[lights]
brightness = 0.6                # the brightest any light may be
pwm = true                      # false for plain LEDs: on or off, and brightness does not apply
common_anode = false            # true if the RGB LED's common leg goes to 3.3 V
chain = false                   # true if an APA102 chain with a light at every site is connected to SPI0
budget_ma = 800.0               # milliamperes the chain may draw; it is dimmed to stay below

[panel]
hold = 2.0                      # seconds to hold the button for a new match
bounce = 0.03                   # seconds a button's contact may bounce
off = 5.0                       # seconds to hold the hint button to switch the table off; 0: never

[camera]
width = 1280
height = 720
fps = 10.0
settle = 2.0                    # seconds until exposure, gain and colours are locked
patience = 2.0                  # seconds without a picture after which the camera counts as gone

[page]                          # the command line (--port, --host, --no-page) takes precedence
on = true                       # false: run without the page
host = "127.0.0.1"              # "0.0.0.0" opens the page to the home network
port = 8000                     # or the next free one
names = ""                      # other names under which it may be opened: "table.example, club.example"
language = ""                   # en, de, fr, it or uk: the table's own language; "": as each browser prefers
screen = false                  # true: a browser at this machine shows address and PIN, as a QR code for phones
index = ""                      # "https://INDEX/simple": a package index that the page asks for newer versions

[clock]                         # the command line (--clock) and the page take precedence
time = ""                       # "10+5": ten minutes each, and five seconds more after every turn; "": no clock

[voice]                         # of a table with a loudspeaker; the command line (--voice) takes precedence
language = ""                   # en, de, fr, it or uk; "table": as in [page], or English if that is empty; "": silent

[hub]                           # the command line (--hub, --table) takes precedence
url = ""                        # "mqtt://HOST": this table tells a hub what is played; "": it tells nobody
table = ""                      # what the table is called there
token = ""                      # what the hub shows for this table: needed once, and may stay
ca = ""                         # a file of certificates to trust, for mqtts://
home_assistant = ""             # "watch": Home Assistant shows this table; "take-back": with a button for that
```
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from engine.clock import TimeControl
from engine.core import GameError, Value
from engine.registry import find_game
from engine.words import LANGUAGES
from firmware.machine.errors import UsageError
from firmware.machine.files import read_text
from firmware.settings.pins import Pins
from firmware.settings.toml import read_tables, typed_value

Settings = TypeVar("Settings")

AS_THE_TABLE = "table"
"""A voice that speaks the table's own language."""


@dataclass(frozen=True)
class HouseRules:
    """How one game is played at this table."""

    variant: str | None = None
    options: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class LightSettings:
    """How the LEDs are connected, and how bright they may be."""

    brightness: float = 0.6
    """The brightest any light may be, from 0 to 1."""
    pwm: bool = True
    """Whether LEDs can be dimmed; plain ones are on or off, and brightness does not apply to them."""
    common_anode: bool = False
    """Whether the status LED's common leg goes to 3.3 V, not to ground."""
    chain: bool = False
    """Whether an APA102 chain with a light at every site is connected to SPI0."""
    budget_ma: float = 800.0
    """Milliamperes the chain may draw."""

    def __post_init__(self) -> None:
        _check("lights.brightness", self.brightness, 0.01, 1)
        _check("lights.budget_ma", self.budget_ma, 50, 20_000)


@dataclass(frozen=True, kw_only=True)
class PanelSettings:
    """How buttons are read."""

    hold: float = 2.0
    """Seconds to hold the button for a new match."""
    bounce: float = 0.03
    """Seconds a contact may bounce after it closed or opened."""
    off: float = 5.0
    """Seconds to hold the hint button to switch the table off on release; 0: never."""

    def __post_init__(self) -> None:
        _check("panel.hold", self.hold, 0.001, 30)
        _check("panel.bounce", self.bounce, 0, 0.5)
        _check("panel.off", self.off, 0, 60)


@dataclass(frozen=True, kw_only=True)
class CameraSettings:
    """What a live camera should deliver."""

    width: int = 1280
    height: int = 720
    fps: float = 10.0
    settle: float = 2.0
    """Seconds for exposure, gain, colours and focus to settle before they are locked."""
    patience: float = 2.0
    """Seconds without a picture after which the camera counts as gone."""

    def __post_init__(self) -> None:
        for name, side in (("width", self.width), ("height", self.height)):
            _check(f"camera.{name}", side, 120, 8192)
            if side % 2:
                raise ValueError(f"camera.{name} must be even, not {side}")
        _check("camera.fps", self.fps, 1, 120)
        _check("camera.settle", self.settle, 0, 60)
        # Any longer, and the watchdog would restart the program.
        _check("camera.patience", self.patience, 0.01, 20)


@dataclass(frozen=True, kw_only=True)
class PageSettings:
    """Where `magister run` serves its page, unless the command line says otherwise."""

    on: bool = True
    host: str = "127.0.0.1"
    """`0.0.0.0` opens the page to the home network."""
    port: int = 8000
    """Or the next free one."""
    names: str = ""
    """Further names under which the page may be opened, besides those of the machine, with commas between."""
    language: str = ""
    """The table's own: of pages for whoever has chosen none, and of a voice that speaks as the table does. If it is
    empty, pages are in what a browser prefers, and the voice speaks English."""
    screen: bool = False
    """Whether a browser at this machine sees address and PIN without knowing it. A server in front of the page that
    says nothing of itself would look like such a browser: so somebody has to want it."""
    index: str = ""
    """The package index that is asked for newer versions, when somebody taps for it; none if it is empty."""

    def __post_init__(self) -> None:
        for name in self.further_names:
            if not re.fullmatch(r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?", name):
                raise ValueError(f"page.names must be names such as 'table.example, club.example', not {name!r}")
        _check_language("page.language", self.language, "", *LANGUAGES)
        if self.index and not re.fullmatch(r"https?://[^\s/]+(/\S*)?", self.index):
            raise ValueError(f"page.index must be an address such as 'https://INDEX/simple', not {self.index!r}")
        if not self.host or self.host != self.host.strip():
            raise ValueError(f"page.host must be an address, not {self.host!r}")
        _check("page.port", self.port, 1, 65535)

    @property
    def further_names(self) -> tuple[str, ...]:
        return tuple(name for each in self.names.split(",") if (name := each.strip()))


@dataclass(frozen=True, kw_only=True)
class ClockSettings:
    """The clock that is usual at this table."""

    time: str = ""
    """As `--clock` takes it: `10+5`, `10d5`, `10+5,ends`; none if it is empty."""

    def __post_init__(self) -> None:
        # Raises where it is none.
        _ = self.control

    @property
    def control(self) -> TimeControl | None:
        return TimeControl.parse(self.time) if self.time else None


@dataclass(frozen=True, kw_only=True)
class VoiceSettings:
    """The voice of a table with a loudspeaker."""

    language: str = ""
    """In which language `espeak-ng` says what the referee says: `table` for that of the page; nothing is said if it is
    empty."""

    def __post_init__(self) -> None:
        _check_language("voice.language", self.language, "", *LANGUAGES, AS_THE_TABLE)


@dataclass(frozen=True, kw_only=True)
class HubTable:
    """The hub that `magister run` joins, unless the command line says otherwise."""

    url: str = ""
    """`mqtt://HOST`; nothing joins none."""
    table: str = ""
    """What the table is called there."""
    ca: str = ""
    """A file of certificates to trust."""
    token: str = ""
    """Joins the hub, once; it may stay."""
    home_assistant: str = ""
    """`watch`, or `take-back` with a button; nothing tells Home Assistant nothing."""

    def __post_init__(self) -> None:
        if self.url and not re.fullmatch(r"mqtts?://[^\s/?#]+/?", self.url):
            raise ValueError(f"hub.url must be an address such as mqtt://HOST, not {self.url!r}")
        if self.table and not re.fullmatch(r"[^\W_](?:[\w .-]{0,30}\w)?", self.table):
            raise ValueError(
                f"hub.table must be up to 32 letters, digits, spaces, dots and hyphens, not {self.table!r}"
            )
        if self.home_assistant not in ("", "watch", "take-back"):
            raise ValueError(f"hub.home_assistant must be watch or take-back, not {self.home_assistant!r}")


@dataclass(frozen=True)
class Config:
    """All settings; without a file, the defaults."""

    rules: Mapping[str, HouseRules] = field(default_factory=dict)
    pins: Pins = field(default_factory=Pins)
    lights: LightSettings = field(default_factory=LightSettings)
    panel: PanelSettings = field(default_factory=PanelSettings)
    camera: CameraSettings = field(default_factory=CameraSettings)
    page: PageSettings = field(default_factory=PageSettings)
    clock: ClockSettings = field(default_factory=ClockSettings)
    voice: VoiceSettings = field(default_factory=VoiceSettings)
    hub: HubTable = field(default_factory=HubTable)

    @classmethod
    def load(cls, path: Path | None, over: Path | None = None) -> Config:
        """The settings in a file; the defaults without a file. What is `over` it (and may not be there) comes first."""
        files = [file for file in (path, over if over is not None and over.exists() else None) if file is not None]
        tables: dict[str, Any] = {}
        config = cls()
        for file in files:
            try:
                tables = _merged(tables, read_tables(read_text(file)))
                config = cls(**_sections(tables))
            except tomllib.TOMLDecodeError as error:
                raise UsageError(f"{file} is not TOML: {error}") from error
            except (GameError, ValueError) as error:
                raise UsageError(f"{file}: {error}") from error
        return config

    def for_game(self, game: str) -> HouseRules:
        return self.rules.get(game, HouseRules())


def _merged(below: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Tables with those over them."""
    both = {name: below[name] | over[name] for name in below.keys() & over.keys() if _are_tables(below, over, name)}
    return {**below, **over, **both}


def _are_tables(below: Mapping[str, Any], over: Mapping[str, Any], name: str) -> bool:
    return isinstance(below[name], dict) and isinstance(over[name], dict)


def _sections(tables: Mapping[str, Any]) -> dict[str, Any]:
    known = {each.name for each in fields(Config)}
    if strangers := tables.keys() - known:
        raise GameError(f"unknown setting {min(strangers)}; there are: {', '.join(sorted(known))}")
    return {
        "rules": {game: _house_rules(game, table) for game, table in _table("rules", tables).items()},
        "pins": _settings(Pins(), "pins", tables),
        "lights": _settings(LightSettings(), "lights", tables),
        "panel": _settings(PanelSettings(), "panel", tables),
        "camera": _settings(CameraSettings(), "camera", tables),
        "page": _settings(PageSettings(), "page", tables),
        "clock": _settings(ClockSettings(), "clock", tables),
        "voice": _settings(VoiceSettings(), "voice", tables),
        "hub": _settings(HubTable(), "hub", tables),
    }


def _table(name: str, tables: Mapping[str, Any]) -> Mapping[str, Any]:
    table = tables.get(name, {})
    if not isinstance(table, dict):
        raise GameError(f"{name} must be a table: write [{name}] and its settings below")
    return table


def _house_rules(game: str, table: object) -> HouseRules:
    if not isinstance(table, dict):
        raise GameError(f"rules.{game} must be a table: write [rules.{game}] and its settings below")
    variant = table.get("variant")
    if not isinstance(variant, str | None):
        raise GameError(f"rules.{game}.variant must be text, not {variant!r}")
    options = {name: value for name, value in table.items() if name != "variant"}
    find_game(game).configure(variant, options)
    return HouseRules(variant, options)


def _settings(defaults: Settings, name: str, tables: Mapping[str, Any]) -> Settings:
    """A section whose keys and types are those of its defaults."""
    table = _table(name, tables)
    known = {each.name for each in fields(defaults)}  # type: ignore[arg-type] # every section is a dataclass
    if strangers := table.keys() - known:
        raise GameError(f"unknown setting {name}.{min(strangers)}; there are: {', '.join(sorted(known))}")
    values = {key: typed_value(f"{name}.{key}", value, getattr(defaults, key)) for key, value in table.items()}
    return type(defaults)(**values)


def _check_language(name: str, value: str, *known: str) -> None:
    if value not in known:
        raise ValueError(f"{name} must be one of {', '.join(filter(None, known))}, not {value!r}")


def _check(name: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise ValueError(f"{name} must be {least:g} to {most:g}, not {value:g}")
