"""Pictures of another size than an input: scaled, as they are wide and high, until they cover it; the rest is cut off.

Nothing is stretched, and nothing is made up at the edges. Scaling is Pillow's Lanczos filter, which smooths where it
makes smaller.
"""

from __future__ import annotations

from PIL import Image, ImageOps

# Before the path of a picture: it is to be scaled.
FIT = "fit:"
# The rule, in words for people.
RULE = "scaled to cover {width}×{height}, what stands over cut off evenly"


def covering(picture: Image.Image, size: tuple[int, int]) -> Image.Image:
    """The picture in that size (width, height); itself if it has it. Modes L, RGB, RGBA and F."""
    return picture if picture.size == size else ImageOps.fit(picture, size, Image.Resampling.LANCZOS)
