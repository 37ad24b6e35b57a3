"""QLinearGlobalAveragePool: the mean over all axes but those of batch and channel."""

from __future__ import annotations

from texelscope.pipeline.oracle.arithmetic.codes import quantised, real
from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs

OPERATOR = "QLinearGlobalAveragePool"


def evaluate(invocation: Invocation) -> Outputs:
    """X [N, C, spatial…] or with `channels_last` [N, spatial…, C], scale, zero point, scale and zero point of Y."""
    x = real(invocation, 0, 1, 2)
    spatial = range(1, x.ndim - 1) if invocation.attribute("channels_last") else range(2, x.ndim)
    mean = x.mean(axis=tuple(spatial), keepdims=True)
    return (quantised(invocation, mean, 3, 4, invocation.required(0)),)
