"""Connects pyglet's window with imgui: mouse, keys and text go in, a frame's triangles come out.

Imgui's own OpenGL renderer draws; it is compiled and comes with imgui. Its pyglet integration is not used: it draws
through PyOpenGL, which takes longer to import than a model takes to open. It also places the mouse one pixel too low,
delays fast typing by frames, loses Ctrl from a chord that ends within a frame, and has no clock: any two clicks would
be a double-click.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import pyglet
from imgui_bundle import imgui
from pyglet.window import key, mouse

from texelscope.viewer.key_names import is_mac
from texelscope.viewer.native.strokes import FRAMES_TO_FOCUS, FRAMES_TO_MOVE, KeyStroke, KeyStrokes, Kind

_SHORTEST_FRAME_SECONDS = 1e-3
_GLSL = "#version 330"

_MODIFIERS = {
    key.LCTRL: imgui.Key.mod_ctrl, key.RCTRL: imgui.Key.mod_ctrl,
    key.LSHIFT: imgui.Key.mod_shift, key.RSHIFT: imgui.Key.mod_shift,
    key.LALT: imgui.Key.mod_alt, key.RALT: imgui.Key.mod_alt,
    key.LCOMMAND: imgui.Key.mod_super, key.RCOMMAND: imgui.Key.mod_super,
    key.LWINDOWS: imgui.Key.mod_super, key.RWINDOWS: imgui.Key.mod_super,
}  # fmt: skip
# Imgui's names by pyglet's names of keys, where they differ in more than case.
_NAMES = {
    "RETURN": "enter", "LEFT": "left_arrow", "RIGHT": "right_arrow", "UP": "up_arrow", "DOWN": "down_arrow",
    "PAGEUP": "page_up", "PAGEDOWN": "page_down", "GRAVE": "grave_accent", "BRACKETLEFT": "left_bracket",
    "BRACKETRIGHT": "right_bracket", "PRINT": "print_screen", "CAPSLOCK": "caps_lock", "NUMLOCK": "num_lock",
    "SCROLLLOCK": "scroll_lock", "LCTRL": "left_ctrl", "RCTRL": "right_ctrl", "LSHIFT": "left_shift",
    "RSHIFT": "right_shift", "LALT": "left_alt", "RALT": "right_alt", "LCOMMAND": "left_super",
    "RCOMMAND": "right_super", "LWINDOWS": "left_super", "RWINDOWS": "right_super", "NUM_ENTER": "keypad_enter",
    **{f"NUM_{each}": f"keypad_{each.lower()}" for each in ("DECIMAL", "DIVIDE", "MULTIPLY", "SUBTRACT", "ADD")},
    **{f"NUM_{digit}": f"keypad{digit}" for digit in range(10)},
    **{f"_{digit}": f"_{digit}" for digit in range(10)},
}  # fmt: skip
_SAME = (
    "TAB", "BACKSPACE", "ESCAPE", "INSERT", "DELETE", "SPACE", "HOME", "END", "MINUS", "EQUAL", "BACKSLASH",
    "SEMICOLON", "APOSTROPHE", "COMMA", "PERIOD", "SLASH", "PAUSE", *(f"F{number}" for number in range(1, 13)),
    *"ABCDEFGHIJKLMNOPQRSTUVWXYZ",
)  # fmt: skip
_KEYS = {
    **{getattr(key, name): getattr(imgui.Key, name.lower()) for name in _SAME},
    **{getattr(key, name): getattr(imgui.Key, own) for name, own in _NAMES.items()},
}
# Keys that end the typing in a field.
_LEAVING = (key.RETURN, key.NUM_ENTER, key.ESCAPE, key.TAB)
_CARET = (key.LEFT, key.RIGHT, key.UP, key.DOWN, key.HOME, key.END, key.PAGEUP, key.PAGEDOWN)
_BUTTONS = {mouse.LEFT: 0, mouse.RIGHT: 1, mouse.MIDDLE: 2}
_CURSORS = {
    imgui.MouseCursor_.arrow: pyglet.window.Window.CURSOR_DEFAULT,
    imgui.MouseCursor_.text_input: pyglet.window.Window.CURSOR_TEXT,
    imgui.MouseCursor_.resize_all: pyglet.window.Window.CURSOR_SIZE,
    imgui.MouseCursor_.resize_ns: pyglet.window.Window.CURSOR_SIZE_UP_DOWN,
    imgui.MouseCursor_.resize_ew: pyglet.window.Window.CURSOR_SIZE_LEFT_RIGHT,
    imgui.MouseCursor_.resize_nesw: pyglet.window.Window.CURSOR_SIZE_DOWN_LEFT,
    imgui.MouseCursor_.resize_nwse: pyglet.window.Window.CURSOR_SIZE_DOWN_RIGHT,
    imgui.MouseCursor_.hand: pyglet.window.Window.CURSOR_HAND,
}


class Backend:
    """Passes a window's events to imgui, and imgui's frames to the window; the window's GL context is current."""

    def __init__(self, window: pyglet.window.Window) -> None:
        self._window = window
        self._strokes = KeyStrokes()
        self._clock = time.perf_counter()
        self._cursor: imgui.MouseCursor_ | None = None
        self.io = imgui.get_io()
        self.io.backend_flags |= imgui.BackendFlags_.has_mouse_cursors
        self.io.config_mac_osx_behaviors = is_mac()  # imgui then takes Cmd for Ctrl
        imgui.backends.opengl3_init(_GLSL)
        platform = imgui.get_platform_io()
        platform.platform_get_clipboard_text_fn = lambda _context: window.get_clipboard_text()
        platform.platform_set_clipboard_text_fn = lambda _context, text: window.set_clipboard_text(text)
        self._pixels_a_unit = (1.0, 1.0)
        self.measure()
        window.push_handlers(
            self.on_mouse_motion, self.on_key_press, self.on_key_release, self.on_text, self.on_mouse_drag,
            self.on_mouse_press, self.on_mouse_release, self.on_mouse_scroll, self.on_mouse_enter,
        )  # fmt: skip

    def shutdown(self) -> None:
        """Frees the renderer's GPU objects."""
        imgui.backends.opengl3_shutdown()

    def process_inputs(self) -> None:
        """Updates the clock before a frame and passes on new events, after those that imgui has not consumed yet.

        Events that came together are spread over several frames, by imgui and by `KeyStrokes`. Imgui's clock stops for
        these: their duration must not turn a double-click into two clicks, nor a key that is up again into a held one.
        """
        self.measure()
        imgui.backends.opengl3_new_frame()
        self.io.delta_time = _SHORTEST_FRAME_SECONDS
        if len(imgui.get_current_context().input_events_queue) > 0:
            return
        self._strokes.deliver_one_frame(is_typing=self.io.want_text_input)
        if not self._strokes:
            now = time.perf_counter()
            self.io.delta_time = max(now - self._clock, _SHORTEST_FRAME_SECONDS)
            self._clock = now

    @property
    def is_behind(self) -> bool:
        """Whether events wait for further frames."""
        return bool(self._strokes)

    def render(self, draw_data: imgui.ImDrawData) -> None:
        """Draws a frame, and shows the cursor that it requests."""
        imgui.backends.opengl3_render_draw_data(draw_data)
        cursor = imgui.MouseCursor_(imgui.get_mouse_cursor())
        if cursor == self._cursor or self.io.config_flags & imgui.ConfigFlags_.no_mouse_cursor_change:
            return
        self._cursor = cursor
        self._window.set_mouse_visible(cursor != imgui.MouseCursor_.none)
        if cursor != imgui.MouseCursor_.none:
            self._window.set_mouse_cursor(self._window.get_system_mouse_cursor(_CURSORS.get(cursor)))

    def measure(self) -> None:
        """Sets the size that a frame is drawn in: pixels of the framebuffer, whatever the window's own unit is.

        So all places in the interface are pixels, and a texel can have one. The unit changes with the screen that the
        window is on.
        """
        pixels, units = self._window.get_framebuffer_size(), self._window.get_size()
        self.io.display_size = imgui.ImVec2(*pixels)
        across, down = (many / few if few else 1.0 for many, few in zip(pixels, units, strict=True))
        self._pixels_a_unit = across, down

    def on_mouse_enter(self, x: int, y: int) -> None:
        """Reports the pointer's position when it enters the window, so that a click without a move works."""
        self.on_mouse_motion(x, y, 0, 0)

    def on_mouse_motion(self, x: int, y: int, _dx: int, _dy: int) -> None:
        """Reports the position; pyglet's y = 0 is the window's last row."""
        across, down = self._pixels_a_unit
        from_top = self._window.get_size()[1] - 1 - y
        self._add(Kind.POINTER, partial(self.io.add_mouse_pos_event, x * across, from_top * down))

    def on_mouse_drag(self, x: int, y: int, dx: int, dy: int, button: int, _modifiers: int) -> None:
        """Reports a move with a button down."""
        self._add(Kind.POINTER, self._button_event(button, down=True))
        self.on_mouse_motion(x, y, dx, dy)

    def on_mouse_press(self, _x: int, _y: int, button: int, _modifiers: int) -> None:
        """Reports a pressed button."""
        self._on_mouse_button(button, down=True)

    def on_mouse_release(self, _x: int, _y: int, button: int, _modifiers: int) -> None:
        """Reports a released button."""
        self._on_mouse_button(button, down=False)

    def on_mouse_scroll(self, _x: int, _y: int, scroll_x: float, scroll_y: float) -> None:
        """Reports the wheel."""
        self._add(Kind.POINTER, partial(self.io.add_mouse_wheel_event, scroll_x, scroll_y))

    def on_key_press(self, key_pressed: int, mods: int) -> None:
        """Reports a key; while typing, letters come as text alone: keys are consumed one a frame, text at once."""
        is_chord = bool(mods & (key.MOD_CTRL | key.MOD_ALT | key.MOD_COMMAND))
        is_letter = key.SPACE <= key_pressed <= key.ASCIITILDE and not is_chord
        kind = Kind.MODIFIER if key_pressed in _MODIFIERS else Kind.LETTER if is_letter else Kind.KEY
        rest = FRAMES_TO_FOCUS if is_chord or key_pressed == key.TAB else FRAMES_TO_MOVE if key_pressed in _CARET else 0
        leaves = is_chord or is_letter or key_pressed in _LEAVING
        deliver = partial(self._tell_key, key_pressed, down=True)
        self._strokes.add(KeyStroke(kind, deliver, key_pressed, rest, leaves))

    def on_key_release(self, key_released: int, _mods: int) -> None:
        """Reports a released key."""
        kind = Kind.MODIFIER if key_released in _MODIFIERS else Kind.RELEASE
        self._strokes.add(KeyStroke(kind, partial(self._tell_key, key_released, down=False), key_released))

    def on_text(self, text: str) -> None:
        """Reports typed text."""
        self._add(Kind.TEXT, partial(self.io.add_input_characters_utf8, text))

    def _add(self, kind: Kind, deliver: Callable[[], None]) -> None:
        self._strokes.add(KeyStroke(kind, deliver))

    def _tell_key(self, key_pressed: int, *, down: bool) -> None:
        if key_pressed in _KEYS:
            self.io.add_key_event(_KEYS[key_pressed], down)
        if key_pressed in _MODIFIERS:
            self.io.add_key_event(_MODIFIERS[key_pressed], down)

    def _on_mouse_button(self, button: int, *, down: bool) -> None:
        self._strokes.add(
            KeyStroke(Kind.BUTTON, self._button_event(button, down=down), rest=FRAMES_TO_MOVE, leaves=True)
        )

    def _button_event(self, button: int, *, down: bool) -> Callable[[], None]:
        return partial(self.io.add_mouse_button_event, _BUTTONS.get(button, 0), down)
