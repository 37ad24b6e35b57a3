"""Writes nodes of a graph as a separate ONNX model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.graph import OWN_DOMAIN, Node, TensorInfo
from texelscope.pipeline.oracle.node_message import node_message


def model_of(
    name: str,
    nodes: Sequence[Node],
    inputs: Sequence[TensorInfo],
    constants: Mapping[str, NDArray[Any]],
    outputs: Mapping[str, TensorInfo | None],
) -> onnx.ModelProto:
    """Returns a model of `nodes`, which are in topological order, over `inputs` and with `constants` as its weights.

    `outputs` are names; None for those without a type, which ONNX's checker rejects, but its inference accepts.

    Raises UnsupportedError for a node of this program's own operators, and for nodes of different opsets.
    """
    opsets = {node.domain: node.opset for node in nodes}
    for node in nodes:
        if node.domain == OWN_DOMAIN or opsets[node.domain] != node.opset:
            raise UnsupportedError(
                f"{node.op_type} '{node.name}'", "a node of one opset that ONNX has",
                f"one of '{node.domain}' {node.opset}", "It cannot be cut out: pass on the whole model.",
            )  # fmt: skip
    graph = helper.make_graph(
        [node_message(node, node.inputs, node.outputs) for node in nodes],
        name,
        [described(each) for each in inputs],
        [onnx.ValueInfoProto(name=output) if each is None else described(each) for output, each in outputs.items()],
        [numpy_helper.from_array(np.ascontiguousarray(value), key) for key, value in constants.items()],
    )
    imports = [helper.make_opsetid(domain, opset) for domain, opset in opsets.items()]
    version = helper.find_min_ir_version_for(imports, ignore_unknown=True)
    return helper.make_model(graph, opset_imports=imports, ir_version=version)


def described(info: TensorInfo) -> onnx.ValueInfoProto:
    """Returns the tensor's name, type and shape as a message."""
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(info.dtype))
    return helper.make_tensor_value_info(info.name, kind, info.shape)
