"""A model with other weights: the same nodes, the new values in place of the old."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper

from texelscope.pipeline.errors import TexelscopeError


def with_weights(model: onnx.ModelProto, values: Mapping[str, NDArray[np.float32]]) -> onnx.ModelProto:
    """A copy of `model` in which each tensor of `values` has that value; what made it, a Constant, is left out.

    Raises TexelscopeError for a model that ONNX's checker refuses then.
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
