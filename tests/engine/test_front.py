"""What other programs import."""

from __future__ import annotations

import doctest

import magister


def test_the_example_is_true() -> None:
    result = doctest.testmod(magister)
    assert result.attempted
    assert not result.failed


def test_every_name_is_there() -> None:
    assert all(hasattr(magister, name) for name in magister.__all__)
