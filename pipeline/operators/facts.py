"""Describes an operator as plain data: for callers that invert it, vary it, or need a few of its elements.

Each operator states it (`Operator.facts`); what follows from a family's table, the family fills in.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.graph import Shape

Array = NDArray[Any]
Function = Callable[[Array], Array]
# Operations that combine a window's elements, or the terms of a product.
WindowKind = Literal["convolution", "transposed", "product", "largest", "mean"]


def _same(x: Array) -> Array:
    return x


@dataclass(frozen=True)
class Accumulator:
    """Describes a loop's state: `by` is the ufunc that combines, `finish` computes the result, `start` inverts that."""

    by: np.ufunc
    start: Function = _same
    finish: Function = _same


SUM = Accumulator(np.add)


@dataclass(frozen=True)
class Threshold:
    """Says that an element counts if its `size` is above the number attribute of that name, and is 0 below."""

    attribute: str
    size: Function = _same


@dataclass(frozen=True)
class Facts:
    """States what holds for every node of an operator, of its first output. What is not stated does not hold.

    pointwise: an element depends on the same element of the operands, which broadcast; inputs from position
    `operands` on are settings, not operands. by_channel: the same but for operands of one value a channel.
    moves: each element is one of an input's (`Operator.reads` says which); keeps_order: in the same order.
    adds: the operands are summed up, a constant one is an addend; addend: the position of the input that is one.
    multiplies: sums of products of the first operand's elements. is_ordered: two operands that cannot be swapped.
    is_activation: it is put behind a layer. shaped_by: number attributes that shape its curve.
    means: sums are divided by the number of their terms; divides: by something else, or a constant is multiplied.
    share: the result as a function of x − ln Σe^x, the sum over the elements of `Operator.rows`.
    neutral: by input, the last for all further ones, the value that does not change the result of the others.
    may_move: as `moves`, in some of its forms. rounded_by: the functions of GLSL that round as it does.
    """

    pointwise: bool = False
    operands: int | None = None
    by_channel: bool = False
    moves: bool = False
    keeps_order: bool = False
    adds: bool = False
    addend: int | None = None
    multiplies: bool = False
    is_ordered: bool = False
    is_activation: bool = False
    shaped_by: tuple[str, ...] = ()
    threshold: Threshold | None = None
    means: bool = False
    divides: bool = False
    window: WindowKind | None = None
    accumulator: Accumulator | None = None
    share: Function | None = None
    neutral: tuple[float, ...] = ()
    may_move: bool = False
    rounded_by: tuple[str, ...] = ()


# The facts of an operator that states nothing.
NOTHING = Facts()


@dataclass(frozen=True)
class Rows:
    """Groups elements along `axes`, counted from the front, of a tensor seen as `view`."""

    view: Shape
    axes: tuple[int, ...]

    @property
    def count(self) -> int:
        """The number of elements of a row."""
        return math.prod(self.view[axis] for axis in self.axes)

    def of(self, x: Array) -> Array:
        """Returns [rows, count]: the elements of each row in order."""
        others = math.prod(size for axis, size in enumerate(self.view) if axis not in self.axes)
        return np.asarray(x.reshape(self.view).transpose(self._order).reshape(others, self.count))

    def back(self, rows: Array) -> Array:
        """Converts [rows, count] back to the shape `view`."""
        ordered = rows.reshape([self.view[axis] for axis in self._order])
        return np.asarray(ordered.transpose(np.argsort(self._order)))

    @property
    def _order(self) -> tuple[int, ...]:
        return (*(axis for axis in range(len(self.view)) if axis not in self.axes), *self.axes)
