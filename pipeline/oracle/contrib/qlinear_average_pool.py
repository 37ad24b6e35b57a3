"""QLinearAveragePool: Dequantize(Input) -> AveragePool on fp32 data -> Quantize(output)."""

from __future__ import annotations

import dataclasses

import numpy as np

from texelscope.pipeline.oracle.arithmetic.codes import quantised, real
from texelscope.pipeline.oracle.arithmetic.invocation import Invocation, Outputs
from texelscope.pipeline.oracle.pools import average_pool

OPERATOR = "QLinearAveragePool"


def evaluate(invocation: Invocation) -> Outputs:
    """X [N, C, spatial…] or with `channels_last` [N, spatial…, C], scale, zero point, scale and zero point of Y."""
    x, turned = real(invocation, 0, 1, 2), bool(invocation.attribute("channels_last"))
    pooled = average_pool.evaluate(dataclasses.replace(invocation, inputs=(np.moveaxis(x, -1, 1) if turned else x,)))
    if pooled is None:
        raise ValueError("no pool of this shape")
    y = np.moveaxis(pooled[0], 1, -1) if turned else pooled[0]
    return (quantised(invocation, y, 3, 4, invocation.required(0)),)
