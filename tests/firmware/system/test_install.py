"""What the installer puts on a machine: settings that are all there and true, units that fit the program."""

from __future__ import annotations

import configparser
import os
import re
import subprocess
import tomllib
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

import firmware
from engine.core import spoken
from engine.registry import all_games
from firmware.commands.cli import build_parser, main
from firmware.settings.config import CameraSettings, Config

SYSTEM = Path(firmware.__file__).parent / "system"
SETTING = re.compile(r"^#(\[[\w.-]+\]|\w+ = )", re.MULTILINE)


def settings_in_force() -> str:
    """The settings file with every setting switched on."""
    return SETTING.sub(r"\1", (SYSTEM / "config.toml").read_text(encoding="utf-8"))


def test_as_it_is_installed_every_setting_is_at_its_default() -> None:
    assert tomllib.loads((SYSTEM / "config.toml").read_text(encoding="utf-8")) == {}
    assert Config.load(SYSTEM / "config.toml") == Config()


def test_every_setting_is_there_with_its_default() -> None:
    told = tomllib.loads(settings_in_force())
    for section in (each.name for each in fields(Config) if each.name != "rules"):
        defaults = getattr(Config(), section)
        if is_dataclass(defaults):
            assert told[section] == {each.name: _as_toml(getattr(defaults, each.name)) for each in fields(defaults)}
        else:
            assert told[section] == defaults, section


def test_the_command_tells_every_house_rule_that_the_file_may_have(capsys: pytest.CaptureFixture[str]) -> None:
    for game in all_games():
        assert main(["rules", game.name]) == 0
        told = capsys.readouterr().out
        for option in game.options:
            assert f"{option.name} = {spoken(option.default)}" in told
            assert all(spoken(value) in told for value in option.values)
        assert all(variant in told for variant in game.variants)


def test_all_settings_together_are_accepted(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(settings_in_force(), encoding="utf-8")
    assert Config.load(path).pins == Config().pins


def _as_toml(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def test_the_service_calls_the_program_as_it_wants_to_be_called() -> None:
    words = (SYSTEM / "run.env").read_text(encoding="utf-8")
    given = next(line for line in words.splitlines() if line.startswith("MAGISTER_RUN=")).partition("=")[2]
    started = unit("magister.service")["Service"]["ExecStart"].replace("$MAGISTER_RUN", given).split()
    args = build_parser().parse_args(started[1:])
    assert (args.command, args.config) == ("run", Path("/etc/magister/config.toml"))


def unit(name: str) -> configparser.ConfigParser:
    # Of a key that stands several times the last value is kept: none of those is asked for here.
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read_string((SYSTEM / name).read_text(encoding="utf-8"))
    return parser


def test_paths_of_installer_and_units_agree() -> None:
    script = (SYSTEM / "install.sh").read_text(encoding="utf-8")
    service = unit("magister.service")["Service"]
    assert "PROGRAM=/opt/$NAME" in script
    assert service["ExecStart"].startswith("/opt/magister/current/bin/magister run")
    assert "DATA=/var/lib/$NAME" in script
    assert "MAGISTER_DATA=/var/lib/magister" in service["Environment"]
    assert service["StateDirectory"] == service["RuntimeDirectory"] == service["User"] == "magister"
    assert unit("magister-poweroff.path")["Path"]["PathExists"] == "/run/magister/poweroff"
    for path in SYSTEM.glob("*.service"):
        assert path.name in script, "an installed unit is one that the installer knows"


def test_the_service_is_restarted_watched_and_confined() -> None:
    service = unit("magister.service")["Service"]
    assert service["Restart"] == "always"
    assert service["Type"] == "notify"
    assert int(service["WatchdogSec"]) >= 30, "a camera may be waited for, and a Zero is slow"
    with pytest.raises(ValueError, match="patience"):
        CameraSettings(patience=int(service["WatchdogSec"]) - 1)
    # lgpio opens a pipe where the program is: there it must be allowed to write.
    assert service["WorkingDirectory"] == f"%t/{service['RuntimeDirectory']}"
    for wall in ("NoNewPrivileges", "ProtectHome", "PrivateTmp", "ProtectKernelModules", "RestrictNamespaces"):
        assert service[wall] == "yes"
    assert service["ProtectSystem"] == "strict"
    assert service["CapabilityBoundingSet"] == ""


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["--help"], 0, "usage: sudo"),
        (["--frobnicate"], 2, "what is --frobnicate?"),
        (["--purge"], 2, "--purge goes with --uninstall"),
    ],
)
def test_the_installer_says_how_it_is_called(words: list[str], code: int, told: str) -> None:
    done = subprocess.run([SYSTEM / "install.sh", *words], capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert told in done.stdout + done.stderr


def test_the_installer_refuses_to_work_without_root() -> None:
    # Nobody may not be let into the folder where the project lies: the script comes by the door.
    as_nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
    script = (SYSTEM / "install.sh").read_text(encoding="utf-8")
    done = subprocess.run(
        [*as_nobody, "bash", "-s"], input=script, cwd="/", capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "this needs root" in done.stderr
