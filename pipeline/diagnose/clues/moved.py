"""Elements read from, or written to, other places: by coordinates that are worked out otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.evidence.evidence import ReadTensor
from pipeline.diagnose.evidence.stored_values import Beyond
from pipeline.diagnose.redo.redo import Coordinates, InputChange, InputMove, OutputChange, OutputMove
from pipeline.diagnose.trial.case import Case

Array = NDArray[Any]


def moved_input(read: ReadTensor, coordinates: Coordinates, beyond: Beyond) -> InputMove:
    """The pass reads the element at `coordinates` for each element of `read`."""
    return InputMove(read.tensor, read.values, coordinates, beyond)


def moved_output(case: Case, coordinates: Coordinates, beyond: Beyond) -> OutputMove:
    """The pass writes for each element what belongs to the one at `coordinates`."""
    return OutputMove(case.as_stored, case.right_stored, coordinates, beyond)


def by(*, dc: int = 0, dy: int = 0, dx: int = 0) -> Coordinates:
    """A constant number of channels, rows and columns away."""
    return lambda n, c, h, w: (n, c + dc, h + dy, w + dx)


def along(axis: int, offset: int) -> Coordinates:
    """`offset` places further along one axis of the 4-d view."""

    def coordinates(*at: Array) -> tuple[Array, Array, Array, Array]:
        moved = list(at)
        moved[axis] = moved[axis] + offset
        return moved[0], moved[1], moved[2], moved[3]

    return coordinates


def reverse(axis: int, size: int) -> Coordinates:
    """One axis of the 4-d view, of that size, counted from its end."""

    def coordinates(*at: Array) -> tuple[Array, Array, Array, Array]:
        moved = list(at)
        moved[axis] = size - 1 - moved[axis]
        return moved[0], moved[1], moved[2], moved[3]

    return coordinates


def ordered(order: Array) -> Coordinates:
    """Channel `order[c]` in place of channel c."""
    return lambda n, c, h, w: (n, order[c], h, w)


def rows_as_columns(n: Array, c: Array, h: Array, w: Array) -> tuple[Array, Array, Array, Array]:
    """x and y swapped."""
    return n, c, w, h


def same(n: Array, c: Array, h: Array, w: Array) -> tuple[Array, Array, Array, Array]:
    """Where it belongs."""
    return n, c, h, w


def texels_of_input(read: ReadTensor, change: Callable[[Array], Array]) -> InputChange:
    """The texels of an input moved about, [height, width, lanes] to the same."""

    def changed(value: Array) -> Array:
        texels = np.ascontiguousarray(change(read.values.texels))
        return np.asarray(read.values.stored.layout.decode(texels, read.values.stored.shape).reshape(value.shape))

    return InputChange(read.tensor, changed)


def texels_of_output(case: Case, change: Callable[[Array], Array]) -> OutputChange:
    """The texels of the result moved about."""
    return OutputChange(lambda value: case.of_texels(np.ascontiguousarray(change(case.to_texels(value)))))


def orders_of(count: int) -> Iterator[tuple[str, NDArray[np.int64]]]:
    """Orders that shaders get by mistake; [k] is the channel found at k."""
    index = np.arange(count)
    if count < 2:
        return
    yield "from the last to the first", index[::-1]
    for offset in (1, -1, 2, -2):
        if abs(offset) < count:
            yield f"{abs(offset)} {'further on' if offset > 0 else 'back'}, round the end", (index + offset) % count
    side = int(np.ceil(np.sqrt(count)))
    across = index % side * side + index // side
    if across.max() < count:
        yield "column by column of the grid", across
    for groups in (2, 3, 4):
        if count % groups == 0 and groups < count:
            yield f"shuffled in {groups} groups", index.reshape(groups, -1).T.reshape(-1)
            yield f"shuffled back from {groups} groups", index.reshape(-1, groups).T.reshape(-1)
    for block in (2, 3, 4):
        if count % (block * block) == 0:
            blocks = index.reshape(block, block, -1)
            yield f"with rows and columns of blocks of {block} swapped", blocks.swapaxes(0, 1).reshape(-1)
            inner = index.reshape(-1, block, block)
            yield f"with rows and columns of inner blocks of {block} swapped", inner.swapaxes(1, 2).reshape(-1)
            yield f"with blocks of {block} outside instead of inside", index.reshape(-1, block * block).T.reshape(-1)
            yield f"with blocks of {block} inside instead of outside", index.reshape(block * block, -1).T.reshape(-1)
    if count % 4 == 0:
        yield "in groups of four from the last", index.reshape(-1, 4)[:, ::-1].reshape(-1)
    if count % 2 == 0:
        yield "in swapped pairs", index.reshape(-1, 2)[:, ::-1].reshape(-1)
    if count >= 3:
        yield "with the first and the third swapped", np.concatenate([[2, 1, 0], index[3:]])


def others_of(shape: tuple[int, ...]) -> Iterator[tuple[str, NDArray[np.int64]]]:
    """In words, and by group the one that is taken: counted through all of `shape`, and along each of its axes."""
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
