"""Checks the numbers of an input, finds those that are indices, and draws others like given ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.graph import Graph
from texelscope.pipeline.operators.element_types import is_narrow_float, whole_range
from texelscope.pipeline.plan import EXACT_INTEGERS, Plan, StoredTensor


def held(values: NDArray[Any], dtype: str) -> NDArray[Any]:
    """Rounds the numbers as a tensor of a narrow float `dtype` does; others stay unchanged.

    A texture holds more digits, and passes would compute with values that the model never sees.
    """
    if not is_narrow_float(dtype):
        return values
    with np.errstate(over="ignore"):  # values beyond the range become infinite
        return np.asarray(values).astype(np.dtype(dtype)).astype(np.float32)


def checked_input(plan: Plan, name: str, array: NDArray[Any]) -> NDArray[Any]:
    """Returns `array` as the input called `name` holds it.

    Raises TexelscopeError for an unknown name, a wrong shape, or numbers that the tensor's type cannot hold.
    """
    if name not in plan.inputs:
        raise TexelscopeError(f"input '{name}'", "an input of the model", "another name", nearest(name, plan.inputs))
    stored = plan.textures[name]
    array = np.asarray(array)
    if tuple(array.shape) != stored.shape:
        raise TexelscopeError(
            f"input '{name}'",
            f"shape {list(stored.shape)}",
            str(list(array.shape)),
            f"Resize it, or plan for another one with --shape {name}={','.join(map(str, array.shape))}.",
        )
    check_held(array, name, stored.dtype)
    return held(array, stored.dtype)


def checked_shape(key: str, stored: StoredTensor, array: NDArray[Any]) -> NDArray[Any]:
    """Returns `array`, to replace the tensor stored as `key`. Raises TexelscopeError for another shape."""
    if tuple(np.shape(array)) != stored.shape:
        raise TexelscopeError(
            f"tensor '{key}'",
            f"shape {list(stored.shape)}",
            str(list(np.shape(array))),
            "Inject an array of the tensor's shape.",
        )
    return np.asarray(array)


def check_values(values: NDArray[Any], name: str, dtype: str, source: str = "") -> None:
    """Raises TexelscopeError for NaN and infinities, and for numbers that an integer `dtype` does not hold."""
    who = f"input '{name}' ({source})" if source else f"input '{name}'"
    if not np.isfinite(values).all():
        first = np.argwhere(~np.isfinite(values))[0].tolist()
        raise TexelscopeError(
            who,
            "finite numbers",
            f"{np.count_nonzero(~np.isfinite(values))} NaN or infinite ones, the first at {first}",
            "Replace them; set_input() takes them if they are meant.",
        )
    check_held(values, name, dtype, source)


def check_held(values: NDArray[Any], name: str, dtype: str, source: str = "") -> None:
    """Raises TexelscopeError for numbers that an integer `dtype` or, being integers, a float texture does not hold."""
    who = f"input '{name}' ({source})" if source else f"input '{name}'"
    if values.dtype.kind in "iu" and values.size:
        largest = max(int(values.max()), int(values.min()), key=abs)
        if abs(largest) > EXACT_INTEGERS:
            raise TexelscopeError(
                who, f"integers up to {EXACT_INTEGERS}, exact in a float texture", str(largest), "Scale it down."
            )
    limits = whole_range(dtype)
    if limits is None:
        return
    low, high = limits
    wrong = ~((values == np.rint(values)) & (values >= low) & (values <= high))
    if wrong.any():
        raise TexelscopeError(
            who,
            f"whole numbers from {low} to {high}, of {dtype}",
            f"{values[wrong].flat[0]:g} at {np.argwhere(wrong)[0].tolist()}",
            "Round or scale them.",
        )


def alike(random: np.random.Generator, value: NDArray[Any]) -> NDArray[Any]:
    """Returns the values at other places, each changed by up to two fifths: signs, zeros and magnitudes stay."""
    mixed = random.permutation(value.reshape(-1)).reshape(value.shape)
    return np.asarray(mixed * random.uniform(0.6, 1.4, value.shape))


# Operators that only move or convert numbers.
_MOVES = frozenset({"Cast", "Expand", "Flatten", "Identity", "Reshape", "Slice", "Squeeze", "Transpose", "Unsqueeze"})
_GATHERS = frozenset({"Gather", "GatherElements"})


def places(graph: Graph, name: str) -> int | None:
    """Returns the size of the smallest axis that elements of the tensor `name` index; None if they index none."""
    same, sizes = {name}, []
    for node in graph.nodes:  # in topological order
        if node.op_type in _MOVES and node.inputs[0] in same:
            same.update(node.outputs)
        elif node.op_type in _GATHERS and node.inputs[1] in same and node.inputs[0] in graph.tensors:
            shape = graph.tensors[node.inputs[0]].shape
            sizes.append(shape[int(node.attributes.get("axis", 0))])
    return min(sizes, default=None)
