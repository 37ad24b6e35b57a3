"""Draws the way of an error over a texture: its steps as numbered boxes, and the input of the last one beside it."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from texelscope.pipeline.plan import StoredTensor
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.canvas import overlay, tap_overlay
from texelscope.viewer.colour.shown_as import Texel, texels_in
from texelscope.viewer.reads.model.tap_view import TappedInput, TapView
from texelscope.viewer.texture import input_picture
from texelscope.viewer.why.model.trail import Trail

# The picture of the input takes this share of the texture's shorter side, within limits in pixels at scale 1.
SHARE, LEAST_SIDE, MOST_SIDE = 0.42, 110.0, 300.0
GAP = 8.0
LINE_PIXELS, HALO_PIXELS = 2.0, 4.0


def draw(app: App, shown: StoredTensor, own: StoredTensor, area: overlay.Area) -> None:
    """Draws what of the trail lies in this texture, shown in the layout of `shown` and stored in that of `own`."""
    trail = app.debugger.trail
    if not trail.is_there:
        return
    _numbers(trail, shown, area)
    if trail.operand is not None and trail.operand.key == own.key:
        texels = texels_in(own, {trail.operand.texel}, shown)
        tap_overlay.draw_lit(imgui.get_window_draw_list(), texels, area)
    origin, taps = trail.origin, app.fresh_taps()
    if origin is None or origin.key != own.key or taps is None or not taps.inputs:
        return
    texel = shown.layout.texel_of(shown.shape, origin.element)[:2]
    if (taps.name, taps.element) == (origin.name, origin.element) and app.state.focus.pick == texel:
        _input(app, trail, _looked_at(trail, taps), texel, area)


def _numbers(trail: Trail, shown: StoredTensor, area: overlay.Area) -> None:
    draw_list = imgui.get_window_draw_list()
    draw_list.push_clip_rect(ImVec2(area.x, area.y), ImVec2(area.x + area.width, area.y + area.height), True)
    for place, step in enumerate(trail.steps):
        if step.key != shown.key:
            continue
        texel = shown.layout.texel_of(shown.shape, step.element)[:2]
        colour = theme.BAD if step.is_made_here else theme.WARNING
        overlay.draw_box(area, texel, draw_list, colour)
        corner, text = area.to_screen(texel[0] + 1, texel[1]), str(place + 1)
        size = imgui.calc_text_size(text)
        low = ImVec2(corner.x + 4, corner.y - size.y / 2)
        high = ImVec2(low.x + size.x + 8, low.y + size.y + 2)
        draw_list.add_rect_filled(low, high, theme.packed(colour), 3.0)
        draw_list.add_text(ImVec2(low.x + 4, low.y + 1), theme.packed(theme.BACKGROUND), text)
    draw_list.pop_clip_rect()


def _looked_at(trail: Trail, taps: TapView) -> TappedInput:
    """Returns the input that the first wrong operand is read from; else one with wrong reads, else the first."""
    if trail.operand is not None and trail.operand.key in taps.by_key:
        return taps.by_key[trail.operand.key]
    return next((each for each in taps.inputs if each.unexpected or each.missing), taps.inputs[0])


def _input(app: App, trail: Trail, tapped: TappedInput, texel: Texel, area: overlay.Area) -> None:
    """Draws the input in the corner that is furthest from the texel, and a line from the texel to what it reads."""
    stored = app.document.stored(tapped.key)
    session = app.document.session
    if stored is None or session is None or not session.is_valid(tapped.key):
        return
    side = min(max(SHARE * min(area.width, area.height), LEAST_SIDE * app.scale), MOST_SIDE * app.scale)
    at, gap = area.to_screen(texel[0] + 0.5, texel[1] + 0.5), GAP * app.scale
    line = imgui.get_text_line_height()
    left = area.x + gap if at.x > area.x + area.width / 2 else area.x + area.width - side - gap
    top = area.y + gap + line if at.y > area.y + area.height / 2 else area.y + area.height - side - gap
    before, draw_list = imgui.get_cursor_screen_pos(), imgui.get_window_draw_list()
    low, high = ImVec2(left - 3, top - line - 3), ImVec2(left + side + 3, top + side + 3)
    draw_list.add_rect_filled(low, high, theme.packed(theme.PANEL))
    imgui.set_cursor_screen_pos(ImVec2(left, top))
    inside = input_picture.draw(app, tapped, stored, side, f"why {tapped.key}")
    app.mark("why input")
    draw_list.add_text(ImVec2(left + 2, top - line - 1), theme.packed(theme.TEXT), f"reads {stored.tensor}")
    input_picture.draw_marks(app, tapped, stored, inside)
    end = ImVec2(left + side / 2, top + side / 2)
    if trail.operand is not None and trail.operand.key == tapped.key:
        tap_overlay.draw_lit(draw_list, {trail.operand.texel}, inside)
        end = inside.to_screen(trail.operand.texel[0] + 0.5, trail.operand.texel[1] + 0.5)
    draw_list.add_rect(low, high, theme.packed(theme.ACCENT), 0.0, LINE_PIXELS)
    for colour, wide in ((theme.BACKGROUND, HALO_PIXELS), (theme.ACCENT, LINE_PIXELS)):
        draw_list.add_line(at, end, theme.packed(colour), wide)
    imgui.set_cursor_screen_pos(before)
