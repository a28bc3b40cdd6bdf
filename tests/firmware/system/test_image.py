"""The card's description holds together: nothing here can build or boot it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

SYSTEM = Path(__file__).parents[3] / "firmware" / "system"
IMAGE = SYSTEM.parent / "image"
LAYER = (IMAGE / "layer" / "magister.yaml").read_text(encoding="utf-8")


def test_the_layer_names_files_that_are_there() -> None:
    config = (IMAGE / "config" / "magister.yaml").read_text(encoding="utf-8")
    assert "app: magister" in config
    assert "# X-Env-Layer-Name: magister\n" in LAYER
    for name in re.findall(r"install -m \d+ (\S+) ", LAYER):
        assert (IMAGE / name).is_file(), name
    assert "firmware/system/install.sh --no-start --hostname magister" in LAYER


def test_the_layer_installs_what_the_installer_wants() -> None:
    script = (SYSTEM / "install.sh").read_text(encoding="utf-8")
    wanted = re.search(r"wanted=\(([^)]*)\)", script)
    of_the_pi = re.search(r"of_the_pi=\(([^)]*)\)", script)
    assert wanted is not None
    assert of_the_pi is not None
    listed = set(re.findall(r"^    - ([a-z0-9-]+)$", LAYER, re.MULTILINE))
    assert {*wanted[1].split(), *of_the_pi[1].split()} <= listed


@pytest.mark.parametrize("script", [SYSTEM / "install.sh", IMAGE / "hello"], ids=lambda path: path.name)
def test_a_script_is_understood_by_its_shell(script: Path) -> None:
    shell = script.read_text(encoding="utf-8").splitlines()[0].split("/")[-1].split()[-1]
    done = subprocess.run([shell, "-n", str(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["", "Magister", "two words", "-x", "a" * 70])
def test_a_name_that_no_machine_may_have_is_refused(name: str) -> None:
    words = ["bash", str(SYSTEM / "install.sh"), "--hostname", name]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--hostname needs a name" in done.stderr


def test_the_page_is_announced_where_it_is_served() -> None:
    port = re.search(r"--port (\d+)", (SYSTEM / "run.env").read_text(encoding="utf-8"))
    assert port is not None
    assert f"<port>{port[1]}</port>" in (SYSTEM / "magister-page.xml").read_text(encoding="utf-8")
