"""What the scripts that take pictures of the window have in common: opening, finding a texel, a still, cutting out."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from tests.checkout import ROOT
from tests.gui.desktop import Desktop, Window

GAP_PIXELS = 8

Box = tuple[int, int, int, int]


def opened(desktop: Desktop, *arguments: str | Path, folder: Path = ROOT) -> Window:
    """The program started in `folder`, everything run and compared, no tour."""
    window = desktop.start(*arguments, folder=folder)
    desktop.wait_for(window, lambda seen: bool(seen.get("verdicts")) and not seen["busy"], "all is compared", 60)
    if window.seen()["tour"] is not None:
        desktop.press("Escape")
        desktop.wait_for(window, lambda seen: seen["tour"] is None, "the tour is over")
    return window


def named(desktop: Desktop, window: Window) -> None:
    """The first wrong pass selected, and all bugs named; what the window warns of is read and put away."""
    desktop.press("F4")
    desktop.wait_for(window, lambda seen: bool(seen["findings"]) and all(seen["named"].values()), "all are named", 120)
    desktop.wait_for(window, lambda seen: seen["diagnosing"] is None or bool(seen["repairs"]), "it is mended", 120)
    if "dismiss notice" in window.seen()["places"]:
        desktop.click_on(window, "dismiss notice")
    desktop.wait_for(window, lambda seen: "dismiss notice" not in seen["places"], "no notice is shown", 60)


def texel(window: Window, tx: float, ty: float) -> tuple[int, int]:
    """Where a texel is on the screen."""
    seen = window.seen()
    left, top, width, height = seen["places"]["canvas"]
    x, y = seen["centre"]
    zoom = seen["zoom"]
    return round(left + width / 2 + (tx + 0.5 - x) * zoom), round(top + height / 2 + (ty + 0.5 - y) * zoom)


def show(desktop: Desktop, window: Window, layer: str) -> None:
    """Choose a layer in the list."""
    if window.seen()["selected"] != layer:  # a second click would be a double one
        desktop.click_on(window, f"layer {layer}")
    desktop.wait_for(window, lambda seen: seen["selected"] == layer and seen["settled"], f"{layer} is shown")


def still(desktop: Desktop) -> Image.Image:
    """The screen once nothing changes any more, with the pointer out of the way."""
    desktop.move(1599, 999)
    return desktop.wait_until_still(seconds=60)


def place(window: Window, name: str) -> Box:
    """Left, top, right and bottom of something that the window shows, in pixels."""
    left, top, width, height = window.seen()["places"][name]
    return round(left), round(top), round(left + width), round(top + height)


def beside(left: Image.Image, right: Image.Image) -> Image.Image:
    """Two pictures in a row, white between them."""
    whole = Image.new("RGB", (left.width + GAP_PIXELS + right.width, max(left.height, right.height)), "white")
    whole.paste(left, (0, 0))
    whole.paste(right, (left.width + GAP_PIXELS, 0))
    return whole


def below(upper: Image.Image, lower: Image.Image) -> Image.Image:
    """Two pictures in a column, white between them."""
    whole = Image.new("RGB", (max(upper.width, lower.width), upper.height + GAP_PIXELS + lower.height), "white")
    whole.paste(upper, (0, 0))
    whole.paste(lower, (0, upper.height + GAP_PIXELS))
    return whole
