"""Chooses how a tensor is shown: as stored, as a picture, or in another layout; and a picture's channels and batch."""

from __future__ import annotations

from functools import partial

from imgui_bundle import imgui

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.plan import StoredTensor
from texelscope.viewer.app import App
from texelscope.viewer.colour.picture import NAME, TrueColour, channel_count, lane_count
from texelscope.viewer.colour.shown_as import layouts_for
from texelscope.viewer.state import View
from texelscope.viewer.widgets import controls
from texelscope.viewer.widgets.controls import RowPiece, toggle_button

_LAYOUT_WIDTH = 150.0
_INDEX_WIDTH = 44.0
_GREY_WIDTH = 52.0
_GAP = 8.0
_LETTERS = "RGBA"


def draw(app: App, view: View, stored: StoredTensor) -> None:
    """Draws the choice and a picture's controls in one row; what does not fit moves behind a button."""
    _shown_as(app, view, stored)
    pieces = _pieces(app, stored)
    if pieces:
        controls.draw_row(app, pieces, "more of the picture")
        imgui.same_line(0, _GAP * app.scale)


def width_of(app: App, stored: StoredTensor) -> float:
    """Returns how many pixels all controls take."""
    return app.scale * (_LAYOUT_WIDTH + _GAP + sum(piece.width + piece.gap for piece in _pieces(app, stored)))


def _pieces(app: App, stored: StoredTensor) -> list[RowPiece]:
    """Returns the controls of a picture: its channels, and its index in the batch."""
    if stored.layout.name != NAME:
        return []
    pieces = []
    if channel_count(stored.shape) > 1:
        width = lane_count(stored.layout) * (_INDEX_WIDTH + 28) + _GREY_WIDTH
        pieces.append(RowPiece(width, partial(_channels, app, stored)))
    if _batch(stored) > 1:
        pieces.append(RowPiece(_INDEX_WIDTH + 20, partial(_number, app, stored)))
    return pieces


def _shown_as(app: App, view: View, stored: StoredTensor) -> None:
    """Draws the choice of the layout that the tensor is shown in."""
    own = app.document.stored(view.locked or app.selected or "")
    if own is None:
        return
    imgui.set_next_item_width(_LAYOUT_WIDTH * app.scale)
    is_picture = stored.layout.name == NAME
    now = "as a picture" if is_picture else "as stored" if stored.layout == own.layout else f"as {stored.layout.name}"
    if imgui.begin_combo("##shown as", now, int(imgui.ComboFlags_.height_large)):
        if imgui.selectable("as a picture", is_picture)[0] and not is_picture:
            app.send("see_picture", on=True)
        app.mark("shown as picture")
        if imgui.selectable(f"as stored, {own.layout.name}", stored.layout == own.layout)[0]:
            app.send("see_picture", on=False)
        app.mark("shown as stored")
        for name in layouts_for(own, app.display.canvas.most_texels):
            if name == own.layout.name:
                continue
            chosen = name == stored.layout.name
            if imgui.selectable(f"as {name}", chosen)[0] and not chosen:
                app.send("show_as", layout=name)
            app.mark(f"shown as {name}")
        imgui.end_combo()
    app.mark("shown as")
    imgui.set_item_tooltip(
        "Shows the tensor as a picture in its own colours (I), or as it would lie in another layout (Shift+S);\n"
        "nothing runs again"
    )
    imgui.same_line(0, _GAP * app.scale)


def _channels(app: App, stored: StoredTensor) -> None:
    """Draws the choice of channels for red, green, blue and opacity, or grey."""
    seen = app.state.pictures.get(stored.key, TrueColour())
    shown: tuple[int, ...] = getattr(stored.layout, "channels", ())
    count = channel_count(stored.shape)
    letters = _LETTERS if len(shown) > 1 else ("grey",)
    for place, letter in enumerate(letters[: len(shown)]):
        changed, value = _index(app, letter, shown[place], count, f"channel shown as {letter}")
        if changed:
            app.send("see_picture", channels=(*shown[:place], value, *shown[place + 1 :]))
        imgui.same_line(0, _GAP * app.scale)
    if toggle_button("grey##alone", on=len(shown) == 1):
        first = shown[0]
        colour = () if not seen.channels or count <= 4 else tuple(min(first + k, count - 1) for k in range(3))
        app.send("see_picture", channels=(first,) if len(shown) > 1 else colour)
    app.mark("picture grey")
    imgui.set_item_tooltip("One channel alone, from black to white")


def _number(app: App, stored: StoredTensor) -> None:
    """Draws the choice of the index in the batch."""
    now, batch = int(getattr(stored.layout, "n", 0)), _batch(stored)
    changed, value = _index(app, "n", now, batch, "picture of the batch (J: next)")
    if changed:
        app.send("see_picture", n=value)


def _batch(stored: StoredTensor) -> int:
    """Returns how many pictures the batch has."""
    return as_nchw(stored.shape)[0]


def _index(app: App, letter: str, value: int, count: int, what: str) -> tuple[bool, int]:
    """Draws a number from 0 to `count` - 1 to drag or type, behind its letter; returns whether it changed."""
    imgui.align_text_to_frame_padding()
    imgui.text_disabled(letter)
    imgui.same_line(0, 4 * app.scale)
    imgui.set_next_item_width(_INDEX_WIDTH * app.scale)
    changed, wanted = imgui.drag_int(f"##picture {letter}", value, 0.1, 0, count - 1)
    app.mark(f"picture {letter}")
    imgui.set_item_tooltip(f"The {what}, 0 to {count - 1}: drag, or double-click to type")
    return bool(changed), min(max(int(wanted), 0), count - 1)
