"""Converts what the window shows to plain data and back: the state in a bundle.

The data is untrusted: entries that are not of the expected kind are ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from texelscope.viewer.colour.picture import COUNTS, TrueColour
from texelscope.viewer.colour.ranges import MOST_LAYERS, Colours, Ranges, is_number, pair_of
from texelscope.viewer.graph.model.folding import Folds
from texelscope.viewer.state import MAX_ZOOM, MIN_ZOOM, View, ViewMode, ViewState

MAX_VIEWS = 64
MAX_FOLDS = 10_000
_FLAGS = ("chained", "only_wrong", "side_by_side", "linked")
_VIEW_FLAGS = ("mark_negative", "mark_outside", "grid", "labels")


def as_data(state: ViewState) -> dict[str, Any]:
    """Returns selection, filter and every texture tab, as JSON can hold them."""
    return {
        "selected": state.selected,
        "filter_text": state.filter_text,
        **{name: getattr(state, name) for name in _FLAGS},
        "active_view": state.active_view,
        "views": [_view_data(view) for view in state.views if not view.is_of_run],  # runs are not saved
        "ranges": state.ranges.as_data(),
        "pictures": {key: _picture_data(seen) for key, seen in state.pictures.items()},
        "colours": state.colours.as_data(),
        "folded": sorted(state.folds.chosen) if state.folds.chosen is not None else None,
    }


def restore(state: ViewState, data: Mapping[str, Any]) -> None:
    """Restores the state from `data`."""
    state.selected = _text(data.get("selected")) or None
    state.filter_text = _text(data.get("filter_text"))
    for name in _FLAGS:
        if isinstance(data.get(name), bool):
            setattr(state, name, data[name])
    views = data.get("views")
    kept = [_view(each) for each in views[:MAX_VIEWS] if isinstance(each, dict)] if isinstance(views, list) else []
    if kept:
        kept[0].locked = None  # the first tab always follows the selection
        state.views = kept
    state.ranges = Ranges.of_data(data.get("ranges"))
    state.pictures = _pictures(data.get("pictures"))
    if "colours" in data:
        state.colours = Colours.of_data(data["colours"])
    folded = data.get("folded")
    if isinstance(folded, list):
        state.folds = Folds(frozenset(each for each in folded[:MAX_FOLDS] if isinstance(each, str)))
    active = data.get("active_view")
    valid = isinstance(active, int) and 0 <= active < len(state.views)
    state.active_view = active if isinstance(active, int) and valid else 0
    state.wanted_view = state.active_view


def _view_data(view: View) -> dict[str, Any]:
    return {
        "locked": view.locked,
        "mode": view.mode.name.lower(),
        "shown_as": view.shown_as,
        "zoom": view.zoom,
        "centre": list(view.centre),
        "fitted": view.fitted,
        "lanes": list(view.lanes),
        "seam": view.seam,
        "pick": list(view.pick) if view.pick is not None else None,
        **{name: getattr(view, name) for name in _VIEW_FLAGS},
    }


def _view(data: Mapping[str, Any]) -> View:
    view = View(locked=_text(data.get("locked")) or None, fitted=_text(data.get("fitted")) or None)
    named = {mode.name.lower(): mode for mode in ViewMode}
    view.mode = named.get(_text(data.get("mode")), ViewMode.ACTUAL)
    view.shown_as = _text(data.get("shown_as")) or None
    centre = pair_of(data.get("centre"))
    if centre is not None and is_number(data.get("zoom")):
        view.zoom, view.centre = min(max(float(data["zoom"]), MIN_ZOOM), MAX_ZOOM), centre
    else:
        view.fitted = None
    lanes = data.get("lanes")
    if isinstance(lanes, list) and len(lanes) == 4 and all(isinstance(lane, bool) for lane in lanes) and any(lanes):
        view.lanes = list(lanes)
    if is_number(data.get("seam")):
        view.seam = min(max(float(data["seam"]), 0.02), 0.98)
    pick = pair_of(data.get("pick"))
    view.pick = (int(pick[0]), int(pick[1])) if pick is not None and min(pick) >= 0.0 else None
    for name in _VIEW_FLAGS:
        if isinstance(data.get(name), bool):
            setattr(view, name, data[name])
    return view


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _picture_data(seen: TrueColour) -> dict[str, Any]:
    return {"on": seen.on, "n": seen.n, "channels": list(seen.channels), "linear": seen.linear}


def _pictures(data: Any) -> dict[str, TrueColour]:
    """Reads how layers are shown as pictures, by key."""
    found = {}
    for key, each in list(data.items())[:MOST_LAYERS] if isinstance(data, dict) else ():
        if not isinstance(key, str) or not isinstance(each, dict):
            continue
        seen = TrueColour(linear=each.get("linear") is True)
        on, n, channels = each.get("on"), each.get("n"), each.get("channels")
        if isinstance(on, bool):
            seen = replace(seen, on=on)
        if isinstance(n, int) and _is_index(n):
            seen = replace(seen, n=n)
        if isinstance(channels, list) and len(channels) in (0, *COUNTS) and all(map(_is_index, channels)):
            seen = replace(seen, channels=tuple(channels))
        found[key] = seen
    return found


def _is_index(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 31
