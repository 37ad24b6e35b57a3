"""Arithmetic of tensors, each broadcast: Add, Sub, Mul, Div, Mod, Sum, Mean; Neg."""

from __future__ import annotations

from texelscope.pipeline.gradients.derivatives.backward import Backward
from texelscope.pipeline.gradients.derivatives.formulas import Formula, of_one_input


def add(node: Backward) -> None:
    """dxᵢ = dy."""
    for position in range(len(node.inputs)):
        node.give(position, node.dy())


def sub(node: Backward) -> None:
    """da = dy, db = −dy."""
    node.give(0, node.dy())
    if node.wants(1):
        node.give(1, node.add("Neg", node.dy()))


def mul(node: Backward) -> None:
    """da = dy · b, db = dy · a."""
    for position, other in ((0, 1), (1, 0)):
        if node.wants(position):
            node.give(position, node.add("Mul", node.dy(), node.met(other), label=f"by_{other}"))


def div(node: Backward) -> None:
    """da = dy / b, db = −dy · y / b."""
    share = node.add("Div", node.dy(), node.met(1), label="share")
    node.give(0, share)
    if node.wants(1):
        node.give(1, node.add("Neg", node.add("Mul", share, node.y(), label="of_quotient")))


def mod(node: Backward) -> None:
    """y = a − q · b with a whole q: da = dy, db = −dy · q."""
    f = Formula(node)
    f.give(0, f.dy)
    if node.wants(1):
        times = ((f.x - f.y) / f.input(1)).of("Round")
        f.give(1, -(f.dy * times))


def mean(node: Backward) -> None:
    """dxᵢ = dy / n."""
    f = Formula(node)
    share = f.dy / float(len(node.inputs))
    for position in range(len(node.inputs)):
        f.give(position, share)


DERIVATIVES = {
    "Add": add,
    "Sum": add,
    "Sub": sub,
    "Mul": mul,
    "Div": div,
    "Mod": mod,
    "Mean": mean,
    **of_one_input({"Neg": lambda f: -f.dy}),
}
FLAT = ()
