"""Functions that are straight on either side of a corner: Relu, LeakyRelu."""

from __future__ import annotations

from pipeline.gradients.derivatives.backward import Backward


def relu(node: Backward) -> None:
    """dx = dy where x > 0, else 0."""
    open_ = node.add("Greater", node.x(0), node.constant(0.0, label="zero"), label="open")
    node.result(0, node.add("Where", open_, node.dy(), node.constant(0.0, label="zero"), label="passed"))


def leaky_relu(node: Backward) -> None:
    """dx = dy where x > 0, else α · dy."""
    open_ = node.add("Greater", node.x(0), node.constant(0.0, label="zero"), label="open")
    less = node.scaled(node.dy(), float(node.attribute("alpha", 0.01)))
    node.result(0, node.add("Where", open_, node.dy(), less, label="passed"))


DERIVATIVES = {"Relu": relu, "LeakyRelu": leaky_relu}
FLAT = ()
