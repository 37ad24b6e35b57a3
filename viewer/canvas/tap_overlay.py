"""Draws taps over a picture: read as expected (filled), not expected (crossed), expected but not read (ring)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from imgui_bundle import ImVec2, imgui

from texelscope.pipeline.export import colour_maps
from texelscope.pipeline.plan import StoredTensor
from texelscope.viewer import theme
from texelscope.viewer.canvas.overlay import Area
from texelscope.viewer.colour.shown_as import Texel
from texelscope.viewer.reads.model.tap_filter import TapFilter
from texelscope.viewer.reads.model.tap_view import TappedInput

# Beyond this many texels rings and crosses become plain squares; texels outside the picture are always skipped.
MAX_SIGNS = 3000
# Signs have a dark rim or ground: the texture below may have any colour, theirs too.
LINE_PIXELS, HALO_PIXELS = 2.0, 4.0
# The ring around the read under the mouse is never smaller than this.
LIT_PIXELS = 11.0


def draw(draw_list: imgui.ImDrawList, tapped: TappedInput, area: Area) -> None:
    """Marks the texels of one input, clipped to the picture."""
    draw_list.push_clip_rect(ImVec2(area.x, area.y), ImVec2(area.x + area.width, area.y + area.height), True)
    fill, line, shade = theme.packed(theme.GOOD, 0.3), theme.packed(theme.GOOD), theme.packed(theme.BACKGROUND)
    for left, top, right, bottom in rectangles(tapped.right):
        low, high = area.to_screen(left, top), area.to_screen(right, bottom)
        grow = max(0.0, (5.0 - high.x + low.x) / 2, (5.0 - high.y + low.y) / 2)
        low, high = ImVec2(low.x - grow, low.y - grow), ImVec2(high.x + grow, high.y + grow)
        draw_list.add_rect_filled(low, high, fill)
        draw_list.add_rect(low, high, shade, 0.0, HALO_PIXELS)
        draw_list.add_rect(low, high, line, 0.0, LINE_PIXELS)
    plain = len(tapped.unexpected) + len(tapped.missing) > MAX_SIGNS
    for texel in tapped.unexpected:
        _cross(draw_list, area, texel, plain=plain)
    for texel in tapped.missing:
        _ring(draw_list, area, texel, plain=plain)
    draw_list.pop_clip_rect()


def draw_filter(draw_list: imgui.ImDrawList, shown: TapFilter, stored: StoredTensor, area: Area) -> None:
    """Draws each weight on the texel that it is multiplied with, in the weight's colour, clipped to the picture.

    `stored` is the input as the picture shows it.
    """
    weights = shown.over(stored)
    reach = max((abs(weight) for weight in weights.values()), default=0.0) or 1.0
    draw_list.push_clip_rect(ImVec2(area.x, area.y), ImVec2(area.x + area.width, area.y + area.height), True)
    table = colour_maps.table("signed")
    for texel, weight in weights.items():
        step = round((weight / reach + 1.0) / 2.0 * (colour_maps.STEPS - 1))
        red, green, blue = (float(each) for each in table[step])
        low, high = area.to_screen(*texel), area.to_screen(texel[0] + 1, texel[1] + 1)
        draw_list.add_rect_filled(low, high, theme.packed((red, green, blue, 1.0)))
    columns, rows = zip(*weights, strict=True)
    for left, top, right, bottom in rectangles(zip(columns, rows, strict=True)):
        draw_list.add_rect(area.to_screen(left, top), area.to_screen(right, bottom), theme.packed(theme.ON_PICTURE))
    draw_list.pop_clip_rect()


def draw_lit(draw_list: imgui.ImDrawList, texels: Iterable[Texel], area: Area) -> None:
    """Rings the read under the mouse in a list, however small its texel is, clipped to the picture."""
    draw_list.push_clip_rect(ImVec2(area.x, area.y), ImVec2(area.x + area.width, area.y + area.height), True)
    for texel in texels:
        low, high = _square(area, texel)
        draw_list.add_rect(low, high, theme.packed(theme.BACKGROUND), 0.0, HALO_PIXELS)
        draw_list.add_rect(low, high, theme.packed(theme.TEXT), 0.0, LINE_PIXELS)
        centre = ImVec2((low.x + high.x) / 2, (low.y + high.y) / 2)
        radius = max((high.x - low.x) / 2 * 1.5, LIT_PIXELS)
        draw_list.add_circle(centre, radius, theme.packed(theme.BACKGROUND), 0, HALO_PIXELS)
        draw_list.add_circle(centre, radius, theme.packed(theme.ACCENT), 0, LINE_PIXELS)
    draw_list.pop_clip_rect()


def _cross(draw_list: imgui.ImDrawList, area: Area, texel: Texel, *, plain: bool) -> None:
    low, high = _square(area, texel)
    colour = theme.packed(theme.BAD)
    draw_list.add_rect_filled(low, high, theme.packed(theme.BACKGROUND, 0.6))
    draw_list.add_rect_filled(low, high, theme.packed(theme.BAD, 0.4))
    if not plain:
        draw_list.add_line(low, high, colour, LINE_PIXELS)
        draw_list.add_line(ImVec2(low.x, high.y), ImVec2(high.x, low.y), colour, LINE_PIXELS)


def _ring(draw_list: imgui.ImDrawList, area: Area, texel: Texel, *, plain: bool) -> None:
    low, high = _square(area, texel)
    colour = theme.packed(theme.WARNING)
    if plain:
        draw_list.add_rect(low, high, colour)
        return
    centre = ImVec2((low.x + high.x) / 2, (low.y + high.y) / 2)
    radius = max((high.x - low.x) / 2 - 2.0, 2.0)
    draw_list.add_circle(centre, radius, theme.packed(theme.BACKGROUND, 0.8), 0, HALO_PIXELS)
    draw_list.add_circle(centre, radius, colour, 0, LINE_PIXELS)


def _square(area: Area, texel: Texel) -> tuple[ImVec2, ImVec2]:
    """Returns a texel's corners on the screen, never too small to see."""
    low, high = area.to_screen(*texel), area.to_screen(texel[0] + 1, texel[1] + 1)
    grow = max(0.0, (6.0 - area.zoom) / 2)
    return ImVec2(low.x - grow, low.y - grow), ImVec2(high.x + grow, high.y + grow)


def rectangles(texels: Iterable[Texel]) -> list[tuple[int, int, int, int]]:
    """Merges texels into rectangles of rows with equal extent: left, top, right, bottom."""
    grown: dict[tuple[int, int], tuple[int, int]] = {}  # columns → rows, rectangles that may still grow
    done: list[tuple[int, int, int, int]] = []
    for left, row, length in _runs(texels):
        columns = (left, left + length)
        top, bottom = grown.get(columns, (row, row))
        if bottom != row:
            done.append((columns[0], top, columns[1], bottom))
            top = row
        grown[columns] = (top, row + 1)
    return done + [(left, top, right, bottom) for (left, right), (top, bottom) in grown.items()]


def _runs(texels: Iterable[Texel]) -> Iterator[tuple[int, int, int]]:
    """Yields neighbours in a row together: left texel, row, length."""
    start: Texel | None = None
    length = 0
    for tx, ty in sorted(texels, key=lambda texel: (texel[1], texel[0])):
        if start is not None and (tx, ty) == (start[0] + length, start[1]):
            length += 1
            continue
        if start is not None:
            yield (*start, length)
        start, length = (tx, ty), 1
    if start is not None:
        yield (*start, length)
