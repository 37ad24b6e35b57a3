"""Draws the legend of the marks over textures, each as the overlay itself draws it, with what it means."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.canvas import tap_overlay
from texelscope.viewer.canvas.overlay import Area, draw_box
from texelscope.viewer.colour.shown_as import Texel
from texelscope.viewer.reads.model.tap_view import TappedInput

# Marks of the reads of the picked element, in the order of `_taps`.
READS = ("It is read, as it should be.", "It is read, but should not be.", "It is not read, but should be.")
# The other marks over a texture, in the order of `_others`.
OTHERS = (
    "This texel is picked.",
    "This texel is under the pointer.",
    "The layout stores nothing here.",
    "No fragment wrote this.",
)
_SIDE = 14.0
_MARGIN = 8.0


def draw_over(app: App, area: Area) -> None:
    """Draws all entries on a ground at the lower left of a picture, if they fit there."""
    scale, line = app.scale, _line(app)
    texts = (*READS, *OTHERS)
    wide = max(imgui.calc_text_size(text).x for text in texts) + (_SIDE + 3 * _MARGIN) * scale
    tall = len(texts) * line + 2 * _MARGIN * scale
    if wide > area.width or tall > area.height:
        return
    corner = ImVec2(area.x + _MARGIN * scale, area.y + area.height - tall - _MARGIN * scale)
    far = ImVec2(corner.x + wide, corner.y + tall)
    draw_list = imgui.get_window_draw_list()
    draw_list.add_rect_filled(corner, far, theme.packed(theme.PANEL), 4.0 * scale)
    draw_list.add_rect(corner, far, theme.packed(theme.LINE), 4.0 * scale)
    app.display.places["legend of marks"] = (corner.x, corner.y, wide, tall)
    _entries(app, ImVec2(corner.x + _MARGIN * scale, corner.y + _MARGIN * scale), texts)


def draw_reads(app: App) -> None:
    """Draws the entries of reads below the item just drawn."""
    corner, width = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail().x
    _entries(app, corner, READS)
    imgui.dummy(ImVec2(width, len(READS) * _line(app)))
    app.mark("legend of reads")


def _line(app: App) -> float:
    return float(max(imgui.get_text_line_height_with_spacing(), (_SIDE + 4.0) * app.scale))


def _entries(app: App, corner: ImVec2, texts: tuple[str, ...]) -> None:
    draw_list, side, line = imgui.get_window_draw_list(), round(_SIDE * app.scale), _line(app)
    for row, text in enumerate(texts):
        top = round(corner.y + row * line)
        at = Area(round(corner.x), top, side, side, (0.0, 0.0), side)
        _sample(draw_list, at, row)
        text_top = top + (side - imgui.get_text_line_height()) / 2
        draw_list.add_text(ImVec2(corner.x + side + _MARGIN * app.scale, text_top), theme.packed(theme.TEXT), text)


def _sample(draw_list: imgui.ImDrawList, at: Area, row: int) -> None:
    """Draws one mark over the only texel of an area."""
    low, high = ImVec2(at.x, at.y), ImVec2(at.x + at.width, at.y + at.height)
    if row < len(READS):
        here: frozenset[Texel] = frozenset({(0, 0)})
        right, unexpected, missing = (here if row == number else frozenset() for number in range(len(READS)))
        tap_overlay.draw(draw_list, TappedInput("", right, unexpected, missing, (0, 0, 1, 1)), at)
    elif row < len(READS) + 2:
        draw_box(at, (0, 0), draw_list, theme.PICKED if row == len(READS) else theme.POINTED)
    else:
        is_padding = row == len(READS) + 2
        ground = (0.16, 0.17, 0.20, 1.0) if is_padding else (0.10, 0.02, 0.10, 1.0)
        ink = theme.packed((0.42, 0.44, 0.48, 1.0) if is_padding else (1.0, 0.35, 0.95, 1.0))
        draw_list.add_rect_filled(low, high, theme.packed(ground))
        draw_list.add_line(ImVec2(low.x, high.y), ImVec2(high.x, low.y), ink, 1.5)
        if not is_padding:
            draw_list.add_line(low, high, ink, 1.5)
