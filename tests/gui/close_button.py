"""Presses a window's close button as a window manager does (WM_DELETE_WINDOW): `close_button.py WINDOW`."""

from __future__ import annotations

import ctypes
import sys

from pyglet.libs.x11 import xlib


def close(window: int) -> None:
    """Asks the program whose window it is to close it."""
    display = xlib.XOpenDisplay(None)
    assert display, "no display"
    event = xlib.XEvent()
    event.xclient.type = xlib.ClientMessage
    event.xclient.message_type = xlib.XInternAtom(display, b"WM_PROTOCOLS", 0)
    event.xclient.window = window
    event.xclient.format = 32
    event.xclient.data.l[0] = xlib.XInternAtom(display, b"WM_DELETE_WINDOW", 0)
    xlib.XSendEvent(display, window, 0, 0, ctypes.byref(event))
    xlib.XCloseDisplay(display)


if __name__ == "__main__":
    close(int(sys.argv[1]))
