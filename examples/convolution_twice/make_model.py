"""Make model.onnx, the layer that both shaders compute: eight filters of three by three on three channels, and a ReLU.

Run it from the repository root:

    .venv/bin/python examples/convolution_twice/make_model.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import helper, numpy_helper

FILTERS = 8
SHAPE = (1, 3, 64, 64)


def main() -> None:
    """Write it, always the same."""
    random = np.random.default_rng(12)
    weight = random.normal(0.0, 0.3, (FILTERS, SHAPE[1], 3, 3)).astype(np.float32)
    bias = random.normal(0.0, 0.1, FILTERS).astype(np.float32)
    graph = helper.make_graph(
        [
            helper.make_node("Conv", ["image", "weight", "bias"], ["sum"], "conv", pads=[1, 1, 1, 1]),
            helper.make_node("Relu", ["sum"], ["y"], "relu"),
        ],
        "convolution",
        [helper.make_tensor_value_info("image", onnx.TensorProto.FLOAT, SHAPE)],
        [helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, (1, FILTERS, *SHAPE[2:]))],
        [numpy_helper.from_array(weight, "weight"), numpy_helper.from_array(bias, "bias")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, Path(__file__).with_name("model.onnx"))


if __name__ == "__main__":
    main()
