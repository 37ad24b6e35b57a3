"""Tensors joined along axes."""

from __future__ import annotations

from typing import Self

import numpy as np

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.tensors.apply import apply
from texelscope.pipeline.tensors.core import REAL, Core
from texelscope.pipeline.tensors.types import axes_of, cast, real

Axes = int | tuple[int, ...] | None


class Reductions(Core):
    """Sums and their like; without axes along all of them."""

    def _joined(self, op_type: str, axis: Axes, *, keepdims: bool) -> Self:
        axes = axes_of(op_type, self.ndim, axis)
        return apply(op_type, self, np.array(axes, np.int64), keepdims=int(keepdims)) if axes else self

    def sum(self, axis: Axes = None, *, keepdims: bool = False) -> Self:
        """The sum; of truth how often it is true."""
        x = cast(self, "int64") if self.dtype == "bool" else self
        return x._joined("ReduceSum", axis, keepdims=keepdims)

    def mean(self, axis: Axes = None, *, keepdims: bool = False) -> Self:
        """The mean, a real number."""
        x = real(self)
        if not x.size:
            return apply("Div", x.sum(axis, keepdims=keepdims), np.zeros((), np.float32))
        return x._joined("ReduceMean", axis, keepdims=keepdims)

    def max(self, axis: Axes = None, *, keepdims: bool = False) -> Self:
        """The largest."""
        return self._joined("ReduceMax", axis, keepdims=keepdims)

    def min(self, axis: Axes = None, *, keepdims: bool = False) -> Self:
        """The smallest."""
        return self._joined("ReduceMin", axis, keepdims=keepdims)

    def prod(self, axis: Axes = None, *, keepdims: bool = False) -> Self:
        """The product."""
        x = cast(self, "int64") if self.dtype == "bool" else self
        return x._joined("ReduceProd", axis, keepdims=keepdims)

    def any(self, axis: Axes = None, *, keepdims: bool = False) -> Self:
        """Whether one is not zero."""
        x = cast(cast(self, "bool"), "int64")
        return cast(x.max(axis, keepdims=keepdims) if x.size else x.sum(axis, keepdims=keepdims), "bool")

    def all(self, axis: Axes = None, *, keepdims: bool = False) -> Self:
        """Whether none is zero."""
        return apply("Not", cast(apply("Not", cast(self, "bool")), "bool").any(axis, keepdims=keepdims))

    def var(self, axis: Axes = None, *, correction: float = 0.0, keepdims: bool = False) -> Self:
        """The variance, over the number of elements less `correction` (the array API's default, 0)."""
        x = real(self)
        axes = axes_of("var", self.ndim, axis)
        count = float(np.prod([self.shape[each] for each in axes], dtype=np.int64))
        if count <= correction:
            got = f"{count:g} elements, less {correction:g}"
            raise TexelscopeError("var", "elements to divide by", got, "Use a smaller correction.")
        away = apply("Sub", x, x.mean(axes, keepdims=True))
        total = apply("Mul", away, away).sum(axes, keepdims=keepdims)
        return apply("Mul", total, x.like(x.device.number(1.0 / (count - correction), REAL, x.layout)))

    def std(self, axis: Axes = None, *, correction: float = 0.0, keepdims: bool = False) -> Self:
        """The root of the variance."""
        return apply("Sqrt", self.var(axis, correction=correction, keepdims=keepdims))

    def argmax(self, axis: int | None = None, *, keepdims: bool = False) -> Self:
        """Where the largest is along the axis, or of all elements in a row; the first of several. int64."""
        return self._place("ArgMax", axis, keepdims=keepdims)

    def argmin(self, axis: int | None = None, *, keepdims: bool = False) -> Self:
        """Where the smallest is."""
        return self._place("ArgMin", axis, keepdims=keepdims)

    def _place(self, op_type: str, axis: int | None, *, keepdims: bool) -> Self:
        if axis is not None:
            return apply(op_type, self, axis=axes_of(op_type, self.ndim, axis)[0], keepdims=int(keepdims))
        flat = apply("Reshape", self, np.array([-1], np.int64))
        found = apply(op_type, flat, axis=0, keepdims=0)
        return apply("Reshape", found, np.ones(self.ndim, np.int64)) if keepdims and self.ndim else found
