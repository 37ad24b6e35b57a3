"""Creates tensors of a given shape, joins several, chooses between them, looks up parts, and pads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.tensors.apply import apply
from texelscope.pipeline.tensors.tensor import Tensor
from texelscope.pipeline.tensors.types import axes_of, beside, broadcast_shape, cast, together


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


# ONNX's names for PyTorch's padding modes.
_RIMS = {"constant": "constant", "reflect": "reflect", "replicate": "edge", "circular": "wrap"}


def concat(tensors: Sequence[Tensor], axis: int = 0) -> Tensor:
    """Joins one after another along an axis; the other sizes are equal."""
    _check_some("concat", tensors)
    at = axes_of("concat", tensors[0].ndim, axis)[0]
    shapes = {(*each.shape[:at], *each.shape[at + 1 :]) for each in tensors}
    if len(shapes) > 1:
        got, do_next = ", ".join(str(list(each.shape)) for each in tensors[:4]), "Reshape or cut them."
        raise TexelscopeError("concat", f"equal sizes beside axis {axis}", got, do_next)
    dtype = tensors[0].dtype
    for each in tensors[1:]:
        dtype = together(tensors[0] if dtype == tensors[0].dtype else cast(tensors[0], dtype), each)[0].dtype
    return apply("Concat", *(cast(each, dtype) for each in tensors), axis=at)


def stack(tensors: Sequence[Tensor], axis: int = 0) -> Tensor:
    """Joins one beside another along a new axis."""
    _check_some("stack", tensors)
    return concat([each.unsqueeze(axis) for each in tensors], axis)


def _check_some(who: str, tensors: Sequence[Tensor]) -> None:
    if not tensors:
        raise TexelscopeError(who, "a tensor at least", "none", "Give it some.")


def where(condition: Tensor, x: Any, y: Any) -> Tensor:
    """Returns `x` where the condition is true, else `y`; all three broadcast."""
    one, other = together(
        x if isinstance(x, Tensor) else beside(y if isinstance(y, Tensor) else condition.float(), x), y
    )
    broadcast_shape("where", broadcast_shape("where", one.shape, other.shape), condition.shape)
    return apply("Where", cast(condition, "bool"), one, other)


def maximum(x: Tensor, y: Any) -> Tensor:
    """Returns the larger of both, element by element."""
    one, other = together(x, y)
    broadcast_shape("maximum", one.shape, other.shape)
    return apply("Max", one, other)


def minimum(x: Tensor, y: Any) -> Tensor:
    """Returns the smaller of both, element by element."""
    one, other = together(x, y)
    broadcast_shape("minimum", one.shape, other.shape)
    return apply("Min", one, other)


def take(x: Tensor, indices: Any, axis: int = 0) -> Tensor:
    """Takes the parts at those places along an axis, which the axes of `indices` replace (`numpy.take`)."""
    at = axes_of("take", x.ndim, axis)[0]
    return apply("Gather", x, beside(x, np.asarray(indices)) if not isinstance(indices, Tensor) else indices, axis=at)


def gather(x: Tensor, dim: int, index: Tensor) -> Tensor:
    """Takes for each element of `index` that of `x` at its place, with `index` along `dim` (torch.gather)."""
    return apply("GatherElements", x, index, axis=axes_of("gather", x.ndim, dim)[0])


def pad(x: Tensor, widths: Sequence[int], mode: str = "constant", value: float = 0.0) -> Tensor:
    """Pads: (before, after) of the last axis, then of the one before it … (torch.nn.functional.pad).

    `mode` is constant, reflect, replicate or circular. Widths below zero cut off.
    """
    if mode not in _RIMS:
        raise TexelscopeError("pad", ", ".join(_RIMS), f"'{mode}'", "Use one of them.")
    if len(widths) % 2 or len(widths) > 2 * x.ndim:
        raise TexelscopeError("pad", f"pairs for at most {x.ndim} axes", str(list(widths)), "Give two for each.")
    pairs = [(0, 0)] * (x.ndim - len(widths) // 2) + [*zip(widths[::2], widths[1::2], strict=True)][::-1]
    numbers = np.array([*(each[0] for each in pairs), *(each[1] for each in pairs)], np.int64)
    fill = np.asarray(value, x.dtype) if mode == "constant" else None
    return apply("Pad", x, numbers, *([] if fill is None else [fill]), mode=_RIMS[mode])
