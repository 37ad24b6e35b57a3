"""Arithmetic of two tensors, each broadcast: Add, Sub, Mul, Div."""

from __future__ import annotations

from pipeline.gradients.derivatives.backward import Backward


def add(node: Backward) -> None:
    """da = dy, db = dy."""
    node.give(0, node.dy())
    node.give(1, node.dy())


def sub(node: Backward) -> None:
    """da = dy, db = −dy."""
    node.give(0, node.dy())
    if node.wants(1):
        node.give(1, node.add("Neg", node.dy()))


def mul(node: Backward) -> None:
    """da = dy · b, db = dy · a."""
    for position, other in ((0, 1), (1, 0)):
        if node.wants(position):
            node.give(position, node.add("Mul", node.dy(), node.x(other), label=f"by_{other}"))


def div(node: Backward) -> None:
    """da = dy / b, db = −dy · y / b."""
    share = node.add("Div", node.dy(), node.x(1), label="share")
    node.give(0, share)
    if node.wants(1):
        node.give(1, node.add("Neg", node.add("Mul", share, node.y(), label="of_quotient")))


DERIVATIVES = {"Add": add, "Sub": sub, "Mul": mul, "Div": div}
FLAT = ()
