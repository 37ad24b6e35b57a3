"""Creates tensors from numbers, shapes and other tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.outside_text import said_by
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.tensors import Device, Tensor, apply
from texelscope.pipeline.tensors.types import axes_of, cast, type_called

Shape = int | tuple[int, ...]


def asarray(obj: Any, /, *, dtype: str | None = None, device: Device | None = None, copy: bool | None = None) -> Tensor:
    """Converts anything that numpy takes to a tensor; returns an unchanged tensor itself, unless `copy` is true."""
    if isinstance(obj, Tensor):
        moved = obj if device is None else obj.to_device(device)
        made = moved if dtype is None else cast(moved, dtype)
        if copy is False and made is not obj:
            _refuse_copy("of the requested type and device")
        return apply("Identity", made) if copy and made is obj else made
    if copy is False:
        _refuse_copy("on the device already")
    return _made(_by_numpy("asarray", np.asarray, obj), dtype, device)


def _refuse_copy(expected: str) -> None:
    raise TexelscopeError("asarray", f"a tensor {expected}", "another one and copy=False", "Leave copy out.")


def _made(array: NDArray[Any], dtype: str | None, device: Device | None) -> Tensor:
    return Tensor(array if dtype is None else array.astype(type_called(dtype)), device=device)


def _by_numpy(who: str, make: Callable[..., NDArray[Any]], *arguments: Any, **said: Any) -> NDArray[Any]:
    """Returns numpy's array. Raises TexelscopeError, with numpy's words, where it makes none."""
    try:
        return make(*arguments, **said)
    except (ValueError, TypeError, AttributeError, ArithmeticError, BufferError) as error:
        expected, do_next = "arguments that make an array", "Correct them."
        raise TexelscopeError(who, expected, said_by(error), do_next) from None


def from_dlpack(x: Any, /, *, device: Device | None = None, copy: bool | None = None) -> Tensor:
    """Copies another library's array on the processor to a tensor."""
    if isinstance(x, Tensor):
        return asarray(x, device=device, copy=copy)
    return asarray(_by_numpy("from_dlpack", np.from_dlpack, x), device=device, copy=copy)


def arange(
    start: float,
    /,
    stop: float | None = None,
    step: float = 1,
    *,
    dtype: str | None = None,
    device: Device | None = None,
) -> Tensor:
    """Counts from `start` up to `stop`, which is left out; one number alone is the stop."""
    ends = (0, start) if stop is None else (start, stop)
    return _made(_by_numpy("arange", np.arange, *ends, step), dtype, device)


def linspace(
    start: float,
    stop: float,
    /,
    num: int,
    *,
    dtype: str | None = None,
    device: Device | None = None,
    endpoint: bool = True,
) -> Tensor:
    """Returns `num` numbers from `start` to `stop`, equally far apart; without `endpoint` the last is left out."""
    return _made(_by_numpy("linspace", np.linspace, start, stop, num, endpoint=endpoint), dtype or "float32", device)


def full(shape: Shape, fill_value: float, *, dtype: str | None = None, device: Device | None = None) -> Tensor:
    """Fills a tensor with one number; its type is by default that of the number."""
    return _made(_by_numpy("full", np.full, shape, fill_value), dtype, device)


def zeros(shape: Shape, *, dtype: str | None = None, device: Device | None = None) -> Tensor:
    """Fills a tensor with 0, by default float32."""
    return full(shape, 0.0, dtype=dtype, device=device)


def ones(shape: Shape, *, dtype: str | None = None, device: Device | None = None) -> Tensor:
    """Fills a tensor with 1, by default float32."""
    return full(shape, 1.0, dtype=dtype, device=device)


def empty(shape: Shape, *, dtype: str | None = None, device: Device | None = None) -> Tensor:
    """Returns a tensor of any numbers: 0."""
    return zeros(shape, dtype=dtype, device=device)


def full_like(x: Tensor, /, fill_value: float, *, dtype: str | None = None, device: Device | None = None) -> Tensor:
    """Fills a tensor like `x` with one number, by default of its type and on its device."""
    numbers = np.full(x.shape, fill_value).astype(type_called(dtype or x.dtype))
    return Tensor(numbers, layout=x.layout, device=device or x.device)


def zeros_like(x: Tensor, /, *, dtype: str | None = None, device: Device | None = None) -> Tensor:
    """Fills a tensor like `x` with 0."""
    return full_like(x, 0, dtype=dtype, device=device)


def ones_like(x: Tensor, /, *, dtype: str | None = None, device: Device | None = None) -> Tensor:
    """Fills a tensor like `x` with 1."""
    return full_like(x, 1, dtype=dtype, device=device)


def empty_like(x: Tensor, /, *, dtype: str | None = None, device: Device | None = None) -> Tensor:
    """Returns any numbers in a tensor like `x`: 0."""
    return zeros_like(x, dtype=dtype, device=device)


def eye(
    n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: str | None = None, device: Device | None = None
) -> Tensor:
    """Fills a diagonal, `k` to the right of the main one, with 1, and the rest with 0."""
    return _made(_by_numpy("eye", np.eye, n_rows, n_cols, k=k), dtype, device)


def meshgrid(*arrays: Tensor, indexing: Literal["xy", "ij"] = "xy") -> tuple[Tensor, ...]:
    """Spreads each one-axis tensor along a separate axis; "xy" swaps the first two axes."""
    if indexing not in ("xy", "ij"):
        raise TexelscopeError("meshgrid", "an indexing 'xy' or 'ij'", f"'{indexing}'", "Use one of them.")
    order = [*range(len(arrays))]
    if indexing == "xy" and len(arrays) > 1:
        order[:2] = [1, 0]
    shape = [0] * len(arrays)
    for each, axis in zip(arrays, order, strict=True):
        shape[axis] = each.size
    along = ([-1 if i == axis else 1 for i in range(len(arrays))] for axis in order)
    return tuple(each.reshape(size).broadcast_to(tuple(shape)) for each, size in zip(arrays, along, strict=True))


def tril(x: Tensor, /, *, k: int = 0) -> Tensor:
    """Keeps the part on and below a diagonal of each matrix, `k` to the right of the main one; 0 elsewhere."""
    return _triangle("tril", x, k, upper=0)


def triu(x: Tensor, /, *, k: int = 0) -> Tensor:
    """Keeps the part on and above a diagonal of each matrix, `k` to the right of the main one; 0 elsewhere."""
    return _triangle("triu", x, k, upper=1)


def _triangle(who: str, x: Tensor, k: int, upper: int) -> Tensor:
    axes_of(who, x.ndim, (-2, -1))
    return apply("Trilu", x, np.array(k, np.int64), upper=upper)
