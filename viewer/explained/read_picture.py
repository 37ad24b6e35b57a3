"""What was read, in a tooltip: words, and the texel among its neighbours."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from texelscope.viewer.app import App
from texelscope.viewer.colour.ranges import Range
from texelscope.viewer.looking.shown import data_range
from texelscope.viewer.state import ViewMode
from texelscope.viewer.texture import tap_overlay
from texelscope.viewer.texture.canvas import Picture
from texelscope.viewer.texture.colours import shown_range
from texelscope.viewer.texture.overlay import Area

# Texels to each side of the one that was read, and pixels a texel.
_AROUND, _ZOOM = 4, 11.0


def tooltip(app: App, text: str, key: str, texel: tuple[int, int]) -> None:
    """Of the item under the mouse; the texel lights up wherever its texture is in sight."""
    app.looking.light(key, texel, imgui.get_frame_count())
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
        texture = app.canvas.draw("read under the mouse", session.texture(key), stored, None, picture)
        corner = imgui.get_cursor_screen_pos()
        imgui.image(imgui.ImTextureRef(texture.glo), ImVec2(side, side))
        area = Area(corner.x, corner.y, side, side, origin, zoom)
        tap_overlay.draw_lit(imgui.get_window_draw_list(), {texel}, area)
        app.looking.told["read in a picture"] = f"{stored.tensor} {texel}"
    imgui.end_tooltip()
