"""Adagrad: H' = H + G²; X' = X − R / (1 + T · decay) · G / (√H' + ε)."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer
from texelscope.pipeline.model_file.training.steps import regularised, results, scalar, steps, weights

OPERATOR = "Adagrad"


def write(node: Writer) -> None:
    """R, T, all X, all G, all H → all X', all H'."""
    decay = node.add("Mul", steps(node), scalar(node, "decay_factor", 0.0), label="decay")
    slower = node.add("Add", node.constant(1.0, label="one"), decay, label="slower")
    rate = node.add("Div", node.x(0), slower, label="rate")
    for (x, given, squares), number in weights(node, 3):
        gradient = regularised(node, x, given)
        remembered = node.add("Add", squares, node.add("Mul", gradient, gradient, label="square"), label="squares")
        deviation = node.add("Add", node.add("Sqrt", remembered), scalar(node, "epsilon", 0.0), label="deviation")
        step = node.add("Div", node.add("Mul", rate, gradient, label="scaled"), deviation, label="step")
        results(node, number, (node.add("Sub", x, step), remembered))
