"""Cases whose inputs are sequences or optional values, with the tensors that these hold as inputs in their place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

Array = NDArray[Any]


def with_tensors(model: onnx.ModelProto, inputs: Sequence[Any]) -> tuple[onnx.ModelProto, list[Array]]:
    """Returns the model with an input for each tensor, and the values of all inputs.

    A sequence is collected, and an optional value made, by nodes before all others.
    """
    if all(each.type.WhichOneof("value") == "tensor_type" for each in model.graph.input):
        return model, [array(value) for value in inputs]
    plain = onnx.ModelProto()
    plain.CopyFrom(model)
    del plain.graph.input[:]
    del plain.graph.node[:]
    values: list[Array] = []
    for declared, value in zip(model.graph.input, inputs, strict=True):
        kind = declared.type.WhichOneof("value")
        parts = flattened(value)
        names = [declared.name] if kind == "tensor_type" else [f"{declared.name}/{i}" for i in range(len(parts))]
        for name, part in zip(names, parts, strict=True):
            plain.graph.input.append(
                helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(part.dtype), part.shape)
            )
            values.append(part)
        if kind != "tensor_type":
            plain.graph.node.extend(_collected(declared, value, names))
    plain.graph.node.extend(model.graph.node)
    return plain, values


def _collected(declared: onnx.ValueInfoProto, value: Any, names: Sequence[str]) -> list[onnx.NodeProto]:
    """The nodes that make a sequence or an optional value of the tensors called `names`."""
    is_sequence = isinstance(value, list)
    if declared.type.WhichOneof("value") == "sequence_type":
        return [_sequence(names, declared.name)]
    if value is None:
        return [helper.make_node("Optional", [], [declared.name])]
    held = f"{declared.name}/held" if is_sequence else names[0]
    nodes = [_sequence(names, held)] if is_sequence else []
    return [*nodes, helper.make_node("Optional", [held], [declared.name])]


def _sequence(names: Sequence[str], output: str) -> onnx.NodeProto:
    return helper.make_node("SequenceConstruct" if names else "SequenceEmpty", names, [output])


def flattened(value: Any) -> list[Array]:
    """The tensors that a value of a case holds."""
    if value is None:
        return []
    return [array(each) for each in value] if isinstance(value, list) else [array(value)]


def array(value: Any) -> Array:
    """Returns a tensor of a case."""
    return np.asarray(numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else value)
