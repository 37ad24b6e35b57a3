"""Models as ONNX Runtime's quantiser writes them: operators on codes, codes made real around each operator, dynamic."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
from onnx import helper, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_dynamic, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from tests.models.recipes.written import write

_RANDOM = np.random.default_rng(8)


class Pictures(CalibrationDataReader):
    """Supplies a few random pictures."""

    def __init__(self) -> None:
        self._left: Iterator[dict[str, np.ndarray]] = iter(
            [{"image": _RANDOM.standard_normal((1, 3, 16, 16)).astype(np.float32)} for _ in range(4)]
        )

    def get_next(self) -> dict[str, np.ndarray] | None:
        return next(self._left, None)


def network() -> onnx.ModelProto:
    """Convolutions, a gate, a shortcut, channels side by side, pools, and two linear layers."""
    weights = {
        name: _RANDOM.standard_normal(shape).astype(np.float32) * 0.3
        for name, shape in {
            "w0": (8, 3, 3, 3), "b0": (8,), "w1": (8, 8, 1, 1), "b1": (8,), "w2": (8, 1, 3, 3), "b2": (8,),
            "w3": (16, 16, 3, 3), "b3": (16,), "w4": (16, 12), "b4": (12,), "w5": (12, 5),
        }.items()
    }  # fmt: skip
    nodes = [
        helper.make_node("Conv", ["image", "w0", "b0"], ["c0"], strides=[2, 2], pads=[1, 1, 1, 1]),
        helper.make_node("LeakyRelu", ["c0"], ["a0"], alpha=0.1),
        helper.make_node("Conv", ["a0", "w1", "b1"], ["c1"]),
        helper.make_node("Sigmoid", ["c1"], ["s1"]),
        helper.make_node("Mul", ["a0", "s1"], ["gated"]),
        helper.make_node("Conv", ["gated", "w2", "b2"], ["c2"], group=8, pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c2"], ["a2"]),
        helper.make_node("Add", ["a2", "a0"], ["added"]),
        helper.make_node("Concat", ["added", "gated"], ["joined"], axis=1),
        helper.make_node("AveragePool", ["joined"], ["halved"], kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("Conv", ["halved", "w3", "b3"], ["c3"], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c3"], ["a3"]),
        helper.make_node("MaxPool", ["a3"], ["m3"], kernel_shape=[2, 2], strides=[1, 1]),
        helper.make_node("GlobalAveragePool", ["m3"], ["mean"]),
        helper.make_node("Flatten", ["mean"], ["flat"]),
        helper.make_node("Gemm", ["flat", "w4", "b4"], ["g4"]),
        helper.make_node("Relu", ["g4"], ["a4"]),
        helper.make_node("MatMul", ["a4", "w5"], ["g5"]),
        helper.make_node("Softmax", ["g5"], ["scores"]),
    ]
    graph = helper.make_graph(
        nodes,
        "network",
        [helper.make_tensor_value_info("image", onnx.TensorProto.FLOAT, [1, 3, 16, 16])],
        [helper.make_tensor_value_info("scores", onnx.TensorProto.FLOAT, [1, 5])],
        [numpy_helper.from_array(value, name) for name, value in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


def recurrent() -> onnx.ModelProto:
    """Returns an LSTM in both directions over a sequence of four."""
    shapes = {"w": (2, 32, 6), "r": (2, 32, 8), "b": (2, 64)}
    weights = {name: _RANDOM.standard_normal(shape).astype(np.float32) * 0.3 for name, shape in shapes.items()}
    graph = helper.make_graph(
        [helper.make_node("LSTM", ["sound", "w", "r", "b"], ["y"], direction="bidirectional", hidden_size=8)],
        "recurrent",
        [helper.make_tensor_value_info("sound", onnx.TensorProto.FLOAT, [4, 1, 6])],
        [helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [4, 2, 1, 8])],
        [numpy_helper.from_array(value, name) for name, value in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        plain, done = Path(folder, "plain.onnx"), Path(folder, "done.onnx")
        onnx.save(network(), plain)
        prepared = Path(folder, "prepared.onnx")
        quant_pre_process(plain, prepared, skip_symbolic_shape=True)
        quantize_static(prepared, done, Pictures(), quant_format=QuantFormat.QOperator)
        write(onnx.load(done), "int8_static_operators")
        quantize_static(prepared, done, Pictures(), quant_format=QuantFormat.QDQ, per_channel=True)
        write(onnx.load(done), "int8_static_qdq")
        quantize_static(
            prepared, done, Pictures(), activation_type=QuantType.QInt8, weight_type=QuantType.QInt8,
            quant_format=QuantFormat.QOperator, per_channel=True,
        )  # fmt: skip
        write(onnx.load(done), "int8_static_operators_signed")
        quantize_dynamic(prepared, done, weight_type=QuantType.QUInt8)
        write(onnx.load(done), "int8_dynamic")
        onnx.save(recurrent(), plain)
        quantize_dynamic(plain, done)
        write(onnx.load(done), "int8_dynamic_lstm")


if __name__ == "__main__":
    main()
