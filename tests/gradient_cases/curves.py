"""Covers smooth functions of one element, of small numbers and of numbers at which a careless formula overflows."""

from __future__ import annotations

from tests.gl.operators.single_node import NodeCase, floats
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import apart, positive, real

_FAR = floats(-300.0, -90.0, -20.0, -3.0, 0.3, 3.0, 20.0, 90.0, 300.0)


def _rounded(node: NodeCase) -> GradientCase:
    """Excuses Erf and operators made of it: the numpy definition rounds to float32."""
    return GradientCase(node, step=1e-3, rtol=1e-4, atol=1e-4)


CASES = (
    GradientCase(NodeCase("Exp", (real(2, 3, 5),))),
    GradientCase(NodeCase("Log", (positive(7),))),
    _rounded(NodeCase("Erf", (real(2, 1, 3, 3),))),
    *(GradientCase(NodeCase(each, (real(3, 5),))) for each in ("Sigmoid", "Softplus", "Softsign", "Mish")),
    *(GradientCase(NodeCase(each, (_FAR,))) for each in ("Sigmoid", "Softplus", "Softsign", "Mish", "Elu", "Selu")),
    *(_rounded(NodeCase("Gelu", (x,))) for x in (real(2, 7), _FAR)),
    *(GradientCase(NodeCase("Gelu", (x,), {"approximate": "tanh"})) for x in (real(2, 7), _FAR)),
    GradientCase(NodeCase("Elu", (apart(2, 3, 1, 2, 3),), {"alpha": 1.7})),
    GradientCase(NodeCase("Celu", (apart(13),), {"alpha": 0.6}), step=1e-2, rtol=1e-3, atol=1e-4, double=False),
    GradientCase(NodeCase("Selu", (apart(3, 3, 3),), {"alpha": 1.5, "gamma": 1.2})),
    GradientCase(NodeCase("Selu", (apart(3, 5),), opset=6)),
    GradientCase(NodeCase("Swish", (real(2, 3, 3),), {"alpha": 1.5}, opset=24)),
    GradientCase(NodeCase("Swish", (_FAR,), opset=24)),
)  # fmt: skip
