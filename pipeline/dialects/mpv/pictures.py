"""Models pictures in mpv's renderer: their planes, and this program's passes between them.

If a file works on one kind of picture alone, that is the input: LUMA, one channel, or MAIN, RGB. If it works on
both, or on CHROMA, the input is an RGB picture that replaces a video; planes derive from it by BT.709 (ITU-R BT.709-6,
section 3: Y = 0.2126 R + 0.7152 G + 0.0722 B, Cb = (B - Y) / 1.8556, Cr = (R - Y) / 1.5748), full range, chroma about
0.5 and of half the width and height, and become one RGB picture again after the hooks of planes.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.graph import Shape
from texelscope.pipeline.inputs.sources import read_picture
from texelscope.pipeline.installation import SHIPPED

# The picture used if none is given, and its height and width.
DEFAULT_PICTURE = SHIPPED / "examples" / "mpv" / "houses.png"
DEFAULT_SIDE = 128
SOURCE = "picture"
# Alpha of a texture of three components.
OPAQUE = 1.0
# The planes of a video.
PLANES = ("LUMA", "CHROMA")
_LUMA_WEIGHTS = (0.2126, 0.7152, 0.0722)


@dataclass(frozen=True)
class StoredPicture:
    """Describes a stored picture: its key, size in texels, components, and the offset of its content."""

    key: str
    width: int
    height: int
    components: int
    offset: tuple[float, float] = (0.0, 0.0)

    @property
    def shape(self) -> Shape:
        """The shape of its tensor."""
        return (1, self.components, self.height, self.width)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height, as used in expressions."""
        return float(self.width), float(self.height)


def source_of(names: Collection[str]) -> tuple[str, int]:
    """Returns key and channels of the input of a file that hooks or reads the planes `names`."""
    planes = {*PLANES, "CHROMA_SCALED"} & set(names)
    others = set(names) - planes
    if planes == {"LUMA"} and not others:
        return "LUMA", 1
    return (SOURCE, 3) if planes else ("MAIN", 3)


def plane_size(plane: str, size: tuple[int, int]) -> tuple[int, int]:
    """Returns width and height of a plane of a video of that width and height: chroma has half of both."""
    return size if plane == "LUMA" else (-(-size[0] // 2), -(-size[1] // 2))


def default_values(shape: Shape) -> NDArray[np.float32]:
    """Returns the bundled picture, repeated to a size, as RGB or its luma: float32 of `shape`, 0 to 1."""
    _, channels, height, width = shape
    rgb = read_picture(DEFAULT_PICTURE, (1, 3, DEFAULT_SIDE, DEFAULT_SIDE))
    rgb = rgb[:, :, np.arange(height) % DEFAULT_SIDE][..., np.arange(width) % DEFAULT_SIDE]
    if channels == 3:
        return np.ascontiguousarray(rgb)
    weights = np.array(_LUMA_WEIGHTS, dtype=np.float32).reshape(1, 3, 1, 1)
    luma: NDArray[np.float32] = np.sum(rgb * weights, axis=1, keepdims=True, dtype=np.float32)
    return luma
