"""Evaluates the steps in which large reductions, sorts and normalisations are computed, one pass each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from texelscope.pipeline.arithmetic.invocation import Array, Evaluate, Invocation, Outputs

TERMS: Mapping[str, Callable[[Array], Array]] = {
    "value": lambda distance: distance,
    "absolute": np.abs,
    "square": np.square,
    "exponential": np.exp,
}
FOLDS: Mapping[str, np.ufunc] = {"max": np.maximum, "min": np.minimum, "mul": np.multiply}
RUNNING_FOLDS: Mapping[str, np.ufunc] = {"add": np.add, "mul": np.multiply}


def block_sum(invocation: Invocation) -> Outputs:
    """Evaluates BlockSum: y[g,b] = scale · Σ f(x − m[g]) over the b-th block of `block` elements of each group.

    f is named by `term`. The groups are what lies along `axes` of X seen in the shape `view`; the last block of a group
    may be shorter. Maps X, and M [groups] in any shape → [groups · blocks] in the shape `shape`.
    """
    x, mean = invocation.required(0), invocation.input(1)
    groups, block = in_groups(x, invocation.attributes).astype(np.float64), invocation.attribute("block")
    if mean is not None:
        groups = groups - mean.reshape(-1, 1)
    terms = np.pad(TERMS[invocation.attribute("term")](groups), ((0, 0), (0, -groups.shape[1] % block)))
    sums = terms.reshape(len(groups), -1, block).sum(axis=-1) * invocation.attribute("scale")
    return (sums.reshape(invocation.attribute("shape")).astype(x.dtype),)


def block_fold(invocation: Invocation) -> Outputs:
    """Evaluates BlockFold: y[g,b] = the largest, smallest or product of block b of `block` elements of each group.

    The groups are what lies along `axes` of X seen in the shape `view`; the last block of a group may be shorter. Maps
    X → [groups · blocks] in the shape `shape`.
    """
    x = invocation.required(0)
    groups = in_groups(x, invocation.attributes)
    starts = np.arange(0, groups.shape[1], int(invocation.attribute("block")))
    folded = FOLDS[invocation.attribute("fold")].reduceat(groups, starts, axis=1)
    return (folded.reshape(invocation.attribute("shape")).astype(x.dtype),)


def in_groups(x: Array, attributes: Mapping[str, Any]) -> Array:
    """Returns x as [groups, elements]: a group is what lies along `axes` of x seen in the shape `view`."""
    view, axes = tuple(attributes["view"]), tuple(attributes["axes"])
    kept = [axis for axis in range(len(view)) if axis not in axes]
    size = int(np.prod([view[axis] for axis in axes]))
    return x.reshape(view).transpose(*kept, *axes).reshape(-1, size)


def block_arg(invocation: Invocation) -> Outputs:
    """Evaluates BlockArg: y[g,b] = the first or last k in block b of group g with the largest sign · x[g,k].

    The first NaN wins. The groups are what lies along `axes` of X seen in the shape `view`; the last block of a group
    may be shorter. With C [groups, n], one block is the whole group and k one of the group's n candidates. Maps X, and
    C [groups, n] → int64 [groups · blocks] in the shape `shape`.
    """
    x = in_groups(invocation.required(0), invocation.attributes) * invocation.attribute("sign")
    last, shape, candidates = (*(invocation.attribute(name) for name in ("last", "shape")), invocation.input(1))
    if candidates is not None:
        places = candidates.astype(np.int64).reshape(len(x), -1)
        best = _best(np.take_along_axis(x, places, axis=1), last=bool(last))
        return (np.take_along_axis(places, best[:, None], axis=1).reshape(shape),)
    block = int(invocation.attribute("block"))
    starts = range(0, x.shape[1], block)
    found = [start + _best(x[:, start : start + block], last=bool(last)) for start in starts]
    return (np.stack(found, axis=1).reshape(shape).astype(np.int64),)


def _best(x: Array, *, last: bool) -> Array:
    """Finds the best along the second axis; numpy's argmax takes the first of equals, and NaN for the largest."""
    first = np.asarray(np.argmax(x, axis=1))
    if not last:
        return first
    from_the_end = x.shape[1] - 1 - np.argmax(x[:, ::-1], axis=1)
    return np.where(np.isnan(x).any(axis=1), first, from_the_end)


def block_cumulative(invocation: Invocation) -> Outputs:
    """Evaluates BlockCumulative: y = the running sum or product (`fold`: add, mul) of x along `axis` within each block.

    With `reverse` from the other end. A block has `block` elements, the last one perhaps fewer. Maps X → the same
    shape.
    """
    x, fold = in_order(invocation.required(0), invocation), RUNNING_FOLDS[invocation.attribute("fold")]
    parts = range(0, x.shape[-1], invocation.attribute("block"))
    wide = np.float64 if x.dtype.kind == "f" else x.dtype
    found = [fold.accumulate(x[..., i : i + invocation.attribute("block")], axis=-1, dtype=wide) for i in parts]
    return (in_order(np.concatenate(found, axis=-1).astype(x.dtype), invocation, back=True),)


def in_order(x: Array, invocation: Invocation, *, back: bool = False) -> Array:
    """Moves the axis last, in the order in which it is folded; or, `back`, restores x from there."""
    axis, forwards = invocation.attribute("axis"), -1 if invocation.attribute("reverse") else 1
    return np.moveaxis(x[..., ::forwards], -1, axis) if back else np.moveaxis(x, axis, -1)[..., ::forwards]


def across_blocks(invocation: Invocation) -> Outputs:
    """Evaluates AcrossBlocks: y = x ∘ the last elements of all earlier blocks, x folded (`fold`: add, mul) in each.

    Axis, blocks and `reverse` are those of BlockCumulative. With `exclusive` the element before x, of the same block,
    stands in its place, or `start` for the first of a block. Maps X → the same shape.
    """
    x, fold = in_order(invocation.required(0), invocation), RUNNING_FOLDS[invocation.attribute("fold")]
    block, start = invocation.attribute("block"), invocation.attribute("start")
    wide = np.float64 if x.dtype.kind == "f" else x.dtype
    count = x.shape[-1]
    ends = x[..., block - 1 :: block].astype(wide)
    first = np.full((*x.shape[:-1], 1), start, dtype=wide)
    before = fold.accumulate(np.concatenate((first, ends), axis=-1), axis=-1)
    own = x.astype(wide)
    if invocation.attribute("exclusive"):
        own = np.concatenate((first, own[..., :-1]), axis=-1)
        own[..., ::block] = start
    result = fold(before[..., np.arange(count) // block], own)
    return (in_order(result.astype(x.dtype), invocation, back=True),)


def frames(invocation: Invocation) -> Outputs:
    """Evaluates Frames: y[b, f, i, p] = x[b, f · step + i, p], windows of `length` elements, `step` apart."""
    x, step, length = invocation.required(0), invocation.attribute("step"), invocation.attribute("length")
    windows = np.lib.stride_tricks.sliding_window_view(x, length, axis=1)[:, ::step]
    return (np.ascontiguousarray(np.moveaxis(windows, -1, 2)),)


def normalise(invocation: Invocation) -> Outputs:
    """Evaluates Normalise: y = (x − m) / √(v + epsilon) · s + b, m and v by group, s and b by element.

    The groups are what lies along `axes` of X seen in the shape `view`; `parameters` is the shape in which s and b meet
    that view. With `outside`, epsilon is added to the root. Maps X, M [groups] or None, V [groups], S and B or None →
    X's shape.
    """
    x, mean, variance = invocation.required(0), invocation.input(1), invocation.required(2)
    view, axes = invocation.attribute("view"), invocation.attribute("axes")
    group_shape = [1 if axis in axes else size for axis, size in enumerate(view)]
    y = x.reshape(view).astype(np.float64)
    if mean is not None:
        y = y - mean.reshape(group_shape)
    epsilon, variance = invocation.attribute("epsilon"), variance.reshape(group_shape).astype(np.float64)
    y = y / (np.sqrt(variance) + epsilon if invocation.attribute("outside") else np.sqrt(variance + epsilon))
    for position, combine in ((3, np.multiply), (4, np.add)):
        parameter = invocation.input(position)
        if parameter is not None:
            y = combine(y, parameter.reshape(invocation.attribute("parameters")))
    return (y.reshape(x.shape).astype(x.dtype),)


def softmax_share(invocation: Invocation) -> Outputs:
    """Evaluates SoftmaxShare: y = exp(x − m) / s or, in logarithms, x − m − ln s; m and s by group, broadcasting.

    Maps X, M and S with the normalised axes of size 1 → X's shape.
    """
    x, largest, total = (invocation.required(i).astype(np.float64) for i in range(3))
    y = x - largest - np.log(total) if invocation.attribute("logarithm") else np.exp(x - largest) / total
    return (y.astype(invocation.required(0).dtype),)


def lrn(invocation: Invocation) -> Outputs:
    """Evaluates LRN in general: y = x / (bias + scale · S)^exponent, S the sum of x² over a window.

    A window, of channels or of the picture, has `window` elements an axis, `before` of them before the element itself;
    outside are zeros or, with `repeat_edge`, the nearest elements. Maps X [N, C, spatial…] → the same shape.
    """
    x = invocation.required(0)
    window, before = invocation.attribute("window"), invocation.attribute("before")
    sums = np.square(x, dtype=np.float64)
    for axis in (2, 3) if invocation.attribute("spatial") else (1,):
        margins = [(before, window - before - 1) if each == axis else (0, 0) for each in range(x.ndim)]
        padded = np.pad(sums, margins, mode="edge" if invocation.attribute("repeat_edge") else "constant")
        sums = np.lib.stride_tricks.sliding_window_view(padded, window, axis=axis).sum(axis=-1)
    base = invocation.attribute("bias") + invocation.attribute("scale") * sums
    return ((x / base ** invocation.attribute("exponent")).astype(x.dtype),)


def rank(invocation: Invocation) -> Outputs:
    """Evaluates Rank: y, int64, = how many elements of its axis beat each by `sign` · x; of equals the first wins."""
    x, axis = invocation.required(0) * invocation.attribute("sign"), invocation.attribute("axis")
    order = np.argsort(-x, axis=axis, kind="stable")
    rank = np.empty(x.shape, dtype=np.int64)
    places = np.arange(x.shape[axis]).reshape([-1 if d == axis else 1 for d in range(x.ndim)])
    np.put_along_axis(rank, order, np.broadcast_to(places, x.shape), axis=axis)
    return (rank,)


def by_rank(invocation: Invocation) -> Outputs:
    """Evaluates ByRank: y[j] = the x whose rank along the axis is j, or its place on the axis if `indices`.

    Maps X, and ranks of its shape → as many elements of the axis as the first `kept` ranks.
    """
    x, rank, axis = invocation.required(0), invocation.required(1), invocation.attribute("axis")
    first = np.argsort(rank, axis=axis, kind="stable").take(np.arange(invocation.attribute("kept")), axis=axis)
    return (first.astype(np.int64) if invocation.attribute("indices") else np.take_along_axis(x, first, axis=axis),)


OPERATORS: Mapping[str, Evaluate] = {
    "BlockSum": block_sum,
    "BlockFold": block_fold,
    "BlockArg": block_arg,
    "BlockCumulative": block_cumulative,
    "AcrossBlocks": across_blocks,
    "Frames": frames,
    "Normalise": normalise,
    "SoftmaxShare": softmax_share,
    "LRN": lrn,
    "Rank": rank,
    "ByRank": by_rank,
}
