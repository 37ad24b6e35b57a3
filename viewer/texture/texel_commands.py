"""Implements the commands on the picked texel, and reads back the numbers behind a picture on request."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from imgui_bundle import imgui
from numpy.typing import NDArray

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.plan import StoredTensor
from texelscope.viewer.app import App
from texelscope.viewer.canvas.overlay import shown_value
from texelscope.viewer.canvas.readout import LaneReadout, read_out
from texelscope.viewer.command import Command, MenuGroup, chord
from texelscope.viewer.runs import beside
from texelscope.viewer.state import View, ViewMode
from texelscope.viewer.texture.shown import ShownTensor

# Left, top, right and bottom in texels; right and bottom are exclusive.
Region = tuple[int, int, int, int]


def picked_lanes(app: App, view: View, texel: tuple[int, int]) -> tuple[LaneReadout, ...]:
    """Returns what is known about a texel's elements, for the visible lanes that hold one."""
    stored = app.shown_in(view)
    with beside.pane(app, view):
        readout = read_out(app.document, stored, *texel, chained=app.state.chained) if stored is not None else None
    lanes = readout.lanes if readout is not None else ()
    return tuple(lane for lane in lanes if lane.element >= 0 and view.lanes[lane.lane])


def exact(value: float) -> str:
    """Returns the shortest text that identifies the float32 number."""
    return str(np.float32(value))


def values_of(app: App, shown: ShownTensor) -> NDArray[np.float32] | None:
    """Returns the numbers shown, in linear order: actual, oracle's, or differences; None while they are missing."""
    actual = app.document.values(shown.own.key)
    if (
        actual is None
        or shown.mode not in (ViewMode.ORACLE, ViewMode.DIFFERENCE, ViewMode.RATIO)
        or shown.expected is None
    ):
        return None if actual is None else actual.reshape(-1)
    with np.errstate(over="ignore", invalid="ignore"):
        oracle = np.asarray(shown.expected.value, dtype=np.float32).reshape(-1)
        if shown.mode is ViewMode.ORACLE:
            return oracle
        have = actual.reshape(-1)
        alike = (have == oracle) | (np.isnan(have) & np.isnan(oracle))
        return np.where(alike, np.float32(0.0), have - oracle)


def next_element(stored: StoredTensor, wanted: NDArray[np.bool_], pick: tuple[int, int] | None) -> int | None:
    """Returns the first wanted element after a texel, row by row and from the start again; None if none is wanted.

    `wanted` is in linear order. The elements of a batch's other pictures come before or after this one's.
    """
    elements = np.flatnonzero(wanted)
    if not elements.size:
        return None
    dims, (height, width) = as_nchw(stored.shape), stored.texture_shape
    index = np.unravel_index(elements, dims)
    tx, ty, _ = stored.layout.texel_at(dims, *index)
    here = getattr(stored.layout, "n", None)  # a picture shows one of a batch
    places = (np.asarray(ty) * width + tx) + (0 if here is None else (index[0] - here) * height * width)
    order = np.argsort(places, kind="stable")
    after = pick[1] * width + pick[0] if pick is not None else -1
    return int(elements[order[np.searchsorted(places[order], after, side="right") % order.size]])


def finite_range(
    values: NDArray[np.float32], shown: ShownTensor, view: View, region: Region
) -> tuple[float, float] | None:
    """Returns the least and greatest finite number of a region, in the visible lanes; None if it has none."""
    left, top, right, bottom = region
    stored = shown.stored
    lanes = np.array([lane for lane in range(stored.layout.lanes) if view.lanes[lane]], dtype=np.int64)
    if right <= left or bottom <= top or not lanes.size:
        return None
    tx, ty = (
        np.arange(left, right, dtype=np.int64)[None, :, None],
        np.arange(top, bottom, dtype=np.int64)[:, None, None],
    )
    held = stored.layout.indices_at(stored.shape, tx, ty, lanes[None, None, :])
    found = values[held[held >= 0]]
    finite = found[np.isfinite(found)]
    return (float(finite.min()), float(finite.max())) if finite.size else None


def tile_region(shown: ShownTensor, texel: tuple[int, int]) -> Region | None:
    """Returns the region of the tile that a texel belongs to; None between tiles."""
    stored = shown.stored
    number = stored.layout.tile_index(stored.shape, *texel)
    if number < 0:
        return None
    tile = stored.layout.tile(stored.shape, number)
    return tile.tx, tile.ty, tile.tx + tile.width, tile.ty + tile.height


def region_in_sight(shown: ShownTensor, view: View, width_pixels: float, height_pixels: float) -> Region:
    """Returns the texels that a view of that size shows, partly visible ones too."""
    height, width = shown.stored.texture_shape
    half = width_pixels / view.zoom / 2.0, height_pixels / view.zoom / 2.0
    (left, right), (top, bottom) = (
        (max(int(centre - reach), 0), min(int(centre + reach) + 1, side))
        for centre, reach, side in zip(view.centre, half, (width, height), strict=True)
    )
    return left, top, right, bottom


# Functions that return the text to copy for each lane of a texel.
Text = Callable[[LaneReadout], str | None]


def _commands() -> tuple[Command, ...]:
    """Returns these commands."""
    key = imgui.Key
    copy, both = chord(key.c, ctrl=True), chord(key.c, ctrl=True, shift=True)
    return (
        Command("copy_value", copy_value, "Copy the picked value", "Ctrl+C", copy),
        Command("copy_oracle", partial(_copy, text=_oracle, what="the oracle's value"),
                "Copy the oracle's value of the picked texel", "Alt+C", chord(key.c, alt=True)),
        Command("copy_index", partial(_copy, text=_index, what="the index", between="  "),
                "Copy the tensor index of the picked texel", "Ctrl+Shift+C", both),
        Command("copy_texel", copy_texel, "Copy the position of the picked texel", "Shift+C", chord(key.c, shift=True)),
        Command("go_to_maker", go_to_maker, "Go to the pass that made this texture", "Shift+M",
                chord(key.m, shift=True)),
        Command("trace_here", trace_here, "Trace what the picked texel reads", "Shift+T", chord(key.t, shift=True)),
    )  # fmt: skip


def copy_value(app: App) -> None:
    """Copies the numbers of the picked texel, each in the fewest digits that identify the float32."""
    mode = app.state.view.mode
    mode = mode if mode in (ViewMode.ORACLE, ViewMode.DIFFERENCE, ViewMode.RATIO) else ViewMode.ACTUAL

    def text(lane: LaneReadout) -> str | None:
        value = shown_value(lane, mode)
        value = lane.actual if value is None else value
        return None if value is None else exact(value)

    _copy(app, text=text, what="the value")


def copy_texel(app: App) -> None:
    """Copies column and row of the picked texel, as Ctrl+G accepts them."""
    texel = app.state.view.pick or app.state.view.hover
    _put(app, f"{texel[0]} {texel[1]}" if texel is not None else "", "the texel")


def go_to_maker(app: App) -> None:
    """Selects the pass that wrote the active tab's texture, in the tab that follows the selection."""
    name = maker_of(app)
    if name is not None:
        app.send("select", name=name)


def maker_of(app: App) -> str | None:
    """Returns the pass that wrote the active tab's texture; None for inputs and weights."""
    stored, session = app.shown_in(app.state.view), app.document.session
    found = session.plan.find(stored.key) if stored is not None and session is not None else None
    return found.name if found is not None else None


def trace_here(app: App) -> None:
    """Brings the taps panel, which traces the picked texel, to the front."""
    app.state.wanted_panels.append("Taps")


def _copy(app: App, text: Text, what: str, between: str = ", ") -> None:
    view = app.state.view
    texel = view.pick or view.hover
    lanes = picked_lanes(app, view, texel) if texel is not None else ()
    _put(app, between.join(each for lane in lanes if (each := text(lane)) is not None), what)


def _put(app: App, text: str, what: str) -> None:
    if not text:
        app.log.add(f"Cannot copy {what}: pick a texel of a layer that has run.", warning=True)
        return
    imgui.set_clipboard_text(text)
    app.log.add(f"Copied {what}: {text}")


def _oracle(lane: LaneReadout) -> str | None:
    return None if lane.oracle is None else exact(lane.oracle)


def _index(lane: LaneReadout) -> str:
    return " ".join(map(str, lane.index)) if lane.index else f"#{lane.element}"


COMMANDS = _commands()
MENUS = (MenuGroup("View", 50, ("copy_value", "copy_oracle", "copy_index", "copy_texel", "go_to_maker", "trace_here")),)
