"""Draws the whole graph in a corner, with the part in sight framed; a click or a drag in it moves the view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from imgui_bundle import ImVec2, imgui

from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.graph.boxes import draw_bars
from texelscope.viewer.graph.model.camera import BOX_HEIGHT, BOX_WIDTH, FLATTEST_ZOOM, MARGIN
from texelscope.viewer.graph.model.geometry import Geometry, Indices
from texelscope.viewer.graph.sheet import Sheet
from texelscope.viewer.graph.signs import BoxSigns

_MOST_WIDTH, _MOST_HEIGHT = 170.0, 230.0
# Distance from the panel's edge, and between the map's edge and the graph.
_GAP, _PADDING = 10.0, 6.0
# A panel smaller than this has no room for a map.
_LEAST_WIDTH, _LEAST_HEIGHT = 300.0, 220.0
_MARK = 2.5
# The frame of the part in sight is at least so high.
_LEAST_FRAME = 8.0


@dataclass(frozen=True)
class MapPlace:
    """Where a map is, in pixels of the window, and how many pixels a pixel at zoom 1 takes across and down."""

    left: float
    top: float
    width: float
    height: float
    across: float
    down: float

    @classmethod
    def of(cls, sheet: Sheet) -> Self:
        """Places the map in the sheet's lower right corner."""
        scale, (wide, high) = sheet.scale, sheet.camera.extent
        across, down = min(_MOST_WIDTH / wide, FLATTEST_ZOOM), min(_MOST_HEIGHT / high, FLATTEST_ZOOM)
        width, height = ((wide * across + 2 * _PADDING) * scale, (high * down + 2 * _PADDING) * scale)
        left = sheet.left + sheet.width - width - _GAP * scale
        top = sheet.top + sheet.height - height - _GAP * scale
        return cls(left, top, width, height, across * scale, down * scale)

    def to_map(self, x: float, y: float, scale: float) -> tuple[float, float]:
        """Converts a place of the graph to pixels of the window."""
        inset = _PADDING * scale
        return (
            self.left + inset + (x + MARGIN) * self.across,
            self.top + inset + (y + MARGIN) * self.down,
        )

    def to_graph(self, x: float, y: float, scale: float) -> tuple[float, float]:
        """Converts pixels of the window to a place of the graph."""
        inset = _PADDING * scale
        return (x - self.left - inset) / self.across - MARGIN, (y - self.top - inset) / self.down - MARGIN


def draw(app: App, sheet: Sheet, geometry: Geometry, signs: BoxSigns, found: Indices, selected: int | None) -> None:
    """Draws the map unless the whole graph is in sight or there is no room, and moves the view as the mouse wants."""
    camera, scale = sheet.camera, sheet.scale
    if camera.sees_all or sheet.width < _LEAST_WIDTH * scale or sheet.height < _LEAST_HEIGHT * scale:
        return
    place = MapPlace.of(sheet)
    low, high = ImVec2(place.left, place.top), ImVec2(place.left + place.width, place.top + place.height)
    draw_list = sheet.draw_list
    draw_list.add_rect_filled(low, high, theme.packed(theme.PANEL, 0.94), 4.0 * scale)
    draw_list.add_rect(low, high, theme.packed(theme.LINE), 4.0 * scale, 1.0)
    draw_list.push_clip_rect(low, high, True)
    origin = place.to_map(0.0, 0.0, scale)
    xs, tops = origin[0] + geometry.lefts * place.across, origin[1] + geometry.tops * place.down
    draw_bars(sheet, xs, np.round(tops), signs.ranks, (BOX_WIDTH * place.across, BOX_HEIGHT * place.down))
    for number in found.tolist():
        middle = ImVec2(float(xs[number]) + BOX_WIDTH * place.across / 2, float(tops[number]))
        draw_list.add_circle_filled(middle, _MARK * scale, theme.packed(theme.WARNING), 8)
    if selected is not None:
        x, y = float(xs[selected]), float(tops[selected])
        corner = ImVec2(x + BOX_WIDTH * place.across + 2, y + max(BOX_HEIGHT * place.down, 2.0) + 2)
        draw_list.add_rect(ImVec2(x - 2, y - 2), corner, theme.packed(theme.ACCENT), 0.0, 1.5)
    seen = camera.seen
    first, last = place.to_map(seen.left, seen.top, scale), place.to_map(seen.right, seen.bottom, scale)
    slack = max(_LEAST_FRAME * scale - (last[1] - first[1]), 0.0) / 2
    begin = ImVec2(max(first[0], low.x + 1), max(first[1] - slack, low.y + 1))
    end = ImVec2(min(last[0], high.x - 1), min(last[1] + slack, high.y - 1))
    draw_list.add_rect_filled(begin, end, theme.packed(theme.TEXT, 0.10))
    draw_list.add_rect(begin, end, theme.packed(theme.TEXT, 0.85), 0.0, 1.5)
    draw_list.pop_clip_rect()
    imgui.set_cursor_screen_pos(low)
    imgui.invisible_button("map", ImVec2(place.width, place.height))
    app.mark("graph map")
    app.display.places["graph map frame"] = (begin.x, begin.y, end.x - begin.x, end.y - begin.y)
    if imgui.is_item_active():
        mouse = imgui.get_io().mouse_pos
        camera.centre_on(*place.to_graph(mouse.x, mouse.y, scale))
    else:
        imgui.set_item_tooltip("The whole graph; click or drag to move the view")
