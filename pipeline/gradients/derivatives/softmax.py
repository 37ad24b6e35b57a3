"""Softmax and its logarithm, over one axis (opset 13 on) or over all axes from one on (before)."""

from __future__ import annotations

from texelscope.pipeline.gradients.derivatives.backward import Backward


def softmax(node: Backward) -> None:
    """dx = y · (dy − Σ dy · y)."""
    total = node.reduced("ReduceSum", node.add("Mul", node.dy(), node.y(), label="weighted"), _axes(node))
    node.result(0, node.add("Mul", node.y(), node.add("Sub", node.dy(), total, label="against_mean"), label="dx"))


def log_softmax(node: Backward) -> None:
    """dx = dy − e^y · Σ dy."""
    total = node.reduced("ReduceSum", node.dy(), _axes(node))
    share = node.add("Mul", node.add("Exp", node.y(), label="probability"), total, label="share")
    node.result(0, node.add("Sub", node.dy(), share, label="dx"))


def _axes(node: Backward) -> list[int]:
    if node.opset >= 13:
        return [node.axis(default=-1)]
    return [*range(node.axis(default=1), len(node.shape(0)))]


DERIVATIVES = {"Softmax": softmax, "LogSoftmax": log_softmax}
FLAT = ("Hardmax",)
