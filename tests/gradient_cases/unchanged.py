"""Numbers that stay as they are."""

from __future__ import annotations

import numpy as np
from onnx import TensorProto

from tests.gl.operators.single_node import NodeCase, floats
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import real

_RATIO, _TRAINING = floats(0.4).reshape(()), np.array(False)

CASES = (
    GradientCase(NodeCase("Identity", (real(2, 3, 5),))),
    GradientCase(NodeCase("Cast", (real(3, 5),), {"to": TensorProto.DOUBLE})),
    GradientCase(NodeCase("CastLike", (real(3, 5), np.zeros(1)), constant=(1,))),
    GradientCase(NodeCase("Dropout", (real(3, 5), _RATIO, _TRAINING), constant=(1, 2))),
    GradientCase(NodeCase("Dropout", (real(2, 7),), {"ratio": 0.4}, outputs=2, opset=7)),
)
