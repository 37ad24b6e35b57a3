"""Quantised tensors: eight-bit codes for real numbers, real = scale · (code − zero point)."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.oracle.arithmetic.invocation import Array, Invocation


def offset(invocation: Invocation, codes: int, zero: int) -> Array:
    """The codes at that position less their zero point: whole numbers in float64."""
    return invocation.required(codes).astype(np.float64) - _zero(invocation, zero)


def real(invocation: Invocation, codes: int, scale: int, zero: int) -> Array:
    """The numbers that codes stand for, float64; scale and zero point are for the whole tensor."""
    return offset(invocation, codes, zero) * invocation.required(scale).reshape(()).astype(np.float64)


def quantised(invocation: Invocation, y: Array, scale: int, zero: int, like: Array) -> Array:
    """Codes of `y`, of the type of `like`: rounded to the nearest, ties to even, and saturated."""
    steps = y / invocation.required(scale).reshape(()).astype(np.float64)
    limits = np.iinfo(like.dtype)
    shifted: Array = np.clip(np.rint(steps) + _zero(invocation, zero), limits.min, limits.max)
    return shifted.astype(like.dtype)


def _zero(invocation: Invocation, position: int) -> Array:
    zero = invocation.input(position)
    return np.zeros(()) if zero is None else zero.astype(np.float64).reshape(() if zero.size == 1 else zero.shape)


def along(invocation: Invocation, parameter: Array, rank: int) -> Array:
    """A scale or zero point in float64: one for all, or one for each place of the attribute `axis`, 1 unless given."""
    if parameter.size == 1:
        return parameter.reshape(()).astype(np.float64)
    axis = int(invocation.attributes.get("axis", 1)) % rank
    return parameter.astype(np.float64).reshape([-1 if each == axis else 1 for each in range(rank)])


def spelt(packed: Array, bits: int) -> Array:
    """Every byte [rows, k] as the numbers that its bits spell, the lowest first: float64 [rows, k · 8 / bits]."""
    apart = np.unpackbits(packed, axis=-1, bitorder="little").reshape(len(packed), -1, bits)
    return np.asarray(apart @ (2.0 ** np.arange(bits)))
