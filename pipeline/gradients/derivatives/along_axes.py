"""Linear maps along single axes, turned round: what many derivatives of movements and of resampling come down to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipeline.gradients.derivatives.backward import Backward
from pipeline.graph import Shape

# Lists of unequal length are filled up to the longest. Beyond so many times what is in them, a matrix is cheaper.
_MOST_FILLING = 3


@dataclass(frozen=True)
class AxisMap:
    """y[o] = Σ_t weights[o, t] · x[elements[o, t]] along an axis of `size` elements.

    `elements` int64 [outputs, taps], −1 for one that reads nothing; `weights` float64 of that shape.
    """

    size: int
    elements: NDArray[np.int64]
    weights: NDArray[np.float64]

    def entries(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
        """Elements of x, of y, and the weight between them, by element of x; each pair once, none of weight 0."""
        outputs = np.broadcast_to(np.arange(len(self.elements))[:, None], self.elements.shape)
        kept = self.elements >= 0
        pairs, which = np.unique(
            np.stack([self.elements[kept], outputs[kept]]).reshape(2, -1), axis=1, return_inverse=True
        )
        weights = np.bincount(which.ravel(), self.weights[kept], minlength=pairs.shape[1])
        there = weights != 0.0
        return pairs[0][there], pairs[1][there], weights[there]


def copies(size: int, places: NDArray[np.int64]) -> AxisMap:
    """The map that picks, y[o] = x[places[o]]."""
    elements = np.asarray(places, dtype=np.int64).reshape(-1, 1)
    return AxisMap(size, elements, np.ones(elements.shape))


def placed(node: Backward, tensor: str, shape: Shape, before: Sequence[int], wanted: Shape, label: str) -> str:
    """`tensor` of `shape` in the middle of zeros of the shape `wanted`, `before` elements after its beginning.

    What is negative is cut off; itself where nothing changes.
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
    """`tensor` of `shape` spread over zeros of the shape `wanted`: element o of an axis is put at `places[axis][o]`.

    No two at one place; negative places are left out. An axis without `places` is as it was. Runs are a Pad; for
    other axes a zero is put at their end, and picked wherever nothing else is.
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
    """`tensor` of `shape`, the gradient of what `maps` make along axes, taken back; and the shape that it has then."""
    for axis, each in maps.items():
        to, from_, weights = each.entries()
        wanted = (*shape[:axis], each.size, *shape[axis + 1 :])
        if len(np.unique(to)) == len(to) == len(np.unique(from_)) and (weights == 1.0).all():
            places = np.full(shape[axis], -1)
            places[from_] = to
            tensor = put_back(node, tensor, shape, {axis: places}, wanted, label)
        else:
            tensor = _summed(node, tensor, shape, axis, each, label)
        shape = wanted
    return tensor, shape


def _summed(node: Backward, tensor: str, shape: Shape, axis: int, each: AxisMap, label: str) -> str:
    """Each element's shares on an axis of their own, weighed, and added up; by a matrix where few have many."""
    to, from_, weights = each.entries()
    counts = np.bincount(to, minlength=each.size)
    longest = int(counts.max(initial=1))
    if longest > 2 and longest * each.size > _MOST_FILLING * len(to):
        matrix = np.zeros((each.size, shape[axis]))
        matrix[to, from_] = weights
        return _by_matrix(node, tensor, len(shape), axis, matrix, label)
    slot = np.arange(len(to)) - np.repeat(np.cumsum(counts) - counts, counts)
    table, shares = np.zeros((each.size, longest), dtype=np.int64), np.zeros((each.size, longest))
    table[to, slot], shares[to, slot] = from_, weights
    shared = node.add("Gather", tensor, node.constant(table, "int64", "shares_of"), label=f"{label}_shares", axis=axis)
    if not (shares == 1.0).all():
        along = shares.reshape(each.size, longest, *(1,) * (len(shape) - axis - 1))
        shared = node.add("Mul", shared, node.constant(along, label="weights"), label=f"{label}_weighed")
    return node.reduced("ReduceSum", shared, (axis + 1,), keep=False, label=label)


def _by_matrix(node: Backward, tensor: str, rank: int, axis: int, matrix: NDArray[np.float64], label: str) -> str:
    """Σ_o matrix[i, o] · tensor[…, o, …] along an axis."""
    if axis == rank - 2:
        return node.add("MatMul", node.constant(matrix, label="matrix"), tensor, label=label)
    order = [*(other for other in range(rank) if other != axis), axis]
    last = node.transposed(tensor, order, label=f"{label}_last")
    product = node.add("MatMul", last, node.constant(matrix.T, label="matrix"), label=label)
    return node.transposed(product, [order.index(each) for each in range(rank)], label=f"{label}_back")
