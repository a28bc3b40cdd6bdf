"""What `make browser` finds missing, and what it says of it."""

from __future__ import annotations

import subprocess

import browser
import pytest

LACKING = "driver/node: error while loading shared libraries: {}: cannot open shared object file: No such file\n"


@pytest.fixture
def lacking(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """A machine on which nothing starts for want of a library."""
    failed = subprocess.CompletedProcess([], 127, "", LACKING.format(request.param))
    monkeypatch.setattr("subprocess.run", lambda *_, **__: failed)
    return str(request.param)


@pytest.mark.parametrize(
    ("lacking", "package"),
    [("libatomic.so.1", "libatomic1"), ("libnss3.so", "libnss3"), ("libicui18n-72.so.72", "libicui18n-72-72")],
    indirect=["lacking"],
)
def test_a_library_that_the_driver_lacks_is_found_before_it_ends_in_a_traceback(lacking: str, package: str) -> None:
    assert browser.missing_library() == lacking
    assert browser.missing_packages() == [package, "chromium-headless-shell"]


def test_where_the_page_can_be_tested_nothing_is_missing() -> None:
    assert browser.missing_library() is None
    assert browser.missing_packages() == []
