"""Make the models of this style, always the same: `python -m tests.faults.fresh.engine_kernels._make_models`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import ArrayLike
from onnx import helper, numpy_helper


@dataclass
class Graph:
    """A model that grows node by node."""

    seed: int
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    weights: list[onnx.TensorProto] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Seed the noise of the weights."""
        self.random = np.random.default_rng(self.seed)

    def node(self, kind: str, inputs: Sequence[str], output: str, **attributes: Any) -> None:
        """Add a node with one output, after which it is named."""
        self.nodes.append(helper.make_node(kind, list(inputs), [output], output, **attributes))

    def noise(self, name: str, shape: Sequence[int], spread: float, centre: float = 0.0) -> None:
        """Add weights of normal noise."""
        self.array(name, self.random.normal(centre, spread, tuple(shape)).astype(np.float32))

    def array(self, name: str, values: ArrayLike) -> None:
        """Add weights, or whole numbers such as a shape."""
        self.weights.append(numpy_helper.from_array(np.asarray(values), name))

    def save(self, folder: str, inputs: dict[str, Sequence[int]], outputs: dict[str, Sequence[int]]) -> None:
        """Check the model and write it into a pipeline's folder."""
        read, written = (
            [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape) for name, shape in each.items()]
            for each in (inputs, outputs)
        )
        graph = helper.make_graph(self.nodes, folder, read, written, self.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
        onnx.checker.check_model(model, full_check=True)
        onnx.save(model, Path(__file__).parent / folder / "model.onnx")


def phone() -> None:
    """A network of a phone: a stem, a gated depthwise block, a pooled branch that is enlarged again, and classes."""
    graph = Graph(301)
    graph.noise("stem.w", (10, 3, 5, 3), 0.5)
    graph.noise("stem.b", (10,), 0.4)
    graph.node("Conv", ["image", "stem.w", "stem.b"], "stem_sum", strides=[2, 2], pads=[2, 1, 2, 1])
    graph.node("HardSwish", ["stem_sum"], "stem")
    graph.noise("depth.w", (10, 1, 3, 3), 1.2)
    graph.noise("depth.b", (10,), 0.5)
    graph.node("Conv", ["stem", "depth.w", "depth.b"], "depth_sum", pads=[2, 1, 2, 1], dilations=[2, 1], group=10)
    graph.array("zero", np.float32(0))
    graph.array("six", np.float32(6))
    graph.node("Clip", ["depth_sum", "zero", "six"], "depth")
    graph.noise("gate.w", (10, 10, 1, 1), 0.6)
    graph.noise("gate.b", (10,), 0.4)
    graph.node("GlobalAveragePool", ["depth"], "gate_mean")
    graph.node("Conv", ["gate_mean", "gate.w", "gate.b"], "gate_sum")
    graph.node("HardSigmoid", ["gate_sum"], "gate", alpha=1 / 6, beta=0.5)
    graph.node("Mul", ["depth", "gate"], "gated")
    graph.noise("point.w", (14, 10, 1, 1), 0.4)
    graph.noise("point.b", (14,), 0.4)
    graph.node("Conv", ["gated", "point.w", "point.b"], "point")
    graph.node("AveragePool", ["point"], "pool", kernel_shape=[3, 2], strides=[2, 2], pads=[1, 0, 1, 1])
    graph.noise("up.w", (14, 6, 4, 3), 0.3)
    graph.noise("up.b", (6,), 0.4)
    graph.node("ConvTranspose", ["pool", "up.w", "up.b"], "up_sum", strides=[2, 2], pads=[1, 1, 1, 1])
    graph.node("LeakyRelu", ["up_sum"], "up", alpha=0.15)
    for name, value in (("starts", 0), ("ends", 13), ("axes", 2)):
        graph.array(name, np.array([value], np.int64))
    graph.node("Slice", ["up", "starts", "ends", "axes"], "up_rows")
    graph.node("Concat", ["point", "up_rows"], "joined", axis=1)
    graph.node("Softmax", ["joined"], "share", axis=1)
    graph.save("phone", {"image": (1, 3, 25, 34)}, {"share": (1, 20, 13, 17)})


def tokens() -> None:
    """A block of a language model: RMS norm, rotary grouped-query attention with a causal mask, and a gated layer."""
    graph, places, width, size = Graph(302), 11, 24, 6
    graph.noise("norm.g", (width,), 0.3, 1.0)
    graph.array("epsilon", np.float32(2e-2))
    graph.array("last", np.array([-1], np.int64))
    graph.node("Mul", ["tokens", "tokens"], "squares")
    graph.node("ReduceMean", ["squares", "last"], "mean_square", keepdims=1)
    graph.node("Add", ["mean_square", "epsilon"], "mean_square_eps")
    graph.node("Sqrt", ["mean_square_eps"], "rms")
    graph.node("Div", ["tokens", "rms"], "unit")
    graph.node("Mul", ["unit", "norm.g"], "normed")
    graph.noise("qkv.w", (width, 48), 0.25)
    graph.noise("qkv.b", (48,), 0.3)
    graph.node("MatMul", ["normed", "qkv.w"], "qkv_product")
    graph.node("Add", ["qkv_product", "qkv.b"], "qkv")
    angles = np.arange(4, 4 + places)[:, None] * 10.0 ** (-np.arange(size // 2) / 1.5)[None]
    graph.array("cosines", np.cos(angles).astype(np.float32)[:, None])
    graph.array("sines", np.sin(angles).astype(np.float32)[:, None])
    for name, start, heads in (("query", 0, 4), ("key", 24, 2), ("value", 36, 2)):
        _part(graph, name, start, (places, heads, size))
    _rotary(graph, "query", size)
    _rotary(graph, "key", size)
    _attention(graph, places, size)
    graph.noise("out.w", (width, width), 0.3)
    graph.node("MatMul", ["mixed", "out.w"], "out_product")
    graph.node("Add", ["out_product", "tokens"], "attended")
    graph.noise("ffn.gate", (width, 20), 0.3)
    graph.noise("ffn.up", (width, 20), 0.3)
    graph.node("MatMul", ["attended", "ffn.gate"], "ffn_gate")
    graph.node("MatMul", ["attended", "ffn.up"], "ffn_up")
    graph.node("Sigmoid", ["ffn_gate"], "ffn_share")
    graph.node("Mul", ["ffn_gate", "ffn_share"], "ffn_silu")
    graph.node("Mul", ["ffn_silu", "ffn_up"], "ffn")
    graph.save("tokens", {"tokens": (places, width)}, {"ffn": (places, 20)})


def _part(graph: Graph, name: str, start: int, shape: tuple[int, int, int]) -> None:
    """Cut the columns of one projection out of all three, as heads."""
    graph.array(f"{name}.start", np.array([start], np.int64))
    graph.array(f"{name}.end", np.array([start + shape[1] * shape[2]], np.int64))
    graph.array(f"{name}.shape", np.array(shape, np.int64))
    graph.node("Slice", ["qkv", f"{name}.start", f"{name}.end", "last"], f"{name}_columns")
    graph.node("Reshape", [f"{name}_columns", f"{name}.shape"], f"{name}_heads")


def _rotary(graph: Graph, name: str, size: int) -> None:
    """Turn the halves of every head by the angle of its place."""
    first, second = f"{name}_first", f"{name}_second"
    graph.array(f"{name}.zero", np.array([0], np.int64))
    graph.array(f"{name}.half", np.array([size // 2], np.int64))
    graph.array(f"{name}.size", np.array([size], np.int64))
    graph.node("Slice", [f"{name}_heads", f"{name}.zero", f"{name}.half", "last"], first)
    graph.node("Slice", [f"{name}_heads", f"{name}.half", f"{name}.size", "last"], second)
    for part, table in ((first, "cosines"), (first, "sines"), (second, "cosines"), (second, "sines")):
        graph.node("Mul", [part, table], f"{part}_{table}")
    graph.node("Sub", [f"{first}_cosines", f"{second}_sines"], f"{name}_low")
    graph.node("Add", [f"{second}_cosines", f"{first}_sines"], f"{name}_high")
    graph.node("Concat", [f"{name}_low", f"{name}_high"], name, axis=-1)


def _attention(graph: Graph, places: int, size: int) -> None:
    """Weigh the values by the softmax of scaled products; two heads of queries share one of keys and values."""
    graph.array("sharing", np.array([0, 0, 1, 1], np.int64))
    graph.array("head_scale", np.float32(size**-0.5))
    graph.array("mask", np.triu(np.full((places, places), -1e4, np.float32), 1))
    graph.array("mixed.shape", np.array([places, 4 * size], np.int64))
    graph.node("Gather", ["key", "sharing"], "keys", axis=1)
    graph.node("Gather", ["value_heads", "sharing"], "values", axis=1)
    graph.node("Transpose", ["query"], "query_t", perm=[1, 0, 2])
    graph.node("Transpose", ["keys"], "keys_t", perm=[1, 2, 0])
    graph.node("Transpose", ["values"], "values_t", perm=[1, 0, 2])
    graph.node("MatMul", ["query_t", "keys_t"], "products")
    graph.node("Mul", ["products", "head_scale"], "scores")
    graph.node("Add", ["scores", "mask"], "masked")
    graph.node("Softmax", ["masked"], "probs", axis=-1)
    graph.node("MatMul", ["probs", "values_t"], "mixed_heads")
    graph.node("Transpose", ["mixed_heads"], "mixed_t", perm=[1, 0, 2])
    graph.node("Reshape", ["mixed_t", "mixed.shape"], "mixed")


def planes() -> None:
    """A head of two pictures: a grouped branch that is shuffled up, a resized one that is cut, and classes of both."""
    graph = Graph(303)
    graph.noise("grouped.w", (8, 3, 5, 5), 0.25)
    graph.noise("grouped.b", (8,), 0.3)
    strides, pads = [2, 1], [0, 1, 0, 0]
    graph.node("Conv", ["features", "grouped.w", "grouped.b"], "grouped", strides=strides, pads=pads, group=2)
    graph.noise("norm.g", (8, 1, 1), 0.3, 1.0)
    graph.noise("norm.b", (8, 1, 1), 0.3)
    graph.array("groups.shape", np.array([2, 4, -1], np.int64))
    graph.array("full.shape", np.array([2, 8, 8, 6], np.int64))
    graph.array("groups.ones", np.ones(4, np.float32))
    graph.array("groups.zeros", np.zeros(4, np.float32))
    graph.node("Reshape", ["grouped", "groups.shape"], "in_groups")
    graph.node("InstanceNormalization", ["in_groups", "groups.ones", "groups.zeros"], "groups_unit", epsilon=0.01)
    graph.node("Reshape", ["groups_unit", "full.shape"], "unit")
    graph.node("Mul", ["unit", "norm.g"], "gained")
    graph.node("Add", ["gained", "norm.b"], "normed_sum")
    graph.node("Sigmoid", ["normed_sum"], "normed_share")
    graph.node("Mul", ["normed_sum", "normed_share"], "normed")
    graph.node("DepthToSpace", ["normed"], "shuffled", blocksize=2, mode="CRD")
    graph.array("sizes", np.array([2, 6, 16, 12], np.int64))
    graph.node("Resize", ["features", "", "", "sizes"], "resized", mode="linear")
    for name, value in (("cut.starts", 1), ("cut.ends", 6), ("cut.axes", 1), ("cut.steps", 2)):
        graph.array(name, np.array([value], np.int64))
    graph.node("Slice", ["resized", "cut.starts", "cut.ends", "cut.axes", "cut.steps"], "cut")
    graph.node("Concat", ["shuffled", "cut"], "joined", axis=1)
    graph.node("MaxPool", ["joined"], "pooled", kernel_shape=[4, 3], strides=[3, 2], pads=[1, 0, 1, 1])
    graph.noise("classes.w", (7, 5, 1, 1), 0.5)
    graph.noise("classes.b", (7,), 0.4)
    graph.noise("classes.s", (7, 1, 1), 0.1, 0.2)
    graph.node("Conv", ["pooled", "classes.w", "classes.b"], "classes_sum")
    graph.node("PRelu", ["classes_sum", "classes.s"], "classes")
    graph.save("planes", {"features": (2, 6, 20, 9)}, {"classes": (2, 7, 5, 6)})


def steps() -> None:
    """A network in steps of 8 bits around a mixer in floats: places as tokens, a layer norm, two layers, and back."""
    graph = Graph(304)
    for name, value in (("zero", 0.0), ("six", 6.375)):
        graph.array(name, np.float32(value))
    _in_steps(graph, "frame", "coded", np.float32(0.03), 110)
    scales = np.array([0.004, 0.006, 0.005, 0.003, 0.0045, 0.0055], np.float32)[:, None, None, None]
    graph.array("conv.w", (graph.random.integers(0, 256, (6, 5, 3, 3)) - 121).astype(np.float32) * scales)
    graph.noise("conv.b", (6,), 0.5)
    graph.node("Conv", ["coded", "conv.w", "conv.b"], "conv_sum", pads=[1, 1, 1, 1])
    graph.node("Clip", ["conv_sum", "zero", "six"], "conv_clipped")
    _in_steps(graph, "conv_clipped", "conv", np.float32(0.025), 0)
    graph.node("AveragePool", ["conv"], "pool", kernel_shape=[2, 2], strides=[2, 2])
    graph.array("flat.shape", np.array([6, 63], np.int64))
    graph.noise("norm.g", (6,), 0.3, 1.0)
    graph.noise("norm.b", (6,), 0.3)
    graph.node("Reshape", ["pool", "flat.shape"], "pool_flat")
    graph.node("Transpose", ["pool_flat"], "places", perm=[1, 0])
    graph.node("LayerNormalization", ["places", "norm.g", "norm.b"], "normed", axis=-1, epsilon=0.01)
    graph.noise("wide.w", (10, 6), 0.5)
    graph.noise("wide.b", (10,), 0.3)
    graph.node("Gemm", ["normed", "wide.w", "wide.b"], "wide_sum", transB=1)
    graph.node("Elu", ["wide_sum"], "wide", alpha=0.8)
    graph.noise("back.w", (6, 10), 0.4)
    graph.noise("back.b", (6,), 0.3)
    graph.array("back.shape", np.array([1, 6, 7, 9], np.int64))
    graph.node("Gemm", ["wide", "back.w", "back.b"], "back_sum", transB=1)
    graph.node("Transpose", ["back_sum"], "back_channels", perm=[1, 0])
    graph.node("Reshape", ["back_channels", "back.shape"], "back_plane")
    graph.node("Add", ["back_plane", "pool"], "back")
    graph.array("twice", np.array([1, 1, 2, 2], np.float32))
    nearest = {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
    graph.node("Resize", ["back", "", "twice"], "back_twice", **nearest)
    graph.node("Add", ["back_twice", "conv"], "skipped")
    _in_steps(graph, "skipped", "packed", np.array([3.0, 6.0, 4.5, 9.0, 3.75, 7.5], np.float32) / np.float32(255), 85)
    graph.save("steps", {"frame": (1, 5, 14, 18)}, {"packed": (1, 6, 14, 18)})


def strips() -> None:
    """A convolution, an instance norm, a pooled map that becomes weights of places, and a gain for every channel."""
    graph = Graph(305)
    graph.noise("conv.w", (9, 6, 3, 3), 0.3)
    graph.noise("conv.b", (9,), 0.4)
    graph.node("Conv", ["signal", "conv.w", "conv.b"], "conv", strides=[2, 2], pads=[1, 1, 1, 1])
    graph.noise("unit.g", (9,), 0.4, 1.2)
    graph.noise("unit.b", (9,), 0.4)
    graph.node("InstanceNormalization", ["conv", "unit.g", "unit.b"], "unit", epsilon=0.02)
    for name, value in (("least", 0.05), ("cube", 3.0), ("root", 1 / 3), ("heat", 30.0)):
        graph.array(name, np.float32(value))
    graph.node("Max", ["unit", "least"], "at_least")
    graph.node("Pow", ["at_least", "cube"], "cubes")
    graph.node("AveragePool", ["cubes"], "cube_mean", kernel_shape=[2, 2], strides=[2, 2])
    graph.node("Pow", ["cube_mean", "root"], "gem")
    graph.noise("up.w", (9, 1, 4, 4), 0.5)
    graph.noise("up.b", (9,), 0.3)
    graph.node("ConvTranspose", ["gem", "up.w", "up.b"], "up", strides=[2, 2], pads=[1, 1, 1, 1], group=9)
    graph.array("flat", np.array([1, 9, 80], np.int64))
    graph.array("plane", np.array([1, 9, 8, 10], np.int64))
    graph.node("Mul", ["up", "heat"], "hot")
    graph.node("Reshape", ["hot", "flat"], "hot_flat")
    graph.node("Softmax", ["hot_flat"], "places_flat", axis=2)
    graph.node("Reshape", ["places_flat", "plane"], "places")
    for name, value in (("one", 1), ("nine", 9), ("rows", 2)):
        graph.array(name, np.array([value], np.int64))
    graph.array("both", np.array([2, 3], np.int64))
    graph.node("Slice", ["unit", "one", "nine", "rows"], "unit_rows")
    graph.node("Mul", ["unit_rows", "places"], "shares")
    graph.node("ReduceSum", ["shares", "both"], "context", keepdims=1)
    graph.node("Mul", ["unit", "context"], "scaled")
    graph.save("strips", {"signal": (1, 6, 17, 20)}, {"scaled": (1, 9, 9, 10)})


def _in_steps(graph: Graph, values: str, output: str, scale: ArrayLike, zero: int) -> None:
    """Round values to steps of 8 bits, one scale for all or one a channel, and back."""
    graph.array(f"{output}.scale", scale)
    graph.array(f"{output}.zero", np.full(np.shape(scale), zero, np.uint8))
    for kind, source, result in (
        ("QuantizeLinear", values, f"{output}_q"),
        ("DequantizeLinear", f"{output}_q", output),
    ):
        graph.node(kind, [source, f"{output}.scale", f"{output}.zero"], result, axis=1)


if __name__ == "__main__":
    phone()
    tokens()
    planes()
    steps()
    strips()
