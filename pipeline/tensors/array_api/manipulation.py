"""Other shapes of the same elements, and several tensors as one."""

from __future__ import annotations

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
    """The shape in which several meet. Raises TexelscopeError where they do not."""
    shape: tuple[int, ...] = ()
    for each in shapes:
        shape = met("broadcast_shapes", shape, each)
    return shape


def broadcast_arrays(*arrays: Tensor) -> tuple[Tensor, ...]:
    """All in the shape in which they meet."""
    shape = broadcast_shapes(*(each.shape for each in arrays))
    return tuple(broadcast_to(each, shape) for each in arrays)


def broadcast_to(x: Tensor, /, shape: tuple[int, ...]) -> Tensor:
    """Repeated along axes of size 1, and along new ones before them."""
    if met("broadcast_to", x.shape, shape) != tuple(shape):
        got, do_next = f"{list(shape)}", "Correct the shape."
        raise TexelscopeError("broadcast_to", f"a shape that {list(x.shape)} broadcasts to", got, do_next)
    return x if x.shape == tuple(shape) else x.broadcast_to(tuple(shape))


def concat(arrays: Sequence[Tensor], /, *, axis: int | None = 0) -> Tensor:
    """One after another along an axis; without one all elements in a row."""
    return joined([each.reshape(-1) for each in arrays], 0) if axis is None else joined(arrays, axis)


def stack(arrays: Sequence[Tensor], /, *, axis: int = 0) -> Tensor:
    """One beside another along a new axis."""
    return stacked(arrays, axis)


def unstack(x: Tensor, /, *, axis: int = 0) -> tuple[Tensor, ...]:
    """The parts along an axis, which they no longer have."""
    at = axes_of("unstack", x.ndim, axis)[0]
    return tuple(x[(*(slice(None),) * at, i)] for i in range(x.shape[at]))


def expand_dims(x: Tensor, /, axis: Axes) -> Tensor:
    """With axes of size 1 at those places of the result."""
    return x.unsqueeze(axis)


def squeeze(x: Tensor, /, axis: Axes) -> Tensor:
    """Without those axes, which are of size 1."""
    return x.squeeze(axis)


def flip(x: Tensor, /, *, axis: Axes | None = None) -> Tensor:
    """Backwards along axes; all of them if none is named."""
    return x.flip(axis)


def permute_dims(x: Tensor, /, axes: tuple[int, ...]) -> Tensor:
    """The axes in another order."""
    return x.permute(tuple(axes)) if x.ndim else x


def moveaxis(x: Tensor, source: Axes, destination: Axes, /) -> Tensor:
    """Some axes at other places, the others in order around them."""
    before, after = (axes_of("moveaxis", x.ndim, each) for each in (source, destination))
    if len(before) != len(after):
        raise TexelscopeError("moveaxis", f"{len(before)} places", str(len(after)), "Name one for each axis.")
    order = [axis for axis in range(x.ndim) if axis not in before]
    for to, axis in sorted(zip(after, before, strict=True)):
        order.insert(to, axis)
    return permute_dims(x, tuple(order))


def reshape(x: Tensor, /, shape: tuple[int, ...], *, copy: bool | None = None) -> Tensor:
    """In another shape, rows first; one size may be −1, what is left. It is always a copy."""
    if copy is False:
        raise TexelscopeError("reshape", "a copy", "copy=False", "Leave copy out.")
    return x.reshape(tuple(shape))


def repeat(x: Tensor, repeats: int | Tensor, /, *, axis: int | None = None) -> Tensor:
    """Each part along an axis that often, or each as often as is said for it; without an axis each element."""
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
    """Moved on along axes, what leaves at the end coming in again; without axes all elements in a row."""
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
    """Repeated along each axis."""
    return x.tile(*repetitions)
