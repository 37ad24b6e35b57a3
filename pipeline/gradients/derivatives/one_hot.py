"""OneHot: its two values."""

from __future__ import annotations

from texelscope.pipeline.gradients.derivatives.backward import Backward


def one_hot(node: Backward) -> None:
    """The gradient of the values [off, on] is dy summed over the places of either."""
    if not node.wants(2):
        return
    dtype, axis = node.given(2).dtype, int(node.attribute("axis", -1))
    axes = range(len(node.y_info().shape))
    sums = []
    for name, pair in (("off", (1.0, 0.0)), ("on", (0.0, 1.0))):
        values = node.constant(pair, dtype, f"is_{name}")
        there = node.add("OneHot", node.x(0), node.x(1), values, label=f"where_{name}", axis=axis)
        kept = node.add("Mul", node.dy(), there, label=f"dy_{name}")
        total = node.reduced("ReduceSum", kept, axes, keep=False, label=f"sum_{name}")
        sums.append(node.to_shape(total, (1,), label=f"d_{name}"))
    node.result(2, node.add("Concat", *sums, label="d_values", axis=0))


DERIVATIVES = {"OneHot": one_hot}
FLAT = ()
