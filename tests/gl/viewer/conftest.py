"""A model of one convolution, run in channel_tiles."""

from __future__ import annotations

from collections.abc import Iterator

import moderngl
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession


def model() -> onnx.ModelProto:
    """Y = X convolved with a 3x3 kernel without padding: 2 channels of 8x8 become 1 of 6x6."""
    weight = helper.make_tensor("W", TensorProto.FLOAT, (1, 2, 3, 3), np.ones(18, dtype=np.float32))
    node = helper.make_node("Conv", ["X", "W"], ["Y"], name="conv")
    graph = helper.make_graph(
        [node],
        "taps",
        [helper.make_tensor_value_info("X", TensorProto.FLOAT, (1, 2, 8, 8))],
        [helper.make_tensor_value_info("Y", TensorProto.FLOAT, (1, 1, 6, 6))],
        [weight],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])


@pytest.fixture
def session(gl: moderngl.Context) -> Iterator[DebugSession]:
    with pipeline.open(model(), layout="channel_tiles", context=gl) as opened:
        opened.set_input("X", np.ones((1, 2, 8, 8), dtype=np.float32))
        opened.run()
        yield opened
