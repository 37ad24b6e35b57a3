"""The rows above and below a texture: what is shown, range, lanes; size and zoom, overlays."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from pipeline.plan import StoredTensor
from viewer import theme
from viewer.app import App
from viewer.content.shown_as import layouts_for
from viewer.state import MODE_LABELS, NEEDS_ORACLE, Mode, View
from viewer.texture.canvas import RATIO_RANGE
from viewer.widgets import against, range_bar

_LANE_NAMES = "RGBA"
_BAR_WIDTH = 230.0
_LAYOUT_WIDTH = 150.0
_NO_DIFFERENCE = 1e-6


def data_range(app: App, stored: StoredTensor, mode: Mode) -> tuple[float, float]:
    """From where to where the shown numbers run: values of actual and oracle together, or differences, or bounds."""
    if mode is Mode.RATIO:
        return RATIO_RANGE
    if mode is not Mode.DIFFERENCE:
        return app.document.range_of(stored.key)
    if app.document.reference is not None:
        reach = min(app.runs.reach(app.document, stored.key) or _NO_DIFFERENCE, 3e38)
        return -reach, reach
    report = app.document.report_of(stored.key)
    figures = None if report is None else report.chained if app.state.chained else report.isolated
    if figures is None or not figures.max_abs:
        return -_NO_DIFFERENCE, _NO_DIFFERENCE
    # Of a match the range is as much wider than the error as the bound is: it looks like one.
    wider = 1.0 / figures.bound_ratio if 0.0 < figures.bound_ratio < 1.0 else 1.0
    reach = min(figures.max_abs * wider, 3e38)
    return -reach, reach


def above(app: App, view: View, stored: StoredTensor, *, has_oracle: bool) -> None:
    """What is shown, with which range and lanes; as many rows as the panel's width asks for."""
    gap = 3 * app.scale
    for mode in MODE_LABELS:
        label = against.label(app, mode)
        _flow(_button_width(label), gap, is_first=mode is Mode.ACTUAL)
        imgui.begin_disabled(mode in NEEDS_ORACLE and not has_oracle)
        if toggle_button(label, on=view.mode == mode):
            app.send("set_mode", mode=mode)
        app.mark(f"mode {mode.name.lower()}")
        imgui.end_disabled()
    lanes_width = (4 * 30 + 12) * app.scale if stored.layout.lanes > 1 else 0.0
    has_room = _flow(_BAR_WIDTH * app.scale, 14 * app.scale)
    room = imgui.get_content_region_avail().x
    beside = room - lanes_width >= _BAR_WIDTH * app.scale
    statistics = app.document.comparison.statistics.get(stored.key) if app.document.comparison else None
    shown = statistics if view.mode not in (Mode.DIFFERENCE, Mode.RATIO) else None
    data = data_range(app, stored, view.mode)
    imgui.begin_disabled(view.mode is Mode.RATIO)
    range_bar.draw(app, view, data, shown, room - lanes_width if beside else room)
    imgui.end_disabled()
    if stored.layout.lanes > 1:
        if beside or not has_room:
            _flow(lanes_width, 12 * app.scale)
        _lane_buttons(app, view)


def below(app: App, view: View, stored: StoredTensor) -> None:
    """Zoom and overlays, then what the texture is."""
    for label, command in (("Fit", "fit"), ("1:1", "one_to_one"), ("Grid", "grid"), ("Labels", "labels")):
        on = {"grid": view.grid, "labels": view.labels}.get(command, False)
        if toggle_button(f"{label}##{command}", on=on):
            app.send(command)
        app.mark(f"button {command}")
        imgui.same_line(0, 6 * app.scale)
    if len(app.state.views) > 1:
        _arrangement(app)
    _shown_as(app, view, stored)
    height, width = stored.texture_shape
    imgui.align_text_to_frame_padding()
    own = app.document.stored(view.locked or app.selected or "") or stored
    kept = "" if own.layout == stored.layout else f" (stored in {own.layout.name})"
    about = f"{width}×{height} texels, {stored.layout.name}{kept}, {stored.storage}, zoom {view.zoom:.3g}"
    imgui.text_disabled(about)
    imgui.set_item_tooltip(f"{about}\n{own.layout.name}: {own.reason}" if own.reason else about)
    unwritten = app.unwritten(stored.key)
    if unwritten is not None:
        imgui.same_line()
        imgui.text_colored(theme.BAD, f"{int(unwritten.sum()):,} elements unwritten (crossed)")


def _shown_as(app: App, view: View, stored: StoredTensor) -> None:
    """As in which layout the tensor is shown."""
    own = app.document.stored(view.locked or app.selected or "")
    if own is None:
        return
    imgui.set_next_item_width(_LAYOUT_WIDTH * app.scale)
    stays = "as stored"
    if imgui.begin_combo("##shown as", stays if stored.layout == own.layout else f"as {stored.layout.name}"):
        others = [name for name in layouts_for(own, app.canvas.most_texels) if name != own.layout.name]
        for name, label in ((None, f"{stays}, {own.layout.name}"), *((name, f"as {name}") for name in others)):
            chosen = (name or own.layout.name) == stored.layout.name
            if imgui.selectable(label, chosen)[0] and not chosen:
                app.send("show_as", layout=name)
            app.mark(f"shown as {name or 'stored'}")
        imgui.end_combo()
    app.mark("shown as")
    imgui.set_item_tooltip("Shows the tensor as it would lie in another layout; nothing runs again (Shift+S)")
    imgui.same_line(0, 8 * app.scale)


def _arrangement(app: App) -> None:
    """With several tabs: one at a time, or all next to each other."""
    for label, command, on in (
        ("Side by side", "side_by_side", app.state.side_by_side),
        ("Linked", "linked", app.state.side_by_side and app.state.linked),
    ):
        imgui.begin_disabled(command == "linked" and not app.state.side_by_side)
        if toggle_button(f"{label}##{command}", on=on):
            app.send(command)
        app.mark(f"button {command}")
        imgui.end_disabled()
        imgui.same_line(0, 6 * app.scale)


def toggle_button(label: str, *, on: bool, width: float = 0.0) -> bool:
    """A button that looks pressed while `on`."""
    if on:
        imgui.push_style_color(int(imgui.Col_.button), theme.packed(theme.CHOSEN))
    pressed = imgui.button(label, ImVec2(width, 0))
    if on:
        imgui.pop_style_color()
    return bool(pressed)


def _lane_buttons(app: App, view: View) -> None:
    for lane, letter in enumerate(_LANE_NAMES):
        if lane:
            imgui.same_line(0, 3 * app.scale)
        if toggle_button(letter, on=view.lanes[lane], width=27 * app.scale):
            app.send(f"lane_{lane}")
        app.mark(f"lane {letter}")
        if imgui.is_item_clicked(1):
            app.send(f"only_lane_{lane}")
        imgui.set_item_tooltip(f"Show lane {lane} (Alt+{letter}); right-click: only this one (Alt+Shift+{letter})")


def _flow(width: float, gap: float, *, is_first: bool = False) -> bool:
    """Goes on in the same row if there are `width` pixels left in it; whether there are."""
    if is_first:
        return True
    right = imgui.get_cursor_screen_pos().x + imgui.get_content_region_avail().x
    fits = imgui.get_item_rect_max().x + gap + width <= right
    if fits:
        imgui.same_line(0, gap)
    return bool(fits)


def _button_width(label: str) -> float:
    return float(imgui.calc_text_size(label).x + 2 * imgui.get_style().frame_padding.x)
