"""Names the elements that a step read: by tensor and index, and with their values."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from texelscope.pipeline.plan import StoredTensor

if TYPE_CHECKING:
    from texelscope.pipeline.step_trace.trace import Number, TexelRead


def element_text(stored: StoredTensor, read: TexelRead) -> str:
    """Formats an element, `image[0, 2, 12, 33]`, of several lanes the first and the count; else the texel and why."""
    at = f"{stored.tensor} texel ({read.texel[0]}, {read.texel[1]})"
    if not read.elements:
        return f"{at}: padding"
    more = f" +{len(read.elements) - 1}" if len(read.elements) > 1 else ""
    outside = " (outside)" if read.outside else ""
    return f"{index_text(stored, read.elements[0])}{more}{outside}"


def index_text(stored: StoredTensor, element: int) -> str:
    """Formats one element by its index, `image[0, 2, 12, 33]`; by its number if the tensor's shape has changed."""
    if not stored.shape:
        return stored.tensor
    if element >= math.prod(stored.shape):
        return f"{stored.tensor} #{element}"
    index = np.unravel_index(element, stored.shape)
    return f"{stored.tensor}[{', '.join(str(int(each)) for each in index)}]"


def read_value(read: TexelRead) -> tuple[str, tuple[Number, ...]]:
    """Returns type and value of the lanes of a read that were used."""
    lanes = tuple(read.value[lane] for lane in read.lanes) or read.value
    return ("float" if len(lanes) == 1 else f"vec{len(lanes)}"), lanes
