"""The range bar: a histogram with draggable first and last value, fit (right-click: always) and reset."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from viewer import theme
from viewer.app import App
from viewer.document.comparison import Statistics
from viewer.state import View
from viewer.texture.colours import shown_range

# The bar of one number alone is seen beside a mark that stands at it.
LONE_PIXELS = 7.0


def draw(app: App, view: View, data: tuple[float, float], statistics: Statistics | None, width: float) -> None:
    """The bar for numbers that run over `data`, `width` pixels wide with its two numbers and its button."""
    low, high = shown_range(view, *data)
    start, end = shown_range(View(), *data)
    span_low, span_high = min(start, low), max(end, high)
    span = span_high - span_low or 1.0
    number = 66.0 * app.scale  # of a number such as -1.11e-05, with the space after it
    imgui.align_text_to_frame_padding()
    start_x = imgui.get_cursor_pos_x()
    text = f"{low:.3g}"
    # Numbers have a fixed place: the bar must not move under the mouse that drags a mark of it.
    imgui.set_cursor_pos_x(start_x + max(number - imgui.calc_text_size(text).x - 8 * app.scale, 0.0))
    imgui.text_unformatted(text)
    imgui.same_line(start_x + number)
    bar = max(width - 2 * number - 62 * app.scale, 36.0 * app.scale)
    height = imgui.get_frame_height()
    corner = imgui.get_cursor_screen_pos()
    imgui.invisible_button("range", ImVec2(bar, height))
    app.mark("range")
    _drag(view, (low, high), (span_low, span), corner.x, bar)
    draw_list = imgui.get_window_draw_list()
    far = ImVec2(corner.x + bar, corner.y + height)
    draw_list.add_rect_filled(corner, far, theme.packed(theme.BACKGROUND), 3.0)
    if statistics is not None:
        _histogram(statistics, (span_low, span), corner, bar, height, draw_list)
    for value, colour in ((low, theme.ACCENT), (high, theme.TEXT)):
        x = corner.x + (value - span_low) / span * bar
        draw_list.add_rect_filled(ImVec2(x - 1.5, corner.y), ImVec2(x + 1.5, far.y), theme.packed(colour))
    imgui.set_item_tooltip("Values shown as first and last colour: drag the marks.\nActual and oracle share them.")
    imgui.same_line()
    end_x = imgui.get_cursor_pos_x()
    imgui.text_unformatted(f"{high:.3g}")
    imgui.same_line(end_x + number - 8 * app.scale)
    if imgui.button("auto##range") or (app.state.wanted_fit and view is app.state.view):
        view.range.low, view.range.high, view.range.follows = start, end, False
        app.state.wanted_fit = False
    app.mark("range auto")
    if imgui.is_item_clicked(1):
        view.range.follows = True
    imgui.set_item_tooltip("Fit to the data once; right-click or R: always" + (" (now)" if view.range.follows else ""))


def _drag(view: View, shown: tuple[float, float], span: tuple[float, float], left: float, width: float) -> None:
    """Moves the mark that was nearer when the button went down, to the mouse, for as long as it is down."""
    if not imgui.is_item_active():
        return
    x = imgui.get_io().mouse_pos.x
    value = span[0] + min(max((x - left) / width, 0.0), 1.0) * span[1]
    low, high = shown
    gap = span[1] * 1e-3
    if imgui.is_item_activated():
        view.low_mark_held = abs(value - low) <= abs(value - high)
    if view.low_mark_held:
        low = min(value, high - gap)
    else:
        high = max(value, low + gap)
    view.range.low, view.range.high, view.range.follows = low, high, False


def _histogram(
    statistics: Statistics,
    span: tuple[float, float],
    corner: ImVec2,
    width: float,
    height: float,
    draw_list: imgui.ImDrawList,
) -> None:
    """Bars over the part of the bar that the numbers lie in; one number alone has a bar that can be seen."""
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
        tall = max((float(count) / top) ** 0.5 * (height - 2), 1.0)
        draw_list.add_rect_filled(ImVec2(left, corner.y + height - tall), ImVec2(right, corner.y + height), colour)
