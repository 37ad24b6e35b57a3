"""Says how high a row of the list of layers is: two lines beside a picture, or one line where rows are compact."""

from __future__ import annotations

from dataclasses import dataclass

from imgui_bundle import ImVec2, imgui

from texelscope.viewer.app import App
from texelscope.viewer.canvas.thumbnails import SIDE_PIXELS
from texelscope.viewer.widgets.controls import shortened_name

# A name in a compact row has at least this many letters' room before the pass's time gives way.
_LEAST_LETTERS = 7.0
# Figures before times up to this one stand in a column.
_TIME = "99.9 ms"

Text = tuple[str, int]


@dataclass(frozen=True)
class RowSize:
    """Holds the side of a row's picture, its height, and the gap to the next row, all in pixels."""

    side: float
    height: float
    gap: float
    is_compact: bool

    @property
    def pitch(self) -> float:
        """The distance from one row to the next."""
        return self.height + self.gap

    @property
    def margin(self) -> float:
        """The room above and below the picture."""
        return (self.height - self.side) / 2.0


def row_size(app: App) -> RowSize:
    """Returns the size of a row as the user chose it."""
    if app.remembering.settings.compact:
        side = imgui.get_text_line_height()
        return RowSize(side, side + 2.0 * app.scale, 0.0, is_compact=True)
    side = SIDE_PIXELS * app.scale
    return RowSize(side, side + 6.0 * app.scale, imgui.get_style().item_spacing.y, is_compact=False)


def draw_line(
    draw_list: imgui.ImDrawList, place: tuple[float, float, float], name: Text, figure: Text, time: Text
) -> None:
    """Draws a compact row's texts between `place`'s left and right edge: the name, then its figure and its time.

    Each text has its packed colour. Time, then figure, give way to the name.
    """
    left, top, right = place
    letter, gap = imgui.get_font_size() * 0.5, imgui.get_font_size() * 0.5
    least = min(_LEAST_LETTERS * letter, imgui.calc_text_size(name[0]).x)
    ends = [text for text in (figure, time) if text[0]]
    while ends and right - left - sum(imgui.calc_text_size(text).x + gap for text, _ in ends) < least:
        ends.pop()
    for text, ink in reversed(ends):
        wide = imgui.calc_text_size(text).x
        draw_list.add_text(ImVec2(right - wide, top), ink, text)
        right -= (max(wide, imgui.calc_text_size(_TIME).x) if text == time[0] else wide) + gap
    draw_list.add_text(ImVec2(left, top), name[1], shortened_name(name[0], right - left))


def draw_button(app: App) -> None:
    """Draws the button that switches between both sizes, with lines as close as its rows would be."""
    side = imgui.get_frame_height()
    corner = imgui.get_cursor_screen_pos()
    if imgui.button("##compact", ImVec2(side, side)):
        app.send("compact")
    app.mark("compact rows")
    is_compact = app.remembering.settings.compact
    count = 3 if is_compact else 5
    ink, draw_list = imgui.get_color_u32(int(imgui.Col_.text)), imgui.get_window_draw_list()
    for line in range(count):
        y = round(corner.y + side * (0.25 + 0.5 * line / (count - 1)))
        draw_list.add_line(ImVec2(corner.x + side * 0.25, y), ImVec2(corner.x + side * 0.75, y), ink, app.scale)
    imgui.set_item_tooltip("Rows of two lines (Shift+H)" if is_compact else "Rows of one line: more of them (Shift+H)")
