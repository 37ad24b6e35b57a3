"""Draws a tooltip about a read: words, and the texel among its neighbours."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from texelscope.viewer.app import App
from texelscope.viewer.canvas import tap_overlay
from texelscope.viewer.canvas.canvas import Picture
from texelscope.viewer.canvas.overlay import Area
from texelscope.viewer.colour.ranges import Range, shown_range
from texelscope.viewer.state import ViewMode
from texelscope.viewer.texture.shown import data_range

# Texels to each side of the one that was read, and pixels per texel.
_AROUND, _ZOOM = 4, 11.0


def tooltip(app: App, text: str, key: str, texel: tuple[int, int]) -> None:
    """Draws the tooltip of the item under the mouse; the texel lights up wherever its texture is visible."""
    app.debugger.looking.light(key, texel, imgui.get_frame_count())
    if not imgui.begin_tooltip():
        return
    imgui.text_unformatted(text)
    session = app.document.session
    stored = session.plan.textures.get(key) if session is not None else None
    if session is not None and stored is not None and session.is_valid(key):
        zoom = float(round(_ZOOM * app.scale))
        side = int((2 * _AROUND + 1) * zoom)
        origin = (float(texel[0] - _AROUND), float(texel[1] - _AROUND))
        picture = Picture(
            key=key,
            generation=session.generation(key),
            mode=ViewMode.ACTUAL,
            origin=origin,
            pixels_per_texel=zoom,
            size=(side, side),
            value_range=shown_range(Range(), *data_range(app, key)),
            lanes=(True, True, True, True),
            seam=0.0,
            mark_negative=False,
        )
        texture = app.display.canvas.draw("read under the mouse", session.texture(key), stored, None, picture)
        corner = imgui.get_cursor_screen_pos()
        imgui.image(imgui.ImTextureRef(texture.glo), ImVec2(side, side))
        area = Area(corner.x, corner.y, side, side, origin, zoom)
        tap_overlay.draw_lit(imgui.get_window_draw_list(), {texel}, area)
        app.debugger.looking.texts["read in a picture"] = f"{stored.tensor} {texel}"
    imgui.end_tooltip()
