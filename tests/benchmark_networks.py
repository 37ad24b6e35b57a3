"""The networks of the benchmarks at small sizes, with all their operators, and what ONNX Runtime computes of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray

from benchmarks import encoder, mobilenet, resnet50

_STAGES = (mobilenet.Stage(1, 16, 1, 1), mobilenet.Stage(6, 24, 2, 2))
SMALL: Mapping[str, Callable[[], onnx.ModelProto]] = {
    "mobilenet": lambda: mobilenet.build(image_texels=20, stages=_STAGES, classes=10),
    "resnet50": lambda: resnet50.build(image_texels=32, width=8, blocks=(2, 1), classes=10),
    "encoder": lambda: encoder.build(encoder.Sizes(layers=1, width=16, heads=2, tokens=6)),
}


def computed(model: onnx.ModelProto, values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Returns the model's output."""
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return np.asarray(session.run(None, {session.get_inputs()[0].name: values})[0])
