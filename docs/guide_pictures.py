"""The pictures of docs/guide.md: each panel of a real window on an example with bugs, and the stepper at work."""

from __future__ import annotations

from collections.abc import Iterator

from PIL import Image

from docs.picture_steps import named, opened, place, show, still, texel
from tests.checkout import ROOT
from tests.gui.desktop import Desktop, Window

BROKEN = ROOT / "examples" / "webgl_cnn" / "broken.toml"
DISPATCHED = ROOT / "examples" / "convolution_twice" / "pipeline.toml"
# Of a panel as tall as the window the upper part says enough.
MOST_HEIGHT = 620


def pictures(desktop: Desktop) -> Iterator[tuple[str, Image.Image]]:
    """Name and picture of each, in the page's order."""
    window = opened(desktop, BROKEN)
    try:
        named(desktop, window)
        desktop.click_on(window, "panel Findings")
        yield "guide_window", still(desktop)
        yield "guide_layers", _panel(desktop, window, "Layers")
        desktop.press("3")
        yield "guide_texture", _panel(desktop, window, "Texture")
        desktop.press("1")
        yield "guide_findings", _panel(desktop, window, "Findings")
        desktop.press("w")
        yield "guide_inspector", _panel(desktop, window, "Inspector")
        desktop.click_on(window, "panel Taps")
        desktop.click(*texel(window, *_picked(window)))
        desktop.wait_for(window, lambda seen: seen["taps"] is not None, "its reads are shown", 60)
        yield "guide_taps", _panel(desktop, window, "Taps")
        yield from _stepping(desktop, window)
        yield from _why(desktop, window)
        for name in ("Timing", "Input", "Export", "Log"):
            if name == "Input":
                show(desktop, window, "image")
            desktop.click_on(window, f"panel {name}")
            yield f"guide_{name.lower()}", _panel(desktop, window, name)
        show(desktop, window, "down1")
        desktop.click_on(window, "panel Graph")
        yield "guide_graph", _panel(desktop, window, "Graph")
    finally:
        window.close()
    yield from _shared_memory(desktop)


def _stepping(desktop: Desktop, window: Window) -> Iterator[tuple[str, Image.Image]]:
    """Through the texel that is picked, to where its sum parts from the oracle's."""
    desktop.press("F10")
    desktop.wait_for(window, lambda seen: bool(seen["stepping"]), "the fragment is recorded", 60)
    desktop.click_on(window, "panel Sum")
    desktop.wait_for(window, lambda seen: "first wrong term" in seen["places"], "the sums are compared", 60)
    desktop.click_on(window, "first wrong term")
    desktop.click_on(window, "panel Variables")
    yield "guide_stepping", still(desktop)
    yield "guide_shader", _panel(desktop, window, "Shader")
    yield "guide_variables", _panel(desktop, window, "Variables")
    yield "guide_sum", _panel(desktop, window, "Sum")
    desktop.press("Escape")
    desktop.wait_for(window, lambda seen: not seen["stepping"], "stepping is over", 60)


def _why(desktop: Desktop, window: Window) -> Iterator[tuple[str, Image.Image]]:
    """From a wrong texel to the operand that is wrong first."""
    desktop.press("q")
    desktop.wait_for(window, lambda seen: bool(seen["why"]) and bool(seen["why"]["operand"]), "it is explained", 60)
    yield "guide_why", still(desktop)
    desktop.press("Escape")
    desktop.wait_for(window, lambda seen: not seen["stepping"], "stepping is over", 60)
    desktop.click_on(window, "why close")


def _shared_memory(desktop: Desktop) -> Iterator[tuple[str, Image.Image]]:
    """The tile of a work group, behind its first barrier."""
    window = opened(desktop, DISPATCHED)
    show(desktop, window, "dispatched")
    desktop.click(*texel(window, 44, 21))
    desktop.click_on(window, "panel Shared memory")
    desktop.wait_for(window, lambda seen: seen["shared"] is not None, "the work group is recorded", 60)
    yield "guide_shared_memory", _panel(desktop, window, "Shared memory")
    window.close()


def _picked(window: Window) -> tuple[int, int]:
    tx, ty = window.seen()["pick"]
    return tx, ty


def _panel(desktop: Desktop, window: Window, title: str) -> Image.Image:
    """The inside of a panel, which is in front."""
    picture = still(desktop)
    left, top, right, bottom = place(window, f"inside {title}")
    return picture.crop((left, top, right, min(bottom, top + MOST_HEIGHT)))
