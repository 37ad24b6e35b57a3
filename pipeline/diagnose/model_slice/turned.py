"""Constants of the model that are turned once for all, for a pass that reads them as they were before."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.graph import Graph, Node

Array = NDArray[Any]
_MOST_AXES = 4


def turned(graph: Graph, given: Mapping[str, Array], nodes: Sequence[Node]) -> Iterator[Node]:
    """A Transpose for each constant that nodes read and the pass does not, but which is one of `given` turned.

    So that what happens to the tensor that the pass reads happens to what the model computes with.
    """
    used = dict.fromkeys(
        name for node in nodes for name in node.inputs if name in graph.constants and name not in given
    )
    for name in used:
        value = graph.constants[name]
        if value.dtype.kind != "f" or not 1 < value.ndim <= _MOST_AXES:
            continue
        for other in (each for each in given if each in graph.constants and graph.constants[each].ndim == value.ndim):
            axes = next((axes for axes in _orders(value.ndim) if _is_so(graph.constants[other], axes, value)), None)
            if axes is not None:
                yield Node(name, "Transpose", (other,), (name,), MappingProxyType({"perm": axes}), opset=13)
                break


def _orders(rank: int) -> Iterator[tuple[int, ...]]:
    return (axes for axes in itertools.permutations(range(rank)) if axes != tuple(range(rank)))


def _is_so(whole: Array, axes: tuple[int, ...], value: Array) -> bool:
    return tuple(whole.shape[axis] for axis in axes) == value.shape and np.array_equal(whole.transpose(axes), value)
