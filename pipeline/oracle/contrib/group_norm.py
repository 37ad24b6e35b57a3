"""GroupNorm: gamma · (x − mean) / √(variance + epsilon) + beta, statistics by group of channels; perhaps SiLU."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.curves import logistic
from texelscope.pipeline.oracle.arithmetic.invocation import Array, Invocation, Outputs

OPERATOR = "GroupNorm"


def evaluate(invocation: Invocation) -> Outputs:
    """X [N, H, W, C], or [N, C, H, W] unless `channels_last`, gamma and beta [C] → X's shape."""
    x = invocation.required(0)
    return (by_group(invocation, x).astype(x.dtype),)


def by_group(invocation: Invocation, x: Array) -> Array:
    """The normalisation of `x`, float64, in its shape."""
    said = invocation.attributes
    axis = x.ndim - 1 if said.get("channels_last", 1) else 1
    channels = np.moveaxis(x.astype(np.float64), axis, 1)
    groups = channels.reshape(len(x), int(said["groups"]), -1)
    apart = groups - groups.mean(axis=2, keepdims=True)
    scaled = apart / np.sqrt((apart**2).mean(axis=2, keepdims=True) + float(said.get("epsilon", 1e-5)))
    by_channel = (-1, *(1,) * (x.ndim - 2))
    y = scaled.reshape(channels.shape) * invocation.required(1).reshape(by_channel)
    y = y + invocation.required(2).reshape(by_channel)
    return np.moveaxis(y * logistic(y) if said.get("activation") else y, 1, axis)
