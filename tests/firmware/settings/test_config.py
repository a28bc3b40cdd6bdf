"""The settings file."""

from __future__ import annotations

from pathlib import Path

import pytest

import firmware.settings.config
from firmware.commands.cli import main
from firmware.machine.errors import UsageError
from firmware.settings.config import CameraSettings, Config, LightSettings, PageSettings, PanelSettings
from firmware.settings.pins import Pins


def settings(folder: Path, text: str) -> Path:
    path = folder / "config.toml"
    path.write_text(text)
    return path


def test_house_rules_are_in_force_until_the_call_says_otherwise(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = settings(tmp_path, '[rules.memento-tuos]\nvariant = "simple"\nfacing_medians = false\n')
    assert main(["rules", "memento-tuos", "--config", str(path)]) == 0
    told = capsys.readouterr().out
    assert "(simple)" in told
    assert "facing_medians = off" in told
    assert "passage = step" in told
    main(["rules", "memento-tuos", "--config", str(path), "--variant", "complex", "--option", "facing_medians=on"])
    told = capsys.readouterr().out
    assert "passage = wide" in told
    assert "facing_medians = on" in told


def test_without_a_file_the_defaults_hold() -> None:
    assert Config.load(None).for_game("rings").options == {}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("prot = 80\n", "unknown setting prot; there are: camera, clock, hub, lights, page, panel, pins, rules, voice"),
        ("rules = 3\n", "rules must be a table: write \\[rules\\] and its settings below"),
        ("[rules]\nrings = 3\n", "rules.rings must be a table"),
        ("[rules.chess]\n", "unknown game 'chess'"),
        ("[rules.rings]\nwings = true\n", "no option 'wings'"),
        ("[rules.rings]\nflying = 'yes'\n", "option flying"),
        ("[rules.rings]\nvariant = 'simple'\n", "no variant 'simple'"),
        ("[rules.rings]\nvariant = 3\n", "rules.rings.variant must be text, not 3"),
        ("[rules.memento-tuos]\nvariant = [1]\n", "rules.memento-tuos.variant must be text, not \\[1\\]"),
        ("[rules.memento-tuos]\npassage = [1]\n", "option passage"),
        ("[rules.memento-tuos]\npassage = {a = 1}\n", "option passage"),
        ("[rules\n", "is not TOML"),
        ("[page]\nnames = 'club.example, http://x'\n", "page.names must be names such as"),
        ("[page]\nindex = 'file:///etc'\n", "page.index must be an address such as"),
        ("pins = 3\n", "pins must be a table"),
        ("[pins]\nundoo = 3\n", "unknown setting pins.undoo"),
        ("[pins]\nundo = 16\n", "GPIO 16 is used twice, by confirm and undo"),
        ("[pins]\nundo = 11\n", "pins.undo: GPIO 11 is reserved for the light chain"),
        ("[pins]\nundo = 'GPIO4'\n", "pins.undo must be a whole number, not 'GPIO4'"),
        ("[pins]\nundo = true\n", "pins.undo must be a whole number, not True"),
        ("[pins]\nplayers = 5\n", "pins.players must be a list of whole numbers, not 5"),
        ("[pins]\nplayers = [5.0]\n", "pins.players must be a list of whole numbers"),
        ("[lights]\nbrightnes = 1\n", "unknown setting lights.brightnes"),
        ("[lights]\nbrightness = 60\n", "lights.brightness must be 0.01 to 1, not 60"),
        ("[lights]\nbrightness = nan\n", "lights.brightness must be a number, not nan"),
        ("[lights]\npwm = 1\n", "lights.pwm must be true or false, not 1"),
        ("[lights]\nbudget_ma = 0\n", "lights.budget_ma must be 50 to 20000"),
        ("[panel]\nhold = 'long'\n", "panel.hold must be a number, not 'long'"),
        ("[panel]\nbounce = 3\n", "panel.bounce must be 0 to 0.5, not 3"),
        ("[camera]\nwidth = 1281\n", "camera.width must be even, not 1281"),
        ("[camera]\nheight = 10\n", "camera.height must be 120 to 8192, not 10"),
        ("[camera]\nfps = 0\n", "camera.fps must be 1 to 120, not 0"),
        ("[page]\nport = 0\n", "page.port must be 1 to 65535, not 0"),
        ("[page]\nhost = 8000\n", "page.host must be text, not 8000"),
        ("[page]\nhost = ' '\n", "page.host must be an address, not ' '"),
        (f"[lights]\nbrightness = {'9' * 400}\n", "lights.brightness is too large"),
        (f"[camera]\nwidth = -{'9' * 400}\n", "camera.width is too large"),
        (f"[pins]\nplayers = [{'9' * 400}]\n", "GPIO"),
        (f"[lights]\nbrightness = {'9' * 5000}\n", "a number has too many digits"),
        (f"[lights]\nbrightness = 0x{'f' * 5000}\n", "lights.brightness is too large"),
        (f"[lights]\nbrightness = {'[' * 3000}{']' * 3000}\n", "nested too deeply"),
        (f"[lights]\nbrightness{'.a' * 3000} = 1\n", "nested too deeply"),
        (f"[lights]\nbrightness{'.a' * 10} = 1\n", "nested too deeply"),
        ("[lights]\nbrightness.a.a = 1\n", "lights.brightness must be a number, not {'a': {'a': 1}}"),
        ("[clock]\ntime = 'soon'\n", "soon is not a clock setting"),
        ("[voice]\nlanguage = 'xx'\n", "voice.language must be one of en, de, fr, it, uk, table, not 'xx'"),
        ("[page]\nlanguage = 'table'\n", "page.language must be one of en, de, fr, it, uk, not 'table'"),
        ("[clock]\ntime = 10\n", "clock.time must be text, not 10"),
        ("[page]\non = 'no'\n", "page.on must be true or false, not 'no'"),
    ],
)
def test_a_mistake_in_the_file_is_one_clear_line(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint) as caught:
        Config.load(settings(tmp_path, text))
    assert "config.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_pins_lights_panel_and_camera_are_set_one_by_one(tmp_path: Path) -> None:
    text = """
        [pins]
        undo = 12
        players = [23, 24]
        [lights]
        brightness = 1
        chain = true
        [panel]
        hold = 1.5
        [camera]
        width = 1920
        height = 1080
        [page]
        host = "0.0.0.0"
        port = 8080
    """
    config = Config.load(settings(tmp_path, text))
    assert config.pins == Pins(undo=12, players=(23, 24))
    assert config.lights == LightSettings(brightness=1.0, chain=True)
    assert isinstance(config.lights.brightness, float)
    assert config.panel == PanelSettings(hold=1.5)
    assert config.camera == CameraSettings(width=1920, height=1080)
    assert config.page == PageSettings(host="0.0.0.0", port=8080)


def test_the_settings_that_the_page_shows_are_the_defaults(tmp_path: Path) -> None:
    shown = (firmware.settings.config.__doc__ or "").split("```")[1].removeprefix("toml")
    config = Config.load(settings(tmp_path, shown))
    assert (config.pins, config.lights, config.panel, config.camera, config.page) == (
        Pins(),
        LightSettings(),
        PanelSettings(),
        CameraSettings(),
        PageSettings(),
    )
