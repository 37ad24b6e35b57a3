"""Paints on the texture of an input: the row with its own colours and the brush, and strokes on the picture."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import numpy as np
from imgui_bundle import ImVec2, ImVec4, imgui

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.plan import StoredTensor
from texelscope.viewer import theme
from texelscope.viewer.app import App
from texelscope.viewer.canvas.overlay import Area
from texelscope.viewer.colour.picture import NAME
from texelscope.viewer.inputs.model.brush import LiveStroke
from texelscope.viewer.inputs.model.painting import is_paintable
from texelscope.viewer.inputs.model.swatches import Swatch
from texelscope.viewer.key_names import with_keys
from texelscope.viewer.state import View, ViewMode
from texelscope.viewer.widgets import controls
from texelscope.viewer.widgets.controls import RowPiece

_SIDE = 22.0
_SWATCH_GAP = 3.0
_SLIDER_WIDTH = 84.0
_LEAST_RADIUS = 0.5
# The widest brush, as a share of the input's longer side.
_WIDEST = 0.25
_HINT = "Press a colour, then drag on the input"


def paintable(app: App, view: View) -> StoredTensor | None:
    """Returns the input that a tab shows as a picture, if it can be painted on."""
    session, stored = app.document.session, app.shown_in(view)
    if session is None or stored is None or stored.key not in session.plan.inputs:
        return None
    is_seen = stored.layout.name == NAME and not getattr(stored.layout, "last", False)
    return stored if is_seen and is_paintable(stored.shape) else None


def draw_row(app: App, views: Sequence[View]) -> None:
    """Draws the row if one of the tabs in sight shows an input that can be painted on."""
    stored = next((found for found in (paintable(app, view) for view in views) if found is not None), None)
    if stored is None:
        return
    swatches = swatches_of(app, stored)
    brush = app.inputs.brush
    label = "Painting" if brush.on else "Paint"
    pieces = [RowPiece(imgui.calc_text_size("Painting").x / app.scale, partial(_label, label))]
    pieces += [swatch_piece(app, each) for each in swatches]
    strokes = app.inputs.painted.strokes(stored.key)
    if brush.on or strokes.can_undo or strokes.can_redo:
        pieces.append(RowPiece(_SLIDER_WIDTH, partial(draw_radius, app, stored), 10.0))
        pieces += step_pieces(app, stored.key)
    else:
        pieces.append(RowPiece(imgui.calc_text_size(_HINT).x / app.scale, partial(_label, _HINT), 10.0))
    controls.draw_row(app, pieces, "more of the brush")


def swatches_of(app: App, stored: StoredTensor) -> tuple[Swatch, ...]:
    """Returns the colours of an input that `is_paintable`."""
    target = app.document.target
    source = target.inputs.get(stored.key, "") if target is not None else ""
    is_painted = bool(app.inputs.painted.about(source)) or app.inputs.stroke is not None
    return app.inputs.swatches.of(stored.key, app.document.present(stored.key), is_painted=is_painted)


def swatch_piece(app: App, swatch: Swatch) -> RowPiece:
    """Returns a swatch for a row of controls."""
    return RowPiece(_SIDE, partial(_swatch, app, swatch), _SWATCH_GAP)


def draw_radius(app: App, stored: StoredTensor) -> None:
    """Draws the slider of the brush's radius."""
    brush, widest = app.inputs.brush, max(as_nchw(stored.shape)[2:]) * _WIDEST
    imgui.set_next_item_width(_SLIDER_WIDTH * app.scale)
    _, brush.radius = imgui.slider_float("##radius", brush.radius, _LEAST_RADIUS, widest, "%.1f px")
    app.mark("brush radius")
    imgui.set_item_tooltip("Radius of the brush, in pixels of the input")


def _label(text: str) -> None:
    imgui.align_text_to_frame_padding()
    imgui.text_colored(theme.TEXT if text == "Painting" else theme.QUIET, text)
    imgui.set_item_tooltip(with_keys("Press a colour, then drag on the input: the network runs while you paint (E)"))


def _swatch(app: App, swatch: Swatch) -> None:
    brush, side = app.inputs.brush, imgui.get_frame_height()
    flags = imgui.ColorEditFlags_.no_tooltip | imgui.ColorEditFlags_.no_drag_drop
    if imgui.color_button(f"##{swatch.name}", ImVec4(*swatch.colour, 1.0), int(flags), ImVec2(side, side)):
        brush.take(swatch.colour)
    app.mark(f"swatch {swatch.name}")
    if brush.on and brush.colour == swatch.colour:
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        corners = ImVec2(low.x - 1, low.y - 1), ImVec2(high.x + 1, high.y + 1)
        imgui.get_window_draw_list().add_rect(*corners, theme.packed(theme.ACCENT), 3.0, 2.5 * app.scale)
    imgui.set_item_tooltip(
        f"{swatch.name}, {swatch.share:.1%} of the input. Press, then drag on the input to paint with it; "
        "press again to put the brush away."
    )


def step_pieces(app: App, name: str, place: str = "brush") -> list[RowPiece]:
    """Returns the buttons that undo and redo strokes on an input, for a row of controls at that place."""
    strokes = app.inputs.painted.strokes(name)
    steps = (("Undo", "undo_stroke", strokes.can_undo, "Ctrl+Z"), ("Redo", "redo_stroke", strokes.can_redo, "Ctrl+Y"))
    return [RowPiece(button_width(app, step[0]), partial(_step_button, app, name, place, *step)) for step in steps]


def _step_button(app: App, name: str, place: str, label: str, command: str, count: int, keys: str) -> None:
    strokes = app.inputs.painted.strokes(name)
    imgui.begin_disabled(not count)
    if imgui.button(label):
        app.send(command, name=name)
    app.mark(f"{place} {label.lower()}")
    imgui.end_disabled()
    forgotten = f"; {strokes.forgotten} older ones were dropped" if strokes.forgotten else ""
    imgui.set_item_tooltip(f"{count} stroke{'s' * (count != 1)}{forgotten} ({with_keys(keys)})")


def button_width(app: App, label: str) -> float:
    """Returns how wide a button is, at scale 1."""
    return (imgui.calc_text_size(label).x + 2 * imgui.get_style().frame_padding.x) / app.scale


def takes_strokes(app: App, view: View) -> bool:
    """Returns whether the left mouse button paints in that tab."""
    return app.inputs.brush.on and view.mode is ViewMode.ACTUAL and paintable(app, view) is not None


def on_canvas(app: App, stored: StoredTensor, area: Area, canvas: str, *, held: bool, hovered: bool) -> None:
    """Paints on an input while the left mouse button is `held` on its picture, and draws stroke and brush over it.

    The network runs on the stroke as far as it is, whenever it has run on what was before.
    """
    mouse, brush = imgui.get_io().mouse_pos, app.inputs.brush
    at = area.to_texels(mouse.x, mouse.y)
    stroke = app.inputs.stroke
    if held and stroke is None:
        values = app.document.present(stored.key)
        if values is not None:
            planes = np.asarray(values, dtype=np.float32).reshape(as_nchw(values.shape)[1:])
            stroke = app.inputs.stroke = LiveStroke.begin(stored.key, canvas, planes)
    if stroke is not None and stroke.canvas == canvas:
        if held:
            stroke.go_to(at, brush)
            run_live(app, stroke)
        else:
            app.send("end_stroke")
        _draw_stroke(app, stroke, area)
    if hovered or held:
        draw_list = imgui.get_window_draw_list()
        radius = max(brush.radius * area.zoom, 2.0)
        draw_list.add_circle(mouse, radius + 1.0, theme.packed((0.0, 0.0, 0.0, 0.8)), 32, 1.5)
        draw_list.add_circle(mouse, radius, theme.packed(theme.ON_PICTURE), 32, 1.5)


def run_live(app: App, stroke: LiveStroke) -> None:
    """Lets the network run on a stroke that goes on, once it has run on what was before."""
    if stroke.is_ahead and not app.document.run.is_under_way:
        app.send("paint_live")


def _draw_stroke(app: App, stroke: LiveStroke, area: Area) -> None:
    """Draws the stroke at once; the picture below follows when the network has run."""
    draw_list, brush = imgui.get_window_draw_list(), app.inputs.brush
    colour, radius = theme.packed((*brush.colour, 1.0)), brush.radius * area.zoom
    draw_list.push_clip_rect(ImVec2(area.x, area.y), ImVec2(area.x + area.width, area.y + area.height), True)
    places = [area.to_screen(*point) for point in stroke.points]
    for start, end in pairwise(places):
        draw_list.add_line(start, end, colour, 2.0 * radius)
    for place in places:
        draw_list.add_circle_filled(place, radius, colour)
    draw_list.pop_clip_rect()
