"""Functions that are straight on either side of a corner. At the corner itself they take PyTorch's choice."""

from __future__ import annotations

from texelscope.pipeline.gradients.derivatives.backward import Backward
from texelscope.pipeline.gradients.derivatives.formulas import Formula, TensorTerm, of_one_input


def clip(node: Backward) -> None:
    """dy goes to x where y is x, else to the bound that y is."""
    f = Formula(node)
    if node.wants(0):
        f.give(0, f.x.equals(f.y).where(f.dy, 0.0))
    if node.wants(1):
        f.give(1, (f.x < f.y).where(f.dy, 0.0))
    if node.wants(2):
        f.give(2, (f.x > f.y).where(f.dy, 0.0))


def prelu(node: Backward) -> None:
    """dx = dy where x > 0, else b · dy; db = dy · x where x ≤ 0."""
    f = Formula(node)
    if node.wants(0):
        f.give(0, (f.x > 0.0).where(f.dy, f.dy * f.input(1)))
    if node.wants(1):
        f.give(1, f.dy * f.x.of("Min", 0.0))


def _hard_swish(f: Formula) -> TensorTerm:
    """0 up to −3, 1 from 3, x/3 + ½ between."""
    between = f.dy * (f.x * (1.0 / 3.0) + 0.5)
    return (f.x < 3.0).where((f.x > -3.0).where(between, 0.0), f.dy)


DERIVATIVES = {
    "Clip": clip,
    "PRelu": prelu,
    **of_one_input(
        {
            "Abs": lambda f: f.dy * f.x.of("Sign"),
            "HardSigmoid": lambda f: ((f.y > 0.0) & (f.y < 1.0)).where(f.dy * f.number("alpha"), 0.0),
            "HardSwish": _hard_swish,
            "LeakyRelu": lambda f: (f.x > 0.0).where(f.dy, f.dy * f.number("alpha")),
            "Relu": lambda f: (f.x > 0.0).where(f.dy, 0.0),
            "Shrink": lambda f: (f.x.of("Abs") > f.number("lambd")).where(f.dy, 0.0),
            "ThresholdedRelu": lambda f: (f.x > f.number("alpha")).where(f.dy, 0.0),
        }
    ),
}
FLAT = ()
