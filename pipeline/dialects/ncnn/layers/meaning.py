"""What a layer means: ONNX nodes as the oracle's graph, written down as few words as that takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray

from texelscope.pipeline.graph import Graph, Shape
from texelscope.pipeline.model_file.graph_builder import graph_of

_OPSET = 18


@dataclass(frozen=True)
class Meaning:
    """One ONNX node: operator, names of the tensors it reads and makes, attributes."""

    operator: str
    inputs: tuple[str, ...]
    output: str
    attributes: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


def graph_of_layer(
    name: str,
    nodes: Sequence[Meaning],
    inputs: Mapping[str, Shape],
    output: str,
    constants: Mapping[str, NDArray[Any]],
) -> Graph:
    """The graph of those nodes, each called after what it makes."""
    message = onnx.helper.make_graph(
        [
            onnx.helper.make_node(each.operator, list(each.inputs), [each.output], each.output, **each.attributes)
            for each in nodes
        ],
        name,
        [onnx.helper.make_tensor_value_info(each, onnx.TensorProto.FLOAT, shape) for each, shape in inputs.items()],
        [onnx.helper.make_tensor_value_info(output, onnx.TensorProto.FLOAT, None)],
        [onnx.numpy_helper.from_array(np.asarray(value), each) for each, value in constants.items()],
    )
    model = onnx.helper.make_model(message, opset_imports=[onnx.helper.make_opsetid("", _OPSET)])
    model.ir_version = 9
    return graph_of(model, name, {})
