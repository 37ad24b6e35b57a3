"""Which type two tensors are computed in together, and how a number or an array becomes a tensor beside another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.tensors.apply import apply
from texelscope.pipeline.tensors.core import REAL, Core

T = TypeVar("T", bound=Core)

# What ONNX calls the types (TensorProto.DataType).
_ONNX_TYPES = {"float32": 1, "int32": 6, "int64": 7, "bool": 9}
# From the narrowest on: two types meet in the later one.
_ORDER = ("bool", "int32", "int64", REAL)
_NAMES = {"float": REAL, "float64": REAL, "int": "int64", "bool_": "bool"}


def type_called(dtype: str) -> str:
    """The type of that name. Raises TexelscopeError for another type than tensors have."""
    dtype = _NAMES.get(dtype, dtype)
    if dtype not in _ONNX_TYPES:
        raise TexelscopeError("type of a tensor", ", ".join(_ONNX_TYPES), f"'{dtype}'", "Use one of them.")
    return dtype


def later_of(types: Sequence[str]) -> str:
    """The type in which several meet."""
    return max(types, key=_ORDER.index)


def cast(x: T, dtype: str) -> T:
    """`x` as that type; itself where it is. Raises TexelscopeError for another type than tensors have."""
    dtype = type_called(dtype)
    return x if x.dtype == dtype else apply("Cast", x, to=_ONNX_TYPES[dtype])


def real(x: T) -> T:
    """`x` as real numbers."""
    return cast(x, REAL)


def beside(x: T, other: Any) -> T:
    """`other` as a tensor on the device of `x`: itself, or the numbers that it is.

    A number takes the type of `x` where that holds it, as in PyTorch.
    """
    if isinstance(other, Core):
        return other  # type: ignore[return-value]  # tensors of one program are of one class
    if isinstance(other, bool | int | float | np.number | np.bool_):
        whole = not isinstance(other, float | np.floating)
        dtype = (
            REAL if not whole else "int64" if x.dtype == "bool" and not isinstance(other, bool | np.bool_) else x.dtype
        )
        return x.like(x.device.number(other, dtype, x.layout))  # type: ignore[arg-type]  # numpy's numbers are numbers
    return type(x)(other, layout=x.layout, device=x.device)


def together(x: T, other: Any) -> tuple[T, T]:
    """Both in the type in which they meet."""
    y = beside(x, other)
    if x.dtype == y.dtype:
        return x, y
    dtype = later_of((x.dtype, y.dtype))
    return cast(x, dtype), cast(y, dtype)


def broadcast_shape(who: str, one: Shape, other: Shape) -> Shape:
    """The shape in which two meet. Raises TexelscopeError where they do not."""
    try:
        return np.broadcast_shapes(one, other)
    except ValueError:
        expected = "shapes that broadcast: from the last axis on, equal sizes or 1"
        do_next = "Reshape or unsqueeze one of them."
        raise TexelscopeError(who, expected, f"{list(one)} and {list(other)}", do_next) from None


def axes_of(who: str, rank: int, axes: int | tuple[int, ...] | list[int] | None) -> tuple[int, ...]:
    """Axes counted from the front, all of them for None. Raises TexelscopeError for one that is not there, or twice."""
    if axes is None:
        return tuple(range(rank))
    given = (axes,) if isinstance(axes, int | np.integer) else tuple(axes)
    if not all(isinstance(axis, int | np.integer) for axis in given):
        raise TexelscopeError(who, "axes as whole numbers", str(axes), "Correct them.")
    found = tuple(int(axis) + rank if axis < 0 else int(axis) for axis in given)
    if any(not 0 <= axis < rank for axis in found) or len(set(found)) < len(found):
        got, do_next = str(list(given)), "Correct them."
        raise TexelscopeError(who, f"different axes from {-rank} to {rank - 1}" if rank else "no axes", got, do_next)
    return found


def pairs_of(who: str, value: ArrayLike, count: int) -> tuple[int, ...]:
    """One whole number for each of `count` axes: those given, or one for all."""
    numbers = np.atleast_1d(np.asarray(value))
    if numbers.ndim != 1 or numbers.size not in (1, count) or numbers.dtype.kind not in "iu":
        raise TexelscopeError(who, f"a whole number, or {count} of them", str(value), "Give one for each axis.")
    return tuple(int(each) for each in np.broadcast_to(numbers, (count,)))
