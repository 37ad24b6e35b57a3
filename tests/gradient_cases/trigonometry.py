"""Functions of angles and of hyperbolas, and their inverses, where these are defined."""

from __future__ import annotations

from tests.gl.operators.single_node import NodeCase, floats
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import positive, real

_WITHIN = floats(-0.999, -0.7, -0.2, 0.0, 0.3, 0.8, 0.99)

CASES = (
    *(GradientCase(NodeCase(each, (real(2, 3, 5),))) for each in ("Sin", "Cos", "Sinh", "Cosh", "Asinh", "Atan")),
    *(GradientCase(NodeCase(each, (_WITHIN,)), rtol=2e-4) for each in ("Asin", "Acos", "Atanh")),
    GradientCase(NodeCase("Acosh", (1.0 + positive(2, 1, 3),))),
    GradientCase(NodeCase("Tan", (_WITHIN,))),
    GradientCase(NodeCase("Tanh", (3.0 * real(1, 2, 3, 1, 3),))),
)
