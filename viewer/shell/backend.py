"""What stands between pyglet's window and imgui: mouse, keys and text go in, a frame's triangles come out."""

from __future__ import annotations

import time
from functools import partial

import pyglet
from imgui_bundle import imgui
from imgui_bundle.python_backends.pyglet_backend import (  # type: ignore[attr-defined]
    PygletProgrammablePipelineRenderer,
)
from pyglet.window import key

from viewer.shell.strokes import Strokes

_SHORTEST_FRAME_SECONDS = 1e-3

_MODIFIERS = {
    key.LCTRL, key.RCTRL, key.LSHIFT, key.RSHIFT, key.LALT, key.RALT,
    key.LCOMMAND, key.RCOMMAND, key.LWINDOWS, key.RWINDOWS,
}  # fmt: skip


class Backend(PygletProgrammablePipelineRenderer):  # type: ignore[misc]
    """Imgui's backend for pyglet, without its faults.

    Its mouse stands one pixel too low, fast typing waits for frames, a chord that is over within a frame loses its
    Ctrl, and its clock tells no time: any two clicks would be a double click.
    """

    def __init__(self, window: pyglet.window.Window) -> None:
        self._strokes = Strokes()
        self._clock = time.perf_counter()
        super().__init__(window)

    def _attach_callbacks(self, window: pyglet.window.Window) -> None:
        super()._attach_callbacks(window)
        window.push_handlers(self.on_mouse_enter)

    def process_inputs(self) -> None:
        """Before a frame: the clock, and what came since the last one. What imgui has not taken yet goes first.

        Imgui spreads strokes that came together over several frames. Its clock stands still for these: how long they
        take does not make two clicks of a double one.
        """
        super().process_inputs()
        if len(imgui.get_current_context().input_events_queue) > 0:
            self.io.delta_time = _SHORTEST_FRAME_SECONDS
            return
        now = time.perf_counter()
        self.io.delta_time = max(now - self._clock, _SHORTEST_FRAME_SECONDS)
        self._clock = now
        self._strokes.tell_one_frame()

    def on_mouse_enter(self, x: int, y: int) -> None:
        """A window that comes to lie under the mouse is told where it is before it moves: a click goes there."""
        self.on_mouse_motion(x, y, 0, 0)

    def on_mouse_motion(self, x: int, y: int, _dx: int, _dy: int) -> None:
        """The last row of pixels is y = 0."""
        self._strokes.add(lambda: self.io.add_mouse_pos_event(x, self.io.display_size.y - 1 - y))

    def on_mouse_scroll(self, x: int, y: int, scroll_x: float, scroll_y: float) -> None:
        """The wheel."""
        self._strokes.add(partial(super().on_mouse_scroll, x, y, scroll_x, scroll_y))

    def on_key_press(self, key_pressed: int, mods: int) -> None:
        """While a text is typed a letter comes as text alone: key strokes are taken one a frame, text at once."""
        self._strokes.add(partial(self._press, key_pressed, mods), modifier=key_pressed in _MODIFIERS)

    def on_text(self, text: str) -> None:
        """What the keys mean."""
        self._strokes.add(partial(super().on_text, text))

    def _press(self, key_pressed: int, mods: int) -> None:
        is_chord = mods & (key.MOD_CTRL | key.MOD_ALT | key.MOD_COMMAND)
        is_letter = key.SPACE <= key_pressed <= key.ASCIITILDE
        if is_chord or not (is_letter and self.io.want_text_input):
            super()._on_key(key_pressed, True)

    def _on_key(self, key_pressed: int, down: bool) -> None:  # noqa: FBT001 - the base class's own way
        self._strokes.add(partial(super()._on_key, key_pressed, down), modifier=key_pressed in _MODIFIERS)

    def _on_mouse_button(self, pyglet_button: int, down: bool) -> None:  # noqa: FBT001 - the same
        self._strokes.add(partial(super()._on_mouse_button, pyglet_button, down))
