"""Makes the picture of the README: what `fixed` and `as_written` give at 64x64 and at 56x56.

python -m examples.webgl_cnn.preview --to examples/webgl_cnn/preview.png
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from texelscope import pipeline

FOLDER = Path(__file__).resolve().parent
SIZES = ("", "_56")
ENLARGED = 4
GAP_PIXELS = 8


def plan_and_picture(variant: str, size: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """What goes in and what comes out, float32 [height, width, 3] in [0, 1]."""
    with pipeline.open(FOLDER / f"{variant}{size}.toml") as session:
        session.run()
        plan, picture = session.tensor("image")[0], session.tensor("up3")[0]
    return plan.transpose(1, 2, 0), picture.transpose(1, 2, 0)


def enlarged(values: NDArray[np.float32]) -> Image.Image:
    """8 bits a channel, each texel a square."""
    height, width, _ = values.shape
    pixels = np.rint(np.clip(values, 0.0, 1.0) * 255).astype(np.uint8)
    return Image.fromarray(pixels).resize((width * ENLARGED, height * ENLARGED), Image.Resampling.NEAREST)


def sheet(rows: list[list[Image.Image]]) -> Image.Image:
    """The pictures in a grid whose cells have the size of the first one."""
    width, height = rows[0][0].size
    whole = Image.new("RGB", (3 * (width + GAP_PIXELS) - GAP_PIXELS, 2 * (height + GAP_PIXELS) - GAP_PIXELS), "white")
    for y, row in enumerate(rows):
        for x, picture in enumerate(row):
            whole.paste(picture, (x * (width + GAP_PIXELS), y * (height + GAP_PIXELS)))
    return whole


def main() -> None:
    """Read the command line and write the picture."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--to", type=Path, required=True, help="the PNG file to write")
    arguments = parser.parse_args()
    rows = []
    for size in SIZES:
        plan, fixed = plan_and_picture("fixed", size)
        _, as_written = plan_and_picture("as_written", size)
        rows.append([enlarged(plan), enlarged(fixed), enlarged(as_written)])
    sheet(rows).save(arguments.to, optimize=True)


if __name__ == "__main__":
    main()
