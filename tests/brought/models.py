"""Writes small ONNX models node by node, with weights that are read from a shader's text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import ArrayLike, NDArray
from onnx import TensorProto, helper, numpy_helper

_NUMBER = re.compile(r"-?\d+\.?\d*")


class ModelText:
    """Collects the nodes and weights of one model, whose inputs all have one shape."""

    def __init__(self, name: str, shape: tuple[int, ...], *others: str) -> None:
        self._inputs = [helper.make_tensor_value_info(each, TensorProto.FLOAT, shape) for each in (name, *others)]
        self._nodes: list[onnx.NodeProto] = []
        self._weights: list[onnx.TensorProto] = []

    def constant(self, values: ArrayLike, name: str, dtype: str = "float32") -> str:
        """Adds a weight; returns its name."""
        self._weights.append(numpy_helper.from_array(np.asarray(values, dtype=dtype), name))
        return name

    def node(self, kind: str, *inputs: str, name: str = "", **attributes: Any) -> str:
        """Adds a node; returns its output, which has the node's name."""
        output = name or f"{kind.lower()}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, list(inputs), [output], name=output, **attributes))
        return output

    def model(self, output: str) -> onnx.ModelProto:
        """Returns the model with that output."""
        info = helper.make_empty_tensor_value_info(output)
        graph = helper.make_graph(self._nodes, "model", self._inputs, [info], self._weights)
        made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)
        return onnx.shape_inference.infer_shapes(made)


def numbers(file: Path, opening: str) -> list[NDArray[np.float64]]:
    """Returns the numbers behind each `opening` of a file's text, up to its parenthesis: 16 for each `mat4(`."""
    found = [part.partition(")")[0] for part in file.read_text().split(opening)[1:]]
    lists = [[float(each) for each in _NUMBER.findall(part)] for part in found]
    return [np.array(each) for each in lists if len(each) == 16]


def columns(literals: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns the matrix [rows, columns] of a `mat4`, whose numbers go column by column."""
    return literals.reshape(4, 4).T
