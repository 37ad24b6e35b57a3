"""The pictures of docs/first-bug.md: its steps in a real window, on a copy of the example that is really mended."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from docs.picture_steps import below, beside, named, opened, place, show, still, texel
from tests.checkout import ROOT
from tests.gui.desktop import Desktop, Window

BROKEN = ROOT / "examples" / "webgl_cnn" / "broken"
# The line that is wrong, and how it is put right.
BEFORE, AFTER = "position + (offset + 1.0) * input_texel", "position + offset * input_texel"
# A window small enough to be legible as a whole on a page.
SMALL, LARGE = (1200, 800), (1600, 1000)
# Where the texture panel ends, in pixels of the large window, while it is taken alone.
NARROW_RIGHT = 920


def pictures(desktop: Desktop) -> Iterator[tuple[str, Image.Image]]:
    """Name and picture of each, in the page's order."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(shutil.copytree(BROKEN, Path(scratch) / "first-bug"))
        window = opened(desktop, "first-bug/pipeline.toml", folder=Path(scratch))
        try:
            named(desktop, window)  # while that goes on, a click may be lost
            yield "first_bug_1_output", _output(desktop, window)
            yield "first_bug_2_first_wrong", _first_wrong(desktop, window)
            yield "first_bug_3_difference", _difference(desktop, window)
            yield "first_bug_4_reads", _reads(desktop, window)
            yield "first_bug_4_finding", _finding(desktop, window)
            yield "first_bug_5_match", _match(desktop, window, folder / "down1.frag")
        finally:
            window.close()


def _output(desktop: Desktop, window: Window) -> Image.Image:
    """The last pass: what came out, and what should have."""
    show(desktop, window, "up3")
    desktop.press("c")
    with _narrow_texture(desktop, window):
        both = []
        for key in ("1", "2"):
            desktop.press(key)
            both.append(still(desktop).crop(place(window, "inside Texture")))
    desktop.press("1", "c")
    return beside(*both)


def _first_wrong(desktop: Desktop, window: Window) -> Image.Image:
    """The whole window after F4."""
    named(desktop, window)
    return _small(desktop, window)


def _difference(desktop: Desktop, window: Window) -> Image.Image:
    """The texture panel with the difference, tile by tile."""
    desktop.press("3")
    with _narrow_texture(desktop, window):
        return still(desktop).crop(place(window, "inside Texture"))


def _reads(desktop: Desktop, window: Window) -> Image.Image:
    """What the worst texel reads in the input, large."""
    desktop.click_on(window, "panel Taps")
    desktop.click_on(window, "worst element")
    desktop.wait_for(window, lambda seen: seen["taps"] is not None, "its reads are shown", 60)
    show(desktop, window, "image")
    desktop.press("1")
    with _narrow_texture(desktop, window):
        desktop.scroll(*texel(window, 17, 57), 10)
        return still(desktop).crop(place(window, "inside Texture"))


def _finding(desktop: Desktop, window: Window) -> Image.Image:
    """The cause, and below it the line that made the wrong number, with those around it."""
    show(desktop, window, "down1")
    desktop.click_on(window, "panel Findings")
    left, top, right, _ = place(window, "inside Shader")
    desktop.drag(((left + right) // 2, top - 2), ((left + right) // 2, top - 120))
    desktop.wait_until_still(seconds=60)
    desktop.click_on(window, "finding shift")
    desktop.wait_until_still(seconds=60)
    desktop.scroll(*desktop.point_at(window, "shader text"), 1)
    picture = still(desktop)
    left, top, right, _ = place(window, "inside Findings")
    finding = picture.crop((left, top, right, top + 104))
    return below(finding, picture.crop(place(window, "inside Shader")))


def _match(desktop: Desktop, window: Window, shader: Path) -> Image.Image:
    """The whole window after the line is mended and saved."""
    text = shader.read_text(encoding="utf-8")
    assert text.count(BEFORE) == 1
    shader.write_text(text.replace(BEFORE, AFTER), encoding="utf-8")
    desktop.wait_for(window, lambda seen: seen["verdicts"].get("down1") == "match", "down1 matches", 30)
    desktop.press("3")
    return _small(desktop, window)


@contextlib.contextmanager
def _narrow_texture(desktop: Desktop, window: Window) -> Iterator[None]:
    """The texture panel half as wide for a while, the texture fitted into it."""
    _, top, wide, bottom = place(window, "inside Texture")
    middle = (top + bottom) // 2
    desktop.drag((wide + 1, middle), (NARROW_RIGHT, middle))
    desktop.press("f")
    desktop.wait_until_still(seconds=60)
    yield
    _, _, right, _ = place(window, "inside Texture")
    desktop.drag((right + 1, middle), (wide + 1, middle))
    desktop.wait_until_still(seconds=60)


def _small(desktop: Desktop, window: Window) -> Image.Image:
    desktop.resize(window, *SMALL)
    desktop.wait_until_still(seconds=60)
    desktop.press("f")
    picture = still(desktop).crop((0, 0, *SMALL))
    desktop.resize(window, *LARGE)
    desktop.wait_until_still(seconds=60)
    return picture
