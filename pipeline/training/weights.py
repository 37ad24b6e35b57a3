"""Which constants of a model are learned: they become inputs, and everything else stays as it is."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.errors import TexelscopeError, nearest
from pipeline.gradients.derivatives.registry import flat
from pipeline.graph import Graph, Node

# By operator, positions of inputs that say how it computes, or that were measured, and are not learned.
_NO_WEIGHTS: Mapping[str, frozenset[int]] = {
    "BatchNormalization": frozenset({3, 4}),
    "Clip": frozenset({1, 2}),
    "DequantizeLinear": frozenset({1, 2}),
    "OneHot": frozenset({2}),
    "Pad": frozenset({2}),
    "QuantizeLinear": frozenset({1, 2}),
    "Resize": frozenset({1, 2, 3}),
    "Upsample": frozenset({1}),
}


@dataclass(frozen=True)
class Learned:
    """`graph` has the weights of `values` among its inputs; `values` are what they begin with, float32 by name."""

    graph: Graph
    values: Mapping[str, NDArray[np.float32]]


def trainable(graph: Graph, names: Sequence[str] = ()) -> Learned:
    """`graph` with the constants called `names` as inputs, in its order; without names with all its weights.

    A name that ends in `*` stands for all weights that begin so. Weights are constants of float32 with at least one
    axis, but those that say how an operator computes (the scales of Resize) or were measured (the statistics of
    BatchNormalization). Raises TexelscopeError for a name that is none, and for a graph without.
    """
    weights = weights_of(graph)
    who = f"training {graph.name}"
    if not weights:
        raise TexelscopeError(who, "a model with weights of float32", "one without", "Export it with its weights.")
    chosen = {each for name in names for each in _meant(graph, name, weights)} if names else set(weights)
    kept = tuple(name for name in weights if name in chosen)
    constants = {name: value for name, value in graph.constants.items() if name not in chosen}
    learned = dataclasses.replace(graph, inputs=(*graph.inputs, *kept), constants=MappingProxyType(constants))
    return Learned(learned, MappingProxyType({name: np.asarray(graph.constants[name]) for name in kept}))


def weights_of(graph: Graph) -> tuple[str, ...]:
    """Names of the constants that could be learned, in the order in which nodes read them."""
    read = dict.fromkeys(name for node in graph.nodes if node.op_type not in flat() for name in _operands(node))
    return tuple(name for name in read if name in graph.constants and _is_weight(graph.constants[name]))


def _operands(node: Node) -> tuple[str, ...]:
    others = _NO_WEIGHTS.get(node.op_type, frozenset())
    return tuple(name for position, name in enumerate(node.inputs) if position not in others)


def _is_weight(value: NDArray[Any]) -> bool:
    return value.dtype == np.float32 and value.ndim > 0


def _meant(graph: Graph, name: str, weights: Sequence[str]) -> tuple[str, ...]:
    found = tuple(each for each in weights if each.startswith(name[:-1])) if name.endswith("*") else ()
    if name in weights:
        found = (name,)
    if not found:
        raise TexelscopeError(f"training {graph.name}", "weights of the model", f"'{name}'", nearest(name, weights))
    return found
