"""What rounding does to a read between texels: a coordinate at a texel's centre is so only to some bits.

A sampler that filters linearly weights a texel's neighbours by how far the coordinate lies from the texel's centre.
The coordinate is a quotient of float32 numbers, added to and multiplied again (by shader and driver), so that it lies
off by several units of round-off times the texture's size, and the neighbours come in by as much.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.operators.rounding import UNIT_ROUNDOFF
from texelscope.pipeline.plan import Pass, Plan

# Roundings of a coordinate on its way: the pixel's centre over the size, an offset times 1/size, their sum, the
# driver's product with the size, and what it takes off for the centre; one more for 1/size itself.
_ROUNDINGS = 6


def sampling_errors(plan: Plan, each: Pass, given: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[np.float64]]:
    """By tensor how far a linear read of its elements may be off, in their shape.

    Only of tensors whose pictures lie in their texture as they are: there a texel's neighbours are the element's.
    """
    errors: dict[str, NDArray[np.float64]] = {}
    for sampler in each.samplers:
        stored = plan.textures[sampler.key]
        value = given.get(stored.tensor)
        if sampler.filter != "linear" or value is None or np.ndim(value) != 4:
            continue
        if stored.texture_shape == tuple(np.shape(value)[-2:]):
            errors[stored.tensor] = _of_picture(np.asarray(value, np.float64))
    return errors


def _of_picture(value: NDArray[np.float64]) -> NDArray[np.float64]:
    total = np.zeros(value.shape)
    for axis in (-2, -1):
        steps = np.abs(np.diff(value, axis=axis))
        nothing = np.zeros_like(np.take(value, [0], axis=axis))
        before = np.concatenate([nothing, steps], axis=axis)
        after = np.concatenate([steps, nothing], axis=axis)
        off = _ROUNDINGS * UNIT_ROUNDOFF["float32"] * value.shape[axis]
        total += off * np.maximum(before, after)
    return total
