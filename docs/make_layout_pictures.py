"""Draw the pictures of docs/layouts.md from the layouts themselves: docs/pictures/layout_NAME.png.

Every cell is a texel; a texel of four lanes is a square of four, red and green above blue and alpha. Colours
are channels (filters, for weights), numbers are linear element indices, crossed cells are padding. Run it
from the repository root:

    .venv/bin/python docs/make_layout_pictures.py
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # `layouts` lies beside docs/, whatever folder this is run from

from texelscope.layouts import Layout, as_nchw, layout  # noqa: E402

ACTIVATION = (1, 5, 3, 4)
WEIGHTS = (3, 3, 2, 3)
EXAMPLES = {
    "channel_tiles": ACTIVATION,
    "channel_tiles_rgba": ACTIVATION,
    "filter_tiles": WEIGHTS,
    "linear": ACTIVATION,
    "row_major_rgba": ACTIVATION,
    "tfjs_unpacked": ACTIVATION,
    "tfjs_packed": ACTIVATION,
}

LANE_PIXELS = 30
MARGIN_PIXELS = 20
LABEL_BAND_PIXELS = 26  # above a row of tiles
LABEL_COLUMN_PIXELS = 88  # to the left of layouts whose tiles stand one below the other
PAPER, INK, LINE, PADDING = "#ffffff", "#1d2530", "#8a94a3", "#e7eaee"
# Light enough for black digits, and told apart without telling red from green.
HUES = ("#8ecae6", "#ffd166", "#f4a6c0", "#b8e0a8", "#c9b6f2", "#f7b787")


def main() -> None:
    """Write all pictures."""
    folder = ROOT / "docs" / "pictures"
    folder.mkdir(exist_ok=True)
    for name, shape in EXAMPLES.items():
        picture(layout(name), shape).save(folder / f"layout_{name}.png", optimize=True)


def picture(entry: Layout, shape: tuple[int, ...]) -> Image.Image:
    """The texture of `shape` in `entry`, its tiles outlined and labelled."""
    height, width = entry.texture_shape(shape)
    side = LANE_PIXELS if entry.lanes == 1 else 2 * LANE_PIXELS
    beside = len({tile.tx for tile in entry.tiles(shape)}) == 1
    left, top = (LABEL_COLUMN_PIXELS if beside else MARGIN_PIXELS), MARGIN_PIXELS
    label_height = 0 if beside else LABEL_BAND_PIXELS
    rows_of_tiles = sorted({tile.ty for tile in entry.tiles(shape)})
    # A band above each row of tiles for its labels, where they do not stand at the left.
    band = {ty: label_height * sum(start <= ty for start in rows_of_tiles) for ty in range(height)}
    image = Image.new(
        "RGB",
        (left + width * side + MARGIN_PIXELS, top + height * side + band[height - 1] + MARGIN_PIXELS),
        PAPER,
    )
    draw = ImageDraw.Draw(image)
    for ty in range(height):
        for tx in range(width):
            _draw_texel(draw, entry, shape, tx, ty, (left + tx * side, top + ty * side + band[ty]))
    for tile in entry.tiles(shape):
        x, y = left + tile.tx * side, top + tile.ty * side + band[tile.ty]
        draw.rectangle((x, y, x + tile.width * side, y + tile.height * side), outline=INK, width=4)
        at, anchor = ((x - 8, y + tile.height * side / 2), "rm") if beside else ((x + 2, y - 3), "ls")
        draw.text(at, tile.label, fill=INK, font=ImageFont.load_default(17), anchor=anchor)
    return image


def _draw_texel(
    draw: ImageDraw.ImageDraw,
    entry: Layout,
    shape: tuple[int, ...],
    tx: int,
    ty: int,
    corner: tuple[int, int],
) -> None:
    x, y = corner
    for lane in range(entry.lanes):
        left, top = x + lane % 2 * LANE_PIXELS, y + lane // 2 * LANE_PIXELS
        box = (left, top, left + LANE_PIXELS, top + LANE_PIXELS)
        index = entry.index_of(shape, tx, ty, lane)
        if index < 0:
            draw.rectangle(box, fill=PADDING, outline=LINE)
            draw.line((left, top, left + LANE_PIXELS, top + LANE_PIXELS), fill=LINE)
            draw.line((left, top + LANE_PIXELS, left + LANE_PIXELS, top), fill=LINE)
        else:
            draw.rectangle(box, fill=_hue(entry, shape, index), outline=LINE)
            middle = (left + LANE_PIXELS / 2, top + LANE_PIXELS / 2)
            draw.text(middle, str(index), fill=INK, font=ImageFont.load_default(13), anchor="mm")
    side = LANE_PIXELS if entry.lanes == 1 else 2 * LANE_PIXELS
    draw.rectangle((x, y, x + side, y + side), outline=INK, width=1 if entry.lanes == 1 else 2)


def _hue(entry: Layout, shape: tuple[int, ...], index: int) -> str:
    """One hue a channel; weights have one a filter."""
    _, C, H, W = as_nchw(shape)
    elements = C * H * W if entry.name == "filter_tiles" else H * W
    return HUES[index // elements % len(HUES)]


if __name__ == "__main__":
    main()
