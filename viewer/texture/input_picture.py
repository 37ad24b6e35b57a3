"""Draws the part of a tensor that an element reads, with its marks, in a square of the screen."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from texelscope.pipeline.plan import StoredTensor
from texelscope.viewer.app import App
from texelscope.viewer.canvas import tap_overlay
from texelscope.viewer.canvas.canvas import Picture
from texelscope.viewer.canvas.overlay import Area
from texelscope.viewer.colour.ranges import Range, shown_range
from texelscope.viewer.reads.model.tap_view import TappedInput
from texelscope.viewer.state import ViewMode
from texelscope.viewer.texture.shown import data_range

MARGIN_TEXELS = 2
MAX_ZOOM = 28.0


def draw(app: App, tapped: TappedInput, stored: StoredTensor, side: float, name: str) -> Area:
    """Draws a square of `side` pixels as an item at the cursor, as the picture `name`; returns what it shows."""
    session = app.document.session
    assert session is not None
    area = area_around(tapped, imgui.get_cursor_screen_pos(), side)
    limits = shown_range(Range(), *data_range(app, stored.key))
    picture = Picture(
        key=stored.key,
        generation=session.generation(stored.key),
        mode=ViewMode.ACTUAL,
        origin=area.origin,
        pixels_per_texel=area.zoom,
        size=(int(side), int(side)),
        value_range=limits,
        colours=app.state.colours.map_of(signed=limits[0] < 0.0),
        lanes=(True, True, True, True),
        seam=0.0,
        mark_negative=False,
    )
    texture = app.display.canvas.draw(name, session.texture(stored.key), stored, None, picture)
    imgui.image(imgui.ImTextureRef(texture.glo), ImVec2(int(side), int(side)))
    return area


def draw_marks(app: App, tapped: TappedInput, stored: StoredTensor, area: Area) -> None:
    """Draws the reads of an input over its picture, or the filter, and the read under the mouse in a list."""
    draw_list, taps = imgui.get_window_draw_list(), app.analyses.taps
    if app.state.filter_over and taps is not None and taps.filter and taps.filter.key == tapped.key:
        tap_overlay.draw_filter(draw_list, taps.filter, stored, area)
    else:
        tap_overlay.draw(draw_list, tapped, area)
    lit = app.debugger.looking.lit_at(imgui.get_frame_count())
    if lit is not None and lit[0] == stored.key:
        tap_overlay.draw_lit(draw_list, {lit[1]}, area)


def area_around(tapped: TappedInput, corner: ImVec2, side: float) -> Area:
    """Returns the area that shows the taps in the middle of a square picture, as large as they fit."""
    left, top, right, bottom = tapped.box
    extent = max(right - left, bottom - top) + 2 * MARGIN_TEXELS
    zoom = min(side / extent, MAX_ZOOM)
    zoom = float(int(zoom)) if zoom >= 2.0 else zoom
    origin = ((left + right) / 2 - side / 2 / zoom, (top + bottom) / 2 - side / 2 / zoom)
    whole = (round(origin[0] * zoom) / zoom, round(origin[1] * zoom) / zoom)
    return Area(corner.x, corner.y, side, side, whole, zoom)
