"""The models of the right pipelines, written again by `python -m tests.faults.practice.mobile_engine._models`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import NodeProto, TensorProto, helper, numpy_helper

HERE = Path(__file__).parent


def mobile() -> None:
    """Pointwise, depthwise and grouped convolutions, two pools, joined."""
    random = np.random.default_rng(5)
    weights = {
        "expand.weight": random.normal(0.0, 0.9, (10, 6, 1, 1)),
        "expand.bias": random.normal(0.3, 0.5, 10),
        "depth.weight": random.normal(0.1, 0.5, (10, 1, 3, 3)),
        "depth.bias": random.normal(0.2, 0.4, 10),
        "grouped.weight": random.normal(0.0, 0.25, (6, 5, 3, 3)),
        "grouped.bias": random.normal(0.0, 0.4, 6),
        "zero": np.float32(0.0),
        "six": np.float32(6.0),
    }
    nodes = [
        helper.make_node("Conv", ["image", "expand.weight", "expand.bias"], ["expand.sum"]),
        helper.make_node("Clip", ["expand.sum", "zero", "six"], ["expand"]),
        helper.make_node(
            "Conv", ["expand", "depth.weight", "depth.bias"], ["depth.sum"], pads=[1] * 4, strides=[2, 2], group=10
        ),
        helper.make_node("Clip", ["depth.sum", "zero", "six"], ["depth"]),
        helper.make_node("Conv", ["depth", "grouped.weight", "grouped.bias"], ["grouped.sum"], pads=[1] * 4, group=2),
        helper.make_node("LeakyRelu", ["grouped.sum"], ["grouped"], alpha=0.1),
        helper.make_node("MaxPool", ["grouped"], ["maxpool"], kernel_shape=[3, 3], pads=[1] * 4, strides=[2, 2]),
        helper.make_node("AveragePool", ["grouped"], ["avgpool"], kernel_shape=[3, 3], pads=[1] * 4, strides=[2, 2]),
        helper.make_node("Concat", ["maxpool", "avgpool"], ["joined"], axis=1),
    ]
    _save("mobile", nodes, weights, {"image": (1, 6, 11, 9)}, {"joined": (1, 12, 3, 3)})


def head() -> None:
    """An instance norm and a softmax over channels, each in two passes, and a pointwise layer between them."""
    random = np.random.default_rng(6)
    weights = {
        "eps": np.float32(1e-3),
        "gamma": random.normal(1.0, 0.3, (1, 7, 1, 1)),
        "beta": random.normal(0.0, 0.5, (1, 7, 1, 1)),
        "logits.weight": random.normal(0.0, 0.8, (9, 7, 1, 1)),
        "logits.bias": random.normal(0.0, 0.5, 9),
    }
    nodes = [
        helper.make_node("ReduceMean", ["features"], ["mean"], axes=[2, 3], keepdims=1),
        helper.make_node("Sub", ["features", "mean"], ["centred"]),
        helper.make_node("Mul", ["centred", "centred"], ["square"]),
        helper.make_node("ReduceMean", ["square"], ["variance"], axes=[2, 3], keepdims=1),
        helper.make_node("Add", ["variance", "eps"], ["steady"]),
        helper.make_node("Sqrt", ["steady"], ["deviation"]),
        helper.make_node("Reciprocal", ["deviation"], ["rstd"]),
        helper.make_node("Mul", ["centred", "rstd"], ["unit"]),
        helper.make_node("Mul", ["unit", "gamma"], ["scaled"]),
        helper.make_node("Add", ["scaled", "beta"], ["affine"]),
        helper.make_node("HardSwish", ["affine"], ["norm"]),
        helper.make_node("Conv", ["norm", "logits.weight", "logits.bias"], ["logits"]),
        helper.make_node("ReduceMax", ["logits"], ["peak"], axes=[1], keepdims=1),
        helper.make_node("Sub", ["logits", "peak"], ["below"]),
        helper.make_node("Exp", ["below"], ["powers"]),
        helper.make_node("ReduceSum", ["powers", "axis"], ["total"], keepdims=1),
        helper.make_node("Div", ["powers", "total"], ["share"]),
    ]
    _save("head", nodes, weights | {"axis": np.array([1])}, {"features": (1, 7, 5, 6)}, {"share": (1, 9, 5, 6)})


def compute() -> None:
    """Builds a convolution, a depthwise one, a squeeze to one value a channel, an inner product and a softmax."""
    random = np.random.default_rng(7)
    weights = {
        "conv.weight": random.normal(0.0, 0.3, (8, 5, 3, 3)),
        "conv.bias": random.normal(0.1, 0.4, 8),
        "dw.weight": random.normal(0.0, 0.6, (8, 1, 3, 3)),
        "dw.bias": random.normal(0.0, 0.4, 8),
        "fc.weight": random.normal(0.0, 1.2, (6, 8)),
        "fc.bias": random.normal(0.0, 0.5, 6),
    }
    nodes = [
        helper.make_node("Conv", ["data", "conv.weight", "conv.bias"], ["conv.sum"], pads=[1] * 4),
        helper.make_node("Relu", ["conv.sum"], ["conv"]),
        helper.make_node("Conv", ["conv", "dw.weight", "dw.bias"], ["dw.sum"], pads=[1] * 4, strides=[2, 2], group=8),
        helper.make_node("HardSwish", ["dw.sum"], ["dw"]),
        helper.make_node("GlobalAveragePool", ["dw"], ["squeeze"]),
        helper.make_node("Flatten", ["squeeze"], ["flat"]),
        helper.make_node("Gemm", ["flat", "fc.weight", "fc.bias"], ["fc"], transB=1),
        helper.make_node("Softmax", ["fc"], ["prob"], axis=1),
    ]
    _save("compute", nodes, weights, {"data": (1, 5, 12, 10)}, {"prob": (1, 6)})


def images() -> None:
    """A layer norm over channels, a PReLU, both pools, and an enlargement, in images."""
    random = np.random.default_rng(8)
    weights = {
        "ln.gamma": random.normal(1.0, 0.3, 6),
        "ln.beta": random.normal(0.0, 0.4, 6),
        "slope": random.uniform(0.05, 0.5, (6, 1, 1)),
        "scales": np.array([1.0, 1.0, 2.0, 2.0]),
        "point.weight": random.normal(0.0, 0.6, (6, 6, 1, 1)),
        "point.bias": random.normal(0.0, 0.3, 6),
    }
    nodes = [
        helper.make_node("Transpose", ["frame"], ["frame.nhwc"], perm=[0, 2, 3, 1]),
        helper.make_node("LayerNormalization", ["frame.nhwc", "ln.gamma", "ln.beta"], ["ln.nhwc"], epsilon=1e-3),
        helper.make_node("Transpose", ["ln.nhwc"], ["ln.nchw"], perm=[0, 3, 1, 2]),
        helper.make_node("PRelu", ["ln.nchw", "slope"], ["ln"]),
        helper.make_node("MaxPool", ["ln"], ["peaks"], kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("AveragePool", ["ln"], ["means"], kernel_shape=[3, 3], pads=[1] * 4, count_include_pad=1),
        helper.make_node("Conv", ["peaks", "point.weight", "point.bias"], ["point"]),
        helper.make_node("Resize", ["point", "", "scales"], ["large"], mode="linear"),
        helper.make_node("Sigmoid", ["means"], ["gate"]),
        helper.make_node("Mul", ["large", "gate"], ["gated"]),
    ]
    _save("images", nodes, weights, {"frame": (1, 6, 8, 10)}, {"gated": (1, 6, 8, 10)})


def _save(
    folder: str,
    nodes: list[NodeProto],
    weights: Mapping[str, object],
    inputs: Mapping[str, Sequence[int]],
    outputs: Mapping[str, Sequence[int]],
) -> None:
    kinds = {name: np.int64 if np.asarray(value).dtype.kind == "i" else np.float32 for name, value in weights.items()}
    graph = helper.make_graph(
        nodes,
        folder,
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in inputs.items()],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in outputs.items()],
        [numpy_helper.from_array(np.asarray(value, kinds[name]), name) for name, value in weights.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, HERE / folder / "model.onnx")


if __name__ == "__main__":
    mobile()
    head()
    compute()
    images()
