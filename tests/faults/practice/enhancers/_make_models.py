"""Makes the five `model.onnx`: small, with random weights of four decimals, always the same.

Run it from the repository root:

    .venv/bin/python -m tests.faults.practice.enhancers._make_models
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

HERE = Path(__file__).parent
EDGE = [0, 0, 1, 1, 0, 0, 1, 1]


class Graph:
    """A graph that grows node by node; every node is named after its output."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []

    def add(self, operator: str, inputs: Sequence[str], output: str | Sequence[str], **attributes: Any) -> None:
        outputs = [output] if isinstance(output, str) else list(output)
        self.nodes.append(helper.make_node(operator, list(inputs), outputs, f"{outputs[0]}.node", **attributes))

    def keep(self, name: str, values: Any, dtype: Any = np.float32) -> str:
        self.weights.append(numpy_helper.from_array(np.asarray(values, dtype), name))
        return name

    def noise(self, name: str, shape: Sequence[int], spread: float, middle: float = 0.0) -> str:
        """Builds weights with four decimals, none of them zero."""
        values: NDArray[np.float64] = np.round(self.random.normal(middle, spread, shape), 4)
        values[values == 0.0] = 0.0317
        return self.keep(name, values)

    def conv(self, source: str, output: str, shape: Sequence[int], spread: float, **attributes: Any) -> None:
        """A convolution with a bias, whose weights are named after its output's first word."""
        name = output.split(" ")[0]
        weight = self.noise(f"{name}.weight", shape, spread)
        bias = self.noise(f"{name}.bias", shape[:1], 0.15)
        self.add("Conv", [source, weight, bias], output, **attributes)

    def save(self, folder: str, inputs: Mapping[str, Sequence[int]], outputs: Mapping[str, Sequence[int]]) -> None:
        def infos(shapes: Mapping[str, Sequence[int]]) -> list[onnx.ValueInfoProto]:
            return [helper.make_tensor_value_info(key, onnx.TensorProto.FLOAT, of) for key, of in shapes.items()]

        graph = helper.make_graph(self.nodes, folder, infos(inputs), infos(outputs), self.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        onnx.checker.check_model(model, full_check=True)
        onnx.save(model, HERE / folder / "model.onnx")


def crisp() -> None:
    """Twice the size: features of both signs, a sub-pixel plane added to the enlarged picture."""
    g = Graph(31)
    pads = g.keep("edge", EDGE, np.int64)

    def both_signs(name: str) -> list[str]:
        g.add("Relu", [name], f"{name} positive")
        g.add("Neg", [name], f"{name} turned")
        g.add("Relu", [f"{name} turned"], f"{name} negative")
        return [f"{name} positive", f"{name} negative"]

    g.add("Pad", ["image", pads], "image padded", mode="edge")
    g.conv("image padded", "feat1", (4, 3, 3, 3), 0.35)
    first = both_signs("feat1")
    g.add("Concat", first, "feat1 crelu", axis=1)
    g.add("Pad", ["feat1 crelu", pads], "feat1 padded", mode="edge")
    g.conv("feat1 padded", "feat2", (4, 8, 3, 3), 0.25)
    g.add("Concat", [*first, *both_signs("feat2")], "all crelu", axis=1)
    g.conv("all crelu", "feat3", (4, 16, 1, 1), 0.4)
    g.add("Relu", ["feat3"], "feat3 positive")
    g.add("Pad", ["feat3 positive", pads], "feat3 padded", mode="edge")
    g.conv("feat3 padded", "sub conv", (4, 4, 3, 3), 0.2)
    g.add("Add", ["sub conv", "feat1"], "sub")
    g.add("DepthToSpace", ["sub"], "detail", blocksize=2)
    scales = g.keep("twice", [1, 1, 2, 2])
    g.add("Resize", ["image", "", scales], "soft", mode="linear", coordinate_transformation_mode="half_pixel")
    g.add("Mul", ["detail", g.keep("strength", [0.35])], "detail scaled")
    g.add("Add", ["soft", "detail scaled"], "sum")
    g.add("Clip", ["sum", g.keep("black", 0.0), g.keep("white", 1.0)], "upscaled")
    g.save("crisp", {"image": (1, 3, 11, 14)}, {"upscaled": (1, 3, 22, 28)})


def luma() -> None:
    """Shrink, map, expand on brightness alone, and a transposed convolution at the end."""
    g = Graph(32)

    def prelu(source: str, output: str, channels: int) -> None:
        g.add("PRelu", [source, g.noise(f"{output}.slope", (channels, 1, 1), 0.12, 0.25)], output)

    g.conv("luma", "feature conv", (8, 1, 5, 5), 0.3, pads=[2, 2, 2, 2])
    prelu("feature conv", "feature", 8)
    g.add("Split", ["feature", g.keep("halves", [4, 4], np.int64)], ["feature_a", "feature_b"], axis=1)
    g.conv("feature", "shrink conv", (4, 8, 1, 1), 0.4)
    prelu("shrink conv", "shrink", 4)
    g.conv("shrink", "map1 conv", (4, 4, 3, 3), 0.25, pads=[1, 1, 1, 1])
    prelu("map1 conv", "map1", 4)
    g.conv("map1", "map2 conv", (4, 4, 3, 3), 0.25, pads=[1, 1, 1, 1])
    g.add("Add", ["map2 conv", "shrink"], "map2 sum")
    prelu("map2 sum", "map2", 4)
    g.conv("map2", "expand conv", (8, 4, 1, 1), 0.4)
    prelu("expand conv", "expand", 8)
    weight, bias = g.noise("deconv.weight", (8, 1, 5, 5), 0.2), g.keep("deconv.bias", [0.1384])
    window = {"strides": [2, 2], "pads": [2, 2, 2, 2], "output_padding": [1, 1]}
    g.add("ConvTranspose", ["expand", weight, bias], "deconv", **window)
    g.save("luma", {"luma": (1, 1, 9, 12)}, {"deconv": (1, 1, 18, 24)})


def dusk() -> None:
    """Builds a dark picture made brighter: two dense layers on its mean set a curve for each colour."""
    g = Graph(33)
    colours = (1, 3, 1, 1)
    g.add("GlobalAveragePool", ["photo"], "means")
    g.add("Flatten", ["means"], "means flat")
    weight, bias = g.noise("dense1.weight", (8, 3), 0.9), g.noise("dense1.bias", (8,), 0.3)
    g.add("Gemm", ["means flat", weight, bias], "hidden sum", transB=1)
    g.add("LeakyRelu", ["hidden sum"], "hidden", alpha=0.2)
    weight, bias = g.noise("dense2.weight", (6, 8), 0.7), g.noise("dense2.bias", (6,), 0.3)
    g.add("Gemm", ["hidden", weight, bias], "tone sum", transB=1)
    g.add("Sigmoid", ["tone sum"], "tone")
    g.add("Split", ["tone", g.keep("threes", [3, 3], np.int64)], ["tone gain", "tone lift"], axis=1)
    shape = g.keep("colours", colours, np.int64)
    g.add("Reshape", ["tone gain", shape], "gain flat")
    g.add("Reshape", ["tone lift", shape], "lift flat")
    g.add("Mul", ["gain flat", g.keep("gain range", [2.6])], "gain")
    g.add("Sub", ["lift flat", g.keep("lift middle", [0.5])], "lift around zero")
    g.add("Mul", ["lift around zero", g.keep("lift range", [0.6])], "lift")
    g.add("Mul", ["photo", "gain"], "photo gained")
    g.add("Add", ["photo gained", "lift"], "photo lifted")
    g.add("Clip", ["photo lifted", g.keep("black", 0.0), g.keep("white", 1.0)], "step0")
    for step in range(3):
        x, y = f"step{step}", "graded" if step == 2 else f"step{step + 1}"
        g.add("Mul", [x, x], f"{x} squared")
        g.add("Sub", [x, f"{x} squared"], f"{x} bow")
        g.add("Mul", [f"{x} bow", g.noise(f"alpha{step}", colours, 0.35, 0.4)], f"{x} bent")
        g.add("Add", [x, f"{x} bent"], y)
    scale, shift = g.noise("norm.scale", (3,), 0.3, 0.9), g.noise("norm.bias", (3,), 0.3)
    g.add("InstanceNormalization", ["graded", scale, shift], "normed", epsilon=0.01)
    g.conv("normed", "mixed conv", (3, 3, 1, 1), 0.6)
    g.add("Sigmoid", ["mixed conv"], "toned")
    g.add("Sub", ["toned", "graded"], "toned difference")
    g.add("Mul", ["toned difference", g.noise("amount", colours, 0.15, 0.6)], "toned part")
    g.add("Add", ["graded", "toned part"], "mixed")
    g.add("AveragePool", ["mixed"], "base", kernel_shape=[5, 5], pads=[2, 2, 2, 2], count_include_pad=0)
    g.add("Sub", ["mixed", "base"], "fine")
    g.add("Mul", ["fine", g.keep("clarity", [0.8])], "fine scaled")
    g.add("Add", ["mixed", "fine scaled"], "sharp")
    g.save("dusk", {"photo": (1, 3, 10, 16)}, {"sharp": (1, 3, 10, 16)})


def quiet() -> None:
    """Removes noise: gated at the entry, half the size inside, widened by dilation, joined with the input."""
    g = Graph(34)
    around = {"pads": [1, 1, 1, 1]}
    g.conv("noisy", "feature conv", (4, 3, 3, 3), 0.35, **around)
    g.conv("noisy", "gate conv", (4, 3, 3, 3), 0.5, **around)
    g.add("LeakyRelu", ["feature conv"], "feature active", alpha=0.2)
    g.add("Sigmoid", ["gate conv"], "gate open")
    g.add("Mul", ["feature active", "gate open"], "enter")
    g.conv("enter", "down conv", (6, 4, 3, 3), 0.35, strides=[2, 2], **around)
    g.add("LeakyRelu", ["down conv"], "down", alpha=0.1)
    g.conv("down", "wide conv", (6, 3, 3, 3), 0.35, pads=[2, 2, 2, 2], dilations=[2, 2], group=2)
    g.add("Relu", ["wide conv"], "wide")
    scales = g.keep("twice", [1, 1, 2, 2])
    g.add("Resize", ["wide", "", scales], "up", mode="linear", coordinate_transformation_mode="half_pixel")
    g.add("Concat", ["enter", "up"], "both", axis=1)
    g.conv("both", "join conv", (4, 10, 1, 1), 0.4)
    g.add("LeakyRelu", ["join conv"], "join", alpha=0.1)
    g.conv("join", "residue", (3, 4, 3, 3), 0.25, **around)
    g.add("Sub", ["noisy", "residue"], "clean")
    g.save("quiet", {"noisy": (1, 3, 12, 20)}, {"clean": (1, 3, 12, 20)})


def steady() -> None:
    """Flicker taken away: blended with the last frame where nothing moves, a guided filter, neighbours by likeness."""
    g = Graph(35)
    weights = g.keep("guide.weight", np.reshape([0.2126, 0.7152, 0.0722], (1, 3, 1, 1)))
    g.add("Conv", ["frame", weights], "guide")
    g.add("Sub", ["frame", "previous"], "change")
    g.add("Abs", ["change"], "change size")
    g.add("ReduceMean", ["change size"], "change mean", axes=[1], keepdims=1)
    g.add("MaxPool", ["change mean"], "change near", kernel_shape=[3, 3], pads=[1, 1, 1, 1])
    g.add("Mul", ["change near", g.keep("sensitivity", [-4.5])], "change scaled")
    g.add("Exp", ["change scaled"], "motion")
    g.add("Mul", ["motion", g.keep("persistence", [0.85])], "keep")
    g.add("Sub", ["previous", "frame"], "back")
    g.add("Mul", ["keep", "back"], "back part")
    g.add("Add", ["frame", "back part"], "blended")

    def box(source: str, output: str) -> None:
        g.add("AveragePool", [source], output, kernel_shape=[5, 5], pads=[2, 2, 2, 2], count_include_pad=0)

    g.add("Mul", ["guide", "blended"], "product")
    g.add("Mul", ["guide", "guide"], "square")
    for source in ("guide", "blended", "product", "square"):
        box(source, f"{source} mean")
    g.add("Mul", ["guide mean", "blended mean"], "product of means")
    g.add("Sub", ["product mean", "product of means"], "covariance")
    g.add("Mul", ["guide mean", "guide mean"], "square of mean")
    g.add("Sub", ["square mean", "square of mean"], "variance")
    g.add("Add", ["variance", g.keep("softness", [0.02])], "variance softened")
    g.add("Div", ["covariance", "variance softened"], "slope")
    g.add("Mul", ["slope", "guide mean"], "slope part")
    g.add("Sub", ["blended mean", "slope part"], "offset")
    box("slope", "slope mean")
    box("offset", "offset mean")
    g.add("Mul", ["slope mean", "guide"], "smooth part")
    g.add("Add", ["smooth part", "offset mean"], "smooth")
    g.conv("smooth", "embed", (4, 3, 1, 1), 1.1)

    pads = g.keep("edge", EDGE, np.int64)
    g.add("Pad", ["embed", pads], "embed padded", mode="edge")
    g.add("Pad", ["smooth", pads], "smooth padded", mode="edge")
    axes = g.keep("plane", [2, 3], np.int64)
    near = {"middle": (1, 1), "left": (1, 0), "right": (1, 2), "above": (0, 1), "below": (2, 1)}
    for name, (y, x) in near.items():
        start = g.keep(f"{name} start", [y, x], np.int64)
        stop = g.keep(f"{name} stop", [y + 13, x + 18], np.int64)
        for tensor in ("embed", "smooth"):
            g.add("Slice", [f"{tensor} padded", start, stop, axes], f"{tensor} {name}")
        g.add("Mul", ["embed", f"embed {name}"], f"likeness {name}")
        g.add("ReduceSum", [f"likeness {name}", g.keep(f"{name} axis", [1], np.int64)], f"score {name}", keepdims=1)
    g.add("Concat", [f"score {name}" for name in near], "scores", axis=1)
    g.add("Mul", ["scores", g.keep("temperature", [0.5])], "scores scaled")
    g.add("Softmax", ["scores scaled"], "shares", axis=1)
    g.add("Split", ["shares"], [f"share {name}" for name in near], axis=1)
    for name in near:
        g.add("Mul", [f"share {name}", f"smooth {name}"], f"part {name}")
    g.add("Sum", [f"part {name}" for name in near], "attend")
    frames = {"frame": (1, 3, 13, 18), "previous": (1, 3, 13, 18)}
    g.save("steady", frames, {"attend": (1, 3, 13, 18)})


if __name__ == "__main__":
    for make in (crisp, luma, dusk, quiet, steady):
        make()
