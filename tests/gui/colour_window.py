"""Opens a window to try the desktop on: red; green once clicked, blue at the key B, white at the wheel."""

from __future__ import annotations

import pyglet

WIDTH, HEIGHT = 400, 300

window = pyglet.window.Window(WIDTH, HEIGHT, caption="colours", style="borderless")
window.set_location(100, 50)
shown = [1.0, 0.0, 0.0, 1.0]


@window.event
def on_draw() -> None:
    """Fills the window with one colour."""
    pyglet.gl.glClearColor(*shown)
    window.clear()


@window.event
def on_mouse_press(x: int, y: int, button: int, modifiers: int) -> None:
    """Green; the position goes to standard output, with y from the top, as on the screen."""
    shown[:] = [0.0, 1.0, 0.0, 1.0]
    print(f"press {x:g} {HEIGHT - 1 - y:g} {button}", flush=True)


@window.event
def on_mouse_drag(x: int, y: int, dx: int, dy: int, buttons: int, modifiers: int) -> None:
    """The position while a button is down."""
    print(f"drag {x:g} {HEIGHT - 1 - y:g}", flush=True)


@window.event
def on_mouse_scroll(x: int, y: int, scroll_x: float, scroll_y: float) -> None:
    """Turns white."""
    shown[:] = [1.0, 1.0, 1.0, 1.0]
    print(f"scroll {scroll_y:g}", flush=True)


@window.event
def on_key_press(symbol: int, modifiers: int) -> None:
    """Turns blue at B."""
    if symbol == pyglet.window.key.B:
        shown[:] = [0.0, 0.0, 1.0, 1.0]
    print(f"key {pyglet.window.key.symbol_string(symbol)} {modifiers & pyglet.window.key.MOD_CTRL}", flush=True)


@window.event
def on_text(text: str) -> None:
    """Prints what was typed."""
    print(f"text {text}", flush=True)


pyglet.app.run(1 / 30)
