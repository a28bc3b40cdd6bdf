"""How much help a player has is agreed, kept and used up."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core import GameError
from firmware.assistance import Assistance, Help


def test_everybody_is_shown_where_a_figure_may_go_unless_agreed_otherwise() -> None:
    usual = Assistance.usual(3)
    assert usual.records() == [{"level": "targets", "hints": 3}] * 3
    agreed = usual.agree({"seat": 1, "level": "off", "hints": 0})
    assert agreed.records()[1] == {"level": "off", "hints": 0}
    assert usual.records()[1]["level"] == "targets", "an agreement is a value"


def test_hints_are_used_up() -> None:
    helped = Assistance((Help("hints", 2), Help("targets", 5)))
    helped = helped.after_hint(0).after_hint(0)
    assert helped.seats[0].hints == 0
    with pytest.raises(GameError, match="no hints left"):
        helped.after_hint(0)
    with pytest.raises(GameError, match="without hints"):
        helped.after_hint(1)


@pytest.mark.parametrize(
    "payload",
    [
        {"seat": 2, "level": "off", "hints": 0},
        {"seat": True, "level": "off", "hints": 0},
        {"seat": 0, "level": "much", "hints": 0},
        {"seat": 0, "level": "hints", "hints": 100},
        {"seat": 0, "level": "hints", "hints": -1},
        {},
    ],
)
def test_nonsense_is_refused(payload: dict[str, Any]) -> None:
    with pytest.raises(GameError):
        Assistance.usual(2).agree(payload)
