"""Draws the names of scopes beside their boxes, where these are too small for words."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from texelscope.viewer import theme
from texelscope.viewer.graph.model.drawn_graph import DrawnGraph
from texelscope.viewer.graph.model.scopes import shown_scope
from texelscope.viewer.graph.model.spans import readable_spans
from texelscope.viewer.graph.sheet import Sheet
from texelscope.viewer.widgets.controls import shortened_name

# A scope has a name from this height on; distances of its bracket from the boxes, and of the name from the bracket.
_LEAST_HEIGHT, _BRACKET, _GAP = 20.0, 14.0, 6.0
_TICK = 4.0


def draw(sheet: Sheet, graph: DrawnGraph) -> None:
    """Draws a bracket and a name for each scope of the innermost level that has room for them."""
    camera, scale, draw_list = sheet.camera, sheet.scale, sheet.draw_list
    ink, text_ink, line = theme.packed(theme.FAINT), theme.packed(theme.QUIET), imgui.get_text_line_height()
    for span in readable_spans(graph.spans, _LEAST_HEIGHT / camera.down):
        x = sheet.left + (span.left - camera.x) * camera.across * scale - _BRACKET * scale
        top, bottom = (sheet.top + (end - camera.y) * camera.down * scale for end in (span.top, span.bottom))
        if bottom < sheet.top or top > sheet.top + sheet.height:
            continue
        draw_list.add_line(ImVec2(x, top), ImVec2(x, bottom), ink, scale)
        for end in (top, bottom):
            draw_list.add_line(ImVec2(x, end), ImVec2(x + _TICK * scale, end), ink, scale)
        seen = max(top, sheet.top), min(bottom, sheet.top + sheet.height)
        text = shortened_name(shown_scope(span.scope), x - _GAP * scale - sheet.left)
        at = x - _GAP * scale - imgui.calc_text_size(text).x, (seen[0] + seen[1] - line) / 2
        draw_list.add_text(ImVec2(round(at[0]), round(at[1])), text_ink, text)
