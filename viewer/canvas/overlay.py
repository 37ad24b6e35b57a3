"""Draws over a picture: tile grid and labels from the layout, values at high zoom, the picked texel."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from imgui_bundle import ImVec2, imgui

from texelscope.layouts.base import Layout, Tile
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.plan import StoredTensor
from texelscope.viewer import theme
from texelscope.viewer.canvas.readout import LaneReadout, read_out
from texelscope.viewer.document.document import Document
from texelscope.viewer.state import View, ViewMode

# Smaller tiles get no lines; labels need more room.
MIN_TILE_PIXELS = 7.0
MIN_LABEL_PIXELS = 34.0
_LABEL_PADDING = 8.0
MIN_VALUE_PIXELS = 46.0
MAX_TILES_DRAWN = 4000
# The width of the bar at the edge that shows which part of a texture is visible.
EXTENT_PIXELS = 4.0
MAX_TEXTS = 20_000


@dataclass(frozen=True)
class Area:
    """Describes a picture's place on the screen: top left and size in pixels, and its top left texel position."""

    x: float
    y: float
    width: float
    height: float
    origin: tuple[float, float]
    zoom: float

    def to_screen(self, tx: float, ty: float) -> ImVec2:
        """Converts a texel position to screen pixels."""
        return ImVec2(self.x + (tx - self.origin[0]) * self.zoom, self.y + (ty - self.origin[1]) * self.zoom)

    def to_texels(self, x: float, y: float) -> tuple[float, float]:
        """Converts a screen position to texels."""
        return (x - self.x) / self.zoom + self.origin[0], (y - self.y) / self.zoom + self.origin[1]


def draw(document: Document, stored: StoredTensor, view: View, area: Area, mode: ViewMode, *, chained: bool) -> None:
    """Draws all overlays of a view that shows `mode`, clipped to its picture."""
    draw_list = imgui.get_window_draw_list()
    draw_list.push_clip_rect(ImVec2(area.x, area.y), ImVec2(area.x + area.width, area.y + area.height), True)
    if view.grid or view.labels:
        _tiles(stored, view, area, draw_list)
    if area.zoom >= MIN_VALUE_PIXELS:
        _values(document, stored, view, area, mode, draw_list, chained=chained)
    for texel, colour in ((view.hover or view.echo, theme.POINTED), (view.pick, theme.PICKED)):
        if texel is not None:
            draw_box(area, texel, draw_list, colour)
    _extent(stored, area, draw_list)
    draw_list.pop_clip_rect()


def _tiles(stored: StoredTensor, view: View, area: Area, draw_list: imgui.ImDrawList) -> None:
    layout, shape = stored.layout, stored.shape
    count = layout.tile_count(shape)
    if count > MAX_TILES_DRAWN:
        return
    line = theme.packed((1.0, 1.0, 1.0, 0.55))
    are_beside = _labels_beside(stored, area.zoom)
    for tile in _tiles_of(layout, shape):
        top_left = area.to_screen(tile.tx, tile.ty)
        bottom_right = area.to_screen(tile.tx + tile.width, tile.ty + tile.height)
        width, height = bottom_right.x - top_left.x, bottom_right.y - top_left.y
        outside = bottom_right.x < area.x or top_left.x > area.x + area.width
        outside = outside or bottom_right.y < area.y or top_left.y > area.y + area.height
        if outside or (min(width, height) < MIN_TILE_PIXELS and count > 1):
            continue
        if view.grid:
            draw_list.add_rect(top_left, ImVec2(bottom_right.x + 1, bottom_right.y + 1), line)
        if not view.labels or not tile.label:
            continue
        if are_beside and height >= imgui.get_text_line_height():
            _label(draw_list, ImVec2(bottom_right.x + 2, top_left.y), tile.label)
        elif width >= MIN_LABEL_PIXELS and height >= 20.0:
            left = max(top_left.x, area.x)  # a tile that begins outside is labelled in its visible part
            _label(draw_list, ImVec2(left, top_left.y), tile.label, bottom_right.x - left)


def _labels_beside(stored: StoredTensor, zoom: float) -> bool:
    """Returns whether tiles are labelled at their right: they stand in one column, too narrow for the longest label."""
    tiles, width = _tiles_of(stored.layout, stored.shape), stored.texture_shape[1]
    if len(tiles) < 2 or any(tile.tx or tile.tx + tile.width < width for tile in tiles):
        return False
    longest = max((tile.label for tile in tiles), key=len)
    return bool(imgui.calc_text_size(longest).x + _LABEL_PADDING > width * zoom)


@lru_cache(maxsize=64)  # called in every frame
def _tiles_of(layout: Layout, shape: Shape) -> tuple[Tile, ...]:
    return layout.tiles(shape)


def _label(draw_list: imgui.ImDrawList, at: ImVec2, text: str, room: float = math.inf) -> None:
    size = imgui.calc_text_size(text)
    if size.x + _LABEL_PADDING > room:
        return
    corner = ImVec2(at.x + size.x + _LABEL_PADDING, at.y + size.y + 2)
    draw_list.add_rect_filled(ImVec2(at.x + 1, at.y + 1), corner, theme.packed((0.0, 0.0, 0.0, 0.8)))
    draw_list.add_text(ImVec2(at.x + 4, at.y + 1), theme.packed(theme.ON_PICTURE), text)


def _values(
    document: Document,
    stored: StoredTensor,
    view: View,
    area: Area,
    mode: ViewMode,
    draw_list: imgui.ImDrawList,
    *,
    chained: bool,
) -> None:
    """Draws the number of every visible texel, in every lane that is shown."""
    height, width = stored.texture_shape
    first = area.to_texels(area.x, area.y)
    last = area.to_texels(area.x + area.width, area.y + area.height)
    line_height = imgui.get_text_line_height()
    _forget_old_texts(document, stored, view, chained=chained)
    seam = area.x + view.seam * area.width
    for ty in range(max(int(first[1]), 0), min(int(last[1]) + 1, height)):
        for tx in range(max(int(first[0]), 0), min(int(last[0]) + 1, width)):
            middle = area.to_screen(tx + 0.5, ty + 0.5)
            here = mode if mode is not ViewMode.SPLIT else ViewMode.ACTUAL if middle.x < seam else ViewMode.ORACLE
            texts = view.texts.get((tx, ty, here))
            if texts is None:
                texts = view.texts[(tx, ty, here)] = _texts(document, stored, view, (tx, ty), here, chained=chained)
            top = middle.y - line_height * len(texts) / 2
            for row, text in enumerate(texts):
                at = ImVec2(middle.x - imgui.calc_text_size(text).x / 2, top + row * line_height)
                _outlined(draw_list, at, text)


def _forget_old_texts(document: Document, stored: StoredTensor, view: View, *, chained: bool) -> None:
    """Drops cached texts of other values: most frames show the same ones as the frame before."""
    session, number = document.session, document.expected_number(stored.key, chained=chained)
    generation = session.generation(stored.key) if session is not None else 0
    generation = document.shown.number if document.shown is not None else generation
    now = (stored.key, str(stored.layout), generation, number, chained, tuple(view.lanes))
    if view.texts_of != now or len(view.texts) > MAX_TEXTS:
        view.texts.clear()
        view.texts_of = now


def _texts(
    document: Document, stored: StoredTensor, view: View, texel: tuple[int, int], mode: ViewMode, *, chained: bool
) -> tuple[str, ...]:
    """Returns a line for every lane that is shown."""
    readout = read_out(document, stored, *texel, chained=chained)
    lanes = readout.lanes if readout is not None else ()
    values = (shown_value(lane, mode) for lane in lanes if view.lanes[lane.lane])
    return tuple(f"{value:.3g}" for value in values if value is not None)


def shown_value(lane: LaneReadout, mode: ViewMode) -> float | None:
    """Returns the value that `mode` shows in one lane: actual, oracle, their difference, or that over its bound."""
    if mode is ViewMode.ORACLE:
        return lane.oracle
    if mode is ViewMode.DIFFERENCE:
        return lane.error
    if mode is ViewMode.RATIO:
        return lane.ratio
    return lane.actual


def _outlined(draw_list: imgui.ImDrawList, at: ImVec2, text: str) -> None:
    """Draws a text that is legible on any colour."""
    dark = theme.packed((0.0, 0.0, 0.0, 0.75))
    for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        draw_list.add_text(ImVec2(at.x + x, at.y + y), dark, text)
    draw_list.add_text(at, theme.packed(theme.ON_PICTURE), text)


def _extent(stored: StoredTensor, area: Area, draw_list: imgui.ImDrawList) -> None:
    """Draws bars at the lower and the right edge, if part of the texture is not visible."""
    height, width = stored.texture_shape
    first = area.to_texels(area.x, area.y)
    last = area.to_texels(area.x + area.width, area.y + area.height)
    right, bottom = area.x + area.width, area.y + area.height
    colour = theme.packed(theme.QUIET, 0.7)
    low, high = _share(first[0], last[0], width)
    if high - low < 1.0:
        left, end = area.x + low * area.width, area.x + high * area.width
        draw_list.add_rect_filled(ImVec2(left, bottom - EXTENT_PIXELS), ImVec2(max(end, left + 8), bottom), colour, 2.0)
    low, high = _share(first[1], last[1], height)
    if high - low < 1.0:
        top, end = area.y + low * area.height, area.y + high * area.height
        draw_list.add_rect_filled(ImVec2(right - EXTENT_PIXELS, top), ImVec2(right, max(end, top + 8)), colour, 2.0)


def _share(first: float, last: float, extent: int) -> tuple[float, float]:
    """Returns the start and end in [0, 1] of the texels from `first` to `last` among `extent` of them."""
    return min(max(first / extent, 0.0), 1.0), min(max(last / extent, 0.0), 1.0)


def draw_box(area: Area, texel: tuple[int, int], draw_list: imgui.ImDrawList, colour: theme.Colour) -> None:
    """Draws a box around a texel, never too small to see."""
    top_left = area.to_screen(*texel)
    bottom_right = area.to_screen(texel[0] + 1, texel[1] + 1)
    grow = max(0.0, 5.0 - area.zoom) / 2 + 1
    low = ImVec2(top_left.x - grow, top_left.y - grow)
    high = ImVec2(bottom_right.x + grow, bottom_right.y + grow)
    draw_list.add_rect(ImVec2(low.x - 1, low.y - 1), ImVec2(high.x + 1, high.y + 1), theme.packed((0.0, 0.0, 0.0, 0.8)))
    draw_list.add_rect(low, high, theme.packed(colour), 0.0, 2.0)
