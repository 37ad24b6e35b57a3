"""Draws the range bar: a histogram with draggable first and last value, typed on double-click, fitted by a button."""

from __future__ import annotations

import math

from imgui_bundle import ImVec2, imgui

from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.document.comparison import Statistics
from texelscope.viewer.state import View, ViewMode
from texelscope.viewer.texture.shown import ShownTensor
from texelscope.viewer.widgets.controls import short_number, toggle_button

# With a single value its histogram bar stays visible beside a mark at the same place.
LONE_PIXELS = 7.0
# The width of a number such as -1.11e-05, with the space after it.
_NUMBER_WIDTH = 66.0
_ENDS = ("range low", "range high")


def draw(app: App, view: View, shown: ShownTensor, statistics: Statistics | None, width: float) -> None:
    """Draws the bar, `width` pixels wide with its two numbers and its button."""
    low, high = shown.limits
    data = shown.data.range if shown.is_picture and not shown.differs else shown.span  # an overshoot is in sight
    span_low, span_high = min(shown.span[0], low, data[0]), max(shown.span[1], high, data[1])
    span = span_high - span_low or 1.0
    number = _NUMBER_WIDTH * app.scale
    imgui.begin_disabled(shown.mode is ViewMode.RATIO)
    imgui.align_text_to_frame_padding()
    # Numbers have a fixed width: the bar must not move while the mouse drags one of its marks.
    start_x = imgui.get_cursor_pos_x()
    _end(app, view, shown, 0, start_x, number)
    imgui.same_line(start_x + number)
    bar = max(width - 2 * number - 62 * app.scale, 36.0 * app.scale)
    height = imgui.get_frame_height()
    corner = imgui.get_cursor_screen_pos()
    imgui.invisible_button("range", ImVec2(bar, height), int(imgui.ButtonFlags_.mouse_button_left))
    app.mark("range")
    _drag(view, shown, (span_low, span), corner.x, bar)
    _menu(app)
    draw_list = imgui.get_window_draw_list()
    far = ImVec2(corner.x + bar, corner.y + height)
    draw_list.add_rect_filled(corner, far, theme.packed(theme.BACKGROUND), 3.0)
    if statistics is not None:
        _histogram(
            statistics, (span_low, span), corner, bar, height, draw_list, logarithmic=app.state.colours.log_counts
        )
    for value, colour in ((low, theme.ACCENT), (high, theme.TEXT)):
        x = corner.x + (value - span_low) / span * bar
        draw_list.add_rect_filled(ImVec2(x - 1.5, corner.y), ImVec2(x + 1.5, far.y), theme.packed(colour))
    imgui.set_item_tooltip(_tip(app, shown))
    imgui.same_line()
    end_x = imgui.get_cursor_pos_x()
    _end(app, view, shown, 1, end_x, number)
    imgui.same_line(end_x + number - 8 * app.scale)
    _auto(app, shown)
    imgui.end_disabled()


def _tip(app: App, shown: ShownTensor) -> str:
    counts = "logarithms of counts" if app.state.colours.log_counts else "counts"
    of = "Actual and oracle of a layer share this range; each layer has its own."
    return (
        f"Values shown as first and last colour: drag the marks, or double-click one to type it.\n{of}\n"
        f"The histogram shows {counts} of the actual values (H); right-click for more."
        + (f"\nBlack and white: {shown.why}." if shown.why else "")
    )


def _auto(app: App, shown: ShownTensor) -> None:
    """Draws the button that makes the range follow the data."""
    follows = shown.chosen.follows
    pressed = toggle_button("auto##range", on=follows)
    app.mark("range auto")
    if pressed and follows:
        shown.chosen.put(*shown.span)
    elif pressed or imgui.is_item_clicked(1):
        shown.chosen.follows = True
    imgui.set_item_tooltip(
        "The range follows this layer's data; click to keep it as it is now"
        if follows
        else "The range is fixed; click to make it follow the layer's data again (R)"
    )


def _menu(app: App) -> None:
    """Draws the menu of a right-click on the bar."""
    if not imgui.begin_popup_context_item("range menu"):
        return
    for label, command, on in (
        ("Follow the data", "reset_range", False),
        ("Fit to the data once", "fit_range", False),
        ("Fit to the picked tile", "range_of_tile", False),
        ("Fit to the visible part", "range_in_sight", False),
        ("Logarithmic counts", "log_counts", app.state.colours.log_counts),
    ):
        if imgui.menu_item(label, "", on)[0]:
            app.send(command)
        app.mark(f"range {command}")
    imgui.end_popup()


def _end(app: App, view: View, shown: ShownTensor, end: int, left: float, width: float) -> None:
    """Draws one of the two numbers, the first right-aligned and the last left-aligned, or the field to type it."""
    if view.typed_end == end:
        imgui.set_cursor_pos_x(left)
        _field(app, view, shown, end, width - 6 * app.scale)
        return
    text = short_number(shown.limits[end])
    if end == 0:
        imgui.set_cursor_pos_x(left + max(width - imgui.calc_text_size(text).x - 8 * app.scale, 0.0))
    imgui.text_unformatted(text)
    app.mark(_ENDS[end])
    if shown.mode is not ViewMode.RATIO and imgui.is_item_hovered() and imgui.is_mouse_double_clicked(0):
        type_end(view, shown, end)
    imgui.set_item_tooltip(f"{shown.limits[end]:.9g}: double-click to type it")


def type_end(view: View, shown: ShownTensor, end: int) -> None:
    """Opens the field for the first (0) or the last (1) value of the range from the next frame on."""
    view.typed_end, view.typed, view.typed_anew = end, f"{shown.limits[end]:.9g}", True


def _field(app: App, view: View, shown: ShownTensor, end: int, width: float) -> None:
    if view.typed_anew:
        imgui.set_keyboard_focus_here()
        view.typed_anew = False
    imgui.set_next_item_width(width)
    flags = imgui.InputTextFlags_.enter_returns_true | imgui.InputTextFlags_.auto_select_all
    entered, view.typed = imgui.input_text(f"##end {end}", view.typed, int(flags))
    app.mark(_ENDS[end])
    left = imgui.is_item_deactivated()
    if not entered and not left:
        return
    view.typed_end = None
    if imgui.is_key_pressed(imgui.Key.escape):
        return
    problem = _put(shown, end, view.typed)
    if problem:
        app.log.add(problem, warning=True)


def _put(shown: ShownTensor, end: int, text: str) -> str:
    """Sets an end of the range to a typed value; returns the problem if that is not possible."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or abs(value) > 3e38:
        return f"Range: expected a finite number, got '{text}'. The range stays."
    low, high = (value, shown.limits[1]) if end == 0 else (shown.limits[0], value)
    if low >= high:
        which = "last" if end == 0 else "first"
        other = shown.limits[1 - end]
        return f"Range: the first value must be below the last; change the {which} one ({other:.7g}) first."
    shown.chosen.put(low, high)
    return ""


def _drag(view: View, shown: ShownTensor, span: tuple[float, float], left: float, width: float) -> None:
    """Moves the mark nearest to where the button went down to the mouse, while it is down."""
    if not imgui.is_item_active():
        return
    x = imgui.get_io().mouse_pos.x
    value = span[0] + min(max((x - left) / width, 0.0), 1.0) * span[1]
    low, high = shown.limits
    gap = span[1] * 1e-3
    if imgui.is_item_activated():
        view.low_mark_held = abs(value - low) <= abs(value - high)
        if imgui.is_mouse_double_clicked(0):
            type_end(view, shown, 0 if view.low_mark_held else 1)
    if view.typed_end is not None or imgui.get_mouse_drag_delta(0, 1.0).x == 0.0:
        return  # a click without a drag moves nothing
    if view.low_mark_held:
        low = min(value, high - gap)
    else:
        high = max(value, low + gap)
    shown.chosen.put(low, high)


def _histogram(
    statistics: Statistics,
    span: tuple[float, float],
    corner: ImVec2,
    width: float,
    height: float,
    draw_list: imgui.ImDrawList,
    *,
    logarithmic: bool,
) -> None:
    """Draws the histogram over its part of the bar; a single value gets a visible bar."""
    counts = statistics.histogram
    top = float(counts.max()) or 1.0
    narrowest = LONE_PIXELS if statistics.high == statistics.low else 1.0
    step = (statistics.high - statistics.low) / len(counts)
    colour = theme.packed(theme.QUIET, 0.75)
    for position, count in enumerate(counts):
        if not count:
            continue
        left = corner.x + (statistics.low + position * step - span[0]) / span[1] * width
        left = min(left, corner.x + width - narrowest)
        right = max(corner.x + (statistics.low + (position + 1) * step - span[0]) / span[1] * width, left + narrowest)
        tall = max(share_of(float(count), top, logarithmic=logarithmic) * (height - 2), 1.0)
        draw_list.add_rect_filled(ImVec2(left, corner.y + height - tall), ImVec2(right, corner.y + height), colour)


def share_of(count: float, top: float, *, logarithmic: bool) -> float:
    """Returns the height of a bar of `count` relative to one of `top`; logarithms keep single values visible."""
    return math.log1p(count) / math.log1p(top) if logarithmic else count / top
