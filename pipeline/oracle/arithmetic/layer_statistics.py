"""Tensors by the statistics of their own last axes."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Array


def by_layer(x: Array, gamma: Array, beta: Array | None, *, axis: int, epsilon: float) -> tuple[Array, Array, Array]:
    """(x − mean) / √(variance + epsilon) · gamma + beta over the axes from `axis` on; mean; and the inverse root."""
    axes = tuple(range(axis % x.ndim, x.ndim))
    mean = x.mean(axis=axes, keepdims=True, dtype=np.float64)
    apart = x - mean
    inverse = 1.0 / np.sqrt((apart * apart).mean(axis=axes, keepdims=True) + epsilon)
    y = apart * inverse * gamma
    return (y if beta is None else y + beta), mean, inverse


def by_root(x: Array, gamma: Array, *, axis: int, epsilon: float) -> tuple[Array, Array]:
    """x / √(mean square + epsilon) · gamma over the axes from `axis` on, and the inverse root."""
    axes = tuple(range(axis % x.ndim, x.ndim))
    wide = x.astype(np.float64)
    inverse = 1.0 / np.sqrt((wide * wide).mean(axis=axes, keepdims=True) + epsilon)
    return wide * inverse * gamma, inverse
