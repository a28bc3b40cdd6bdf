"""What other programs import."""

from __future__ import annotations

import doctest

import engine


def test_the_example_is_true() -> None:
    result = doctest.testmod(engine)
    assert result.attempted
    assert not result.failed


def test_every_name_is_there() -> None:
    assert all(hasattr(engine, name) for name in engine.__all__)
