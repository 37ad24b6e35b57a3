"""Draws the edges of the graph: curves between ranks, arcs beside the chain that they pass, few of them from afar."""

from __future__ import annotations

from dataclasses import dataclass

from imgui_bundle import ImVec2, imgui

from texelscope.viewer import theme
from texelscope.viewer.graph.model.camera import SHORT_ZOOM, WORDS_ZOOM
from texelscope.viewer.graph.model.drawn_graph import DrawnGraph
from texelscope.viewer.graph.sheet import Rect, Sheet

# From afar only so many edges are drawn: more of them hide each other, and take longer than a frame.
MOST_FROM_AFAR = 300
_SEGMENTS_FROM_AFAR = 8

# Where an edge starts, two points that it bends to, and where it ends.
Curve = tuple[ImVec2, ImVec2, ImVec2, ImVec2]


@dataclass(frozen=True)
class _Ink:
    """Holds the look of an edge: packed colour, and thickness in pixels."""

    colour: int
    thick: float


def draw(sheet: Sheet, graph: DrawnGraph, selected: int | None) -> None:
    """Draws the edges in sight; those of the selected box are drawn last, all of them."""
    geometry, zoom = graph.geometry, sheet.camera.zoom
    shown = geometry.edges_in(sheet.camera.seen)
    at_selected = (geometry.sources[shown] == selected) | (geometry.targets[shown] == selected)
    touched, others = shown[at_selected], shown[~at_selected]
    if zoom < SHORT_ZOOM:
        others = geometry.thinned(others, MOST_FROM_AFAR)
    wide = min(sheet.zoom, 1.0)
    plain = _Ink(theme.packed(theme.QUIET, 0.7 if zoom >= SHORT_ZOOM else 0.35), max(1.5 * wide, 1.0))
    faint = _Ink(theme.packed(theme.FAINT, 0.6), 1.0)
    accent = _Ink(theme.packed(theme.ACCENT), max(2.0 * wide, 1.0))
    segments = _SEGMENTS_FROM_AFAR if zoom < SHORT_ZOOM else 0
    for numbers, is_touched in ((others, False), (touched, True)):
        ends = zip(
            sheet.rects(geometry, geometry.sources[numbers]),
            sheet.rects(geometry, geometry.targets[numbers]),
            strict=True,
        )
        bends = (geometry.bends[numbers] * sheet.camera.across * sheet.scale).tolist()
        for number, (source, target), bend in zip(numbers.tolist(), ends, bends, strict=True):
            across = graph.layout.edges[number].across
            curve = _across(source, target) if across else _curve(source, target, bend, sheet.zoom)
            ink = accent if is_touched else faint if across else plain
            sheet.draw_list.add_bezier_cubic(*curve, ink.colour, ink.thick, segments)
            if zoom >= SHORT_ZOOM:
                _end(sheet, curve, ink, "" if across else graph.labels[number])


def _end(sheet: Sheet, curve: Curve, ink: _Ink, label: str) -> None:
    """Draws the end of an edge, and near enough its label."""
    start, near, far, end = curve
    sheet.draw_list.add_circle_filled(end, max(2.5 * sheet.zoom, 1.5), ink.colour)
    if sheet.camera.zoom >= WORDS_ZOOM and label:
        # In the middle of the curve; if the edge is straight, to its right.
        middle = [(start[i] + 3 * near[i] + 3 * far[i] + end[i]) / 8 for i in (0, 1)]
        font, pixels = imgui.get_font(), round(imgui.get_font_size() * sheet.camera.zoom * 0.85)
        at = ImVec2(round(middle[0] + 7 * sheet.zoom), round(middle[1] - pixels / 2))
        sheet.draw_list.add_text(font, pixels, at, ink.colour, label)


def _curve(source: Rect, target: Rect, bend: float, zoom: float) -> Curve:
    """Returns the four points of a curve: from below the source to above the target, or an arc at their right."""
    if not bend:
        down = source[1] < target[1]
        start = ImVec2((source[0] + source[2]) / 2, source[3 if down else 1])
        end = ImVec2((target[0] + target[2]) / 2, target[1 if down else 3])
        reach = (end.y - start.y) / 2
        return start, ImVec2(start.x, start.y + reach), ImVec2(end.x, end.y - reach), end
    start = ImVec2(source[2], (source[1] + source[3]) / 2)
    end = ImVec2(target[2], (target[1] + target[3]) / 2)
    reach, inset = max(start.x, end.x) + bend, 20 * zoom * (1 if start.y <= end.y else -1)
    return start, ImVec2(reach, start.y + inset), ImVec2(reach, end.y - inset), end


def _across(source: Rect, target: Rect) -> Curve:
    """Returns the points of the line from a layer to a backward pass that reads it."""
    start, end = ImVec2(source[2], (source[1] + source[3]) / 2), ImVec2(target[0], (target[1] + target[3]) / 2)
    reach = (end.x - start.x) / 2
    return start, ImVec2(start.x + reach, start.y), ImVec2(end.x - reach, end.y), end
