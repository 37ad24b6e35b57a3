"""Writes the models and inputs of this style: `python -m tests.faults.fresh.web_generators._make_models`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

Array = NDArray[np.float32] | NDArray[np.int64]

FOLDER = Path(__file__).parent
OPSET = 17


class Network:
    """A graph that is written node by node, with weights drawn from one generator."""

    def __init__(self, name: str, seed: int) -> None:
        self._name = name
        self._random = np.random.default_rng(seed)
        self._nodes: list[onnx.NodeProto] = []
        self._weights: list[onnx.TensorProto] = []

    def weight(self, name: str, *shape: int, spread: float = 0.4, middle: float = 0.0) -> str:
        """Adds a random weight with three digits, and returns its name."""
        values = self._random.normal(middle, spread, shape)
        return self.constant(name, np.round(values, 3).astype(np.float32))

    def constant(self, name: str, values: Array) -> str:
        """Adds a weight with these values, and returns its name."""
        self._weights.append(numpy_helper.from_array(values, name))
        return name

    def node(self, kind: str, result: str, *read: str, second: str = "", **attributes: Any) -> str:
        """Adds a node with one result, or with a second one, and returns the name of the first."""
        results = [result, second] if second else [result]
        self._nodes.append(helper.make_node(kind, list(read), results, name=result, **attributes))
        return result

    def write(self, inputs: dict[str, list[int]], results: dict[str, list[int]]) -> None:
        """Checks the model and writes it into the pipeline's folder."""
        graph = helper.make_graph(
            self._nodes,
            self._name,
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in inputs.items()],
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in results.items()],
            self._weights,
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
        model.ir_version = 8
        onnx.checker.check_model(model, full_check=True)
        onnx.save(model, FOLDER / self._name / "model.onnx")


def _floats(*values: float) -> NDArray[np.float32]:
    return np.array(values, np.float32)


def _reflected(net: Network, read: str, result: str) -> str:
    """Adds a border of one mirrored row and column."""
    if result == "stem_pad":
        net.constant("border", np.array([0, 0, 1, 1, 0, 0, 1, 1], np.int64))
    return net.node("Pad", result, read, "border", mode="reflect")


def make_styler() -> None:
    """A style transfer: instance norm by moments, mirrored borders, a residual block, an enlargement."""
    net = Network("styler", 4101)
    _reflected(net, "image", "stem_pad")
    net.node("Conv", "stem", "stem_pad", net.weight("stem.w", 6, 3, 3, 3), net.weight("stem.b", 6), strides=[2, 2])
    net.node("ReduceMean", "mu", "stem", axes=[2, 3], keepdims=1)
    net.node("Sub", "centred", "stem", "mu")
    net.node("Mul", "squared", "centred", "centred")
    net.node("ReduceMean", "variance", "squared", axes=[2, 3], keepdims=1)
    net.node("Add", "variance_eps", "variance", net.constant("eps", _floats(1e-3)))
    net.node("Sqrt", "sigma", "variance_eps")
    net.node("Reciprocal", "rsigma", "sigma")
    net.node("Mul", "whitened", "centred", "rsigma")
    net.node("Mul", "gained", "whitened", net.weight("norm.gamma", 1, 6, 1, 1, spread=0.3, middle=1.0))
    net.node("Add", "shifted", "gained", net.weight("norm.beta", 1, 6, 1, 1))
    net.node("Relu", "norm", "shifted")
    _reflected(net, "norm", "res_pad")
    net.node("Conv", "res_conv", "res_pad", net.weight("res.w", 6, 6, 3, 3, spread=0.2), net.weight("res.b", 6))
    net.node("Add", "res", "res_conv", "norm")
    net.node("Resize", "large", "res", "", net.constant("twice", _floats(1, 1, 2, 2)), mode="nearest",
             coordinate_transformation_mode="asymmetric", nearest_mode="floor")  # fmt: skip
    _reflected(net, "large", "large_pad")
    net.node("Conv", "ink", "large_pad", net.weight("paint.w", 3, 6, 3, 3, spread=0.15), net.weight("paint.b", 3))
    net.node("Tanh", "ink_tanh", "ink")
    net.node("Mul", "ink_half", "ink_tanh", net.constant("half", _floats(0.5)))
    net.node("Add", "paint", "ink_half", "half")
    net.write({"image": [1, 3, 22, 30]}, {"paint": [1, 3, 22, 30]})


def make_pose() -> None:
    """A pose estimator: an inverted bottleneck, concatenated activations, heat maps, where they are high."""
    net = Network("pose", 4202)
    net.constant("zero", np.array(0, np.float32))
    net.constant("six", np.array(6, np.float32))
    net.node("Conv", "expand_lin", "frame", net.weight("expand.w", 10, 3, 1, 1, spread=3.0), net.weight("expand.b", 10))
    net.node("Clip", "expand", "expand_lin", "zero", "six")
    net.node("Conv", "depth_lin", "expand", net.weight("depth.w", 10, 1, 3, 3, spread=0.7), net.weight("depth.b", 10),
             strides=[2, 2], pads=[1, 1, 1, 1], group=10)  # fmt: skip
    net.node("Clip", "depth", "depth_lin", "zero", "six")
    net.node("Conv", "project", "depth", net.weight("project.w", 5, 10, 1, 1), net.weight("project.b", 5))
    net.node("Neg", "negated", "project")
    net.node("Concat", "signs", "project", "negated", axis=1)
    net.node("Relu", "both", "signs")
    net.node("Conv", "heat", "both", net.weight("heat.w", 4, 10, 3, 3, spread=0.2), net.weight("heat.b", 4),
             pads=[1, 1, 1, 1])  # fmt: skip
    net.node("Reshape", "rows", "heat", net.constant("as_rows", np.array([1, 4, 130], np.int64)))
    net.node("Softmax", "weights", "rows", axis=2)
    y, x = np.mgrid[0:13, 0:10].astype(np.float32)
    centres = np.stack([(x + 0.5) / 10, (y + 0.5) / 13], axis=-1).reshape(130, 2).astype(np.float32)
    net.node("MatMul", "coords", "weights", net.constant("centres", centres))
    net.node("ArgMax", "best_index", "rows", axis=2, keepdims=0)
    net.node("Cast", "best", "best_index", to=TensorProto.FLOAT)
    net.write({"frame": [1, 3, 26, 20]}, {"coords": [1, 4, 2], "best": [1, 4]})


def make_audio() -> None:
    """A classifier of spectrograms: rows of frames, convolutions along time, a step of a GRU, a softmax."""
    net = Network("audio", 4303)
    net.node("Add", "raised", "mel", net.constant("floor", _floats(0.01)))
    net.node("Log", "logarithm", "raised")
    net.node("Sub", "levelled", "logarithm", net.weight("level.mean", 18, 1, middle=-1.0))
    net.node("Mul", "level", "levelled", net.weight("level.inv", 18, 1, spread=0.2, middle=0.8))
    net.node("Conv", "conv_lin", "level", net.weight("conv.w", 12, 18, 5, spread=0.2), net.weight("conv.b", 12),
             strides=[2], pads=[2, 2])  # fmt: skip
    net.node("Relu", "conv", "conv_lin")
    net.node("Conv", "wide_lin", "conv", net.weight("wide.w", 12, 6, 3, spread=0.3), net.weight("wide.b", 12),
             dilations=[2], pads=[2, 2], group=2)  # fmt: skip
    net.node("LeakyRelu", "wide_act", "wide_lin", alpha=0.1)
    net.node("Add", "wide", "wide_act", "conv")
    net.node("AveragePool", "pool", "wide", kernel_shape=[3], strides=[2], pads=[1, 1], count_include_pad=0)
    net.node("ReduceMean", "summary", "pool", axes=[2], keepdims=0)
    net.node("Gemm", "gates_x", "summary", net.weight("gates.w", 16, 12), net.weight("gates.b", 16), transB=1)
    net.node("Gemm", "gates_h", "memory", net.weight("gates.r", 16, 8), transB=1)
    net.node("Add", "gates_sum", "gates_x", "gates_h")
    net.node("Sigmoid", "gates", "gates_sum")
    net.node("Split", "update", "gates", net.constant("halves", np.array([8, 8], np.int64)), second="reset", axis=1)
    net.node("Gemm", "new_x", "summary", net.weight("new.w", 8, 12), net.weight("new.b", 8), transB=1)
    net.node("Gemm", "new_h", "memory", net.weight("new.r", 8, 8), net.weight("new.rb", 8), transB=1)
    net.node("Mul", "new_gated", "reset", "new_h")
    net.node("Add", "new_sum", "new_x", "new_gated")
    net.node("Tanh", "new", "new_sum")
    net.node("Sub", "keep", net.constant("one", _floats(1)), "update")
    net.node("Mul", "fresh", "keep", "new")
    net.node("Mul", "kept", "update", "memory")
    net.node("Add", "state", "fresh", "kept")
    net.node("Gemm", "scores", "state", net.weight("head.w", 5, 8, spread=0.9), net.weight("head.b", 5), transB=1)
    net.node("Softmax", "classes", "scores", axis=1)
    net.write({"mel": [1, 18, 46], "memory": [1, 8]}, {"classes": [1, 5]})


def make_resolver() -> None:
    """A residual dense block for super-resolution, with a shuffle of pixels over a bilinear enlargement."""
    net = Network("resolver", 4404)
    same: dict[str, Any] = {"pads": [1, 1, 1, 1]}
    net.node("Conv", "feat", "low", net.weight("feat.w", 8, 3, 3, 3), net.weight("feat.b", 8), **same)
    net.node(
        "Conv", "dense1_lin", "feat", net.weight("dense1.w", 4, 8, 3, 3, spread=0.2), net.weight("dense1.b", 4), **same
    )
    net.node("Relu", "dense1", "dense1_lin")
    net.node("Concat", "two", "feat", "dense1", axis=1)
    net.node(
        "Conv", "dense2_lin", "two", net.weight("dense2.w", 4, 12, 3, 3, spread=0.2), net.weight("dense2.b", 4), **same
    )
    net.node("LeakyRelu", "dense2", "dense2_lin", alpha=0.2)
    net.node("Concat", "three", "feat", "dense1", "dense2", axis=1)
    net.node("Conv", "fuse_lin", "three", net.weight("fuse.w", 8, 16, 1, 1), net.weight("fuse.b", 8))
    net.node("Mul", "fuse_part", "fuse_lin", net.constant("part", _floats(0.4)))
    net.node("Add", "fuse", "fuse_part", "feat")
    net.node(
        "Conv", "detail", "fuse", net.weight("detail.w", 12, 8, 3, 3, spread=0.1), net.weight("detail.b", 12), **same
    )
    net.node("DepthToSpace", "spread", "detail", blocksize=2, mode="CRD")
    net.node("Resize", "smooth", "low", "", net.constant("twice", _floats(1, 1, 2, 2)), mode="linear")
    net.node("Add", "high", "spread", "smooth")
    net.write({"low": [1, 3, 17, 21]}, {"high": [1, 3, 34, 42]})


def make_painter() -> None:
    """A small pix2pix: two layers down, two transposed ones up, a skip, and a blend by a mask."""
    net = Network("painter", 4505)
    down: dict[str, Any] = {"strides": [2, 2], "pads": [1, 1, 1, 1]}
    net.node("Conv", "down1_lin", "sketch", net.weight("down1.w", 5, 3, 4, 4), net.weight("down1.b", 5), **down)
    net.node("LeakyRelu", "down1", "down1_lin", alpha=0.2)
    net.node("Conv", "down2_lin", "down1", net.weight("down2.w", 7, 5, 4, 4, spread=0.2), **down)
    names = [net.weight(f"bn.{name}", 7, spread=0.2, middle=middle)
             for name, middle in (("scale", 1.0), ("shift", 0.1), ("mean", 0.0))]  # fmt: skip
    variance = net.constant("bn.var", np.linspace(0.3, 1.7, 7).astype(np.float32))
    net.node("BatchNormalization", "down2_bn", "down2_lin", *names, variance, epsilon=1e-3)
    net.node("Relu", "down2", "down2_bn")
    net.node(
        "ConvTranspose",
        "up1_lin",
        "down2",
        net.weight("up1.w", 7, 5, 4, 4, spread=0.15),
        net.weight("up1.b", 5),
        **down,
    )
    net.node("Relu", "up1", "up1_lin")
    net.node("Concat", "skip", "up1", "down1", axis=1)
    net.node(
        "ConvTranspose",
        "up2_lin",
        "skip",
        net.weight("up2.w", 10, 3, 4, 4, spread=0.06),
        net.weight("up2.b", 3),
        **down,
    )
    net.node("Tanh", "up2", "up2_lin")
    net.node("Mul", "inside", "up2", "mask")
    net.node("Sub", "outside", net.constant("one", _floats(1)), "mask")
    net.node("Mul", "kept", "sketch", "outside")
    net.node("Add", "blend", "inside", "kept")
    net.write({"sketch": [1, 3, 20, 28], "mask": [1, 1, 20, 28]}, {"blend": [1, 3, 20, 28]})


def make_inputs() -> None:
    """Writes a spectrogram with harmonics and a small picture with edges, each with a little noise."""
    random = np.random.default_rng(4606)
    row, time = np.mgrid[0:18, 0:46]
    tones = np.exp(-0.2 * (row - 5 - 3 * np.sin(time / 6)) ** 2) + 0.5 * np.exp(-0.3 * (row - 12 + time / 9) ** 2)
    mel = (tones * (1 + np.cos(time / 3)) + 0.3 * random.random((18, 46)) ** 2)[np.newaxis]
    np.save(FOLDER / "audio" / "mel.npy", mel.astype(np.float32))
    y, x = np.mgrid[0:17, 0:21]
    planes = np.stack([x / 20, (y + x) % 7 / 6, ((x - 8) ** 2 + (y - 9) ** 2 < 30) * 0.8])
    low = (0.85 * planes + 0.15 * random.random((3, 17, 21)))[np.newaxis]
    np.save(FOLDER / "resolver" / "low.npy", low.astype(np.float32))


if __name__ == "__main__":
    make_inputs()
    make_styler()
    make_pose()
    make_audio()
    make_resolver()
    make_painter()
