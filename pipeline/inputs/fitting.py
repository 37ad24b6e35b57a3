"""Scales pictures of another size than an input, with their proportions, until they cover it; the rest is cut off.

Nothing is stretched, and no edges are invented. Scaling uses Pillow's Lanczos filter, which smooths when
reducing.
"""

from __future__ import annotations

from PIL import Image, ImageOps

# The prefix of a picture's path that requests scaling.
FIT = "fit:"
# The rule, in words for people.
RULE = "scaled to cover {width}×{height}, the rest cut off evenly"


def covering(picture: Image.Image, size: tuple[int, int]) -> Image.Image:
    """Returns the picture in that size (width, height); itself if it has it. Modes L, RGB, RGBA and F."""
    return picture if picture.size == size else ImageOps.fit(picture, size, Image.Resampling.LANCZOS)
