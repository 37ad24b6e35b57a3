"""Bounds what a form rounds more than its pass, as errors of the inputs, which the oracle carries to the results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.lowerings.lowering import InputRounding
from texelscope.pipeline.plan import Plan


def form_rounding(
    plan: Plan, rounding: InputRounding | None, given: Mapping[str, NDArray[Any]]
) -> dict[str, NDArray[np.float64]]:
    """Returns by tensor how far its elements are off, in their shape, of those `given` by name.

    Raises TexelscopeError for inputs with infinities: differences of these are NaN, which says nothing about the pass.
    """
    if rounding is None:
        return {}
    tensor = plan.textures[rounding.key].tensor
    if tensor not in given:
        return {}
    size = np.abs(np.asarray(given[tensor], dtype=np.float64))
    if np.isinf(size).any():
        raise TexelscopeError(
            "Winograd's products, which this layer ran by",
            f"finite numbers in '{tensor}'",
            "infinities, and made NaN of them",
            "Run all layers by Observe everything (Alt+F5), or `session.run()`: their sums keep infinities.",
        )
    largest = np.nan_to_num(size, nan=0.0)  # an output that does not read a NaN is none
    for axis, reach in zip((-2, -1), rounding.reach, strict=True):
        largest = _largest_around(largest, axis, reach)
    return {tensor: rounding.relative * largest}


def _largest_around(values: NDArray[np.float64], axis: int, reach: int) -> NDArray[np.float64]:
    """Returns the largest among each element's neighbours at most `reach` places away along an axis."""
    widths = [(0, 0)] * values.ndim
    widths[axis] = (reach, reach)
    padded = np.pad(values, widths)
    return np.asarray(np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1, axis=axis).max(axis=-1))
