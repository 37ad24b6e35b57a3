"""Take the pictures of the window that the README and the guides show: docs/pictures/window.png and others.

A real window on a virtual display, worked with mouse and keys; nothing is drawn by hand. Run it from the
repository root, with Xvfb and xdotool there:

    .venv/bin/python docs/pictures.py [NAME ...]
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # `tests.gui` lies beside docs/, whatever folder this is run from

from PIL import Image  # noqa: E402

from tests.gui.desktop import Desktop, Window  # noqa: E402
from tests.gui.virtual_display import VirtualDisplay  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
AS_WRITTEN = ROOT / "examples" / "webgl_cnn" / "as_written" / "pipeline.toml"


def texel(window: Window, tx: float, ty: float) -> tuple[int, int]:
    """Where a texel is on the screen."""
    seen = window.seen()
    left, top, width, height = seen["places"]["canvas"]
    x, y = seen["centre"]
    zoom = seen["zoom"]
    return round(left + width / 2 + (tx + 0.5 - x) * zoom), round(top + height / 2 + (ty + 0.5 - y) * zoom)


def show(desktop: Desktop, window: Window, layer: str) -> None:
    """Choose a layer in the list."""
    desktop.click_on(window, f"layer {layer}")
    desktop.wait_for(window, lambda seen: seen["selected"] == layer and seen["settled"], f"{layer} is shown")


def the_demo(desktop: Desktop) -> Image.Image:
    """The bundled network: a layer as tiles, one texel picked, what it reads in every input."""
    window = opened(desktop)
    show(desktop, window, "down2")
    desktop.click(*texel(window, 2 * 32 + 20, 32 + 14))
    desktop.wait_for(window, lambda seen: seen["taps"] is not None, "its reads are shown", 60)
    return finished(desktop, window)


def a_bug(desktop: Desktop) -> Image.Image:
    """A shader that reads across the edges of its tiles: the wrong reads, and the line that makes them."""
    window = opened(desktop, AS_WRITTEN)
    show(desktop, window, "down2")
    desktop.press("3")
    desktop.click(*texel(window, 16, 2 * 16 + 8))
    desktop.wait_for(window, lambda seen: seen["taps"] is not None, "its reads are shown", 60)
    return finished(desktop, window)


def opened(desktop: Desktop, *arguments: str | Path) -> Window:
    """The program started, everything run and compared."""
    window = desktop.start(*arguments)
    desktop.wait_for(window, lambda seen: bool(seen.get("verdicts")) and not seen["busy"], "all is compared", 60)
    desktop.press("Escape")  # the tour of the first start
    desktop.wait_for(window, lambda seen: seen["tour"] is None, "the tour is over")
    desktop.click_on(window, "panel Taps")
    return window


def finished(desktop: Desktop, window: Window) -> Image.Image:
    """The screen once nothing changes any more, with the pointer out of the way."""
    desktop.move(1599, 999)
    picture = desktop.wait_until_still(seconds=60)
    window.close()
    return picture


ALL: dict[str, Callable[[Desktop], Image.Image]] = {"window": the_demo, "tile_bleed": a_bug}


def main() -> None:
    """Takes all pictures, or those named."""
    os.environ.setdefault("LIBGL_ALWAYS_SOFTWARE", "1")  # the same picture wherever it is taken
    names = sys.argv[1:] or list(ALL)
    with VirtualDisplay() as display, tempfile.TemporaryDirectory() as home:
        for name in names:
            desktop = Desktop(display.name, Path(home))
            ALL[name](desktop).save(PICTURES / f"{name}.png", optimize=True)
            sys.stdout.write(f"docs/pictures/{name}.png\n")


if __name__ == "__main__":
    main()
