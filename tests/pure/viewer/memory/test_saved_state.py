"""What the window shows goes into a bundle and comes back; what a stranger puts there does no harm."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from viewer.memory.saved_state import as_data, range_data, range_of, restore
from viewer.state import MAX_ZOOM, Mode, Range, View, ViewState


def worked_on() -> ViewState:
    """A state in which nothing is as at first."""
    followed = View(mode=Mode.SPLIT, zoom=7.5, centre=(3.25, -2.0), fitted="x (1, 2)", seam=0.3, pick=(5, 9))
    followed.value_range = Range(-1.5, 2.5, follows=False)
    followed.lanes = [False, True, False, False]
    locked = View(locked="down1", mode=Mode.RATIO, mark_negative=True, grid=False, labels=False)
    locked.difference_range = Range(-0.5, 0.5, follows=False)
    state = ViewState(selected="up2", filter_text="conv", only_wrong=True, chained=True, views=[followed, locked])
    state.side_by_side, state.linked, state.active_view = True, False, 1
    return state


def test_a_state_comes_back_as_it_was() -> None:
    before, after = worked_on(), ViewState()
    restore(after, json.loads(json.dumps(as_data(before))))
    assert as_data(after) == as_data(before)
    assert after.views == before.views
    assert after.wanted_view == 1


def test_nothing_is_changed_by_nothing() -> None:
    state = ViewState()
    restore(state, {})
    assert as_data(state) == as_data(ViewState())


@pytest.mark.parametrize("value", [None, 7, -1, "x", "", [], [1], [1, "2"], {}, True, 1e300, math.nan, math.inf, [{}]])
@pytest.mark.parametrize("key", list(as_data(ViewState())))
def test_a_value_of_another_kind_does_no_harm(key: str, value: Any) -> None:
    state = ViewState()
    restore(state, {key: value})
    is_usable(state)


@pytest.mark.parametrize(
    "value", [None, 7, -1, "x", [], [1], [1, "2"], {}, True, [1e300, 1], [math.nan, 1], [False] * 4]
)
@pytest.mark.parametrize("key", list(as_data(ViewState())["views"][0]))
def test_a_value_of_another_kind_in_a_view_does_no_harm(key: str, value: Any) -> None:
    state = ViewState()
    restore(state, {"views": [{"zoom": 2.0, "centre": [1.0, 1.0], key: value}, {key: value}]})
    is_usable(state)


def is_usable(state: ViewState) -> None:
    """What the panels rely on."""
    assert state.views
    assert state.views[0].locked is None
    assert 0 <= state.active_view < len(state.views)
    for view in state.views:
        assert 0.0 < view.zoom <= MAX_ZOOM
        assert all(math.isfinite(each) for each in (*view.centre, view.seam, view.value_range.low))
        assert any(view.lanes)
        assert view.value_range.low < view.value_range.high
        assert view.pick is None or min(view.pick) >= 0
    json.dumps(as_data(state), allow_nan=False)


def test_a_range_that_follows_the_data_is_kept_as_such() -> None:
    assert range_data(Range()) is None
    assert range_of(None).follows
    assert range_of([2.0, 1.0]).follows, "black above white is no range"
    assert range_of(range_data(Range(-1.0, 3.0, follows=False))) == Range(-1.0, 3.0, follows=False)
