"""Functions that are straight on either side of a corner."""

from __future__ import annotations

from tests.gl.operators.single_node import NodeCase
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import apart

CASES = (
    GradientCase(NodeCase("Relu", (apart(2, 3, 5),))),
    GradientCase(NodeCase("LeakyRelu", (apart(3, 7),), {"alpha": 0.2})),
)
