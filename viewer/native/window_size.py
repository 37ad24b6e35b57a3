"""Chooses the first size of the window: as it was left, or a default, but never larger than the screen."""

from __future__ import annotations

import sys

import pyglet

Size = tuple[int, int]

WANTED: Size = (1600, 1000)
MAX_SCALE = 4.0


def first_size(remembered: Size | None, screen: Size, scale: float) -> Size:
    """Returns width and height in the system's units; `scale` is that of text and controls, 1 at 96 dpi.

    A part of a window outside the screen cannot be reached without a window manager.
    """
    wanted = remembered or (round(WANTED[0] * scale), round(WANTED[1] * scale))
    return min(wanted[0], screen[0]), min(wanted[1], screen[1])


def display_scale(screen: pyglet.display.base.Screen) -> float:
    """Returns how much larger than at 96 dpi to draw; macOS scales by itself."""
    return 1.0 if sys.platform == "darwin" else min(max(screen.get_scale(), 1.0), MAX_SCALE)
