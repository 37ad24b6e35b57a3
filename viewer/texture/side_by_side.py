"""Draws several textures next to each other: the grid of panes, and linked views."""

from __future__ import annotations

import math
from collections.abc import Callable

from imgui_bundle import ImVec2, imgui

from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.key_names import with_keys
from texelscope.viewer.runs import beside
from texelscope.viewer.state import View
from texelscope.viewer.widgets.controls import as_label, shortened, shortened_name


def draw_visit_row(app: App, view: View) -> None:
    """Draws the row, if `view` is such a tab."""
    visit = app.state.visit
    if visit is None or view is not visit.view:
        return
    if imgui.button(f"← Back to {as_label(visit.of)}"):
        app.send("go_back")
    app.mark("go back")
    imgui.set_item_tooltip("Go to the texel that reads this (Esc)")
    imgui.same_line()
    imgui.align_text_to_frame_padding()
    words = reads_words(app)
    imgui.text_disabled(shortened(words, imgui.get_content_region_avail().x))
    imgui.set_item_tooltip(words)


def reads_words(app: App) -> str:
    """Describes what is marked in the texture."""
    taps = app.fresh_taps()
    if taps is None:
        return "Its reads are not known."
    index = ", ".join(map(str, taps.index))
    return f"Marked: texels that {taps.name} [{index}] reads or should read"


def tab_words(app: App, view: View) -> str:
    """Returns the text behind the name in its tab."""
    visit = app.state.visit
    if visit is not None and view is visit.view:
        return f"  (read by {visit.of})"
    words = beside.heading(app, view)
    return f"  ({words})" if view.is_of_run else "  (locked)" if view.locked else ""


# Draws a view's picture: the view, its layer, its number, width and height in pixels.
Pane = Callable[[App, View, str, int, tuple[int, int]], None]
GAP = 6.0


def columns_of(count: int, width: float, height: float) -> int:
    """Returns how many columns give `count` panes the largest squares in a panel of that size."""
    return max(
        range(1, count + 1), key=lambda columns: min(width / columns, height / math.ceil(count / columns)), default=1
    )


def draw(app: App, pane: Pane, width: float, height: float) -> None:
    """Draws all views in a grid; keys and controls apply to the one under the mouse."""
    views = list(app.state.tabs)
    columns = columns_of(len(views), width, height)
    rows = math.ceil(len(views) / columns)
    gap, line = GAP * app.scale, imgui.get_frame_height()
    wide = int((width - gap * (columns - 1)) / columns)
    high = int((height - gap * (rows - 1)) / rows - line)
    start = imgui.get_cursor_screen_pos()
    for index, view in enumerate(views):
        left, top = start.x + index % columns * (wide + gap), start.y + index // columns * (high + line + gap)
        name = view.locked or app.selected or ""
        imgui.set_cursor_screen_pos(ImVec2(left, top))
        imgui.push_id(index)
        _heading(app, view, name, index, wide)
        imgui.set_cursor_screen_pos(ImVec2(left, top + line))
        with beside.pane(app, view):
            pane(app, view, name, index, (max(wide, 16), max(high, 16)))
        imgui.pop_id()
    imgui.set_cursor_screen_pos(ImVec2(start.x, start.y + height))
    imgui.dummy(ImVec2(1, 0))
    if app.state.linked:
        _link(app, views)


def _heading(app: App, view: View, name: str, index: int, width: int) -> None:
    words = beside.heading(app, view)
    ending = f"  {words}" if words else tab_words(app, view) or "  (follows)"
    corner = imgui.get_cursor_screen_pos()
    is_active = index == app.state.active_view
    colour = theme.TEXT if is_active else theme.QUIET
    height = imgui.get_frame_height()
    if is_active:
        under = ImVec2(corner.x + width, corner.y + height)
        low = ImVec2(corner.x, corner.y + height - 2 * app.scale)
        imgui.get_window_draw_list().add_rect_filled(low, under, theme.packed(theme.ACCENT))
    imgui.align_text_to_frame_padding()
    is_of_run = view.run is not None
    sign = theme.SIGNS.get(beside.verdict(app, view, name)) if words else None
    room = width - 2.2 * height - (height if sign is not None else 0.0)
    if sign is not None:
        middle = imgui.get_cursor_screen_pos().y + height / 2
        theme.draw_sign(imgui.get_window_draw_list(), corner.x + height / 2, middle, 6 * app.scale, sign)
        imgui.dummy(ImVec2(height, height))
        imgui.set_item_tooltip(f"{sign.word}: {sign.meaning}")
        imgui.same_line(0, 0)
        imgui.align_text_to_frame_padding()
    if is_of_run:  # the choice beside it names the layer there
        chosen = min(beside.PAIR_WIDTH * app.scale, room / 2)
        text = shortened(words, room - chosen - 6 * app.scale)
    else:
        ending = shortened(ending, room - min(room / 2, imgui.calc_text_size(name).x))
        text = f"{shortened_name(name, room - imgui.calc_text_size(ending).x)}{ending}"
    imgui.text_colored(colour, text)
    app.mark(f"pane {index}")
    imgui.set_item_tooltip(f"{name}{f', {words}' if words else ''}")
    if is_of_run:
        imgui.same_line(0, 6 * app.scale)
        beside.pair_choice(app, view, name, chosen)
    if index:
        imgui.set_cursor_screen_pos(ImVec2(corner.x + width - height, corner.y))
        if imgui.button("×", ImVec2(height, 0)):
            app.send("close_view", index=index)
        app.mark(f"close view {index}")
        imgui.set_item_tooltip(with_keys("Close (Ctrl+W)"))


def _link(app: App, views: list[View]) -> None:
    """Makes all views show the same part as the active one, with its pick if their shapes agree."""
    source = app.state.view
    shown = app.shown_in(source)
    if shown is None:
        return
    for view in views:
        stored = app.shown_in(view)
        if view is source or stored is None:
            continue
        follow(view, source, stored.texture_shape, shown.texture_shape)


def follow(view: View, source: View, shape: tuple[int, int], source_shape: tuple[int, int]) -> None:
    """Moves `view`, of a texture of `shape` (height, width), to the position of `source` in its own."""
    down, across = (own / other for own, other in zip(shape, source_shape, strict=True))
    view.centre = (source.centre[0] * across, source.centre[1] * down)
    view.zoom = source.zoom / across
    if shape == source_shape:
        view.pick, view.echo = source.pick, source.hover
    else:
        view.echo = None
