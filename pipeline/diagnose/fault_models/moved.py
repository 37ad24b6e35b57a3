"""Moves reads or writes of elements to other places, by other coordinates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.evidence.evidence import ReadTensor
from texelscope.pipeline.diagnose.evidence.stored_values import Beyond, StoredValues
from texelscope.pipeline.diagnose.model_slice.model_slice import (
    Coordinates,
    InputChange,
    InputMove,
    OutputChange,
    OutputMove,
    grid,
)
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass

Array = NDArray[Any]
# Of the places that moved, more than this share must hold elements.
_READ = 0.1


def moved_input(read: ReadTensor, coordinates: Coordinates, beyond: Beyond) -> InputMove:
    """Returns the move by which the pass reads the element at `coordinates` for each element of `read`."""
    return InputMove(read.tensor, read.values, coordinates, beyond)


def moved_output(case: FailingPass, coordinates: Coordinates, beyond: Beyond) -> OutputMove:
    """Returns the move by which the pass writes to each element the value of the one at `coordinates`."""
    return OutputMove(case.as_stored, case.right_stored, coordinates, beyond)


def by(*, dc: int = 0, dy: int = 0, dx: int = 0) -> Coordinates:
    """Returns coordinates a constant number of channels, rows and columns away."""
    return lambda n, c, h, w: (n, c + dc, h + dy, w + dx)


def reverse(axis: int, size: int) -> Coordinates:
    """Returns coordinates with one axis of the 4-d view, of that size, counted from its end."""

    def coordinates(*at: Array) -> tuple[Array, Array, Array, Array]:
        moved = list(at)
        moved[axis] = size - 1 - moved[axis]
        return moved[0], moved[1], moved[2], moved[3]

    return coordinates


def ordered(order: Array) -> Coordinates:
    """Returns coordinates with channel `order[c]` in place of channel c."""
    return lambda n, c, h, w: (n, order[c], h, w)


def rows_as_columns(n: Array, c: Array, h: Array, w: Array) -> tuple[Array, Array, Array, Array]:
    """Swaps x and y."""
    return n, c, w, h


def same(n: Array, c: Array, h: Array, w: Array) -> tuple[Array, Array, Array, Array]:
    """Returns the coordinates unchanged."""
    return n, c, h, w


def texels_of_input(read: ReadTensor, change: Callable[[Array], Array]) -> InputChange:
    """Returns the edit that rearranges an input's texels, [height, width, lanes] to the same."""

    def changed(value: Array) -> Array:
        texels = np.ascontiguousarray(change(read.values.texels))
        return read.values.stored.decode(texels).reshape(value.shape)

    return InputChange(read.tensor, changed)


def texels_of_output(case: FailingPass, change: Callable[[Array], Array]) -> OutputChange:
    """Returns the edit that rearranges the result's texels."""
    return OutputChange(lambda value: case.of_texels(np.ascontiguousarray(change(case.to_texels(value)))))


def others_of(shape: tuple[int, ...]) -> Iterator[tuple[str, NDArray[np.int64]]]:
    """Yields descriptions and, for each group, the group read instead: over all of `shape`, and along each axis."""
    whole = np.arange(int(np.prod(shape))).reshape(shape)
    ways = (("", whole.reshape(-1), 0), *((f" along axis {axis}", whole, axis) for axis in range(len(shape))))
    for where, groups, axis in ways:
        count = groups.shape[axis]
        at = np.arange(count)
        for says, other in (
            ("the first group", 0 * at), ("the last group", 0 * at + count - 1), ("the next group", (at + 1) % count),
            ("the group before", (at - 1) % count), ("the groups in reverse", at[::-1]),
            ("the first half's groups", at % (count // 2 or 1)),
        ):  # fmt: skip
            yield f"{says}{where}", np.take(groups, other, axis=axis).reshape(-1)


def reads_elements(values: StoredValues) -> bool:
    """Whether some of the places that are not the layout's own hold elements: past the texture all read the same."""
    at = grid(values.dims)
    tx, ty, lane = (np.broadcast_to(each, values.dims) for each in values.texel_at(*at))
    own = values.stored.layout.texel_at(values.dims, *at)
    moved = (tx != own[0]) | (ty != own[1]) | (lane != own[2])
    height, width, _ = values.texels.shape
    inside = (tx >= 0) & (tx < width) & (ty >= 0) & (ty < height)
    address = values.stored.layout.address(values.stored.shape)
    held = address[np.clip(ty, 0, height - 1), np.clip(tx, 0, width - 1), lane] >= 0
    return not moved.any() or float(np.mean((inside & held)[moved])) > _READ
