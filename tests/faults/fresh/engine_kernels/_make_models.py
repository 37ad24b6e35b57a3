"""Make the models of this style, always the same: `python -m tests.faults.fresh.engine_kernels._make_models`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

Floats = NDArray[np.float32]


@dataclass
class Graph:
    """A model that grows node by node."""

    seed: int
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    weights: list[onnx.TensorProto] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Seed the noise of the weights."""
        self.random = np.random.default_rng(self.seed)

    def node(self, kind: str, inputs: Sequence[str], output: str, **attributes: object) -> None:
        """Add a node with one output, after which it is named."""
        self.nodes.append(helper.make_node(kind, list(inputs), [output], output, **attributes))

    def noise(self, name: str, shape: Sequence[int], spread: float, centre: float = 0.0) -> None:
        """Add weights of normal noise."""
        self.array(name, self.random.normal(centre, spread, tuple(shape)).astype(np.float32))

    def array(self, name: str, values: NDArray[np.generic] | Sequence[int]) -> None:
        """Add weights, or whole numbers such as a shape."""
        self.weights.append(numpy_helper.from_array(np.asarray(values), name))

    def save(self, folder: str, inputs: dict[str, Sequence[int]], outputs: dict[str, Sequence[int]]) -> None:
        """Check the model and write it into a pipeline's folder."""
        infos = [
            [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape) for name, shape in each.items()]
            for each in (inputs, outputs)
        ]
        graph = helper.make_graph(self.nodes, folder, *infos, self.weights)
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


if __name__ == "__main__":
    phone()
