"""Draws a value in a cell of a table: as many digits as fit, a swatch, and exact digits and bits on hover."""

from __future__ import annotations

from collections.abc import Sequence

from imgui_bundle import ImVec2, imgui

from texelscope.pipeline.stepping.numbers import Lane, colour_of, exact_text, lane_lines, lanes_text
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.widgets.controls import shortened

# Numbers of digits, tried in this order; if the last does not fit the text is cut.
_DIGITS = (7, 5, 4, 3)
# A monospaced font is wide: numbers in tables are a little smaller than text.
MONO_SHARE = 0.9
# The most lanes that a tooltip lists.
_MOST_LANES = 16


def draw(app: App, type_name: str, value: Sequence[Lane], *, is_changed: bool = False) -> None:
    """Draws the value in the monospaced font, cut to the room in the cell."""
    room = imgui.get_content_region_avail().x
    colour = colour_of(type_name, value)
    side = imgui.get_text_line_height() - 3 * app.scale
    imgui.push_font(app.display.fonts.mono, theme.FONT_PIXELS * MONO_SHARE)
    text = fitting(type_name, value, room - (side + 5 * app.scale if colour is not None else 0.0))
    if text.endswith("…"):
        text, colour = fitting(type_name, value, room), None
    imgui.pop_font()
    text_in(app, text, theme.WARNING if is_changed else theme.TEXT)
    if imgui.is_item_hovered():
        tooltip(app, type_name, value)
    if colour is not None:
        imgui.same_line(0, 5 * app.scale)
        corner = imgui.get_cursor_screen_pos()
        low, high = ImVec2(corner.x, corner.y + 2), ImVec2(corner.x + side, corner.y + 2 + side)
        draw_list = imgui.get_window_draw_list()
        draw_list.add_rect_filled(low, high, theme.packed((*colour[:3], 1.0)), 2.0)
        draw_list.add_rect(low, high, theme.packed(theme.LINE), 2.0)
        imgui.dummy(ImVec2(side, side))


def text_in(app: App, text: str, colour: theme.Colour = theme.TEXT) -> None:
    """Draws monospaced text on the baseline of the larger text beside it."""
    imgui.set_cursor_pos_y(imgui.get_cursor_pos_y() + app.scale)
    imgui.push_font(app.display.fonts.mono, theme.FONT_PIXELS * MONO_SHARE)
    imgui.text_colored(colour, text)
    imgui.pop_font()


def fitting(type_name: str, value: Sequence[Lane], width: float) -> str:
    """Returns the value in at most `width` pixels of the present font."""
    text = ""
    for digits in _DIGITS:
        text = lanes_text(type_name, value, digits)
        if imgui.calc_text_size(text).x <= width:
            return text
    return shortened(text, width)


def tooltip(app: App, type_name: str, value: Sequence[Lane], *notes: str) -> None:
    """Shows a tooltip with every lane exactly and as bits, and further notes."""
    if not imgui.begin_tooltip():
        return
    imgui.push_font(app.display.fonts.mono, 0.0)
    imgui.text_unformatted(exact_text(type_name, value[:_MOST_LANES]))
    for line in lane_lines(type_name, value[:_MOST_LANES]):
        imgui.text_disabled(line)
    imgui.pop_font()
    for note in notes:
        imgui.text_unformatted(note)
    imgui.end_tooltip()
