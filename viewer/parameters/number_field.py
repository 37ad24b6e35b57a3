"""Draws numbers that are dragged, or typed after a double click or a click with Ctrl."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from imgui_bundle import imgui

from texelscope.viewer.app import App
from texelscope.viewer.parameters.hook_rows import LEAST_OF_PIXEL, MOST, MOST_WHOLE, SHARE_OF_PIXEL

if TYPE_CHECKING:
    from texelscope.pipeline.pipeline_values.pass_values import ValueKind

# A number has a name of its own in the window: its value's, and which of its numbers it is.
Place = tuple[str, int]
_HOW = "Drag to change; double-click, or Ctrl and a click, to type"


@dataclass(frozen=True)
class NumberEdit:
    """What a person did to a number: `moved` it while the button is held, `dropped` it there, or `typed` a text."""

    how: Literal["moved", "dropped", "typed"]
    number: float = 0.0
    text: str = ""


class NumberFields:
    """Draws the fields of one panel, and holds what is dragged or typed in one of them."""

    def __init__(self) -> None:
        self._held: tuple[Place, float] | None = None
        self._typing: Place | None = None
        self._text = ""
        self._begins = False

    def let_go(self) -> None:
        """Forgets what is dragged or typed."""
        self._held = self._typing = None

    def draw(self, app: App, place: Place, number: float, kind: ValueKind, width: float) -> NumberEdit | None:
        """Draws the number at a place, `width` pixels wide; returns what was done to it in this frame."""
        imgui.set_next_item_width(width)
        if self._typing == place:
            return self._typed()
        shown = self._held[1] if self._held is not None and self._held[0] == place else number
        moved, now = _dragged(shown, kind)
        is_let_go, is_active = imgui.is_item_deactivated_after_edit(), imgui.is_item_active()
        imgui.set_item_tooltip(_HOW)
        io = imgui.get_io()
        wants_text = imgui.is_mouse_double_clicked(0) or (imgui.is_mouse_clicked(0) and io.key_ctrl)
        if imgui.is_item_hovered() and wants_text:
            self._typing, self._text, self._begins = place, _text_of(number), True
            self._held = None
            return None
        if moved:
            self._held = (place, now)
        if is_let_go and self._held is not None and self._held[0] == place:
            now, self._held = self._held[1], None
            return NumberEdit("dropped", now)
        if not is_active and self._held is not None and self._held[0] == place:
            self._held = None
        return NumberEdit("moved", now) if moved else None

    def _typed(self) -> NumberEdit | None:
        if self._begins:
            imgui.set_keyboard_focus_here()
        flags = imgui.InputTextFlags_.enter_returns_true | imgui.InputTextFlags_.auto_select_all
        entered, self._text = imgui.input_text("##typed", self._text, int(flags))
        is_over = imgui.is_item_deactivated() and not self._begins
        self._begins = False
        if imgui.is_key_pressed(imgui.Key.escape):
            self._typing = None
            return None
        if not entered and not is_over:
            return None
        self._typing = None
        return NumberEdit("typed", text=self._text)


def _dragged(number: float, kind: ValueKind) -> tuple[bool, float]:
    """Draws a number that the mouse drags, as a whole number for whole kinds; returns whether it moved, and where.

    A number too large to be dragged only shows.
    """
    flags = int(imgui.SliderFlags_.no_input | imgui.SliderFlags_.no_round_to_format)
    if kind == "float" and abs(number) <= MOST:
        speed = max(abs(number) * SHARE_OF_PIXEL, LEAST_OF_PIXEL)
        moved, now = imgui.drag_float("##number", float(number), speed, 0.0, 0.0, "%.6g", flags)
        return moved, float(f"{now:.6g}") if moved else number
    if kind != "float" and abs(number) <= MOST_WHOLE:
        low, high = (0, int(MOST_WHOLE)) if kind == "uint" else (0, 0)
        return imgui.drag_int("##number", int(number), 0.2, low, high, "%d", flags)
    imgui.input_text("##number", _text_of(number), int(imgui.InputTextFlags_.read_only))
    return False, number


def _text_of(number: float) -> str:
    return str(number) if isinstance(number, int) else f"{number:.9g}"
