"""The stream of changes: what is sent makes the same state again, and is much less than all of it."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from webui.table.changes import changed, changes

plain = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text("ab", max_size=2),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("abc", min_size=1, max_size=1), inner, max_size=3)
    ),
    max_leaves=12,
)
states = st.dictionaries(st.text("abc", min_size=1, max_size=1), plain, max_size=3)


@given(states, states)
def test_changes_make_the_state_they_were_made_from(before: dict[str, Any], now: dict[str, Any]) -> None:
    told = json.loads(json.dumps(changes(before, now)))
    made = changed(before, told)
    assert made == now
    assert json.dumps(made, sort_keys=True) == json.dumps(now, sort_keys=True), "true is not 1"


@given(states)
def test_where_nothing_has_changed_nothing_is_sent(state: dict[str, Any]) -> None:
    assert changes(state, state) == {}


def test_rows_that_slide_are_not_sent_again() -> None:
    before = {"recent": [{"number": number} for number in range(40)], "seat": 0, "faces": {"T1": "red1", "T2": "red2"}}
    now = before | {"recent": [*before["recent"][1:], {"number": 40}], "seat": None, "faces": {"T1": "red1"}}  # type: ignore[index]
    assert changes(before, now) == {
        "rows": {"recent": {"gone": 1, "more": [{"number": 40}]}},
        "set": {"seat": None},
        "into": {"faces": {"gone": ["T2"]}},
    }


def test_true_is_not_one() -> None:
    assert changes({"lit": [True]}, {"lit": [1]}) != {}
    assert changes({"lit": {"T1": 0}}, {"lit": {"T1": False}}) == {"into": {"lit": {"set": {"T1": False}}}}
