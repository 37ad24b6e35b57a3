"""Transposes linear maps along single axes, to which many derivatives of movements and of resampling reduce."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.gradients.derivatives.backward import Backward
from texelscope.pipeline.graph import Shape

# Beside elements moved as a whole, up to this many runs get separate passes.
_MOST_RUNS = 3


@dataclass(frozen=True)
class Entries:
    """Represents a sparse matrix along an axis: x[to] gets weights · y[from_], each pair once, in order of `to`.

    x has `size` elements along the axis. `to`, `from_` int64 [entries], `weights` float64 [entries], none of them 0.
    """

    size: int
    to: NDArray[np.int64]
    from_: NDArray[np.int64]
    weights: NDArray[np.float64]

    def those(self, kept: NDArray[np.bool_]) -> Entries:
        """Selects some of the entries."""
        return Entries(self.size, self.to[kept], self.from_[kept], self.weights[kept])

    def rows(self, first: int, count: int) -> Entries:
        """Returns the entries of a run of x's elements, as a matrix of that run."""
        some = self.those((self.to >= first) & (self.to < first + count))
        return Entries(count, some.to - first, some.from_, some.weights)

    @property
    def is_plain(self) -> bool:
        """Reports whether all weights are 1."""
        return bool((self.weights == 1.0).all())

    @property
    def is_one_to_one(self) -> bool:
        """Reports whether each element of either side occurs once at most, unscaled."""
        return self.is_plain and len(np.unique(self.to)) == len(self.to) == len(np.unique(self.from_))


@dataclass(frozen=True)
class AxisMap:
    """Represents y[o] = Σ_t weights[o, t] · x[elements[o, t]] along an axis of `size` elements.

    `elements` int64 [outputs, taps], −1 for one that reads nothing; `weights` float64 of that shape.
    """

    size: int
    elements: NDArray[np.int64]
    weights: NDArray[np.float64]

    def entries(self) -> Entries:
        """Returns the entries of the transposed map."""
        outputs = np.broadcast_to(np.arange(len(self.elements))[:, None], self.elements.shape)
        kept = self.elements >= 0
        pairs, which = np.unique(
            np.stack([self.elements[kept], outputs[kept]]).reshape(2, -1), axis=1, return_inverse=True
        )
        weights = np.bincount(which.ravel(), self.weights[kept], minlength=pairs.shape[1]).astype(np.float64)
        return Entries(self.size, pairs[0], pairs[1], weights).those(weights != 0.0)


def copies(size: int, places: NDArray[np.int64]) -> AxisMap:
    """Returns the map that selects, y[o] = x[places[o]]."""
    elements = np.asarray(places, dtype=np.int64).reshape(-1, 1)
    return AxisMap(size, elements, np.ones(elements.shape))


def placed(node: Backward, tensor: str, shape: Shape, before: Sequence[int], wanted: Shape, label: str) -> str:
    """Places `tensor` of `shape` inside zeros of the shape `wanted`, `before` elements after its beginning.

    Negative amounts are cut off; returns `tensor` itself where nothing changes.
    """
    after = [all_ - own - first for all_, own, first in zip(wanted, shape, before, strict=True)]
    if not any(before) and not any(after):
        return tensor
    if max(*before, *after) <= 0:
        starts, ends = [-first for first in before], [size + last for size, last in zip(shape, after, strict=True)]
        return node.add("Slice", tensor, node.whole(*starts, label="starts"), node.whole(*ends, label="ends"),
                        node.whole(*range(len(shape)), label="axes"), label=label)  # fmt: skip
    return node.add("Pad", tensor, node.whole(*before, *after, label="pads"), node.constant(0.0, label="zero"),
                    label=label)  # fmt: skip


def put_back(
    node: Backward, tensor: str, shape: Shape, places: Mapping[int, NDArray[np.int64]], wanted: Shape, label: str
) -> str:
    """Spreads `tensor` of `shape` over zeros of the shape `wanted`: element o of an axis goes to `places[axis][o]`.

    Places are unique; negative places are left out. An axis without `places` is unchanged. Runs are a Pad; for
    other axes a zero is appended, and selected wherever nothing else is.
    """
    before, padded = [0] * len(shape), list(shape)
    inverses: dict[int, NDArray[np.int64]] = {}
    for axis, there in places.items():
        if there.size and (np.diff(there) == 1).all() and there[0] >= 0:
            before[axis], padded[axis] = int(there[0]), wanted[axis]
            continue
        inverse = np.full(wanted[axis], shape[axis])
        inverse[there[there >= 0]] = np.flatnonzero(there >= 0)
        padded[axis] += int((inverse == shape[axis]).any())
        inverses[axis] = inverse
    tensor = placed(node, tensor, shape, before, tuple(padded), f"{label}_padded" if inverses else label)
    for axis, inverse in inverses.items():
        tensor = node.add("Gather", tensor, node.whole(*inverse.tolist(), label="places"), label=label, axis=axis)
    return tensor


def turned_round(
    node: Backward, tensor: str, shape: Shape, maps: Mapping[int, AxisMap], label: str
) -> tuple[str, Shape]:
    """Applies transposed `maps` along axes to `tensor` of `shape`, their result's gradient; returns the shape too."""
    for axis, each in maps.items():
        tensor = _turned(node, tensor, shape, axis, each.entries(), label)
        shape = resized(shape, axis, each.size)
    return tensor, shape


def resized(shape: Shape, axis: int, size: int) -> Shape:
    """Returns the shape with another size of one axis."""
    return (*shape[:axis], size, *shape[axis + 1 :])


def _turned(node: Backward, tensor: str, shape: Shape, axis: int, entries: Entries, label: str) -> str:
    """Moves most elements by one offset, and adds strips of the others."""
    offset = _offset(entries, shape[axis])
    if entries.is_one_to_one or offset is None:
        return _gathered(node, tensor, shape, axis, entries, label)
    wanted = resized(shape, axis, entries.size)
    before = [offset if other == axis else 0 for other in range(len(shape))]
    parts = [placed(node, tensor, shape, before, wanted, f"{label}_middle")]
    others = entries.those(entries.to - entries.from_ != offset)
    for first, count in _runs(others.to):
        strip = _gathered(node, tensor, shape, axis, others.rows(first, count), f"{label}_strip")
        start = [first if other == axis else 0 for other in range(len(shape))]
        parts.append(placed(node, strip, resized(shape, axis, count), start, wanted, f"{label}_strip_placed"))
    return node.add("Sum", *parts, label=label)


def _offset(entries: Entries, outputs: int) -> int | None:
    """Returns the offset by which most elements are moved unscaled; None if few are."""
    plain = entries.those(entries.weights == 1.0)
    offsets, counts = np.unique(plain.to - plain.from_, return_counts=True)
    if not len(counts):
        return None
    offset, count = int(offsets[counts.argmax()]), int(counts.max())
    in_reach = max(min(outputs + offset, entries.size) - max(offset, 0), 0)
    others = entries.to[entries.to - entries.from_ != offset]
    is_middle = count == in_reach and 2 * count > entries.size
    return offset if is_middle and len(_runs(others)) <= _MOST_RUNS else None


def _runs(numbers: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Returns first number and length of each run of neighbours."""
    found = np.unique(numbers)
    runs = np.split(found, np.flatnonzero(np.diff(found) > 1) + 1)
    return [(int(run[0]), len(run)) for run in runs if len(run)]


def _gathered(node: Backward, tensor: str, shape: Shape, axis: int, entries: Entries, label: str) -> str:
    """Gathers each element's share, or the sum of its shares, at its place."""
    wanted = resized(shape, axis, entries.size)
    if entries.is_one_to_one:
        places = np.full(shape[axis], -1)
        places[entries.from_] = entries.to
        return put_back(node, tensor, shape, {axis: places}, wanted, label)
    found, which = np.unique(entries.to, return_inverse=True)
    if len(found) == entries.size:
        return _shares(node, tensor, shape, axis, entries, label)
    some = Entries(len(found), which.ravel(), entries.from_, entries.weights)
    sums = _shares(node, tensor, shape, axis, some, f"{label}_some")
    return put_back(node, sums, resized(shape, axis, len(found)), {axis: found}, wanted, label)


def _shares(node: Backward, tensor: str, shape: Shape, axis: int, entries: Entries, label: str) -> str:
    """Returns the weighted sum of each element's shares, stacked on a separate axis."""
    counts = np.bincount(entries.to, minlength=entries.size)
    longest = int(counts.max())
    # Lists are filled up with a zero at the axis's end; for weighted elements any index will do, its weight being 0.
    slot = np.arange(len(entries.to)) - np.repeat(np.cumsum(counts) - counts, counts)
    is_padded = entries.is_plain and longest * entries.size > len(entries.to)
    table = np.full((entries.size, longest), shape[axis] if is_padded else 0)
    table[entries.to, slot] = entries.from_
    if is_padded:
        longer = resized(shape, axis, shape[axis] + 1)
        tensor = placed(node, tensor, shape, [0] * len(shape), longer, f"{label}_padded")
    shared = node.add("Gather", tensor, node.constant(table, "int64", "shares_of"), label=f"{label}_shares", axis=axis)
    if not entries.is_plain:
        weights = np.zeros(table.shape)
        weights[entries.to, slot] = entries.weights
        along = weights.reshape(*table.shape, *(1,) * (len(shape) - axis - 1))
        shared = node.add("Mul", shared, node.constant(along, label="weights"), label=f"{label}_weighed")
    return node.reduced("ReduceSum", shared, (axis + 1,), keep=False, label=label)
