"""The small picture of a tensor that stands in the list of layers."""

from __future__ import annotations

from pipeline.plan import StoredTensor
from viewer.state import Mode, View
from viewer.texture.canvas import Picture, shown_range

# At 96 dpi.
SIDE_PIXELS = 40
THINNEST_PIXELS = 6.0
# While runs follow each other a thumbnail is drawn anew when it is as old as this.
LIVE_SECONDS = 0.2


def thumbnail(stored: StoredTensor, generation: int, data_range: tuple[float, float], scale: float = 1.0) -> Picture:
    """All of the texture in a square; of a long thin one the beginning. `data_range` is that of its values."""
    height, width = stored.texture_shape
    pixels = max(int(SIDE_PIXELS * scale), 1)
    zoom = max(pixels / max(width, height), min(THINNEST_PIXELS * scale / min(width, height), pixels))
    return Picture(
        key=stored.key,
        generation=generation,
        mode=Mode.ACTUAL,
        origin=(min(width - pixels / zoom, 0.0) / 2.0, min(height - pixels / zoom, 0.0) / 2.0),
        pixels_per_texel=zoom,
        size=(pixels, pixels),
        value_range=shown_range(View(), *data_range),
        lanes=(True, True, True, True),
        seam=0.0,
        mark_negative=False,
    )
