"""Plots a roofline: passes as points under the device's peaks, on logarithmic axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from imgui_bundle import ImVec2, ImVec4, imgui, implot

from texelscope.pipeline.short_text import BEGINNING, cut
from texelscope.viewer import theme

if TYPE_CHECKING:
    from texelscope.pipeline.roofline.chart import Axis, Chart, Roof, RooflinePoint

# Colours of lines: arithmetic in warm ones, bytes in cold ones.
_COLOURS: dict[str, theme.Colour] = {
    "fragments": theme.WARNING,
    "compute": theme.ORANGE,
    "reads, memory": theme.GOOD,
    "reads, caches": theme.CYAN,
    "writes": theme.VIOLET,
}
_RADIUS = 4.5
# The longest name beside a point; and within how many pixels of a point the pointer selects it.
_MOST_LETTERS, _REACH = 28, 9.0


def roofline_plot(chart: Chart, selected: str | None, scale: float) -> str | None:
    """Draws the plot into the available room; returns the name of the clicked pass."""
    flags = implot.Flags_.no_menus | implot.Flags_.no_box_select | implot.Flags_.no_mouse_text
    implot.push_style_color(int(implot.Col_.plot_bg), ImVec4(*theme.BACKGROUND))
    implot.push_style_var(int(implot.StyleVar_.plot_min_size), ImVec2(80, 60))
    clicked = None
    room = imgui.get_content_region_avail()
    if implot.begin_plot("##roofline", ImVec2(-1, -1), int(flags)):
        _axes(chart, room, scale)
        legend = implot.LegendFlags_.outside | implot.LegendFlags_.no_buttons
        implot.setup_legend(int(implot.Location_.east), int(legend))
        top = max(roof.gflops or 0.0 for roof in chart.roofs)
        fastest = max(roof.gbytes or 1e-12 for roof in chart.roofs)
        for roof in chart.roofs:
            _roof(chart, roof, top, fastest)
        clicked = _points(chart, selected, scale)
        implot.end_plot()
    implot.pop_style_var()
    implot.pop_style_color()
    return clicked


def _axes(chart: Chart, room: ImVec2, scale: float) -> None:
    """Sets up ticks as dense as there is room for: the legend and the labels take some."""
    from texelscope.pipeline.roofline.chart import tick_text

    still = int(implot.AxisFlags_.no_highlight)
    implot.setup_axes("operations per byte", "GFLOP/s", still, still)
    most_x, most_y = (room.x / scale - 320) / 70, (room.y / scale - 60) / 26
    for axis, held, most in ((implot.ImAxis_.x1, chart.x, most_x), (implot.ImAxis_.y1, chart.y, most_y)):
        implot.setup_axis_scale(int(axis), int(implot.Scale_.log10))
        implot.setup_axis_limits(int(axis), held.low, held.high)
        ticks = _near_ticks(held, max(int(most), 2))
        implot.setup_axis_ticks(int(axis), ticks, [tick_text(tick) for tick in ticks])


def _near_ticks(axis: Axis, most: int) -> list[float]:
    """Returns at most `most` ticks on the axis, and more on both sides for dragging."""
    first, last = round(math.log10(axis.low)), round(math.log10(axis.high))
    step = 1 + (last - first) // most
    return [10.0**power for power in range(first - 3 * step, last + 3 * step + 1, step)]


def _roof(chart: Chart, roof: Roof, top: float, fastest: float) -> None:
    """Draws a line with its name and figure in the legend, within the axes' first range."""
    from texelscope.pipeline.roofline.chart import roof_text

    if roof.gflops is not None:
        low, high = roof.gflops / fastest, chart.x.high
    else:
        rate = roof.gbytes or 1e-12
        low, high = max(chart.x.low, chart.y.low / rate), top / rate
    ends = np.array([low, max(high, low)])
    spec = implot.Spec()
    spec.line_color = ImVec4(*_COLOURS.get(roof.label, theme.QUIET))
    spec.line_weight = 1.5
    implot.plot_line(roof_text(roof), ends, np.array([roof.at(end) for end in ends]), spec)


def _points(chart: Chart, selected: str | None, scale: float) -> str | None:
    places = [implot.plot_to_pixels(point.intensity, point.gflops) for point in chart.points]
    draw = implot.get_plot_draw_list()
    implot.push_plot_clip_rect()
    accent, ground = theme.packed(theme.ACCENT), theme.packed(theme.BACKGROUND)
    for point, place in zip(reversed(chart.points), reversed(places), strict=True):
        radius = _RADIUS * scale
        draw.add_circle_filled(place, radius, accent if point.is_counted else ground)
        draw.add_circle(place, radius, theme.packed(theme.TEXT) if point.name == selected else accent, 0, 1.6 * scale)
    _names(chart, places, draw, scale)
    implot.pop_plot_clip_rect()
    pointed = _pointed_at(chart.points, places, scale) if implot.is_plot_hovered() else None
    if pointed is None:
        return None
    imgui.set_tooltip(pointed.text)
    return pointed.name if imgui.is_mouse_clicked(int(imgui.MouseButton_.left)) else None


def _names(chart: Chart, places: Sequence[ImVec2], draw: imgui.ImDrawList, scale: float) -> None:
    from texelscope.pipeline.roofline.chart import Box, beside_points

    corner, size = implot.get_plot_pos(), implot.get_plot_size()
    frame = Box(corner.x, corner.y, corner.x + size.x, corner.y + size.y)
    names = [cut(point.name, _MOST_LETTERS, beginning=BEGINNING) for point in chart.named]
    sizes = [(extent.x, extent.y) for extent in map(imgui.calc_text_size, names)]
    boxes = beside_points([(place.x, place.y) for place in places], sizes, frame, (_RADIUS + 1) * scale)
    for name, box in zip(names, boxes, strict=True):
        draw.add_text(ImVec2(box.x0, box.y0), theme.packed(theme.TEXT), name)


def _pointed_at(points: Sequence[RooflinePoint], places: Sequence[ImVec2], scale: float) -> RooflinePoint | None:
    """Returns the point under the pointer, the nearest of several."""
    mouse = imgui.get_mouse_pos()
    distances = [math.hypot(place.x - mouse.x, place.y - mouse.y) for place in places]
    nearest = min(range(len(points)), key=lambda i: distances[i], default=None)
    return points[nearest] if nearest is not None and distances[nearest] <= _REACH * scale else None
