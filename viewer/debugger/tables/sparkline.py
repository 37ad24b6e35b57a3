"""Draws a small plot of a variable over the turns of a loop, a line for each lane, with the present turn marked."""

from __future__ import annotations

import math

from imgui_bundle import ImVec2, imgui

from texelscope.pipeline.stepping.loops import Series
from texelscope.viewer import theme

# Lanes x, y, z, w as red, green, blue and grey, which differ in lightness too.
_COLOURS: tuple[theme.Colour, ...] = (
    (0.95, 0.55, 0.48, 1.0),
    (0.48, 0.82, 0.55, 1.0),
    (0.42, 0.66, 0.98, 1.0),
    (0.75, 0.77, 0.82, 1.0),
)


def draw(series: Series | None, turn: int | None, size: tuple[float, float]) -> None:
    """Draws the plot as an item of that size in pixels; an empty one without a series."""
    corner = imgui.get_cursor_screen_pos()
    width, height = size
    imgui.dummy(ImVec2(width, height))
    if series is None:
        return
    draw_list = imgui.get_window_draw_list()
    first, last = series.at[0], max(series.at[-1], series.at[0] + 1)
    span = series.high - series.low

    def x_of(at: int) -> float:
        return corner.x + (at - first) / (last - first) * (width - 1)

    def y_of(value: float) -> float:
        share = (value - series.low) / span if span else 0.5
        return corner.y + 2 + (1 - min(max(share, 0.0), 1.0)) * (height - 4)

    if turn is not None and first <= turn <= last:
        x = x_of(turn)
        draw_list.add_line(ImVec2(x, corner.y), ImVec2(x, corner.y + height), theme.packed(theme.FAINT), 1.0)
    alone = len(series.lanes) == 1
    for lane, values in enumerate(series.lanes):
        colour = theme.packed(theme.ACCENT if alone else _COLOURS[lane])
        points = [
            ImVec2(x_of(at), y_of(value)) for at, value in zip(series.at, values, strict=True) if math.isfinite(value)
        ]
        if len(points) > 1:
            draw_list.add_polyline(points, colour, 1.2, 0)  # type: ignore[arg-type]
        elif points:
            draw_list.add_circle_filled(points[0], 1.5, colour)
