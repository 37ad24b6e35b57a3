"""Implements the commands of ranges and colours: how values are shown, and which are not finite."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from imgui_bundle import imgui
from numpy.typing import NDArray

from texelscope.viewer.app import App
from texelscope.viewer.colour.picture import Limits, TrueColour, channel_count, layout_of, still_seen_as
from texelscope.viewer.colour.shown_as import texel_in
from texelscope.viewer.command import Action, Command, MenuGroup, chord
from texelscope.viewer.runs import beside
from texelscope.viewer.texture.shown import ShownTensor, look
from texelscope.viewer.texture.texel_commands import (
    finite_range,
    next_element,
    region_in_sight,
    tile_region,
    values_of,
)
from texelscope.viewer.texture.view_commands import go_to_element


def _commands() -> tuple[Command, ...]:
    """Returns these commands."""
    return (*_ranges(), *_colours())


def _ranges() -> tuple[Command, ...]:
    """Returns the commands that set the range of the colours."""
    key = imgui.Key
    return (
        Command("reset_range", _reset_range, "Fit the value range to the data", "R", chord(key.r)),
        Command("fit_range", _fit_range, "Fit the value range once", "Shift+R", chord(key.r, shift=True)),
        Command("range_of_tile", range_of_tile, "Fit the value range to the picked tile", "T", chord(key.t)),
        Command("range_in_sight", _range_in_sight, "Fit the value range to the visible part", "V", chord(key.v)),
        Command("next_odd", _next_odd, "Go to the next NaN or infinity", "X", chord(key.x)),
        Command(
            "next_outside",
            _next_outside,
            "Go to the next value outside black and white",
            "Shift+X",
            chord(key.x, shift=True),
        ),
        Command("log_counts", _toggle("log_counts"), "Histogram with logarithmic counts", "H", chord(key.h)),
    )


def _colours() -> tuple[Command, ...]:
    """Returns the commands that choose the colours."""
    key = imgui.Key
    return (
        Command("next_map", _next_map, "Next colour map", "M", chord(key.m)),
        Command("choose_map", lambda app, name: app.state.colours.choose(name)),
        Command("legend", _toggle("legend"), "Legend of the colours", "Y", chord(key.y)),
        Command("marks", _toggle("marks"), "Legend of the marks", "Shift+Y", chord(key.y, shift=True)),
        Command("picture", _toggle_picture, "See the layer as a picture", "I", chord(key.i)),
        Command(
            "linear", _toggle_linear, "Treat a picture's values as linear light", "Shift+I", chord(key.i, shift=True)
        ),
        Command("next_of_batch", _step_batch(1), "Next picture of the batch", "J", chord(key.j)),
        Command("see_picture", see_picture),
    )


def _now(app: App) -> ShownTensor | None:
    with beside.pane(app, app.state.view):
        return look(app, app.state.view)


def _reset_range(app: App) -> None:
    if (shown := _now(app)) is not None:
        shown.chosen.follows = True


def _fit_range(app: App) -> None:
    if (shown := _now(app)) is not None:
        shown.chosen.put(*shown.span)


def range_of_tile(app: App) -> None:
    """Fits the range to the picked tile; to the whole if that is a picture or a single tile."""
    shown, pick = _now(app), app.state.view.pick
    region = tile_region(shown, pick) if shown is not None and pick is not None else None
    if shown is None or region is None:
        app.log.add("Pick a texel first: the range is fitted to its tile.", warning=True)
        return
    _put(app, shown, region, "in the tile")


def _range_in_sight(app: App) -> None:
    shown, place = _now(app), app.display.places.get("canvas")
    if shown is not None and place is not None:
        _put(app, shown, region_in_sight(shown, app.state.view, place[2], place[3]), "in sight")


def _put(app: App, shown: ShownTensor, region: tuple[int, int, int, int], where: str) -> None:
    values = values_of(app, shown)
    found = finite_range(values, shown, app.state.view, region) if values is not None else None
    if found is None:
        app.log.add(f"No finite number is {where}: the range stays.", warning=True)
        return
    low, high = found
    if shown.differs:
        high = max(-low, high)
        low = -high
    if low < high:
        shown.chosen.put(low, high)
    else:
        app.log.add(f"All numbers {where} are {low:.7g}: the range stays.")


def _next_odd(app: App) -> None:
    """Picks the next NaN or infinite element of the numbers shown."""
    _go_to_next(app, lambda _shown, values: ~np.isfinite(values), "All numbers are finite.")


def _next_outside(app: App) -> None:
    """Picks the next element that lies outside a picture's black and white."""

    def is_outside(shown: ShownTensor, values: NDArray[np.float32]) -> NDArray[np.bool_]:
        low, high = still_seen_as(shown.nominal) if shown.nominal is not None else (-np.inf, np.inf)
        return np.isfinite(values) & ((values < low) | (values > high))

    _go_to_next(app, is_outside, "No value of a picture is outside black and white.")


def _go_to_next(
    app: App, are_wanted: Callable[[ShownTensor, NDArray[np.float32]], NDArray[np.bool_]], none: str
) -> None:
    """Picks the next element of the numbers shown among those wanted; the log says `none` if there is none."""
    shown, view = _now(app), app.state.view
    values = values_of(app, shown) if shown is not None else None
    if shown is None or values is None:
        return
    found = next_element(shown.stored, are_wanted(shown, values), view.pick)
    if found is None:
        app.log.add(none)
        return
    go_to_element(app, found)


def _next_map(app: App) -> None:
    shown = _now(app)
    app.state.colours.next(signed=shown is not None and shown.is_signed)


def _toggle(attribute: str) -> Action:
    def action(app: App) -> None:
        setattr(app.state.colours, attribute, not getattr(app.state.colours, attribute))

    return action


def see_picture(app: App, limits: Limits | None = None, **changes: object) -> None:
    """Shows the active layer as a picture, with `changes` of its `TrueColour`; the pick stays.

    `limits` are black and white.
    """
    view = app.state.view
    before = app.shown_in(view)
    if before is None:
        return
    seen = app.state.pictures.get(before.key, TrueColour())
    app.state.pictures[before.key] = replace(seen, **{"on": True, **changes})  # type: ignore[arg-type]
    view.shown_as = None
    after = app.shown_in(view)
    if after is not None and view.pick is not None:
        view.pick = texel_in(before, view.pick, after)
    view.hover = view.echo = None
    shown = _now(app)
    if limits is not None and shown is not None and shown.is_picture:
        shown.chosen.put(*limits)


def _toggle_picture(app: App) -> None:
    shown = _now(app)
    see_picture(app, on=shown is None or not shown.is_picture)


def _toggle_linear(app: App) -> None:
    stored = app.shown_in(app.state.view)
    if stored is not None:
        see_picture(app, linear=not app.state.pictures.get(stored.key, TrueColour()).linear)


def _step_batch(by: int) -> Action:
    def action(app: App) -> None:
        stored = app.shown_in(app.state.view)
        if stored is not None and len(stored.shape) > 3 and channel_count(stored.shape):
            n = int(getattr(layout_of(stored.shape, app.state.pictures.get(stored.key, TrueColour())), "n", 0))
            see_picture(app, n=(n + by) % stored.shape[0])

    return action


COMMANDS = _commands()
MENUS = (MenuGroup("View", 40, ("picture", "linear", "next_of_batch", "next_map", "legend", "log_counts")),)
