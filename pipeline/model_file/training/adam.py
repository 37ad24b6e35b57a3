"""Adam: V' = α·V + (1 − α)·G; H' = β·H + (1 − β)·G²; X' = X − R · √(1 − β^T) / (1 − α^T) · V' / (√H' + ε)."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer
from texelscope.pipeline.model_file.training.steps import mixed, regularised, results, scalar, steps, weights

OPERATOR = "Adam"


def write(node: Writer) -> None:
    """R, T, all X, all G, all V, all H → all X', all V', all H'. In the step before the first the rate is R itself."""
    alpha, beta = scalar(node, "alpha", 0.9), scalar(node, "beta", 0.999)
    rate = _rate(node, alpha, beta)
    one = node.constant(1.0, label="one")
    shrink = node.add("Sub", one, scalar(node, "norm_coefficient_post", 0.0), label="shrink")
    for (x, given, momentum, squares), number in weights(node, 4):
        gradient = regularised(node, x, given)
        mean = mixed(node, momentum, gradient, alpha, "mean")
        remembered = mixed(node, squares, node.add("Mul", gradient, gradient, label="square"), beta, "squares")
        deviation = node.add("Add", node.add("Sqrt", remembered), scalar(node, "epsilon", 0.0), label="deviation")
        step = node.add("Div", node.add("Mul", rate, mean, label="scaled"), deviation, label="step")
        results(node, number, (node.add("Mul", shrink, node.add("Sub", x, step)), mean, remembered))


def _rate(node: Writer, alpha: str, beta: str) -> str:
    one, count = node.constant(1.0, label="one"), steps(node)
    first = node.add("Sub", one, node.add("Pow", alpha, count, label="alpha_power"), label="of_mean")
    second = node.add("Sub", one, node.add("Pow", beta, count, label="beta_power"), label="of_squares")
    adjusted = node.add("Div", node.add("Mul", node.x(0), node.add("Sqrt", second)), first, label="adjusted")
    started = node.add("Greater", count, node.constant(0.0, label="zero"), label="started")
    return node.add("Where", started, adjusted, node.x(0), label="rate")
