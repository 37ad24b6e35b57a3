"""Bounds the error of reads: between texels, where a coordinate at a centre is rounded, and of quantised texels.

A sampler that filters linearly weights a texel's neighbours by the distance of the coordinate from its centre.
The coordinate is a quotient of float32 numbers, added to and multiplied again (by shader and driver), so that it is
off by several units of round-off times the texture's size, and the neighbours' weights are off by as much.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.operators.rounding import UNIT_ROUNDOFF
from texelscope.pipeline.plan import Pass, Plan

# Roundings of a coordinate: the pixel's centre over the size, an offset times 1/size, their sum, the
# driver's product with the size, and its subtraction of the centre; one more for 1/size itself.
_ROUNDINGS = 6


def sampling_errors(plan: Plan, shader_pass: Pass, given: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[np.float64]]:
    """Returns by tensor how far a read of its elements may be off, in their shape.

    Linear reads only of tensors that lie in their texture as pictures: there a texel's neighbours are the element's.
    And what a shader computes from steps of 8 bits, by scale and zero point, has its own rounding.
    """
    errors: dict[str, NDArray[np.float64]] = {}
    for sampler in shader_pass.samplers:
        stored = plan.textures[sampler.key]
        value = given.get(stored.tensor)
        if stored.quantization is not None and value is not None:
            own = stored.quantization.reading_error(stored.shape).reshape(np.shape(value))
            errors[stored.tensor] = np.asarray(own) + errors.get(stored.tensor, 0.0)
        if stored.storage == "rgb10_a2" and value is not None:  # steps are quotients, which drivers round apart
            apart = _ROUNDINGS * UNIT_ROUNDOFF["float32"] * np.abs(np.asarray(value, np.float64))
            errors[stored.tensor] = apart + errors.get(stored.tensor, 0.0)
        if sampler.filter != "linear" or value is None or np.ndim(value) != 4:
            continue
        if stored.texture_shape == tuple(np.shape(value)[-2:]):
            errors[stored.tensor] = _of_picture(np.asarray(value, np.float64)) + errors.get(stored.tensor, 0.0)
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
