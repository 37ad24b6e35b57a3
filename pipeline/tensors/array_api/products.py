"""Products of vectors and matrices."""

from __future__ import annotations

import math
from collections.abc import Sequence

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.tensors import Tensor
from texelscope.pipeline.tensors.array_api.manipulation import permute_dims
from texelscope.pipeline.tensors.types import axes_of


def matmul(x1: Tensor, x2: Tensor, /) -> Tensor:
    """The product of matrices, of batches of them, or of vectors."""
    return x1.matmul(x2)


def matrix_transpose(x: Tensor, /) -> Tensor:
    """The last two axes in each other's place."""
    return x.mT


def vecdot(x1: Tensor, x2: Tensor, /, *, axis: int = -1) -> Tensor:
    """The sum of the products along an axis, counted from the last; the others broadcast."""
    if not -min(x1.ndim, x2.ndim) <= axis < 0:
        got, do_next = f"{axis} for {list(x1.shape)} and {list(x2.shape)}", "Count from the end."
        raise TexelscopeError("vecdot", "an axis of both, counted from the last, below 0", got, do_next)
    if x1.shape[axis] != x2.shape[axis]:
        got = f"{list(x1.shape)} and {list(x2.shape)}"
        raise TexelscopeError("vecdot", f"as many elements along axis {axis}", got, "Reshape one of them.")
    return (x1 * x2).sum(axis)


def tensordot(x1: Tensor, x2: Tensor, /, *, axes: int | tuple[Sequence[int], Sequence[int]] = 2) -> Tensor:
    """The product summed over the last axes of the one and the first of the other, or over pairs that are named."""
    if isinstance(axes, int):
        if not 0 <= axes <= min(x1.ndim, x2.ndim):
            got = f"{axes} for {list(x1.shape)} and {list(x2.shape)}"
            raise TexelscopeError("tensordot", "as many axes as both have", got, "Sum over fewer.")
        left, right = tuple(range(x1.ndim - axes, x1.ndim)), tuple(range(axes))
    else:
        left, right = (axes_of("tensordot", x.ndim, tuple(each)) for x, each in zip((x1, x2), axes, strict=True))
    sizes = [[x.shape[each] for each in gone] for x, gone in ((x1, left), (x2, right))]
    if sizes[0] != sizes[1]:
        got = f"{sizes[0]} and {sizes[1]}"
        raise TexelscopeError("tensordot", "equal sizes along the axes that are summed", got, "Correct the axes.")
    kept, others = ([i for i in range(x.ndim) if i not in gone] for x, gone in ((x1, left), (x2, right)))
    count = math.prod(sizes[0])
    rows = permute_dims(x1, (*kept, *left)).reshape(math.prod(x1.shape[i] for i in kept), count)
    columns = permute_dims(x2, (*right, *others)).reshape(count, math.prod(x2.shape[i] for i in others))
    return (rows @ columns).reshape((*(x1.shape[i] for i in kept), *(x2.shape[i] for i in others)))
