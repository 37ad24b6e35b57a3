"""AveragePool: the sum of each window over the number of elements in it, with or without padding."""

from __future__ import annotations

import functools

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs
from texelscope.pipeline.oracle.arithmetic.window_axes import window_axes
from texelscope.pipeline.oracle.arithmetic.window_sums import window_sums

OPERATOR = "AveragePool"


def evaluate(invocation: Invocation) -> Outputs | None:
    """X [N, C, spatial…] → [N, C, spatial…].

    What hangs over the padded input (`ceil_mode`) is never counted; padding is if `count_include_pad` is set.
    """
    x = invocation.required(0)
    axes = window_axes(x.shape[2:], invocation.attribute("kernel_shape"), invocation.attributes)
    if axes is None or not invocation.is_real:
        return None
    with_padding = bool(invocation.attribute("count_include_pad"))
    counts = functools.reduce(np.multiply.outer, (axis.counts(with_padding=with_padding) for axis in axes))
    return (window_sums(x, axes) / counts.astype(x.dtype),)
