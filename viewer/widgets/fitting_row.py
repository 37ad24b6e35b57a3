"""Draws a row of controls; those at its end that do not fit move into a list behind its last button."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from imgui_bundle import imgui

from texelscope.viewer.app import App

_MORE = "»"


@dataclass(frozen=True)
class RowPiece:
    """A control that `draw` draws, `width` pixels wide at scale 1, `gap` pixels after the one before it."""

    width: float
    draw: Callable[[], None]
    gap: float = 8.0


def fitting(pieces: Sequence[RowPiece], room: float, more: float) -> int:
    """Returns how many of the pieces fit a row of `room` pixels, whose button for the others is `more` wide."""
    used, count = 0.0, 0
    for number, piece in enumerate(pieces):
        used += piece.width + (piece.gap if number else 0.0)
        is_last = number + 1 == len(pieces)
        if used + (0.0 if is_last else more) > room:
            break
        count += 1
    return count


def draw(app: App, pieces: Sequence[RowPiece], name: str = "more tools") -> None:
    """Draws the row in the room there is; `name` is that of its last button."""
    scale = app.scale
    more = imgui.calc_text_size(_MORE).x / scale + 30.0
    count = fitting(pieces, imgui.get_content_region_avail().x / scale, more)
    for number, piece in enumerate(pieces[:count]):
        if number:
            imgui.same_line(0, piece.gap * scale)
        piece.draw()
    if count == len(pieces):
        return
    if count:
        imgui.same_line()
    if imgui.button(f"{_MORE}##{name}"):
        imgui.open_popup(name)
    app.mark(name)
    imgui.set_item_tooltip("Shows the controls that do not fit here")
    if imgui.begin_popup(name):
        for piece in pieces[count:]:
            piece.draw()
        imgui.end_popup()
