"""A read in words: the element of its tensor, or why there is none, and the value of the lanes that are used."""

from __future__ import annotations

import math

import numpy as np

from texelscope.pipeline.plan import StoredTensor
from texelscope.pipeline.trace.trace import Number, TexelRead

_LETTERS = "rgba"


def element_text(stored: StoredTensor, read: TexelRead) -> str:
    """`image[0, 2, 12, 33]`, of several lanes the first and how many; where it is no element, the texel and why."""
    at = f"{stored.tensor} texel ({read.texel[0]}, {read.texel[1]})"
    if not read.elements:
        return f"{at}: padding"
    more = f" +{len(read.elements) - 1}" if len(read.elements) > 1 else ""
    outside = " (outside)" if read.outside else ""
    return f"{index_text(stored, read.elements[0])}{more}{outside}"


def index_text(stored: StoredTensor, element: int) -> str:
    """One element by its index: `image[0, 2, 12, 33]`; by its number where the tensor has another shape by now."""
    if not stored.shape:
        return stored.tensor
    if element >= math.prod(stored.shape):
        return f"{stored.tensor} #{element}"
    index = np.unravel_index(element, stored.shape)
    return f"{stored.tensor}[{', '.join(str(int(each)) for each in index)}]"


def read_value(read: TexelRead) -> tuple[str, tuple[Number, ...]]:
    """Type and lanes of what was used of a read."""
    lanes = tuple(read.value[lane] for lane in read.lanes) or read.value
    return ("float" if len(lanes) == 1 else f"vec{len(lanes)}"), lanes
