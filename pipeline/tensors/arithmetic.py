"""Defines arithmetic of tensors: operators of Python, functions of each element, products of matrices."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.tensors.apply import apply, records
from texelscope.pipeline.tensors.core import REAL, Core
from texelscope.pipeline.tensors.types import beside, broadcast_shape, cast, real, together


class Arithmetic(Core):
    """Implements Python's operators. Tensors, numbers and arrays broadcast; types promote as in PyTorch."""

    def _with(self, op_type: str, other: Any, *, turned: bool = False) -> Self:
        """Applies the operator to both in one type, `other` first if `turned`."""
        x, y = together(self, other)
        if x.shape != y.shape:
            broadcast_shape(op_type, x.shape, y.shape)
        return apply(op_type, y, x) if turned else apply(op_type, x, y)

    def __add__(self, other: Any) -> Self:
        return self._with("Add", other)

    def __radd__(self, other: Any) -> Self:
        return self._with("Add", other, turned=True)

    def __sub__(self, other: Any) -> Self:
        return self._with("Sub", other)

    def __rsub__(self, other: Any) -> Self:
        return self._with("Sub", other, turned=True)

    def __mul__(self, other: Any) -> Self:
        return self._with("Mul", other)

    def __rmul__(self, other: Any) -> Self:
        return self._with("Mul", other, turned=True)

    def __truediv__(self, other: Any) -> Self:
        return real(self)._with("Div", real(beside(self, other)))

    def __rtruediv__(self, other: Any) -> Self:
        return real(self)._with("Div", real(beside(self, other)), turned=True)

    def __floordiv__(self, other: Any) -> Self:
        x, y = together(self, other)
        if x.dtype == REAL:
            return (x / y).floor()
        return (x - x % y)._with("Div", y)

    def __rfloordiv__(self, other: Any) -> Self:
        left: Self = beside(self, other)
        return left // self

    def __mod__(self, other: Any) -> Self:
        """Returns the remainder, with the sign of the divisor."""
        x, y = together(self, other)
        return x - (x / y).floor() * y if x.dtype == REAL else x._with("Mod", y)

    def __rmod__(self, other: Any) -> Self:
        left: Self = beside(self, other)
        return left % self

    def __pow__(self, other: Any) -> Self:
        if isinstance(other, int | float):  # the derivative of a known exponent is simpler
            return apply("Pow", real(self) if isinstance(other, float) else self, np.asarray(other, np.float32))
        return self._with("Pow", other)

    def __rpow__(self, other: Any) -> Self:
        return self._with("Pow", other, turned=True)

    def matmul(self, other: Any) -> Self:
        """Returns the product of matrices, of batches of them, or of vectors."""
        x, y = together(self, other)
        if not x.ndim or not y.ndim:
            got = f"{list(x.shape)} @ {list(y.shape)}"
            raise TexelscopeError("MatMul", "tensors with an axis at least", got, "Multiply by a number with *.")
        rows = y.shape[-2] if y.ndim > 1 else y.shape[0]
        if x.shape[-1] != rows:
            got = f"{list(x.shape)} @ {list(y.shape)}"
            raise TexelscopeError("MatMul", f"{x.shape[-1]} rows on the right", got, "Transpose one of them.")
        broadcast_shape("MatMul", x.shape[:-2], y.shape[:-2])
        return apply("MatMul", x, y)

    def __rmatmul__(self, other: Any) -> Self:
        left: Self = beside(self, other)
        return left.matmul(self)

    def __matmul__(self, other: Any) -> Self:
        return self.matmul(other)

    def __neg__(self) -> Self:
        return apply("Neg", self)

    def __pos__(self) -> Self:
        return self

    def __abs__(self) -> Self:
        return self.abs()

    # -- in place --------------------------------------------------------------------------------------------

    def assign(self, other: Any) -> Self:
        """Takes over the numbers of `other`, of its shape. Raises TexelscopeError for a leaf that is recorded."""
        if records() and self.requires_grad and self.is_leaf:
            got = "a leaf that requires a gradient"
            raise TexelscopeError("change in place", "a tensor without gradient", got, "Do it in no_grad().")
        value = cast(beside(self, other), self.dtype)
        self.put(value)
        return self

    def __iadd__(self, other: Any) -> Self:
        return self.assign(self + other)

    def __isub__(self, other: Any) -> Self:
        return self.assign(self - other)

    def __imul__(self, other: Any) -> Self:
        return self.assign(self * other)

    def __itruediv__(self, other: Any) -> Self:
        return self.assign(self / other)

    def __ifloordiv__(self, other: Any) -> Self:
        return self.assign(self // other)

    def __imod__(self, other: Any) -> Self:
        return self.assign(self % other)

    def __ipow__(self, other: Any) -> Self:
        return self.assign(self**other)

    def __imatmul__(self, other: Any) -> Self:
        return self.assign(self @ other)

    # -- comparisons -----------------------------------------------------------------------------------------

    __hash__ = Core.__hash__

    def __eq__(self, other: object) -> Self:  # type: ignore[override]  # element by element
        return self._with("Equal", other)

    def __ne__(self, other: object) -> Self:  # type: ignore[override]
        return apply("Not", self._with("Equal", other))

    def __lt__(self, other: Any) -> Self:
        return self._with("Less", other)

    def __le__(self, other: Any) -> Self:
        return self._with("LessOrEqual", other)

    def __gt__(self, other: Any) -> Self:
        return self._with("Greater", other)

    def __ge__(self, other: Any) -> Self:
        return self._with("GreaterOrEqual", other)

    # -- types and functions of an element -------------------------------------------------------------------

    def astype(self, dtype: str) -> Self:
        """Converts to another type: float32, int64, int32, bool."""
        return cast(self, np.dtype(dtype).name)

    def float(self) -> Self:
        """Converts to real numbers."""
        return real(self)

    def long(self) -> Self:
        """Converts to whole numbers, cut towards zero."""
        return cast(self, "int64")

    def abs(self) -> Self:
        """Returns |x|."""
        return apply("Abs", self)

    def floor(self) -> Self:
        """Rounds down to a whole number."""
        return apply("Floor", self) if self.dtype == REAL else self

    def ceil(self) -> Self:
        """Rounds up to a whole number."""
        return apply("Ceil", self) if self.dtype == REAL else self

    def round(self) -> Self:
        """Rounds to the nearest whole number, the even one of two."""
        return apply("Round", self) if self.dtype == REAL else self

    def sign(self) -> Self:
        """Returns −1, 0 or 1."""
        return apply("Sign", self)

    def clip(self, low: Any = None, high: Any = None) -> Self:
        """Clamps between two numbers, or above or below one."""
        bounds = (None if each is None else np.asarray(each, self.dtype) for each in (low, high))
        return apply("Clip", self, *bounds)

    clamp = clip
