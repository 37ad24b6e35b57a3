"""Writes the models of this style's folders: `python -m tests.faults.fresh.ejected._make_models`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

_HERE = Path(__file__).parent


class Net:
    """Nodes and weights of a model as they are added."""

    def __init__(self, seed: int) -> None:
        """Begins a model whose weights are of the seed."""
        self.random = np.random.default_rng(seed)
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []

    def weight(self, name: str, *shape: int, spread: float = 0.0, centre: float = 0.0) -> str:
        """A random weight of the shape; its spread follows from its fan-in unless told."""
        wide = spread or 1.2 / float(np.sqrt(np.prod(shape[1:])) if len(shape) > 1 else 2.0)
        values = self.random.normal(centre, wide, shape).astype(np.float32)
        self.weights.append(numpy_helper.from_array(values, name))
        return name

    def constant(self, name: str, values: object, kind: type = np.float32) -> str:
        """A constant with these values."""
        self.weights.append(numpy_helper.from_array(np.asarray(values, kind), name))
        return name

    def add(self, kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        """A node."""
        self.nodes.append(helper.make_node(kind, inputs, [output], name=output, **attributes))
        return output

    def save(self, folder: str, inputs: dict[str, list[int]], outputs: dict[str, list[int]]) -> None:
        """Writes the model to the folder."""

        def told(tensors: dict[str, list[int]]) -> list[onnx.ValueInfoProto]:
            return [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in tensors.items()]

        graph = helper.make_graph(self.nodes, folder, told(inputs), told(outputs), self.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        onnx.checker.check_model(model, full_check=True)
        (_HERE / folder).mkdir(exist_ok=True)
        onnx.save(model, _HERE / folder / "model.onnx")


def separable() -> None:
    """A depthwise-separable block with a residual, an uneven stride and a batch norm."""
    net = Net(41)
    w, b = net.weight("dw_w", 6, 1, 3, 3), net.weight("dw_b", 6)
    net.add("Conv", ["image", w, b], "dw_sum", group=6, pads=[1, 1, 1, 1])
    net.add("Clip", ["dw_sum", net.constant("low", -0.7), net.constant("high", 1.1)], "depthwise")
    w, b = net.weight("pw_w", 6, 6, 1, 1), net.weight("pw_b", 6)
    net.add("Conv", ["depthwise", w, b], "pw_sum")
    net.add("Add", ["pw_sum", "image"], "residual")
    norm = [net.weight("gamma", 6, spread=0.3, centre=1.1), net.weight("beta", 6, spread=0.5)]
    norm += [net.weight("mean", 6, spread=0.4), net.constant("variance", [0.05, 0.7, 1.6, 0.2, 0.09, 2.3])]
    net.add("BatchNormalization", ["residual", *norm], "normal", epsilon=0.02)
    net.add("LeakyRelu", ["normal"], "leaky", alpha=0.23)
    w, b = net.weight("down_w", 7, 6, 5, 3), net.weight("down_b", 7)
    net.add("Conv", ["leaky", w, b], "down", strides=[2, 3], pads=[2, 1, 1, 0])
    net.save("separable", {"image": [1, 6, 9, 15]}, {"down": [1, 7, 4, 5]})


def unet() -> None:
    """Down, up again with a transposed convolution, what was before beside it."""
    net = Net(43)
    w, b = net.weight("enc_w", 6, 3, 3, 3), net.weight("enc_b", 6)
    net.add("Conv", ["image", w, b], "enc_sum", pads=[1, 1, 1, 1])
    net.add("Relu", ["enc_sum"], "enc")
    net.add("MaxPool", ["enc"], "pool", kernel_shape=[2, 2], strides=[2, 2])
    w, b = net.weight("mid_w", 9, 6, 3, 3), net.weight("mid_b", 9)
    net.add("Conv", ["pool", w, b], "mid_sum", dilations=[2, 1], pads=[2, 1, 2, 1])
    net.add("Elu", ["mid_sum"], "mid", alpha=0.8)
    w, b = net.weight("up_w", 9, 5, 3, 3, spread=0.2), net.weight("up_b", 5)
    net.add("ConvTranspose", ["mid", w, b], "up", strides=[2, 2], pads=[1, 1, 0, 0])
    net.add("Concat", ["up", "enc"], "both", axis=1)
    w, b = net.weight("dec_w", 3, 11, 3, 3), net.weight("dec_b", 3)
    net.add("Conv", ["both", w, b], "dec_sum", pads=[1, 1, 1, 1])
    net.add("Tanh", ["dec_sum"], "mask")
    net.save("unet", {"image": [1, 3, 10, 14]}, {"mask": [1, 3, 10, 14]})


def squeeze() -> None:
    """A squeeze-excite block between a strided stem and a pooled head."""
    net = Net(47)
    w, b = net.weight("stem_w", 10, 5, 3, 3), net.weight("stem_b", 10)
    net.add("Conv", ["image", w, b], "stem_sum", strides=[2, 1], pads=[1, 1, 1, 1])
    net.add("Sigmoid", ["stem_sum"], "stem_gate")
    net.add("Mul", ["stem_sum", "stem_gate"], "stem")
    net.add("GlobalAveragePool", ["stem"], "squeezed")
    w, b = net.weight("fc1_w", 4, 10, 1, 1, spread=1.3), net.weight("fc1_b", 4)
    net.add("Conv", ["squeezed", w, b], "fc1_sum")
    net.add("LeakyRelu", ["fc1_sum"], "fc1", alpha=0.15)
    w, b = net.weight("fc2_w", 10, 4, 1, 1), net.weight("fc2_b", 10)
    net.add("Conv", ["fc1", w, b], "fc2_sum")
    net.add("HardSigmoid", ["fc2_sum"], "excite", alpha=0.3, beta=0.45)
    net.add("Mul", ["stem", "excite"], "scaled")
    net.add("AveragePool", ["scaled"], "pool", kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    net.save("squeeze", {"image": [1, 5, 11, 9]}, {"pool": [1, 10, 3, 5]})


def inception() -> None:
    """Three branches beside each other and an enlargement."""
    net = Net(53)
    w, b = net.weight("one_w", 4, 5, 1, 1), net.weight("one_b", 4)
    net.add("Conv", ["image", w, b], "one_sum")
    net.add("Relu", ["one_sum"], "one")
    w, b = net.weight("wide_w", 3, 5, 3, 5), net.weight("wide_b", 3)
    net.add("Conv", ["image", w, b], "wide_sum", pads=[1, 2, 1, 2])
    net.add("Softplus", ["wide_sum"], "wide")
    net.add("AveragePool", ["image"], "avg", kernel_shape=[3, 3], pads=[1, 1, 1, 1], count_include_pad=1)
    w, b = net.weight("proj_w", 2, 5, 1, 1), net.weight("proj_b", 2)
    net.add("Conv", ["avg", w, b], "proj")
    net.add("Concat", ["one", "wide", "proj"], "mixed", axis=1)
    net.add(
        "Resize",
        ["mixed", "", net.constant("scales", [1.0, 1.0, 2.0, 2.0])],
        "large",
        mode="linear",
        coordinate_transformation_mode="half_pixel",
    )
    net.save("inception", {"image": [1, 5, 7, 10]}, {"large": [1, 9, 14, 20]})


def shuffle() -> None:
    """Grouped convolutions with a shuffle between them and a classifier."""
    net = Net(59)
    w, b = net.weight("g1_w", 12, 3, 1, 1), net.weight("g1_b", 12)
    net.add("Conv", ["image", w, b], "g1_sum", group=3)
    net.add("PRelu", ["g1_sum", net.constant("slope", net.random.uniform(0.05, 0.6, (12, 1, 1)))], "g1")
    net.add("Reshape", ["g1", net.constant("split", [2, 3, 4, 8, 5], np.int64)], "parts")
    net.add("Transpose", ["parts"], "turned", perm=[0, 2, 1, 3, 4])
    net.add("Reshape", ["turned", net.constant("joined", [2, 12, 8, 5], np.int64)], "shuffled")
    w, b = net.weight("g2_w", 6, 4, 3, 3), net.weight("g2_b", 6)
    net.add("Conv", ["shuffled", w, b], "g2", group=3, strides=[2, 1], pads=[1, 1, 1, 1])
    net.add("GlobalAveragePool", ["g2"], "mean_hw")
    net.add("Flatten", ["mean_hw"], "features")
    w, b = net.weight("fc_w", 7, 6, spread=1.6), net.weight("fc_b", 7)
    net.add("Gemm", ["features", w, b], "logits", transB=1)
    net.add("Softmax", ["logits"], "classes", axis=1)
    net.save("shuffle", {"image": [2, 9, 8, 5]}, {"classes": [2, 7]})


def main() -> None:
    """Writes them all."""
    for make in (separable, unet, squeeze, inception, shuffle):
        make()


if __name__ == "__main__":
    main()
