"""Draws arguments for functions of the standard: arrays of the types that tensors have, of small shapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

REAL, WHOLE, TRUTH = ("float32",), ("int32", "int64"), ("bool",)
NUMERIC, ALL = (*REAL, *WHOLE), (*REAL, *WHOLE, *TRUTH)
SHAPES: Sequence[tuple[int, ...]] = ((), (1,), (4,), (2, 3), (3, 1), (0,), (2, 0), (2, 1, 3))
WITH_AXES = SHAPES[1:]
FULL = tuple(shape for shape in SHAPES if 0 not in shape)
_SPECIAL = (np.nan, np.inf, -np.inf, 0.0, -0.0)


class Drawn:
    """Draws one call's arguments."""

    def __init__(self, data: st.DataObject) -> None:
        self._data = data

    def one_of(self, values: Sequence[Any]) -> Any:
        """Returns one of several."""
        return self._data.draw(st.sampled_from(list(values)))

    def array(
        self,
        types: Sequence[str] = ALL,
        shapes: Sequence[tuple[int, ...]] = SHAPES,
        *,
        low: float = -16,
        high: float = 16,
        special: bool = False,
    ) -> np.ndarray:
        """An array of one of the types and shapes, of eighths from `low` to `high`; `special`: NaN and infinities."""
        dtype, shape = self.one_of(types), self.one_of(shapes)
        size = int(np.prod(shape))
        if dtype == "bool":
            numbers: st.SearchStrategy[Any] = st.booleans()
        elif dtype in WHOLE:
            numbers = st.integers(int(low), int(high))
        else:
            numbers = st.integers(int(low * 8), int(high * 8)).map(lambda n: n / 8)
            numbers = st.one_of(numbers, st.sampled_from(_SPECIAL)) if special else numbers
        values = self._data.draw(st.lists(numbers, min_size=size, max_size=size))
        return np.array(values, dtype).reshape(shape)

    def pair(self, types: Sequence[str] = ALL, **options: Any) -> tuple[Any, Any]:
        """Two operands of one type that broadcast; one may be a number."""
        one = self.array(types, **options)
        shape = tuple(self.one_of((1, size)) for size in one.shape)
        shape = shape[self.one_of(range(len(shape) + 1)) :]
        other = self.array((one.dtype.name,), (shape,), **{k: v for k, v in options.items() if k != "shapes"})
        kind = self.one_of(("arrays", "arrays", "number"))
        return (one, other.reshape(-1)[0].item()) if kind == "number" and other.size else (one, other)

    def axis(self, x: np.ndarray, *, none: bool = False) -> Any:
        """Returns an axis of `x`, counted from either end; None too."""
        return self.one_of([*([None] if none else []), *range(-x.ndim, x.ndim)])

    def axes(self, x: np.ndarray) -> Any:
        """Returns None, an axis, or several."""
        several = [tuple(range(x.ndim)), tuple(range(x.ndim))[1:]] if x.ndim else []
        return self.one_of([None, *range(-x.ndim, x.ndim), *several])

    def truth(self) -> bool:
        """Returns True or False."""
        return bool(self.one_of((False, True)))
