"""Draws the debugger's buttons: the usual icons, made of lines."""

from __future__ import annotations

import math
from itertools import pairwise

from imgui_bundle import ImVec2, imgui

from texelscope.viewer import theme

# Icons of backward motions are mirrored forward ones.
BACKWARDS = {
    "back_into": "into",
    "back_over": "over",
    "back_out": "out",
    "back_to_breakpoint": "to_breakpoint",
    "to_start": "to_end",
    "previous_turn": "next_turn",
    "previous_read": "next_read",
    "back_to_caret": "to_caret",
}


def icon_button(name: str, tooltip: str, scale: float) -> bool:
    """Draws a button with the icon of the motion `name`; True if it was pressed."""
    height = imgui.get_frame_height()
    pressed = imgui.button(f"##{name}", ImVec2(height * 1.1, height))
    corner, end = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    imgui.set_item_tooltip(tooltip)
    sign = -1.0 if name in BACKWARDS else 1.0
    centre = ImVec2((corner.x + end.x) / 2, (corner.y + end.y) / 2)
    _Pen(imgui.get_window_draw_list(), centre, 6.0 * scale, sign, scale).draw(BACKWARDS.get(name, name))
    return bool(pressed)


class _Pen:
    """Draws around a centre, in units of `reach`; x to the left where `sign` is -1."""

    def __init__(self, draw_list: imgui.ImDrawList, centre: ImVec2, reach: float, sign: float, scale: float) -> None:
        self._list, self._centre, self._reach, self._sign = draw_list, centre, reach, sign
        self._colour = theme.packed(theme.TEXT)
        self._accent = theme.packed(theme.ACCENT)
        self._thick = 1.6 * scale

    def draw(self, name: str) -> None:
        """Draws the icon of that name."""
        getattr(self, f"_{name}")()

    def _at(self, x: float, y: float) -> ImVec2:
        return ImVec2(self._centre.x + self._sign * x * self._reach, self._centre.y + y * self._reach)

    def _line(self, *points: tuple[float, float]) -> None:
        for (a, b), (c, d) in pairwise(points):
            self._list.add_line(self._at(a, b), self._at(c, d), self._colour, self._thick)

    def _dot(self, x: float, y: float, radius: float = 0.3) -> None:
        self._list.add_circle_filled(self._at(x, y), radius * self._reach, self._accent, 12)

    def _triangle(self, *points: tuple[float, float]) -> None:
        one, two, three = (self._at(x, y) for x, y in points)
        self._list.add_triangle_filled(one, two, three, self._colour)

    def _over(self) -> None:
        """Draws an arc over a dot, ending in an arrow."""
        steps = [math.pi * (1.0 - step / 10 * 0.82) for step in range(11)]
        self._line(*((0.9 * math.cos(angle), 0.25 - 0.95 * math.sin(angle)) for angle in steps))
        self._triangle((0.35, -0.25), (1.15, -0.35), (0.95, 0.4))
        self._dot(0.0, 0.75)

    def _into(self) -> None:
        """Draws an arrow down to a dot."""
        self._line((0.0, -1.1), (0.0, -0.2))
        self._triangle((-0.5, -0.35), (0.5, -0.35), (0.0, 0.3))
        self._dot(0.0, 0.85)
        self._line((0.6, 0.85), (1.1, 0.85))

    def _out(self) -> None:
        """Draws an arrow up from a dot."""
        self._line((0.0, 0.3), (0.0, -0.5))
        self._triangle((-0.5, -0.4), (0.5, -0.4), (0.0, -1.1))
        self._dot(0.0, 0.85)
        self._line((0.6, 0.85), (1.1, 0.85))

    def _to_breakpoint(self) -> None:
        """Draws a play sign against a breakpoint."""
        self._triangle((-1.0, -0.85), (-1.0, 0.85), (0.25, 0.0))
        self._list.add_circle_filled(self._at(0.8, 0.0), 0.42 * self._reach, theme.packed(theme.BAD), 12)

    def _to_end(self) -> None:
        """Draws a play sign against a bar."""
        self._triangle((-0.9, -0.85), (-0.9, 0.85), (0.5, 0.0))
        self._line((0.85, -0.85), (0.85, 0.85))

    def _next_turn(self) -> None:
        """Draws a turn that is nearly closed."""
        steps = [-0.3 * math.pi + step / 12 * 1.55 * math.pi for step in range(13)]
        self._line(*((0.85 * math.cos(angle), 0.85 * math.sin(angle)) for angle in steps))
        self._triangle((-0.35, -0.85), (0.35, -1.25), (0.35, -0.35))

    def _next_read(self) -> None:
        """Draws an arrow to a texel."""
        self._line((-1.1, 0.0), (-0.3, 0.0))
        self._triangle((-0.45, -0.45), (-0.45, 0.45), (0.15, 0.0))
        one, two = self._at(0.35, -0.45), self._at(1.15, 0.45)
        corner, end = ImVec2(min(one.x, two.x), one.y), ImVec2(max(one.x, two.x), two.y)
        self._list.add_rect_filled(corner, end, self._accent)

    def _to_caret(self) -> None:
        """Draws an arrow to a caret in a line."""
        self._line((-1.1, 0.0), (-0.2, 0.0))
        self._triangle((-0.35, -0.45), (-0.35, 0.45), (0.25, 0.0))
        self._line((0.45, -0.85), (1.05, -0.85))
        self._line((0.75, -0.85), (0.75, 0.85))
        self._line((0.45, 0.85), (1.05, 0.85))
