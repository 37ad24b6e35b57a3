"""The pictures of docs/first-bug.md: its steps in a real window, on a copy of the example that is really repaired."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from docs.picture_steps import below, beside, named, opened, place, show, still, texel
from tests.checkout import ROOT
from tests.gui.desktop import Desktop, Window

EXAMPLE = ROOT / "examples" / "webgl_cnn"
# The line that is wrong, and how it is put right.
BEFORE, AFTER = "position + (offset + 1.0) * input_texel", "position + offset * input_texel"
# A window small enough to be legible as a whole on a page.
SMALL, LARGE = (1200, 800), (1600, 1000)


def pictures(desktop: Desktop) -> Iterator[tuple[str, Image.Image]]:
    """Name and picture of each, in the page's order."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(shutil.copytree(EXAMPLE, Path(scratch) / "first-bug"))
        window = opened(desktop, "first-bug/broken.toml", folder=Path(scratch))
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
    return still(desktop).crop(place(window, "inside Texture"))


def _reads(desktop: Desktop, window: Window) -> Image.Image:
    """What the worst texel reads in the input, large."""
    desktop.click_on(window, "panel Taps")
    desktop.click_on(window, "worst element")
    desktop.wait_for(window, lambda seen: seen["taps"] is not None, "its reads are shown", 60)
    desktop.click_on(window, "taps in image")
    desktop.wait_for(window, lambda seen: seen["visit"] == "image" and seen["settled"], "the input is shown", 60)
    desktop.scroll(*texel(window, 17, 57), 10)
    return still(desktop).crop(place(window, "inside Texture"))


def _finding(desktop: Desktop, window: Window) -> Image.Image:
    """The cause, and below it the line that made the wrong number, with those around it."""
    desktop.press("Escape")
    desktop.click_on(window, "panel Findings")
    picture = still(desktop)
    left, top, right, _ = shader = place(window, "inside Shader")
    width = right - left
    left, top, _, _ = place(window, "inside Findings")
    _, _, _, bottom = place(window, "findings of down3")
    return below(picture.crop((left, top, left + width, bottom)), picture.crop(shader))


def _match(desktop: Desktop, window: Window, shader: Path) -> Image.Image:
    """The whole window after the line is corrected and saved."""
    text = shader.read_text(encoding="utf-8")
    assert text.count(BEFORE) == 1
    shader.write_text(text.replace(BEFORE, AFTER), encoding="utf-8")
    desktop.wait_for(window, lambda seen: seen["verdicts"].get("down1") == "match", "down1 matches", 30)
    desktop.press("3")
    return _small(desktop, window)


def _small(desktop: Desktop, window: Window) -> Image.Image:
    desktop.resize(window, *SMALL)
    desktop.press("ctrl+shift+a")
    desktop.wait_until_still(seconds=60)
    desktop.press("f")
    picture = still(desktop).crop((0, 0, *SMALL))
    desktop.resize(window, *LARGE)
    desktop.press("ctrl+shift+a")
    desktop.wait_until_still(seconds=60)
    return picture
