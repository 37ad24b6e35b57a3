"""Writes the models of this style's folders: `python -m tests.faults.practice.accessors.models`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

HERE = Path(__file__).parent
Array = NDArray[Any]


def noise(seed: int, *shape: int, scale: float = 1.0, shift: float = 0.0) -> Array:
    """Builds seeded normal float32."""
    return (np.random.default_rng(seed).normal(size=shape) * scale + shift).astype(np.float32)


def node(kind: str, inputs: str, to: str, **attributes: Any) -> onnx.NodeProto:
    """A node; names of inputs are divided by spaces."""
    return helper.make_node(kind, ["" if each == "-" else each for each in inputs.split()], to.split(), **attributes)


def write(
    name: str, nodes: Sequence[onnx.NodeProto], inputs: dict[str, tuple[int, ...]], weights: dict[str, Array], to: str
) -> None:
    """The model of the folder `name`, whose outputs are `to`, divided by spaces."""
    graph = helper.make_graph(
        list(nodes),
        name,
        [helper.make_tensor_value_info(key, onnx.TensorProto.FLOAT, shape) for key, shape in inputs.items()],
        [helper.make_empty_tensor_value_info(each) for each in to.split()],
        [numpy_helper.from_array(value, key) for key, value in weights.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    model = onnx.shape_inference.infer_shapes(model, strict_mode=True)
    onnx.checker.check_model(model)
    (HERE / name).mkdir(exist_ok=True)
    onnx.save(model, HERE / name / "model.onnx")


def bottleneck() -> None:
    """Builds a strided convolution, a depthwise one, a projection and a residual, capped at six."""
    weights = {
        "k1": noise(1, 6, 3, 3, 3, scale=0.6),
        "b1": noise(2, 6, shift=1.0),
        "k2": noise(3, 6, 1, 3, 3, scale=0.6),
        "b2": noise(4, 6),
        "k3": noise(5, 6, 6, 1, 1, scale=0.5),
        "b3": noise(6, 6),
        "low": np.array(0, np.float32),
        "high": np.array(6, np.float32),
    }
    nodes = [
        node("Conv", "x k1 b1", "stem_sum", strides=[2, 2], pads=[0, 1, 1, 1]),
        node("Clip", "stem_sum low high", "stem"),
        node("Conv", "stem k2 b2", "dw_sum", pads=[1, 1, 1, 1], group=6),
        node("Clip", "dw_sum low high", "dw"),
        node("Conv", "dw k3 b3", "project"),
        node("Add", "project stem", "y"),
    ]
    write("bottleneck", nodes, {"x": (1, 3, 16, 13)}, weights, "y")


def packed_head() -> None:
    """A dense layer with Elu, another, and a softmax of its rows in four steps, all packed two by two."""
    weights = {
        "w1": noise(11, 13, 10, scale=0.4),
        "b1": noise(12, 10),
        "w2": noise(13, 10, 7, scale=0.8),
        "b2": noise(14, 7),
    }
    weights["axis"] = np.array([1], np.int64)
    nodes = [
        node("MatMul", "x w1", "m1"),
        node("Add", "m1 b1", "a1"),
        node("Elu", "a1", "hidden", alpha=1.0),
        node("MatMul", "hidden w2", "m2"),
        node("Add", "m2 b2", "logits"),
        node("ReduceMax", "logits axis", "peak", keepdims=1),
        node("Sub", "logits peak", "lowered"),
        node("Exp", "lowered", "powers"),
        node("ReduceSum", "powers axis", "total", keepdims=1),
        node("Div", "powers total", "y"),
    ]
    write("packed_head", nodes, {"x": (5, 13)}, weights, "y")


def decoder() -> None:
    """Builds bilinear enlargement by two, convolution with leaky ReLU, depth to space, and a transposed convolution."""
    weights = {
        "scales": np.array([1, 1, 2, 2], np.float32),
        "k1": noise(21, 8, 5, 3, 3, scale=0.3),
        "b1": noise(22, 8),
        "k2": noise(23, 2, 3, 4, 4, scale=0.4),
        "b2": noise(24, 3),
    }
    nodes = [
        node("Resize", "x - scales", "larger", mode="linear", coordinate_transformation_mode="half_pixel"),
        node("Conv", "larger k1 b1", "sums", pads=[1, 1, 1, 1]),
        node("LeakyRelu", "sums", "features", alpha=0.2),
        node("DepthToSpace", "features", "spread", blocksize=2, mode="DCR"),
        node("ConvTranspose", "spread k2 b2", "up", strides=[2, 2], pads=[1, 1, 1, 1]),
        node("Sigmoid", "up", "y"),
    ]
    write("decoder", nodes, {"x": (1, 5, 5, 6)}, weights, "y")


def pools() -> None:
    """The largest of windows, a batch normalisation, a PReLU, means of what is inside, and two of these joined."""
    weights: dict[str, Array] = {
        "gamma": noise(31, 5, scale=0.3, shift=1.0),
        "beta": noise(32, 5),
        "average": noise(33, 5, shift=0.5),
        "spread": np.abs(noise(34, 5, scale=0.4)) + np.float32(0.05),
        "slope": noise(35, 5, 1, 1, scale=0.2, shift=0.3),
    }
    nodes = [
        node("MaxPool", "x", "largest", kernel_shape=[2, 2], strides=[2, 2], pads=[1, 0, 0, 0]),
        node("BatchNormalization", "largest gamma beta average spread", "normed", epsilon=0.01),
        node("PRelu", "normed slope", "bent"),
        node("AveragePool", "bent", "means", kernel_shape=[2, 2], pads=[0, 0, 1, 1]),
        node("Concat", "means normed", "y", axis=1),
    ]
    write("pools", nodes, {"x": (1, 5, 9, 12)}, weights, "y")


def moving() -> None:
    """Builds operators that only move numbers: mirrored border, transpose, reversed slice, tiles, space to depth."""
    weights: dict[str, Array] = {
        "border": np.array([0, 0, 2, 1, 0, 0, 1, 2], np.int64),
        "starts": np.array([10, 0], np.int64),
        "ends": np.array([0, 9], np.int64),
        "axes": np.array([2, 3], np.int64),
        "steps": np.array([-3, 2], np.int64),
        "times": np.array([1, 1, 1, 2], np.int64),
    }
    nodes = [
        node("Pad", "x border", "framed", mode="reflect"),
        node("Transpose", "framed", "turned", perm=[0, 1, 3, 2]),
        node("Slice", "turned starts ends axes steps", "picked"),
        node("Tile", "picked times", "twice"),
        node("SpaceToDepth", "twice", "y", blocksize=2),
    ]
    write("moving", nodes, {"x": (1, 4, 6, 9)}, weights, "y")


def layer_norm() -> None:
    """Builds a layer normalisation that reduces rows four at a time, and a dense layer with a Selu behind it."""
    weights: dict[str, Array] = {
        "axis": np.array([1], np.int64),
        "eps": np.array(0.01, np.float32),
        "gamma": noise(41, 26, scale=0.3, shift=1.0),
        "beta": noise(42, 26, scale=0.5),
        "w": noise(43, 26, 9, scale=0.25),
        "b": noise(44, 9),
    }
    nodes = [
        node("ReduceMean", "x axis", "mean", keepdims=1),
        node("Sub", "x mean", "centred"),
        node("Mul", "centred centred", "squares"),
        node("ReduceMean", "squares axis", "variance", keepdims=1),
        node("Add", "variance eps", "held"),
        node("Sqrt", "held", "root"),
        node("Div", "centred root", "unit"),
        node("Mul", "unit gamma", "scaled"),
        node("Add", "scaled beta", "normed"),
        node("MatMul", "normed w", "product"),
        node("Add", "product b", "sums"),
        node("Selu", "sums", "y"),
    ]
    write("layer_norm", nodes, {"x": (7, 26)}, weights, "y")


MODELS = (bottleneck, packed_head, decoder, pools, moving, layer_norm)


def main() -> None:
    """Writes all of them, always the same."""
    for each in MODELS:
        each()


if __name__ == "__main__":
    main()
