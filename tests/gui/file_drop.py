"""Drops files on a window as a file manager does (XDND, version 5): `file_drop.py WINDOW X Y TYPES FILE…`.

X and Y are pixels of the screen; TYPES is how many kinds of data the source offers, the list of files among them.
The protocol: https://freedesktop.org/wiki/Specifications/XDND. Ends with 0 once the window has said that it is done.
"""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from pyglet.libs.x11 import xlib

SECONDS = 10.0
XA_ATOM = 4
FILES = "text/uri-list"


class Source:
    """A window that offers files, until it is left."""

    def __init__(self, target: int, files: Sequence[Path], type_count: int) -> None:
        self._display = xlib.XOpenDisplay(None)
        assert self._display, "no display"
        root = xlib.XDefaultRootWindow(self._display)
        self._window = xlib.XCreateSimpleWindow(self._display, root, 0, 0, 1, 1, 0, 0, 0)
        self._target = target
        self._data = "".join(f"{file.as_uri()}\r\n" for file in files).encode()
        self._types = [self._atom(f"application/x-other-{number}") for number in range(type_count - 1)]
        self._types.append(self._atom(FILES))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        xlib.XCloseDisplay(self._display)

    def drop(self, x: int, y: int) -> None:
        """Enters the window, moves to a place of the screen, lets go, and hands the files over."""
        atoms = (ctypes.c_ulong * len(self._types))(*self._types)
        many = len(self._types) > 3
        if many:
            data = ctypes.cast(atoms, ctypes.POINTER(ctypes.c_ubyte))
            kind = self._atom("XdndTypeList")
            xlib.XChangeProperty(self._display, self._window, kind, XA_ATOM, 32, 0, data, len(self._types))
        first = [] if many else self._types
        xlib.XSetSelectionOwner(self._display, self._atom("XdndSelection"), self._window, xlib.CurrentTime)
        self._send("XdndEnter", 5 << 24 | many, *first, *[0] * (3 - len(first)))
        self._send("XdndPosition", 0, x << 16 | y, xlib.CurrentTime, self._atom("XdndActionCopy"))
        if not self._answer("XdndStatus").xclient.data.l[1] & 1:
            raise SystemExit("the window refuses the file")
        self._send("XdndDrop", 0, xlib.CurrentTime, 0, 0)
        self._answer("XdndFinished")

    def _atom(self, name: str) -> int:
        return int(xlib.XInternAtom(self._display, name.encode(), 0))

    def _send(self, name: str, *values: int) -> None:
        event = xlib.XEvent()
        event.xclient.type = xlib.ClientMessage
        event.xclient.message_type = self._atom(name)
        event.xclient.window = self._target
        event.xclient.format = 32
        for position, value in enumerate((self._window, *values)):
            event.xclient.data.l[position] = value
        xlib.XSendEvent(self._display, self._target, 0, 0, ctypes.byref(event))
        xlib.XFlush(self._display)

    def _answer(self, name: str) -> xlib.XEvent:
        """The window's message of that name; the file is handed over meanwhile if it asks for it."""
        event, end = xlib.XEvent(), time.monotonic() + SECONDS
        while time.monotonic() < end:
            if not xlib.XPending(self._display):
                time.sleep(0.01)
                continue
            xlib.XNextEvent(self._display, ctypes.byref(event))
            if event.type == xlib.SelectionRequest:
                self._hand_over(event.xselectionrequest)
            elif event.type == xlib.ClientMessage and event.xclient.message_type == self._atom(name):
                return event
        raise SystemExit(f"no {name} within {SECONDS:g} s")

    def _hand_over(self, request: xlib.XSelectionRequestEvent) -> None:
        data = (ctypes.c_ubyte * len(self._data))(*self._data)
        to = (self._display, request.requestor, request.property, request.target)
        xlib.XChangeProperty(*to, 8, 0, ctypes.cast(data, ctypes.POINTER(ctypes.c_ubyte)), len(self._data))
        event = xlib.XEvent()
        event.xselection.type = xlib.SelectionNotify
        event.xselection.requestor = request.requestor
        event.xselection.selection = request.selection
        event.xselection.target = request.target
        event.xselection.property = request.property
        event.xselection.time = request.time
        xlib.XSendEvent(self._display, request.requestor, 0, 0, ctypes.byref(event))
        xlib.XFlush(self._display)


if __name__ == "__main__":
    window, x, y, types, *paths = sys.argv[1:]
    with Source(int(window), [*map(Path, paths)], int(types)) as source:
        source.drop(int(x), int(y))
