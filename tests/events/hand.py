"""Mouse and keys of an X display, thousands a minute: XTEST, as xdotool uses it, without a process a stroke."""

from __future__ import annotations

import ctypes
from typing import Any, Self

_CURRENT_TIME = 0
_DOWN, _UP = 1, 0


class Hand:
    """While entered it can move, press and type; positions are pixels of the screen."""

    def __init__(self, display: str) -> None:
        self._name = display.encode()
        self._x11: Any = ctypes.CDLL("libX11.so.6")
        self._xtest: Any = ctypes.CDLL("libXtst.so.6")
        self._x11.XOpenDisplay.restype = ctypes.c_void_p
        self._x11.XStringToKeysym.restype = ctypes.c_ulong
        self._display = ctypes.c_void_p()

    def __enter__(self) -> Self:
        self._display = ctypes.c_void_p(self._x11.XOpenDisplay(self._name))
        assert self._display.value, f"no display {self._name!r}"
        return self

    def __exit__(self, *exception: object) -> None:
        self._x11.XCloseDisplay(self._display)

    def move(self, x: int, y: int) -> None:
        """Puts the pointer there."""
        self._xtest.XTestFakeMotionEvent(self._display, -1, x, y, ctypes.c_ulong(_CURRENT_TIME))
        self._x11.XFlush(self._display)

    def button(self, number: int, *, down: bool) -> None:
        """Presses a button, or lets it go: 1 left, 2 middle, 3 right, 4 and 5 the wheel."""
        self._xtest.XTestFakeButtonEvent(self._display, number, int(down), ctypes.c_ulong(_CURRENT_TIME))
        self._x11.XFlush(self._display)

    def click(self, number: int = 1) -> None:
        """Presses a button and lets it go."""
        self.button(number, down=True)
        self.button(number, down=False)

    def press(self, chord: str) -> None:
        """Presses keys together and lets them go, by their X names: `ctrl+Right`."""
        codes = [self._code(name) for name in chord.split("+")]
        for code in codes:
            self._xtest.XTestFakeKeyEvent(self._display, code, _DOWN, ctypes.c_ulong(_CURRENT_TIME))
        for code in reversed(codes):
            self._xtest.XTestFakeKeyEvent(self._display, code, _UP, ctypes.c_ulong(_CURRENT_TIME))
        self._x11.XFlush(self._display)

    def _code(self, name: str) -> int:
        keysym = self._x11.XStringToKeysym(
            {"ctrl": "Control_L", "shift": "Shift_L", "alt": "Alt_L"}.get(name, name).encode()
        )
        code = self._x11.XKeysymToKeycode(self._display, ctypes.c_ulong(keysym)) & 0xFF
        assert code, f"no key {name}"
        return int(code)
