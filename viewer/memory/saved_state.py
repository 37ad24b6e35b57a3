"""What the window shows, as plain data, and back: the state in a bundle.

It may come from a stranger: whatever is not of the expected kind is left as it would be without it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from viewer.state import MAX_ZOOM, MIN_ZOOM, Mode, Range, View, ViewState

MAX_VIEWS = 64
_FLAGS = ("chained", "only_wrong", "side_by_side", "linked")
_VIEW_FLAGS = ("mark_negative", "grid", "labels")


def as_data(state: ViewState) -> dict[str, Any]:
    """Selection, filter and every texture tab, as JSON can hold them."""
    return {
        "selected": state.selected,
        "filter_text": state.filter_text,
        **{name: getattr(state, name) for name in _FLAGS},
        "active_view": state.active_view,
        "views": [_view_data(view) for view in state.views],
    }


def restore(state: ViewState, data: Mapping[str, Any]) -> None:
    """Puts the state as `data` say."""
    state.selected = _text(data.get("selected")) or None
    state.filter_text = _text(data.get("filter_text"))
    for name in _FLAGS:
        if isinstance(data.get(name), bool):
            setattr(state, name, data[name])
    views = data.get("views")
    kept = [_view(each) for each in views[:MAX_VIEWS] if isinstance(each, dict)] if isinstance(views, list) else []
    if kept:
        kept[0].locked = None  # the first tab always follows
        state.views = kept
    active = data.get("active_view")
    valid = isinstance(active, int) and 0 <= active < len(state.views)
    state.active_view = active if isinstance(active, int) and valid else 0
    state.wanted_view = state.active_view


def range_data(value_range: Range) -> list[float] | None:
    """Black and white point; None while they follow the data."""
    return None if value_range.follows else [value_range.low, value_range.high]


def range_of(data: Any) -> Range:
    """The range behind such data."""
    pair = _pair(data)
    return Range(pair[0], pair[1], follows=False) if pair is not None and pair[0] < pair[1] else Range()


def _view_data(view: View) -> dict[str, Any]:
    return {
        "locked": view.locked,
        "mode": view.mode.name.lower(),
        "shown_as": view.shown_as,
        "zoom": view.zoom,
        "centre": list(view.centre),
        "fitted": view.fitted,
        "range": range_data(view.value_range),
        "difference_range": range_data(view.difference_range),
        "lanes": list(view.lanes),
        "seam": view.seam,
        "pick": list(view.pick) if view.pick is not None else None,
        **{name: getattr(view, name) for name in _VIEW_FLAGS},
    }


def _view(data: Mapping[str, Any]) -> View:
    view = View(locked=_text(data.get("locked")) or None, fitted=_text(data.get("fitted")) or None)
    named = {mode.name.lower(): mode for mode in Mode}
    view.mode = named.get(_text(data.get("mode")), Mode.ACTUAL)
    view.shown_as = _text(data.get("shown_as")) or None
    centre = _pair(data.get("centre"))
    if centre is not None and _is_number(data.get("zoom")):
        view.zoom, view.centre = min(max(float(data["zoom"]), MIN_ZOOM), MAX_ZOOM), centre
    else:
        view.fitted = None
    view.value_range, view.difference_range = range_of(data.get("range")), range_of(data.get("difference_range"))
    lanes = data.get("lanes")
    if isinstance(lanes, list) and len(lanes) == 4 and all(isinstance(lane, bool) for lane in lanes) and any(lanes):
        view.lanes = list(lanes)
    if _is_number(data.get("seam")):
        view.seam = min(max(float(data["seam"]), 0.02), 0.98)
    pick = _pair(data.get("pick"))
    view.pick = (int(pick[0]), int(pick[1])) if pick is not None and min(pick) >= 0.0 else None
    for name in _VIEW_FLAGS:
        if isinstance(data.get(name), bool):
            setattr(view, name, data[name])
    return view


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _pair(value: Any) -> tuple[float, float] | None:
    if not isinstance(value, list) or len(value) != 2 or not all(_is_number(each) for each in value):
        return None
    return float(value[0]), float(value[1])


def _is_number(value: Any) -> bool:
    """Whether it is a number that fits a texture or a pixel: finite, and not absurd."""
    is_real = isinstance(value, int | float) and not isinstance(value, bool)
    return bool(is_real and abs(value) < 1e38 and math.isfinite(value))
