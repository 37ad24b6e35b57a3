"""Writes the models of this style's folders: `python -m tests.faults.practice.engine.models`."""

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


def packed_block() -> None:
    """Builds a convolution with a ReLU, a depthwise one with hard swish, a projection, a residual; channels by four."""
    weights: dict[str, Array] = {
        "w1": noise(1, 12, 8, 3, 3, scale=0.25),
        "b1": noise(2, 12),
        "w2": noise(3, 12, 1, 5, 5, scale=0.3),
        "b2": noise(4, 12),
        "w3": noise(5, 8, 12, 1, 1, scale=0.4),
        "b3": noise(6, 8),
    }
    nodes = [
        node("Conv", "x w1 b1", "conv_sum", pads=[1, 1, 1, 1]),
        node("Relu", "conv_sum", "conv"),
        node("Conv", "conv w2 b2", "dw_sum", pads=[2, 2, 2, 2], group=12),
        node("HardSwish", "dw_sum", "dw"),
        node("Conv", "dw w3 b3", "pw_sum"),
        node("Add", "pw_sum x", "y"),
    ]
    write("packed_block", nodes, {"x": (1, 8, 11, 9)}, weights, "y")


def grouped() -> None:
    """A convolution of three groups with a stride, its channels shuffled, a PReLU, and a mean without the padding."""
    weights: dict[str, Array] = {
        "w": noise(11, 9, 2, 3, 3, scale=0.5),
        "b": noise(12, 9),
        "slope": noise(13, 9, 1, 1, scale=0.2, shift=0.3),
        "apart": np.array([1, 3, 3, 5, 4], np.int64),
        "together": np.array([1, 9, 5, 4], np.int64),
    }
    nodes = [
        node("Conv", "x w b", "conv", strides=[2, 2], pads=[1, 1, 1, 1], group=3),
        node("Reshape", "conv apart", "folded"),
        node("Transpose", "folded", "turned", perm=[0, 2, 1, 3, 4]),
        node("Reshape", "turned together", "shuffled"),
        node("PRelu", "shuffled slope", "bent"),
        node("AveragePool", "bent", "y", kernel_shape=[3, 3], strides=[1, 1], pads=[1, 1, 1, 1]),
    ]
    write("grouped", nodes, {"x": (1, 6, 10, 7)}, weights, "y")


def products() -> None:
    """Builds a tiled product with a Swish, and an inner product by weights with outputs first, plus its input."""
    weights: dict[str, Array] = {
        "w1": noise(21, 37, 22, scale=0.3),
        "b1": noise(22, 22),
        "w2": noise(23, 37, 22, scale=0.3),
        "b2": noise(24, 37),
    }
    nodes = [
        node("MatMul", "x w1", "m1"),
        node("Add", "m1 b1", "s1"),
        node("Sigmoid", "s1", "gate"),
        node("Mul", "s1 gate", "hidden"),
        node("Gemm", "hidden w2 b2", "inner", transB=1),
        node("Add", "inner x", "y"),
    ]
    write("products", nodes, {"x": (20, 37)}, weights, "y")


def rows() -> None:
    """A softmax of long rows, in three dispatches that reduce in shared memory, and the rows weighted by it."""
    weights: dict[str, Array] = {"axis": np.array([1], np.int64), "third": np.array(1 / 3, np.float32)}
    nodes = [
        node("Mul", "x third", "cooled"),
        node("ReduceMax", "cooled axis", "peak", keepdims=1),
        node("Sub", "cooled peak", "lowered"),
        node("Exp", "lowered", "powers"),
        node("ReduceSum", "powers axis", "total", keepdims=1),
        node("Div", "powers total", "shares"),
        node("Mul", "shares v", "weighted"),
        node("ReduceSum", "weighted axis", "y", keepdims=1),
    ]
    write("rows", nodes, {"x": (11, 45), "v": (11, 45)}, weights, "y")


def statistics() -> None:
    """Builds an instance normalisation, mean and variance each a dispatch, with scale and shift, and a Mish."""
    weights: dict[str, Array] = {
        "axes": np.array([2, 3], np.int64),
        "eps": np.array(0.02, np.float32),
        "gamma": noise(31, 8, 1, 1, scale=0.4, shift=1.0),
        "beta": noise(32, 8, 1, 1),
    }
    nodes = [
        node("ReduceMean", "x axes", "mean", keepdims=1),
        node("Sub", "x mean", "centred"),
        node("Mul", "centred centred", "squares"),
        node("ReduceMean", "squares axes", "variance", keepdims=1),
        node("Add", "variance eps", "held"),
        node("Sqrt", "held", "root"),
        node("Div", "centred root", "unit"),
        node("Mul", "unit gamma", "scaled"),
        node("Add", "scaled beta", "normed"),
        node("Softplus", "normed", "soft"),
        node("Tanh", "soft", "bounded"),
        node("Mul", "normed bounded", "y"),
    ]
    write("statistics", nodes, {"x": (1, 8, 9, 7)}, weights, "y")


def upscale() -> None:
    """Channels to pixels, bilinear from corner to corner, a border of reflections, and two maps behind each other."""
    weights: dict[str, Array] = {
        "sizes": np.array([1, 3, 15, 17], np.int64),
        "border": np.array([0, 0, 2, 1, 0, 0, 1, 3], np.int64),
        "k": noise(41, 4, 3, 3, 3, scale=0.3),
        "b": noise(42, 3),
    }
    nodes = [
        node("DepthToSpace", "x", "pixels", blocksize=2, mode="CRD"),
        node("Resize", "pixels - - sizes", "larger", mode="linear", coordinate_transformation_mode="align_corners"),
        node("Pad", "larger border", "framed", mode="reflect"),
        node("Concat", "framed side", "both", axis=1),
        node("ConvTranspose", "small k b", "y", strides=[2, 2], pads=[1, 1, 1, 1], output_padding=[1, 0]),
    ]
    write("upscale", nodes, {"x": (1, 12, 5, 6), "side": (1, 2, 18, 21), "small": (1, 4, 6, 5)}, weights, "both y")


MODELS = (packed_block, grouped, products, rows, statistics, upscale)


def main() -> None:
    """Writes all of them, always the same."""
    for each in MODELS:
        each()


if __name__ == "__main__":
    main()
