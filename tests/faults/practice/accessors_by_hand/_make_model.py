"""Writes the models of the folders that have one: `python -m tests.faults.practice.accessors_by_hand._make_model`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import ArrayLike
from onnx import NodeProto, TensorProto, helper, numpy_helper

_RANDOM = np.random.default_rng(14)


def _weight(name: str, *shape: int) -> TensorProto:
    values = _RANDOM.standard_normal(shape) / np.sqrt(np.prod(shape[1:]) if len(shape) > 1 else 4)
    return numpy_helper.from_array(values.astype(np.float32), name)


def _constant(name: str, values: ArrayLike, dtype: type = np.float32) -> TensorProto:
    return numpy_helper.from_array(np.array(values, dtype), name)


def _write(
    folder: str, inputs: dict[str, list[int]], nodes: Sequence[NodeProto], constants: Sequence[TensorProto]
) -> None:
    out = nodes[-1].output[0]
    graph = helper.make_graph(
        nodes,
        folder,
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in inputs.items()],
        [helper.make_tensor_value_info(out, TensorProto.FLOAT, None)],
        constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    model = onnx.shape_inference.infer_shapes(model, strict_mode=True)
    onnx.checker.check_model(model)
    onnx.save(model, Path(__file__).parent / folder / "model.onnx")


def generated_cnn() -> None:
    """Builds a convolution and capped ReLU, a depthwise one with stride 2, an average pool, a product with weights."""
    constants = [_weight("w1", 5, 6, 3, 3), _weight("b1", 5), _weight("w2", 5, 1, 3, 3), _weight("b2", 5),
                 _weight("w3", 30, 7), _weight("b3", 7), _constant("low", 0), _constant("high", 1.5)]  # fmt: skip
    window: dict[str, Any] = {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1]}
    nodes = [
        helper.make_node("Conv", ["x", "w1", "b1"], ["sum1"], pads=[1, 1, 1, 1], kernel_shape=[3, 3]),
        helper.make_node("Clip", ["sum1", "low", "high"], ["conv1"]),
        helper.make_node("Conv", ["conv1", "w2", "b2"], ["depthwise"], group=5, **window),
        helper.make_node("AveragePool", ["depthwise"], ["pool"], count_include_pad=0, **window),
        helper.make_node("Flatten", ["pool"], ["flat"]),
        helper.make_node("Gemm", ["flat", "w3", "b3"], ["dense"]),
    ]
    _write("generated_cnn", {"x": [1, 6, 9, 7]}, nodes, constants)


def flat_buffers() -> None:
    """Builds space to depth, a convolution of 1x1 with x sigmoid(x), a dilated depthwise one, an enlargement."""
    constants = [_weight("mix", 5, 24, 1, 1), _weight("offsets", 5), _weight("kernel", 5, 1, 3, 3),
                 _constant("scales", [1, 1, 2, 3])]  # fmt: skip
    nodes = [
        helper.make_node("SpaceToDepth", ["image"], ["unshuffled"], blocksize=2),
        helper.make_node("Conv", ["unshuffled", "mix", "offsets"], ["sums"], kernel_shape=[1, 1]),
        helper.make_node("Sigmoid", ["sums"], ["gates"]),
        helper.make_node("Mul", ["sums", "gates"], ["mixed"]),
        helper.make_node("Conv", ["mixed", "kernel"], ["spread"], group=5, kernel_shape=[3, 3], dilations=[1, 2],
                         pads=[1, 2, 1, 2]),
        helper.make_node("Resize", ["spread", "", "scales"], ["enlarged"], mode="nearest", nearest_mode="floor",
                         coordinate_transformation_mode="asymmetric"),
    ]  # fmt: skip
    _write("flat_buffers", {"image": [1, 6, 8, 10]}, nodes, constants)


def by_hand() -> None:
    """Builds a join of two tensors, a convolution with mirrored borders and ReLU, a maximum, a channel gate."""
    constants = [_weight("filters", 4, 5, 3, 3), _weight("biases", 4), _constant("pads", [0, 0, 1, 1] * 2, np.int64)]
    nodes = [
        helper.make_node("Concat", ["x", "skip"], ["joined"], axis=1),
        helper.make_node("Pad", ["joined", "pads"], ["around"], mode="reflect"),
        helper.make_node("Conv", ["around", "filters", "biases"], ["sums"], kernel_shape=[3, 3]),
        helper.make_node("Relu", ["sums"], ["convolved"]),
        helper.make_node("MaxPool", ["convolved"], ["pooled"], kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("GlobalAveragePool", ["pooled"], ["means"]),
        helper.make_node("Sigmoid", ["means"], ["gates"]),
        helper.make_node("Mul", ["pooled", "gates"], ["gated"]),
    ]
    _write("by_hand", {"x": [1, 3, 7, 9], "skip": [1, 2, 7, 9]}, nodes, constants)


if __name__ == "__main__":
    generated_cnn()
    flat_buffers()
    by_hand()
