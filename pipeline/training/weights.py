"""Chooses the constants of a model that are learned, which become inputs; and writes a model with their new values."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper

from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.gradients.derivatives.registry import is_flat
from texelscope.pipeline.graph import Graph, Node

# By operator, positions of inputs that are parameters or measurements, and not learned.
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
class TrainableGraph:
    """Holds a `graph` with the weights of `values` among its inputs; `values` are the initial ones, float32 by name.

    `output` is the tensor that they are learned for.
    """

    graph: Graph
    output: str
    values: Mapping[str, NDArray[np.float32]]


def trainable(graph: Graph, names: Sequence[str] = (), output: str = "") -> TrainableGraph:
    """Turns the constants called `names` of `graph` into inputs, in its order; without names all weights.

    They are those that the tensor `output`, by default the graph's first output, depends on. A name that ends in `*`
    stands for all weights that begin so. Weights are constants of float32 with at least one axis, but those that say
    how an operator computes (the scales of Resize) or were measured (the statistics of BatchNormalization). Raises
    TexelscopeError for a name that is none, for a missing output, and for one that depends on no weight.
    """
    output, who = output or graph.outputs[0], f"training {graph.name}"
    if output not in graph.tensors:
        known = [*graph.outputs, *graph.tensors]
        raise TexelscopeError(who, "an output of the model", f"'{output}'", nearest(output, known))
    weights = weights_of(graph, output)
    if not weights:
        raise TexelscopeError(who, "a model with weights of float32", "one without", "Export it with its weights.")
    chosen = {each for name in names for each in _meant(graph, name, weights)} if names else set(weights)
    kept = tuple(name for name in weights if name in chosen)
    constants = {name: value for name, value in graph.constants.items() if name not in chosen}
    learned = dataclasses.replace(graph, inputs=(*graph.inputs, *kept), constants=MappingProxyType(constants))
    return TrainableGraph(learned, output, MappingProxyType({name: np.asarray(graph.constants[name]) for name in kept}))


def weights_of(graph: Graph, output: str) -> tuple[str, ...]:
    """Returns the constants from which something flows to `output`, in the order in which nodes read them."""
    reached, read = {output}, list[str]()
    for node in reversed(graph.nodes):
        if not is_flat(node) and not reached.isdisjoint(node.outputs):
            reached.update(_operands(node))
            read.extend(reversed(_operands(node)))
    weights = (name for name in reversed(read) if name in graph.constants and _is_weight(graph.constants[name]))
    return tuple(dict.fromkeys(weights))


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


def with_weights(model: onnx.ModelProto, values: Mapping[str, NDArray[np.float32]]) -> onnx.ModelProto:
    """Returns a copy of `model` in which each tensor of `values` has that value, without the Constant that made it.

    Raises TexelscopeError for a result that ONNX's checker refuses.
    """
    made = onnx.ModelProto()
    made.CopyFrom(model)
    graph = made.graph
    kept = [tensor for tensor in graph.initializer if tensor.name not in values]
    nodes = [node for node in graph.node if not values.keys() & set(node.output)]
    sparse = [tensor for tensor in graph.sparse_initializer if tensor.values.name not in values]
    weights = [numpy_helper.from_array(np.ascontiguousarray(value), name) for name, value in values.items()]
    _fill(graph.initializer, [*kept, *weights])
    _fill(graph.node, nodes)
    _fill(graph.sparse_initializer, sparse)
    try:
        onnx.checker.check_model(made)
    except onnx.checker.ValidationError as error:
        first = str(error).splitlines()[0]
        raise TexelscopeError(graph.name, "a model that ONNX's checker takes", first, "Export it again.") from error
    return made


def _fill(field: object, messages: list[object]) -> None:
    del field[:]  # type: ignore[attr-defined]  # a repeated field of a message
    field.extend(messages)  # type: ignore[attr-defined]
