"""Defines the expected outputs of this folder's passes."""

from typing import Any

import numpy as np

Array = Any


def mat_mul(matrixA: Array, matrixB: Array, bias: Array) -> Array:
    sums = matrixA @ matrixB + bias
    return np.where(sums > 0, sums, 0.2 * sums)


def centred(x: Array, gain: Array) -> Array:
    return (x - x.mean(axis=-1, keepdims=True)) * gain


def transposed(A: Array) -> Array:
    return A.transpose(2, 0, 1)


def padded(x: Array) -> Array:
    return np.pad(x, ((1, 3), (2, 0)), constant_values=-1.0)
