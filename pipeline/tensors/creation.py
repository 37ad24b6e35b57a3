"""Creates tensors of a given shape."""

from __future__ import annotations

from typing import Any

import numpy as np

from texelscope.pipeline.tensors.tensor import Tensor


def full(shape: int | tuple[int, ...], value: float, **options: Any) -> Tensor:
    """Fills a tensor with one number; `options` as for `Tensor`."""
    return Tensor(np.full(shape, value), **options)


def zeros(shape: int | tuple[int, ...], **options: Any) -> Tensor:
    """Fills a tensor with 0, float32."""
    return full(shape, 0.0, **options)


def ones(shape: int | tuple[int, ...], **options: Any) -> Tensor:
    """Fills a tensor with 1, float32."""
    return full(shape, 1.0, **options)


def full_like(x: Tensor, value: float) -> Tensor:
    """Fills a tensor like `x` with one number, of its type and on its device."""
    return Tensor(np.full(x.shape, value, x.dtype), layout=x.layout, device=x.device)


def zeros_like(x: Tensor) -> Tensor:
    """Fills a tensor like `x` with 0."""
    return full_like(x, 0)


def ones_like(x: Tensor) -> Tensor:
    """Fills a tensor like `x` with 1."""
    return full_like(x, 1)


def arange(start: float, stop: float | None = None, step: float = 1, **options: Any) -> Tensor:
    """Counts from `start` up to `stop`, which is left out; one number alone is the stop."""
    return Tensor(np.arange(start, stop, step) if stop is not None else np.arange(0, start, step), **options)
