"""Take the pictures of the window that the README and the guides show: docs/pictures/window.png and others.

A real window on a virtual display, worked with mouse and keys; nothing is drawn by hand. Run it from the
repository root, with Xvfb and xdotool there:

    .venv/bin/python docs/pictures.py [NAME ...]
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # `tests.gui` lies beside docs/, whatever folder this is run from

from PIL import Image  # noqa: E402

from docs import first_bug_pictures, gradient_pictures, guide_pictures, report_pictures  # noqa: E402
from docs.picture_steps import named, opened, place, show, still, texel  # noqa: E402
from tests.gui.desktop import Desktop  # noqa: E402
from tests.gui.virtual_display import VirtualDisplay  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
AS_WRITTEN = ROOT / "examples" / "webgl_cnn" / "as_written.toml"
BROKEN = ROOT / "examples" / "webgl_cnn" / "broken.toml"
EXAMPLE = ROOT / "examples" / "webgl_cnn"
GUARD = "if (any(lessThan(at, vec2(0.0))) || any(greaterThan(at, vec2(1.0)))) continue;"
FACADES = ROOT / "examples" / "facades" / "facades.onnx"
MOST_BYTES = 150_000

Pictures = Iterator[tuple[str, Image.Image]]


def the_demo(desktop: Desktop) -> Pictures:
    """The bundled network: a layer as tiles, one texel picked, what it reads in every input."""
    picture = FACADES.parent / "inputs" / "corner_shop.png"
    window = opened(desktop, FACADES, "--input", f"labels={picture}")
    desktop.click_on(window, "close view 1")
    desktop.click_on(window, "panel Taps")
    show(desktop, window, "down2")
    desktop.click(*texel(window, 2 * 32 + 20, 32 + 14))
    desktop.wait_for(window, lambda seen: seen["taps"] is not None, "its reads are shown", 60)
    yield "window", still(desktop)
    window.close()


def a_bug(desktop: Desktop) -> Pictures:
    """A shader that reads across the edges of its tiles: the wrong reads, and the line that makes them."""
    window = opened(desktop, AS_WRITTEN)
    named(desktop, window)
    desktop.click_on(window, "panel Taps")
    show(desktop, window, "down2")
    desktop.press("3")
    desktop.click(*texel(window, 16, 2 * 16 + 8))
    desktop.wait_for(window, lambda seen: seen["taps"] is not None, "its reads are shown", 60)
    still(desktop)
    desktop.click(*desktop.point_at(window, "read on line 37", across=0.1))  # its right part is cut off
    yield "tile_bleed", still(desktop)
    window.close()


def an_answer(desktop: Desktop) -> Pictures:
    """The wrong texture, its shader beside it, and the finding with the corrected line below both."""
    window = opened(desktop, BROKEN)
    named(desktop, window)
    desktop.wait_for(window, lambda seen: seen["diagnosing"] is None, "no repair is looked for any more", 400)
    desktop.click_on(window, "panel Findings")
    desktop.press("3")
    desktop.press("f")
    picture = still(desktop)
    left, top, _, _ = place(window, "inside Texture")
    _, _, right, _ = place(window, "inside Shader")
    _, bottom, _, _ = place(window, "findings of down2")
    yield "wrong_texture_to_line", picture.crop((left, top, right, bottom))
    window.close()


def an_edit(desktop: Desktop) -> Pictures:
    """A shader before an edit, which lost its guard against the tile's edge, and after it."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(shutil.copytree(EXAMPLE, Path(scratch) / "cnn"))
        window = opened(desktop, folder / "fixed.toml")
        shader = folder / "down.frag"
        text = shader.read_text(encoding="utf-8")
        shader.write_text(text.replace(GUARD, ""), encoding="utf-8")
        desktop.wait_for(window, lambda seen: bool(seen["kept"]), "the state before is kept", 60)
        named(desktop, window)
        desktop.press("b")
        desktop.click_on(window, "panel Runs")
        desktop.wait_for(window, lambda seen: bool(seen["changes"]), "what changed is known", 60)
        yield "runs", still(desktop)
        window.close()


def save(picture: Image.Image, path: Path) -> None:
    """Writes a PNG; one that would be large gets by with 256 colours, which is hardly seen."""
    picture.save(path, optimize=True)
    if path.stat().st_size > MOST_BYTES:
        few = picture.quantize(256, Image.Quantize.MEDIANCUT, kmeans=1, dither=Image.Dither.NONE)
        few.save(path, optimize=True)


ALL: dict[str, Callable[[Desktop], Pictures]] = {
    "window": the_demo,
    "tile_bleed": a_bug,
    "wrong_texture_to_line": an_answer,
    "runs": an_edit,
    "first_bug": first_bug_pictures.pictures,
    "guide": guide_pictures.pictures,
    "gradients": gradient_pictures.pictures,
    "report": report_pictures.pictures,
}


def main() -> None:
    """Takes all pictures, or those named."""
    os.environ.setdefault("LIBGL_ALWAYS_SOFTWARE", "1")  # the same picture wherever it is taken
    for name in sys.argv[1:] or list(ALL):
        with VirtualDisplay() as display, tempfile.TemporaryDirectory() as home:
            for stem, picture in ALL[name](Desktop(display.name, Path(home))):
                save(picture, PICTURES / f"{stem}.png")
                sys.stdout.write(f"docs/pictures/{stem}.png\n")


if __name__ == "__main__":
    main()
