"""Make the models of all folders beside this file: `python -m tests.faults.practice.webgl_nets._make_models`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import NodeProto, TensorProto, helper, numpy_helper

Array = NDArray[np.float32]
HERE = Path(__file__).parent


class Weights:
    """Draws random weights by name, always the same for one seed."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.tensors: dict[str, NDArray[np.generic]] = {}

    def normal(self, name: str, shape: tuple[int, ...], spread: float, mean: float = 0.0) -> str:
        """Builds normal ones."""
        self.tensors[name] = self.random.normal(mean, spread, shape).astype(np.float32)
        return name

    def between(self, name: str, shape: tuple[int, ...], low: float, high: float) -> str:
        """Builds even ones from `low` to `high`."""
        self.tensors[name] = self.random.uniform(low, high, shape).astype(np.float32)
        return name

    def whole(self, name: str, values: list[int]) -> str:
        """Returns whole numbers unchanged."""
        self.tensors[name] = np.array(values, np.int64)
        return name

    def number(self, name: str, value: float) -> str:
        """Builds one number."""
        self.tensors[name] = np.array(value, np.float32)
        return name

    def norm(self, name: str, channels: int) -> list[str]:
        """Scale, shift, mean and variance of a batch normalisation."""
        return [
            self.between(f"{name}_scale", (channels,), 0.5, 1.6),
            self.normal(f"{name}_shift", (channels,), 0.4),
            self.normal(f"{name}_mean", (channels,), 0.5),
            self.between(f"{name}_var", (channels,), 0.05, 1.4),
        ]


def save(
    folder: str, nodes: list[NodeProto], weights: Weights, image: tuple[str, tuple[int, ...]], *outputs: str
) -> None:
    """Write the model of a folder."""
    graph = helper.make_graph(
        nodes,
        folder,
        [helper.make_tensor_value_info(image[0], TensorProto.FLOAT, image[1])],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs],
        [numpy_helper.from_array(values, name) for name, values in weights.tensors.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    model = onnx.shape_inference.infer_shapes(model, strict_mode=True)
    onnx.checker.check_model(model)
    onnx.save(model, HERE / folder / "model.onnx")


def pix2pix() -> None:
    """Builds two strides down, two up, a skip over the middle."""
    w, n = Weights(31), helper.make_node
    nodes = [
        n("Conv", ["image", w.normal("enc1_w", (5, 3, 4, 4), 0.3), w.normal("enc1_b", (5,), 0.4)], ["enc1_conv"],
          strides=[2, 2], pads=[1, 1, 1, 1]),
        n("LeakyRelu", ["enc1_conv"], ["enc1_act"], alpha=0.2),
        n("Conv", ["enc1_act", w.normal("enc2_w", (8, 5, 4, 4), 0.25), w.normal("enc2_b", (8,), 0.4)], ["enc2_conv"],
          strides=[2, 2], pads=[1, 1, 1, 1]),
        n("InstanceNormalization", ["enc2_conv", w.between("in2_scale", (8,), 0.5, 1.6),
                                    w.normal("in2_shift", (8,), 0.4)], ["enc2_norm"], epsilon=0.01),
        n("LeakyRelu", ["enc2_norm"], ["enc2_act"], alpha=0.2),
        n("Pad", ["enc2_act", w.whole("ring", [0, 0, 1, 1, 0, 0, 1, 1])], ["mid_pad"], mode="reflect"),
        n("Conv", ["mid_pad", w.normal("mid_w", (7, 8, 3, 3), 0.2), w.normal("mid_b", (7,), 0.4)], ["mid_conv"]),
        n("Relu", ["mid_conv"], ["mid_act"]),
        n("ConvTranspose", ["mid_act", w.normal("dec1_w", (7, 6, 4, 4), 0.3)], ["dec1_conv"],
          strides=[2, 2], pads=[1, 1, 1, 1]),
        n("BatchNormalization", ["dec1_conv", *w.norm("bn1", 6)], ["dec1_norm"], epsilon=0.001),
        n("Relu", ["dec1_norm"], ["dec1_act"]),
        n("Concat", ["dec1_act", "enc1_act"], ["joined"], axis=1),
        n("ConvTranspose", ["joined", w.normal("dec2_w", (11, 3, 4, 4), 0.15), w.normal("dec2_b", (3,), 0.3)],
          ["dec2_conv"], strides=[2, 2], pads=[1, 1, 1, 1]),
        n("Tanh", ["dec2_conv"], ["picture"]),
    ]  # fmt: skip
    save("pix2pix", nodes, w, ("image", (1, 3, 12, 20)), "picture")


def mobile() -> None:
    """Builds a stem, a depthwise block with squeeze and excite and a residual, a head."""
    w, n = Weights(32), helper.make_node
    nodes = [
        n("Conv", ["image", w.normal("stem_w", (10, 6, 3, 3), 0.25), w.normal("stem_b", (10,), 0.4)], ["stem_conv"],
          pads=[1, 1, 1, 1]),
        n("Relu", ["stem_conv"], ["stem_act"]),
        n("MaxPool", ["stem_act"], ["reduced"], kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]),
        n("Conv", ["reduced", w.normal("dw_w", (10, 1, 3, 3), 0.9), w.normal("dw_b", (10,), 0.8)], ["dw_conv"],
          group=10, pads=[1, 1, 1, 1]),
        n("Clip", ["dw_conv", w.number("zero", 0.0), w.number("six", 6.0)], ["dw_act"]),
        n("GlobalAveragePool", ["dw_act"], ["squeezed"]),
        n("Conv", ["squeezed", w.normal("se1_w", (3, 10, 1, 1), 0.5), w.normal("se1_b", (3,), 0.4)], ["se1_conv"]),
        n("Relu", ["se1_conv"], ["se1_act"]),
        n("Conv", ["se1_act", w.normal("se2_w", (10, 3, 1, 1), 0.7), w.normal("se2_b", (10,), 0.4)], ["se2_conv"]),
        n("Sigmoid", ["se2_conv"], ["gate"]),
        n("Mul", ["dw_act", "gate"], ["excited"]),
        n("Conv", ["excited", w.normal("proj_w", (10, 10, 1, 1), 0.4)], ["proj_conv"]),
        n("BatchNormalization", ["proj_conv", *w.norm("bn", 10)], ["proj_norm"], epsilon=0.002),
        n("Add", ["proj_norm", "reduced"], ["block_sum"]),
        n("Relu", ["block_sum"], ["block"]),
        n("GlobalAveragePool", ["block"], ["pooled"]),
        n("Flatten", ["pooled"], ["flat"]),
        n("Gemm", ["flat", w.normal("fc_w", (7, 10), 0.5), w.normal("fc_b", (7,), 0.4)], ["logits"], transB=1),
        n("Softmax", ["logits"], ["probs"], axis=1),
    ]  # fmt: skip
    save("mobile", nodes, w, ("image", (1, 6, 9, 13)), "probs")


def shuffle() -> None:
    """Builds a unit of grouped convolutions with a shuffle between, beside a pool; then a head."""
    w, n = Weights(33), helper.make_node
    nodes = [
        n("LRN", ["x"], ["lrn"], size=5, alpha=0.8, beta=0.75, bias=1.5),
        n("Conv", ["lrn", w.normal("g1_w", (12, 4, 1, 1), 0.5), w.normal("g1_b", (12,), 0.4)], ["g1_conv"], group=2),
        n("PRelu", ["g1_conv", w.between("g1_slope", (12, 1, 1), 0.05, 0.5)], ["g1"]),
        n("Reshape", ["g1", w.whole("split", [1, 2, 6, 7, 11])], ["g1_split"]),
        n("Transpose", ["g1_split"], ["g1_turned"], perm=[0, 2, 1, 3, 4]),
        n("Reshape", ["g1_turned", w.whole("whole", [1, 12, 7, 11])], ["mixed"]),
        n("Conv", ["mixed", w.normal("dw_w", (12, 1, 3, 3), 0.5)], ["dw_conv"], group=12, strides=[2, 2],
          pads=[1, 1, 1, 1]),
        n("BatchNormalization", ["dw_conv", *w.norm("bn", 12)], ["dw"], epsilon=0.001),
        n("Conv", ["dw", w.normal("g2_w", (8, 6, 1, 1), 0.4), w.normal("g2_b", (8,), 0.4)], ["g2"], group=2),
        n("AveragePool", ["lrn"], ["avg"], kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1],
          count_include_pad=0),
        n("Concat", ["avg", "g2"], ["unit_cat"], axis=1),
        n("Relu", ["unit_cat"], ["unit"]),
        n("GlobalMaxPool", ["unit"], ["top"]),
        n("Flatten", ["top"], ["flat"]),
        n("Gemm", ["flat", w.normal("fc_w", (16, 9), 0.4), w.normal("fc_b", (9,), 0.4)], ["logits"]),
        n("LogSoftmax", ["logits"], ["logp"], axis=1),
    ]  # fmt: skip
    save("shuffle", nodes, w, ("x", (1, 8, 7, 11)), "logp")


def style() -> None:
    """A block of style transfer, enlarged in two ways that are added."""
    w, n = Weights(34), helper.make_node
    nodes = [
        n("Pad", ["content", w.whole("ring2", [0, 0, 2, 2, 0, 0, 2, 2])], ["content_pad"], mode="reflect"),
        n("Conv", ["content_pad", w.normal("c1_w", (6, 3, 5, 5), 0.2), w.normal("c1_b", (6,), 0.4)], ["c1"]),
        n("InstanceNormalization", ["c1", w.between("in1_scale", (6,), 0.5, 1.6), w.normal("in1_shift", (6,), 0.4)],
          ["n1_norm"], epsilon=0.01),
        n("Relu", ["n1_norm"], ["n1"]),
        n("Conv", ["n1", w.normal("ra_w", (6, 6, 3, 3), 0.2), w.normal("ra_b", (6,), 0.4)], ["ra_conv"],
          dilations=[2, 2], pads=[2, 2, 2, 2]),
        n("Elu", ["ra_conv"], ["ra"], alpha=0.7),
        n("Conv", ["ra", w.normal("rb_w", (6, 6, 3, 3), 0.2), w.normal("rb_b", (6,), 0.4)], ["rb_conv"],
          pads=[1, 1, 1, 1]),
        n("Add", ["rb_conv", "n1"], ["res"]),
        n("Resize", ["res", "", w.normal("scales", (4,), 0.0)], ["up"], mode="linear",
          coordinate_transformation_mode="half_pixel"),
        n("Conv", ["up", w.normal("paint_w", (3, 6, 3, 3), 0.15), w.normal("paint_b", (3,), 0.3)], ["paint"],
          pads=[1, 1, 1, 1]),
        n("Conv", ["res", w.normal("ex_w", (12, 6, 1, 1), 0.3), w.normal("ex_b", (12,), 0.3)], ["ex"]),
        n("DepthToSpace", ["ex"], ["shuffled"], blocksize=2, mode="CRD"),
        n("Add", ["shuffled", "paint"], ["picture_sum"]),
        n("Tanh", ["picture_sum"], ["picture_tanh"]),
        n("Mul", ["picture_tanh", w.number("half", 0.5)], ["picture_half"]),
        n("Add", ["picture_half", "half"], ["picture"]),
    ]  # fmt: skip
    w.tensors["scales"] = np.array([1, 1, 2, 2], np.float32)
    save("style", nodes, w, ("content", (1, 3, 9, 14)), "picture")


def stages() -> None:
    """Every layer in two steps: sums over some channels first, statistics first, rows first."""
    w, n = Weights(35), helper.make_node
    axis = w.whole("axis1", [1])
    nodes = [
        n("Slice", ["x", w.whole("at0", [0]), w.whole("at8", [8]), axis], ["x_lo"]),
        n("Slice", ["x", "at8", w.whole("at10", [10]), axis], ["x_hi"]),
        n("Conv", ["x_lo", w.normal("lo_w", (7, 8, 3, 3), 0.2)], ["part"], pads=[1, 1, 1, 1]),
        n("Conv", ["x_hi", w.normal("hi_w", (7, 2, 3, 3), 0.3), w.normal("hi_b", (7,), 0.4)], ["hi_conv"],
          pads=[1, 1, 1, 1]),
        n("Add", ["hi_conv", "part"], ["feat_sum"]),
        n("LeakyRelu", ["feat_sum"], ["feat"], alpha=0.1),
        n("ReduceMean", ["feat"], ["mean"], axes=[2, 3], keepdims=1),
        n("Sub", ["feat", "mean"], ["centred"]),
        n("Mul", ["centred", "centred"], ["squares"]),
        n("ReduceMean", ["squares"], ["variance"], axes=[2, 3], keepdims=1),
        n("Add", ["variance", w.number("eps", 0.005)], ["variance_eps"]),
        n("Sqrt", ["variance_eps"], ["deviation"]),
        n("Div", ["centred", "deviation"], ["unit"]),
        n("Mul", ["unit", w.between("gamma", (1, 7, 1, 1), 0.5, 1.6)], ["unit_scaled"]),
        n("Add", ["unit_scaled", w.normal("beta", (1, 7, 1, 1), 0.4)], ["hat"]),
        n("Conv", ["hat", w.normal("signal_w", (5, 7, 1, 1), 0.5), w.normal("signal_b", (5,), 0.4)], ["signal_conv"]),
        n("Tanh", ["signal_conv"], ["signal"]),
        n("Conv", ["hat", w.normal("gate_w", (5, 7, 1, 1), 0.5), w.normal("gate_b", (5,), 0.4)], ["gate_conv"]),
        n("Sigmoid", ["gate_conv"], ["gate"]),
        n("Mul", ["signal", "gate"], ["gated"]),
        n("Slice", ["hat", w.whole("at2", [2]), w.whole("at7", [7]), axis], ["hat_last"]),
        n("Add", ["gated", "hat_last"], ["mix"]),
        n("ReduceSum", ["mix", w.whole("axis3", [3])], ["rows"], keepdims=1),
        n("ReduceSum", ["rows", w.whole("axis2", [2])], ["all_rows"], keepdims=1),
        n("Div", ["all_rows", w.number("texels", 54.0)], ["pooled"]),
        n("Flatten", ["pooled"], ["flat"]),
        n("MatMul", ["flat", w.normal("fc_w", (5, 6), 0.8)], ["fc"]),
        n("Add", ["fc", w.normal("fc_b", (6,), 0.6)], ["logits"]),
        n("ReduceMax", ["logits"], ["peak"], axes=[1], keepdims=1),
        n("Sub", ["logits", "peak"], ["below"]),
        n("Exp", ["below"], ["powers"]),
        n("ReduceSum", ["powers", axis], ["total"], keepdims=1),
        n("Div", ["powers", "total"], ["probs"]),
    ]  # fmt: skip
    save("stages", nodes, w, ("x", (1, 10, 6, 9)), "probs")


def main() -> None:
    """Builds all of them."""
    for make in (pix2pix, mobile, shuffle, style, stages):
        make()


if __name__ == "__main__":
    main()
