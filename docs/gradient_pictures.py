"""The pictures of docs/gradients.md: a weight's gradient as filter tiles, the backward passes beside the network."""

from __future__ import annotations

from collections.abc import Iterator

from PIL import Image

from docs.picture_steps import beside, opened, place, still
from tests.checkout import ROOT
from tests.gui.desktop import Desktop, Window

MODEL = ROOT / "examples" / "webgl_cnn" / "model.onnx"
# The last layer but one is near the heading between the model's own layers and the backward ones.
OF, LAYER, WEIGHT = "picture", "up3", "up3.weight.grad"


def pictures(desktop: Desktop) -> Iterator[tuple[str, Image.Image]]:
    """Name and picture of each, in the page's order."""
    window = opened(desktop, MODEL, "--shape", "image=1,3,64,64", "--gradients", OF, "--layout", "channel_tiles")
    try:
        _select(desktop, window, WEIGHT)
        yield "gradients", still(desktop)
        desktop.click_on(window, "panel Graph")
        _select(desktop, window, LAYER)
        picture = still(desktop)
        boxes = [place(window, f"inside {name}") for name in ("Layers", "Graph")]
        bottom = min(box[3] for box in boxes)
        yield "gradients_graph", beside(*(picture.crop((*box[:3], bottom)) for box in boxes))
    finally:
        window.close()


def _select(desktop: Desktop, window: Window, layer: str) -> None:
    seen = window.seen()
    steps = seen["layers"].index(layer) - seen["layers"].index(seen["selected"])
    desktop.press(*["ctrl+Right" if steps > 0 else "ctrl+Left"] * abs(steps))
    desktop.wait_for(window, lambda seen: seen["selected"] == layer and seen["settled"], f"{layer} is shown")
