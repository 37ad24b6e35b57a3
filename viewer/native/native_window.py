"""Extends pyglet's window: Esc does not close it, files are accepted from every drag source, its size fits."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from typing import Any

import moderngl
import pyglet

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.context import VERSIONS
from texelscope.pipeline.gl.state import clear_errors, is_llvmpipe
from texelscope.pipeline.installation import command
from texelscope.viewer import theme
from texelscope.viewer.key_names import is_mac

# An XDND source with more data types than this lists them elsewhere (freedesktop.org/wiki/Specifications/XDND).
TYPES_IN_MESSAGE = 3


class NativeWindow(pyglet.window.Window):  # type: ignore[misc]
    """A pyglet window. The methods with an underscore override those of the X11 window, and are called only there."""

    # On macOS pyglet's menu has an entry for Cmd+Q that ends the process without a question; this disables it.
    _keyboard_exclusive = is_mac()

    def on_key_press(self, symbol: int, modifiers: int) -> None:
        """Does nothing: the user interface has its own handlers."""

    def on_file_drop(self, _x: int, _y: int, _paths: list[str]) -> None:
        """Reports to the X11 source that the files were taken: it waits for that, and pyglet misdirects the message."""
        if getattr(self, "_xdnd_source", None):
            self._tell_source()

    def _event_drag_enter(self, event: Any) -> None:
        """Records the data types of a source; pyglet fails on few types, which are in the message itself."""
        listed = event.xclient.data.l
        if listed[1] & 1:
            super()._event_drag_enter(event)
            return
        self._xdnd_source, self._xdnd_version = listed[0], listed[1] >> 24
        files = self._xdnd_atoms["text/uri-list"]
        self._xdnd_format = files if files in listed[2 : 2 + TYPES_IN_MESSAGE] else None

    def _tell_source(self) -> None:
        from pyglet.libs.x11 import xlib

        event = xlib.XEvent()
        event.xclient.type = xlib.ClientMessage
        event.xclient.message_type = self._xdnd_atoms["XdndFinished"]
        event.xclient.window = self._xdnd_source
        event.xclient.format = 32
        values = (self._window, 1, self._xdnd_atoms["XdndActionCopy"])
        for position, value in enumerate(values):
            event.xclient.data.l[position] = value
        xlib.XSendEvent(self._x_display, self._xdnd_source, False, xlib.NoEventMask, ctypes.byref(event))
        xlib.XFlush(self._x_display)


def default_screen() -> pyglet.display.base.Screen:
    """Returns the screen that windows open on. Raises TexelscopeError if there is none."""
    try:
        return pyglet.display.get_display().get_default_screen()
    except Exception as error:
        got = f"DISPLAY={os.environ.get('DISPLAY', '')}, which does not respond"
        do_next = "Set DISPLAY to a running display, or unset it: tables and pictures need no window."
        raise TexelscopeError("window", "a display", got, do_next) from error


def create_window(size: tuple[int, int]) -> pyglet.window.Window:
    """Creates a window of that size in pixels with the newest supported GL version, see `pipeline.gl.context.VERSIONS`.

    Raises TexelscopeError if the machine supports none.
    """
    pyglet.options.dpi_scaling = "real"  # a pixel is a pixel on every system, on a Retina display too
    refusals = []
    for version in VERSIONS:
        config = pyglet.gl.Config(  # type: ignore[abstract]  # pyglet makes the platform's kind of it
            double_buffer=True, depth_size=0, major_version=version // 100, minor_version=version // 10 % 10
        )
        try:
            return NativeWindow(*size, "Texelscope", resizable=True, config=config, vsync=False, file_drops=True)
        except Exception as error:  # noqa: BLE001 - pyglet raises many kinds
            refusals.append(error)
    reason = str(refusals[-1]) or type(refusals[-1]).__name__
    raise TexelscopeError("window", "a window with OpenGL 3.3", reason, f"Run '{command()} doctor'.") from refusals[-1]


Size = tuple[int, int]

WANTED: Size = (1600, 1000)
MAX_SCALE = 4.0


def first_size(remembered: Size | None, screen: Size, scale: float) -> Size:
    """Returns width and height in pixels, as `screen` has; `scale` is that of text and controls, 1 at 96 dpi.

    `remembered` is in pixels at scale 1: a window that was left at another scale shows as much.

    A part of a window outside the screen cannot be reached without a window manager.
    """
    width, height = remembered or WANTED
    return min(round(width * scale), screen[0]), min(round(height * scale), screen[1])


def display_scale(screen: pyglet.display.base.Screen) -> float:
    """Returns how much larger than at 96 dpi to draw on a screen."""
    return within_limits(screen.get_scale())


def within_limits(scale: float) -> float:
    """Returns the nearest scale that the window draws at."""
    return min(max(scale, 1.0), MAX_SCALE)


def screen_size(screen: pyglet.display.base.Screen) -> Size:
    """Returns a screen's width and height in pixels; macOS tells them in points, of which each has several pixels."""
    pixels = screen.get_scale() if sys.platform == "darwin" else 1.0
    return round(screen.width * pixels), round(screen.height * pixels)


class Screen:
    """Wraps the framebuffer of the window's context."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        # llvmpipe leaks the buffer that it draws behind passes that still run with one of them. In a window that
        # changed its size two to four of up to 6 MiB each were leaked, and one if it waits for the passes first.
        self._waits = is_llvmpipe(context)

    def draw(self, triangles: Callable[[], None]) -> None:
        """Draws one frame: the panels' colour, and `triangles` on it."""
        if self._waits:
            self._context.finish()
        self._context.screen.use()
        self._context.clear(*theme.PANEL)
        triangles()
        clear_errors(self._context)
