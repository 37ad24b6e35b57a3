"""Pads an array: adds elements at the ends of each axis or, where their number is negative, removes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def padded(x: Array, begin: Sequence[int], end: Sequence[int], mode: Any, value: Any) -> Array:
    """Returns `x` with so many more elements at the begin and the end of each axis; removals come first.

    `mode` is constant (of `value`), reflect, edge or wrap.
    """
    kept = tuple(slice(max(0, -low), size + min(0, high)) for low, high, size in zip(begin, end, x.shape, strict=True))
    widths = [(max(0, low), max(0, high)) for low, high in zip(begin, end, strict=True)]
    said = {"constant_values": value} if mode == "constant" else {}
    return np.asarray(np.pad(x[kept], widths, mode=mode, **said))
