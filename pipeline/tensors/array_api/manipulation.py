"""Reshapes tensors, reorders their elements, joins several, and multiplies vectors and matrices."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.tensors import Tensor, take
from texelscope.pipeline.tensors import concat as joined
from texelscope.pipeline.tensors import stack as stacked
from texelscope.pipeline.tensors.types import axes_of
from texelscope.pipeline.tensors.types import broadcast_shape as met

Axes = int | tuple[int, ...]


def broadcast_shapes(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the shape that several broadcast to. Raises TexelscopeError where there is none."""
    shape: tuple[int, ...] = ()
    for each in shapes:
        shape = met("broadcast_shapes", shape, each)
    return shape


def broadcast_arrays(*arrays: Tensor) -> tuple[Tensor, ...]:
    """Broadcasts all to one shape."""
    shape = broadcast_shapes(*(each.shape for each in arrays))
    return tuple(broadcast_to(each, shape) for each in arrays)


def broadcast_to(x: Tensor, /, shape: tuple[int, ...]) -> Tensor:
    """Repeats along axes of size 1, and along new ones before them."""
    if met("broadcast_to", x.shape, shape) != tuple(shape):
        got, do_next = f"{list(shape)}", "Correct the shape."
        raise TexelscopeError("broadcast_to", f"a shape that {list(x.shape)} broadcasts to", got, do_next)
    return x if x.shape == tuple(shape) else x.broadcast_to(tuple(shape))


def concat(arrays: Sequence[Tensor], /, *, axis: int | None = 0) -> Tensor:
    """Joins one after another along an axis; without one all elements in a row."""
    return joined([each.reshape(-1) for each in arrays], 0) if axis is None else joined(arrays, axis)


def stack(arrays: Sequence[Tensor], /, *, axis: int = 0) -> Tensor:
    """Joins one beside another along a new axis."""
    return stacked(arrays, axis)


def unstack(x: Tensor, /, *, axis: int = 0) -> tuple[Tensor, ...]:
    """Splits into the parts along an axis, which they no longer have."""
    at = axes_of("unstack", x.ndim, axis)[0]
    return tuple(x[(*(slice(None),) * at, i)] for i in range(x.shape[at]))


def expand_dims(x: Tensor, /, axis: Axes) -> Tensor:
    """Inserts axes of size 1 at those places of the result."""
    return x.unsqueeze(axis)


def squeeze(x: Tensor, /, axis: Axes) -> Tensor:
    """Removes those axes, which are of size 1."""
    return x.squeeze(axis)


def flip(x: Tensor, /, *, axis: Axes | None = None) -> Tensor:
    """Reverses axes; all of them if none is named."""
    return x.flip(axis)


def permute_dims(x: Tensor, /, axes: tuple[int, ...]) -> Tensor:
    """Reorders the axes."""
    return x.permute(tuple(axes)) if x.ndim else x


def moveaxis(x: Tensor, source: Axes, destination: Axes, /) -> Tensor:
    """Moves some axes to other places, the others in order around them."""
    before, after = (axes_of("moveaxis", x.ndim, each) for each in (source, destination))
    if len(before) != len(after):
        raise TexelscopeError("moveaxis", f"{len(before)} places", str(len(after)), "Name one for each axis.")
    order = [axis for axis in range(x.ndim) if axis not in before]
    for to, axis in sorted(zip(after, before, strict=True)):
        order.insert(to, axis)
    return permute_dims(x, tuple(order))


def reshape(x: Tensor, /, shape: tuple[int, ...], *, copy: bool | None = None) -> Tensor:
    """Reshapes, rows first; one size may be −1, the rest. Always copies."""
    if copy is False:
        raise TexelscopeError("reshape", "a copy", "copy=False", "Leave copy out.")
    return x.reshape(tuple(shape))


def repeat(x: Tensor, repeats: int | Tensor, /, *, axis: int | None = None) -> Tensor:
    """Repeats each part along an axis that often, or as often as its count; without an axis each element."""
    if axis is None:
        return repeat(x.reshape(-1), repeats, axis=0)
    at = axes_of("repeat", x.ndim, axis)[0]
    often = np.asarray(repeats.numpy() if isinstance(repeats, Tensor) else repeats)
    if often.shape not in ((), (1,), (x.shape[at],)) or (often < 0).any():
        expected = f"a number of times, or one for each of {x.shape[at]} parts"
        raise TexelscopeError("repeat", expected, str(often.tolist()), "Correct them.")
    counts = np.broadcast_to(often, (x.shape[at],))
    return take(x, np.repeat(np.arange(x.shape[at]), counts), at)


def roll(x: Tensor, /, shift: Axes, *, axis: Axes | None = None) -> Tensor:
    """Shifts along axes, the end wrapping to the front; without axes all elements in a row."""
    if axis is None:
        return roll(x.reshape(-1), shift, axis=0).reshape(x.shape)
    axes = [axes_of("roll", x.ndim, each)[0] for each in ((axis,) if isinstance(axis, int) else axis)]
    shifts = [*shift] if isinstance(shift, tuple | list) else [shift] * len(axes)
    if len(shifts) != len(axes):
        raise TexelscopeError("roll", f"{len(axes)} shifts", str(len(shifts)), "Give one for each axis.")
    for at, by in zip(axes, shifts, strict=True):
        if x.shape[at]:
            x = take(x, np.roll(np.arange(x.shape[at]), by), at)
    return x


def tile(x: Tensor, repetitions: tuple[int, ...], /) -> Tensor:
    """Repeats along each axis."""
    return x.tile(*repetitions)


def matmul(x1: Tensor, x2: Tensor, /) -> Tensor:
    """Multiplies matrices, batches of them, or vectors."""
    return x1.matmul(x2)


def matrix_transpose(x: Tensor, /) -> Tensor:
    """Swaps the last two axes."""
    return x.mT


def vecdot(x1: Tensor, x2: Tensor, /, *, axis: int = -1) -> Tensor:
    """Sums the products along an axis, counted from the last; the others broadcast."""
    if not -min(x1.ndim, x2.ndim) <= axis < 0:
        got, do_next = f"{axis} for {list(x1.shape)} and {list(x2.shape)}", "Count from the end."
        raise TexelscopeError("vecdot", "an axis of both, counted from the last, below 0", got, do_next)
    if x1.shape[axis] != x2.shape[axis]:
        got = f"{list(x1.shape)} and {list(x2.shape)}"
        raise TexelscopeError("vecdot", f"as many elements along axis {axis}", got, "Reshape one of them.")
    return (x1 * x2).sum(axis)


def tensordot(x1: Tensor, x2: Tensor, /, *, axes: int | tuple[Sequence[int], Sequence[int]] = 2) -> Tensor:
    """Sums the product over the last axes of the one and the first of the other, or over named pairs."""
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
