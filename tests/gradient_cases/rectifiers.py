"""Functions that are straight on either side of a corner."""

from __future__ import annotations

from tests.gl.operators.single_node import NodeCase, floats
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import apart, real

_SLOPES = (((2, 3, 4), (3, 1)), ((3, 5), ()), ((2, 3, 1, 2, 5), (1, 3, 1, 1, 1)))
_LOW, _HIGH = floats(-0.6).reshape(()), floats(0.7).reshape(())

CASES = (
    GradientCase(NodeCase("Abs", (apart(3, 5),))),
    GradientCase(NodeCase("Relu", (apart(2, 3, 5),))),
    GradientCase(NodeCase("LeakyRelu", (apart(3, 7),), {"alpha": 0.2})),
    GradientCase(NodeCase("ThresholdedRelu", (apart(3, 7),), {"alpha": 0.2})),
    GradientCase(NodeCase("Shrink", (apart(21),), {"lambd": 0.5, "bias": 0.5})),
    GradientCase(NodeCase("Shrink", (apart(2, 7),), {"lambd": 0.5, "bias": 0.0})),
    GradientCase(NodeCase("HardSigmoid", (3.0 * apart(3, 7),), {"alpha": 1.0 / 6.0, "beta": 0.5})),
    GradientCase(NodeCase("HardSwish", (3.0 * apart(3, 2, 5),))),
    *(GradientCase(NodeCase("PRelu", (apart(*a), real(*b, seed=1)))) for a, b in _SLOPES),
    GradientCase(NodeCase("PRelu", (apart(2, 3, 5), real(3, seed=1)), opset=6)),
    *(GradientCase(NodeCase("Clip", (apart(*shape), low, high)))
      for shape, low, high in (((3, 7), _LOW, _HIGH), ((9,), _LOW, None), ((11,), None, _HIGH))),
    GradientCase(NodeCase("Clip", (apart(2, 1, 3, 3), _LOW, _HIGH), constant=(1, 2))),
    GradientCase(NodeCase("Clip", (apart(3, 7),), {"min": -0.6, "max": 0.7}, opset=6)),
)  # fmt: skip
