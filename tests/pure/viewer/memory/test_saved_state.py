"""Tests that what the window shows goes into a bundle and comes back; foreign contents do no harm."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from texelscope.viewer.colour.picture import TrueColour
from texelscope.viewer.colour.ranges import Colours, Ranges
from texelscope.viewer.graph.model.folding import Folds
from texelscope.viewer.memory.saved_state import as_data, restore
from texelscope.viewer.state import MAX_ZOOM, View, ViewMode, ViewState


def worked_on() -> ViewState:
    """A state in which nothing is as at first."""
    followed = View(mode=ViewMode.SPLIT, zoom=7.5, centre=(3.25, -2.0), fitted="x (1, 2)", seam=0.3, pick=(5, 9))
    followed.lanes = [False, True, False, False]
    locked = View(locked="down1", mode=ViewMode.RATIO, mark_negative=True, grid=False, labels=False)
    state = ViewState(selected="up2", filter_text="conv", only_wrong=True, chained=True, views=[followed, locked])
    state.side_by_side, state.linked, state.active_view = True, False, 1
    state.ranges.of("down1", "value").put(-1.5, 2.5)
    state.ranges.of("down1", "difference").put(-0.5, 0.5)
    state.pictures["image"] = TrueColour(on=True, n=1, channels=(2, 1, 0), linear=True)
    state.colours = Colours("magma", "blue_red", legend=False, log_counts=False)
    state.folds = Folds(frozenset({"encoder", "encoder/block1"}))
    return state


def test_a_state_comes_back_as_it_was() -> None:
    before, after = worked_on(), ViewState()
    restore(after, json.loads(json.dumps(as_data(before))))
    assert as_data(after) == as_data(before)
    assert after.views == before.views
    assert (after.ranges, after.pictures, after.colours) == (before.ranges, before.pictures, before.colours)
    assert after.folds == before.folds
    assert after.wanted_view == 1


def test_nothing_is_changed_by_nothing() -> None:
    state = ViewState()
    restore(state, {})
    assert as_data(state) == as_data(ViewState())


@pytest.mark.parametrize("value", [None, 7, -1, "x", "", [], [1], [1, "2"], {}, True, 1e300, math.nan, math.inf, [{}]])
def test_a_value_of_another_kind_does_no_harm(value: Any) -> None:
    for key in as_data(ViewState()):
        state = ViewState()
        restore(state, {key: value})
        is_usable(state)


@pytest.mark.parametrize(
    "value", [None, 7, -1, "x", [], [1], [1, "2"], {}, True, [1e300, 1], [math.nan, 1], [False] * 4]
)
def test_a_value_of_another_kind_in_a_view_does_no_harm(value: Any) -> None:
    for key in as_data(ViewState())["views"][0]:
        state = ViewState()
        restore(state, {"views": [{"zoom": 2.0, "centre": [1.0, 1.0], key: value}, {key: value}]})
        is_usable(state)


def is_usable(state: ViewState) -> None:
    """Checks what the panels rely on."""
    assert state.views
    assert state.views[0].locked is None
    assert 0 <= state.active_view < len(state.views)
    for view in state.views:
        assert 0.0 < view.zoom <= MAX_ZOOM
        assert all(math.isfinite(each) for each in (*view.centre, view.seam))
        assert any(view.lanes)
        assert view.pick is None or min(view.pick) >= 0
    json.dumps(as_data(state), allow_nan=False)


def test_a_range_that_follows_the_data_is_not_told() -> None:
    ranges = Ranges()
    assert ranges.of("down1", "value").follows
    ranges.of("down2", "value").put(-1.0, 3.0)
    assert ranges.as_data() == {"down2": {"value": [-1.0, 3.0]}}


@pytest.mark.parametrize("data", [None, [], {"x": 1}, {"x": {"value": [2.0, 1.0]}}, {"x": {"value": [0, math.nan]}}])
def test_a_range_that_is_none_follows_the_data(data: Any) -> None:
    assert Ranges.of_data(data).of("x", "value").follows


@pytest.mark.parametrize("seen", [{"channels": [1, 2]}, {"channels": ["a"]}, {"n": -1}, {"on": 3}, []])
def test_a_picture_that_is_not_understood_is_as_at_first(seen: Any) -> None:
    state = ViewState()
    restore(state, {"pictures": {"x": seen}})
    assert state.pictures.get("x", TrueColour()) == TrueColour()


def test_maps_that_are_not_there_are_those_of_the_start() -> None:
    assert Colours.of_data({"sequential": "rainbow", "diverging": "grey", "legend": 1}) == Colours()
