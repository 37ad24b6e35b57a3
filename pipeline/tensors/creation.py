"""Tensors made of a shape."""

from __future__ import annotations

from typing import Any

import numpy as np

from texelscope.pipeline.tensors.tensor import Tensor


def full(shape: int | tuple[int, ...], value: float, **options: Any) -> Tensor:
    """One number everywhere; `options` as for `Tensor`."""
    return Tensor(np.full(shape, value), **options)


def zeros(shape: int | tuple[int, ...], **options: Any) -> Tensor:
    """0 everywhere, float32."""
    return full(shape, 0.0, **options)


def ones(shape: int | tuple[int, ...], **options: Any) -> Tensor:
    """1 everywhere, float32."""
    return full(shape, 1.0, **options)


def full_like(x: Tensor, value: float) -> Tensor:
    """One number in a tensor like `x`, of its type and on its device."""
    return Tensor(np.full(x.shape, value, x.dtype), layout=x.layout, device=x.device)


def zeros_like(x: Tensor) -> Tensor:
    """0 in a tensor like `x`."""
    return full_like(x, 0)


def ones_like(x: Tensor) -> Tensor:
    """1 in a tensor like `x`."""
    return full_like(x, 1)


def arange(start: float, stop: float | None = None, step: float = 1, **options: Any) -> Tensor:
    """From `start` up to `stop`, which is left out; one number alone is where it stops."""
    return Tensor(np.arange(start, stop, step) if stop is not None else np.arange(0, start, step), **options)
