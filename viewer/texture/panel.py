"""The Texture panel shows the selected layer's live texture and its oracle, with zoom, range, lanes and tiles.

The first tab follows the selection; others are locked to a layer.
"""

from __future__ import annotations

import time
from pathlib import Path

from imgui_bundle import ImVec2, imgui

from texelscope.pipeline.plan import StoredTensor
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.canvas import overlay, tap_overlay
from texelscope.viewer.canvas.canvas import Picture
from texelscope.viewer.colour.picture import TrueColour, still_seen_as
from texelscope.viewer.colour.shown_as import texels_in
from texelscope.viewer.key_names import with_keys
from texelscope.viewer.panel import Panel
from texelscope.viewer.reads.model.tap_view import seen_in
from texelscope.viewer.runs import against, beside
from texelscope.viewer.state import View, ViewMode, fit_key
from texelscope.viewer.texture import controls as texture_controls
from texelscope.viewer.texture import legend, live_picture, marks_legend, paint, side_by_side, trail_overlay
from texelscope.viewer.texture import menu as texture_menu
from texelscope.viewer.texture.shown import ShownTensor, look
from texelscope.viewer.widgets.controls import as_label, shortened_name

_WIDTH = 640.0
_MOST_RECENT = 5


def draw_empty_state(app: App) -> None:
    """Draws the state while nothing is open (yet): progress or failure, and what to do next."""
    document = app.document
    room = imgui.get_content_region_avail()
    wide = min(room.x * 0.9, _WIDTH * app.scale)
    imgui.set_cursor_pos(ImVec2((room.x - wide) / 2, room.y * 0.22))
    imgui.begin_child("nothing", ImVec2(wide, 0))
    if document.opening:
        _headline(app, f"{document.opening} …")
        imgui.progress_bar(-(time.monotonic() % 1e4), ImVec2(wide * 0.6, 4 * app.scale), "")
        imgui.text_disabled("Reading the file and planning its passes.")
        if imgui.button("Cancel"):
            app.send("cancel")
    elif document.failure:
        _headline(app, "Could not open the file")
        imgui.push_style_color(int(imgui.Col_.text), theme.packed(theme.BAD))
        imgui.text_wrapped(document.failure)
        imgui.pop_style_color()
        imgui.dummy(ImVec2(0, 6 * app.scale))
        _choices(app)
    else:
        _headline(app, "Nothing is open")
        imgui.text_wrapped("Open an ONNX model or a pipeline of your own shaders, or drop its file here.")
        imgui.dummy(ImVec2(0, 6 * app.scale))
        _choices(app)
    imgui.end_child()


def _headline(app: App, text: str) -> None:
    imgui.push_font(app.display.fonts.bold, theme.FONT_PIXELS * 1.3)
    imgui.text_unformatted(text)
    imgui.pop_font()


def _choices(app: App) -> None:
    if imgui.button("Open …"):
        app.send("open_dialog")
    app.mark("open")
    imgui.same_line()
    imgui.text_disabled(with_keys("Ctrl+O"))
    imgui.same_line(0, 18 * app.scale)
    if imgui.button("Open the demo"):
        app.send("open_demo")
    app.mark("open demo")
    recent = [path for path in app.remembering.settings.recent if Path(path).exists()][:_MOST_RECENT]
    if not recent:
        return
    imgui.dummy(ImVec2(0, 6 * app.scale))
    imgui.text_disabled("Recently opened")
    for path in recent:
        place = Path(path)
        if imgui.selectable(f"{as_label(f'{place.parent.name}/{place.name}')}##{path}", False)[0]:
            app.send("open_path", path=path)
        imgui.set_item_tooltip(path)


FLICKER_SECONDS = 0.5
# Longer names are cut in a tab.
TAB_WIDTH = 220.0
# A mouse button released this near to where it was pressed is a click, not a drag.
CLICK_PIXELS = 4.0
# The seam of the split view can be grabbed within this distance.
SEAM_PIXELS = 14.0


class TexturePanel(Panel):
    """Shows the flattened texture of a layer: actual, oracle, difference, with tiles and values."""

    title = "Texture"
    place = "centre"
    key = "2"
    in_front = True

    def draw(self, app: App) -> None:
        """Draws one tab for each view."""
        if app.document.session is None:
            draw_empty_state(app)
            return
        beside.close_views(app)  # of runs that were dropped
        against.banner(app)
        if app.state.side_by_side and len(app.state.views) > 1:
            _beside_each_other(app)
            return
        if not imgui.begin_tab_bar("views", int(imgui.TabBarFlags_.auto_select_new_tabs)):
            return
        for index, view in enumerate(app.state.tabs):
            name = view.locked or app.selected or ""
            short = shortened_name(name or "Texture", TAB_WIDTH * app.scale)
            label = f"{as_label(short)}{side_by_side.tab_words(app, view)}###view{index}"
            closable = True if index else None
            flags = imgui.TabItemFlags_.set_selected if app.state.wanted_view == index else imgui.TabItemFlags_.none
            visible, stays = imgui.begin_tab_item(label, closable, int(flags))
            if visible:
                app.state.active_view = index
                _view(app, view, name, index)
                imgui.end_tab_item()
            if stays is False:
                app.send("close_view", index=index)
        app.state.wanted_view = None
        imgui.end_tab_bar()


def _view(app: App, view: View, name: str, index: int) -> None:
    """Draws one tab: controls, picture, caption."""
    side_by_side.draw_visit_row(app, view)
    stored = app.shown_in(view)
    if stored is None:
        imgui.text_disabled("This layer has no texture because it cannot run. The log says why.")
        return
    with beside.pane(app, view):
        shown = look(app, view)
        texture_controls.above(app, view, stored, shown)
        paint.draw_row(app, (view,))
        size = _room(app, stored)
        _pane(app, view, name, index, size)
        texture_controls.below(app, view, stored)


def _beside_each_other(app: App) -> None:
    """Draws all views at once; the controls are those of the active one."""
    view = app.state.view
    side_by_side.draw_visit_row(app, app.state.tabs[0])
    stored = app.shown_in(view)
    if stored is not None:
        with beside.pane(app, view):
            texture_controls.above(app, view, stored, look(app, view))
    paint.draw_row(app, app.state.tabs)
    side_by_side.draw(app, _pane, *_room(app, stored))
    app.state.wanted_view = None
    if stored is not None:
        with beside.pane(app, view):
            texture_controls.below(app, view, stored)


def _room(app: App, stored: StoredTensor | None) -> tuple[int, int]:
    """Returns the room for pictures above the last rows."""
    size = imgui.get_content_region_avail()
    footer = texture_controls.rows_below(app, stored, size.x) * imgui.get_frame_height_with_spacing() + 4
    return max(int(size.x), 16), max(int(size.y - footer), 16)


def _pane(app: App, view: View, name: str, index: int, size: tuple[int, int]) -> None:
    """Draws the picture of a view with its legend, or why there is none."""
    shown = look(app, view)
    if shown is None:
        _not_run(app, name, *size)
        return
    corner = imgui.get_cursor_screen_pos()
    is_beside = app.state.side_by_side and len(app.state.views) > 1
    beside = 0 if is_beside and shown.is_picture else legend.width_in(app, size[0])
    width = size[0] - beside
    if app.state.active_view == index:
        app.display.places["as seen"] = (corner.x, corner.y, size[0], size[1])
    _picture(app, view, shown, index, (width, size[1]))
    if beside:
        legend.draw(app, view, shown, ImVec2(corner.x + width, corner.y), (beside, size[1]))
        imgui.set_cursor_screen_pos(ImVec2(corner.x, corner.y + size[1]))
        imgui.dummy(ImVec2(size[0], 0))


def _not_run(app: App, name: str, width: int, height: int) -> None:
    top = imgui.get_cursor_screen_pos()
    imgui.dummy(ImVec2(width, height))
    session = app.document.session
    error = session.shader_error(name) if session else None
    missing = session.plan.missing(name) if session else None
    lines = [str(error)] if error else [f"'{name}' has not run.", "F6 runs up to it, F5 runs everything."]
    if app.document.run.is_inside(name):
        together = app.document.run.together(name)
        lines = [
            f"'{name}' is computed {together}: a fused run does not store it.",
            "Click it in the list of layers, or press U, to open it up.",
        ]
    if missing is not None:
        lines = [f"No shader runs '{name}' ({missing.operator}).", with_keys("Ctrl+I injects the oracle's value.")]
    draw_list = imgui.get_window_draw_list()
    draw_list.add_rect_filled(top, ImVec2(top.x + width, top.y + height), theme.packed(theme.BACKGROUND))
    for row, line in enumerate(lines):
        size = imgui.calc_text_size(line, wrap_width=width * 0.8)
        at = ImVec2(top.x + (width - size.x) / 2, top.y + height * 0.4 + row * 26 * app.scale)
        colour = theme.packed(theme.BAD if error else theme.QUIET)
        draw_list.add_text(imgui.get_font(), imgui.get_font_size(), at, colour, line, wrap_width=width * 0.8)


def _picture(app: App, view: View, shown: ShownTensor, index: int, size: tuple[int, int]) -> None:
    stored, own, expected = shown.stored, shown.own, shown.expected
    origin = _origin(view, stored, size)
    mode = _effective_mode(shown.mode)
    assert app.document.session is not None
    picture = _as_picture(app, view, shown, mode, origin, size)
    texture = live_picture.drawn(app, f"view {index}", stored, expected, picture, app.unwritten(stored.key))
    corner = imgui.get_cursor_screen_pos()
    imgui.image(imgui.ImTextureRef(texture.glo), ImVec2(*size))
    imgui.set_cursor_screen_pos(corner)
    buttons = imgui.ButtonFlags_
    every = int(buttons.mouse_button_left | buttons.mouse_button_middle | buttons.mouse_button_right)
    imgui.invisible_button("canvas", ImVec2(*size), every)
    app.mark(f"canvas {index}")
    if imgui.is_item_hovered():
        app.state.active_view = index
    if app.state.active_view == index:
        app.mark("canvas")
    area = overlay.Area(corner.x, corner.y, size[0], size[1], origin, view.zoom)
    paints, hovered = not view.is_of_run and paint.takes_strokes(app, view), imgui.is_item_hovered()
    held = paints and imgui.is_item_active() and imgui.is_mouse_down(0)
    _mouse(view, stored, area, paints=paints)
    texture_menu.draw(app, view, shown)
    overlay.draw(app.document, stored, view, area, mode, chained=app.state.chained)
    _reads(app, stored, own, area)
    if not view.is_of_run:
        trail_overlay.draw(app, stored, own, area)
    if paints:
        paint.on_canvas(app, stored, area, f"view {index}", held=held, hovered=hovered)
    if app.state.colours.marks:
        marks_legend.draw_over(app, area)
    if mode is ViewMode.SPLIT:
        _seam(view, area, against.mine(app), against.word(app))
    elif shown.mode is ViewMode.FLICKER:
        _caption(area, against.label(app, mode).lower())
    elif shown.mode is not view.mode:
        _caption(area, against.why_none(app))


def _reads(app: App, stored: StoredTensor, own: StoredTensor, area: overlay.Area) -> None:
    """Draws what the picked element reads of this texture, and the read under the mouse in a list."""
    taps, draw_list = app.fresh_taps(), imgui.get_window_draw_list()
    if taps is not None and app.state.filter_over and taps.filter is not None and taps.filter.key == stored.key:
        tap_overlay.draw_filter(draw_list, taps.filter, stored, area)
    elif taps is not None and stored.key in taps.by_key:
        tap_overlay.draw(draw_list, seen_in(taps.by_key[stored.key], own, stored), area)
    lit = app.debugger.looking.lit_at(imgui.get_frame_count())
    if lit is not None and lit[0] == stored.key:
        tap_overlay.draw_lit(draw_list, texels_in(own, {lit[1]}, stored), area)


def _origin(view: View, stored: StoredTensor, size: tuple[int, int]) -> tuple[float, float]:
    """Returns the texel position at the top left, at a whole pixel; fits a tensor shown for the first time.

    It is fitted again when the room changes, until the user zooms or moves it.
    """
    height_texels, width_texels = stored.texture_shape
    fitted = fit_key(stored.key, stored.texture_shape)
    if view.fitted != fitted or view.outgrew_fit(*size):
        view.fit(width_texels, height_texels, *size)
        view.fitted = fitted
    x, y = (round((c - s / 2 / view.zoom) * view.zoom) / view.zoom for c, s in zip(view.centre, size, strict=True))
    return x, y


def _as_picture(
    app: App, view: View, shown: ShownTensor, mode: ViewMode, origin: tuple[float, float], size: tuple[int, int]
) -> Picture:
    """Returns all that the canvas needs to know."""
    session, comparison = app.document.session, app.document.comparison
    assert session is not None
    number = comparison.number if comparison is not None else 0
    return Picture(
        key=shown.stored.key,
        generation=session.generation(shown.stored.key),
        mode=mode,
        origin=origin,
        pixels_per_texel=view.zoom,
        size=size,
        value_range=shown.limits,
        lanes=tuple(view.lanes),
        seam=view.seam * size[0],
        mark_negative=view.mark_negative,
        oracle=app.document.expected_number(shown.stored.key, chained=app.state.chained) if shown.expected else 0,
        chained=app.state.chained,
        unwritten=number if app.unwritten(shown.stored.key) is not None else 0,
        layout=str(shown.stored.layout),
        colours=app.state.colours.map_of(signed=shown.is_signed),
        linear=app.state.pictures.get(shown.own.key, TrueColour()).linear,
        nominal=still_seen_as(shown.nominal) if shown.nominal is not None and view.mark_outside else None,
    )


def _effective_mode(mode: ViewMode) -> ViewMode:
    """Returns the mode that flicker shows at the moment."""
    if mode is ViewMode.FLICKER:
        return ViewMode.ORACLE if int(time.monotonic() / FLICKER_SECONDS) % 2 else ViewMode.ACTUAL
    return mode


def _mouse(view: View, stored: StoredTensor, area: overlay.Area, *, paints: bool) -> None:
    """Zooms, moves and picks as the mouse wants; where the left button `paints`, only the others do."""
    io = imgui.get_io()
    hovered = imgui.is_item_hovered()
    at = area.to_texels(io.mouse_pos.x, io.mouse_pos.y)
    texel = (int(at[0] // 1), int(at[1] // 1))
    height, width = stored.texture_shape
    inside = hovered and 0 <= texel[0] < width and 0 <= texel[1] < height
    view.hover = texel if inside else None
    if hovered and io.mouse_wheel:
        view.zoom_at(1.25**io.mouse_wheel, at)
    seam_x = area.x + view.seam * area.width
    if imgui.is_item_activated():
        view.seam_held = view.mode is ViewMode.SPLIT and abs(io.mouse_pos.x - seam_x) < SEAM_PIXELS
    if imgui.is_item_active():
        if view.seam_held:
            view.seam = min(max((io.mouse_pos.x - area.x) / area.width, 0.02), 0.98)
        elif any(imgui.is_mouse_dragging(button) for button in range(1 if paints else 0, 3)):
            view.move(-io.mouse_delta.x / view.zoom, -io.mouse_delta.y / view.zoom, width, height)
    for button in (1,) if paints else (0, 1):
        moved = imgui.get_mouse_drag_delta(button, 0.0)
        if inside and imgui.is_mouse_released(button) and max(abs(moved.x), abs(moved.y)) < CLICK_PIXELS:
            view.pick = texel
            if button:
                imgui.open_popup(texture_menu.NAME)


def _caption(area: overlay.Area, text: str) -> None:
    """Draws a caption in a corner where no buttons name the picture."""
    draw_list, size = imgui.get_window_draw_list(), imgui.calc_text_size(text)
    low = ImVec2(area.x + 8, area.y + 6)
    high = ImVec2(low.x + size.x + 12, low.y + size.y + 4)
    draw_list.add_rect_filled(low, high, theme.packed((0.0, 0.0, 0.0, 0.8)), 3.0)
    draw_list.add_text(ImVec2(low.x + 6, low.y + 2), theme.packed(theme.ON_PICTURE), text)


def _seam(view: View, area: overlay.Area, mine: str, other: str) -> None:
    x = area.x + view.seam * area.width
    draw_list = imgui.get_window_draw_list()
    ink = theme.packed(theme.ON_PICTURE)
    draw_list.add_line(ImVec2(x, area.y), ImVec2(x, area.y + area.height), theme.packed(theme.PICKED), 2.0)
    draw_list.add_text(ImVec2(x - imgui.calc_text_size(mine).x - 8, area.y + 4), ink, mine)
    draw_list.add_text(ImVec2(x + 8, area.y + 4), ink, other)


PANEL = TexturePanel()
