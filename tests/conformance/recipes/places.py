"""Covers operators that move elements, and those known before the run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from onnx import TensorProto, helper

from tests.conformance.cases import Array
from tests.conformance.recipes.recipe import (
    INDICES,
    POSITIVE,
    TRUTHS,
    Recipe,
    Recipes,
    X,
    always,
    node,
    numbers,
    one,
    whole,
)


def _axes(version: int, by_input: int, data: Array, *axes: int) -> list[Recipe]:
    return [node(data, axes=list(axes))] if version < by_input else [node(data, whole(*axes))]


def _constant(version: int) -> list[Recipe]:
    tensor = helper.make_tensor("value", TensorProto.FLOAT, [2], [1.0, 2.0])
    found = [node(value=tensor)]
    return found if version < 12 else [*found, node(value_floats=[1.0, 2.0]), node(value_int=3)]


def _depth_to_space(version: int) -> list[Recipe]:
    data = numbers(2, 8, 2, 3)
    plain = node(data, blocksize=2)
    return [plain] if version < 11 else [plain, node(data, blocksize=2, mode="CRD")]


def _space_to_depth(version: int) -> list[Recipe]:
    plain = node(numbers(2, 2, 4, 6), blocksize=2)
    return [plain] if version < 28 else [plain, node(numbers(2, 2, 4, 6), blocksize=2, mode="CRD")]


def _gather_nd(version: int) -> list[Recipe]:
    found = [node(X, np.array([[0, 1], [1, 2]], np.int64))]
    return found if version < 12 else [*found, node(X, np.array([[0], [2]], np.int64), batch_dims=1)]


def _one_hot(version: int) -> list[Recipe]:
    indices, values = whole(0, 2, -1, 5), np.array([0.5, 2.0], np.float32)
    return [node(indices, whole(4), values), node(indices, whole(4), values, axis=0)]


def _pad(version: int) -> list[Recipe]:
    amounts = [0, 1, 2, 0, 0, 0, 1, 2]
    if version < 11:
        named: dict[str, Any] = {"paddings" if version < 2 else "pads": amounts}
        return [node(X, **named, mode=mode, value=1.5) for mode in ("constant", "reflect", "edge")]
    found = [node(X, whole(*amounts), one(1.5), known=(1, 2))]
    found += [node(X, whole(*amounts), mode=mode) for mode in ("reflect", "edge")]
    if version >= 18:
        found.append(node(X, whole(1, 2, 2, 1), None, whole(1, -1)))
    return found if version < 19 else [*found, node(X, whole(*amounts), mode="wrap")]


def _reshape(version: int) -> list[Recipe]:
    target = [2, 0, -1]
    return [node(X, shape=target)] if version < 5 else [node(X, whole(*target))]


def _scatter(version: int) -> list[Recipe]:
    indices = np.array([[0, 2, 1], [2, 0, 0]], np.int64)
    data, updates = numbers(3, 3), numbers(2, 3, seed=1)
    found = [node(data, indices, updates), node(data, indices.T.copy(), updates.T.copy(), axis=1)]
    reductions = () if version < 16 else ("add", "mul") if version < 18 else ("add", "mul", "max", "min")
    return [*found, *(node(data, indices, updates, reduction=name) for name in reductions)]


def _scatter_nd(version: int) -> list[Recipe]:
    indices = np.array([[0, 1], [2, 0]], np.int64)
    data, updates = numbers(3, 3, 2), numbers(2, 2, seed=1)
    reductions = () if version < 16 else ("add", "mul") if version < 18 else ("add", "mul", "max", "min")
    return [node(data, indices, updates), *(node(data, indices, updates, reduction=name) for name in reductions)]


def _shape(version: int) -> list[Recipe]:
    return [node(X)] if version < 15 else [node(X), node(X, start=1, end=-1)]


def _slice(version: int) -> list[Recipe]:
    if version < 10:
        return [node(X, starts=[0, -2], ends=[2, 1000], axes=[1, 3]), node(X, starts=[1], ends=[2])]
    starts, ends = whole(0, -1), whole(2, -1000)
    return [node(X, starts, ends, whole(1, 3), whole(1, -2)), node(X, whole(1), whole(2))]


def _split(version: int) -> list[Recipe]:
    data = numbers(4, 6)
    if version < 2:
        return [node(data, axis=1, outputs=2), node(data, axis=1, split=[2, 4], outputs=2)]
    if version < 13:
        return [node(data, axis=1, outputs=3), node(data, axis=1, split=[2, 4], outputs=2)]
    more: dict[str, Any] = {"num_outputs": 2} if version >= 18 else {}
    return [node(data, outputs=2, **more), node(data, whole(2, 4), axis=1, outputs=2)]


def _tile(version: int) -> list[Recipe]:
    return [node(X, one(2), one(1), known=(1, 2))] if version < 6 else [node(X, whole(1, 2, 1, 3))]


def _top_k(version: int) -> list[Recipe]:
    if version < 10:
        return [node(X, k=2, outputs=2), node(X, k=2, axis=1, outputs=2)]
    found = [node(X, whole(2), outputs=2), node(X, whole(2), axis=1, outputs=2)]
    return found if version < 11 else [*found, node(X, whole(2), largest=0, outputs=2)]


def _concat(version: int) -> list[Recipe]:
    both = (X, numbers(2, 1, 4, 5, seed=1))
    return [
        node(*both, axis=1),
        *([node(*both)] if version < 4 else []),
        *([node(*both, axis=-3)] if version >= 11 else []),
    ]


RECIPES: Mapping[str, Recipes] = {
    "Compress": always(node(X, np.array([True, False, True]), axis=1), node(X, np.array([True, False, True]))),
    "Concat": _concat,
    "Constant": _constant,
    "ConstantOfShape": always(node(whole(2, 3), known=(0,))),
    "DepthToSpace": _depth_to_space,
    "Expand": always(node(numbers(3, 1), whole(2, 1, 4))),
    "EyeLike": always(node(numbers(3, 4)), node(numbers(3, 4), k=1, dtype=TensorProto.INT32)),
    "Gather": always(node(X, INDICES, axis=1), node(X, whole(1, 0))),
    "GatherElements": always(node(numbers(3, 3), INDICES), node(numbers(3, 3), INDICES.T.copy(), axis=-1)),
    "GatherND": _gather_nd,
    "NonZero": always(node(np.round(X), known=(0,)), node(one(3.0), known=(0,))),
    "OneHot": _one_hot,
    "Pad": _pad,
    "Range": always(
        node(one(1.0), one(7.0), one(2.5), known=(0, 1, 2)),
        node(one(7, np.int64), one(0, np.int64), one(-3, np.int64), known=(0, 1, 2)),
    ),
    "Reshape": _reshape,
    "ReverseSequence": always(
        node(numbers(4, 3, 2), whole(4, 2, 1)), node(numbers(3, 4, 2), whole(4, 2, 1), batch_axis=0, time_axis=1)
    ),
    "Scatter": _scatter,
    "ScatterElements": _scatter,
    "ScatterND": _scatter_nd,
    "Shape": _shape,
    "Slice": _slice,
    "SpaceToDepth": _space_to_depth,
    "Split": _split,
    "Squeeze": lambda version: [*_axes(version, 13, numbers(1, 3, 1, 2), 0, 2), node(numbers(1, 3, 1, 2))],
    "TensorScatter": always(
        node(numbers(2, 1, 4, 3), numbers(2, 1, 2, 3, seed=1), whole(1, 0), known=()),
        node(numbers(2, 1, 4, 3), numbers(2, 1, 2, 3, seed=1)),
    ),
    "Tile": _tile,
    "TopK": _top_k,
    "Transpose": always(node(X), node(X, perm=[2, 0, 3, 1])),
    "Trilu": always(node(X), node(X, one(-1, np.int64), upper=0)),
    "Unique": always(node(np.round(X), outputs=4, known=(0,)), node(np.round(X[0, 0]), axis=1, sorted=0, known=(0,))),
    "Unsqueeze": lambda version: _axes(version, 13, X, 0, 2),
    "Where": always(node(TRUTHS[0], X, POSITIVE), node(TRUTHS[0], X, numbers(3, 1, 5))),
}
