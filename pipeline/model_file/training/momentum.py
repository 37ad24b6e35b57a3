"""Momentum: V' = α·V + β·G, in the step before the first with 1 for β; X' = X − R·V', or by Nesterov R·(G + α·V')."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer
from texelscope.pipeline.model_file.training.steps import regularised, results, scalar, steps, weights

OPERATOR = "Momentum"


def write(node: Writer) -> None:
    """R, T, all X, all G, all V → all X', all V'. Raises UnsupportedError for another mode."""
    mode = str(node.attribute("mode", "standard"))
    if mode not in ("standard", "nesterov"):
        raise node.refusal("mode standard or nesterov", f"'{mode}'")
    alpha = scalar(node, "alpha", 0.9)
    started = node.add("Greater", steps(node), node.constant(0.0, label="zero"), label="started")
    beta = node.add("Where", started, scalar(node, "beta", 1.0), node.constant(1.0, label="one"), label="share")
    for (x, given, momentum), number in weights(node, 3):
        gradient = regularised(node, x, given)
        kept = node.add("Mul", alpha, momentum, label="kept")
        mean = node.add("Add", kept, node.add("Mul", beta, gradient, label="taken"), label="mean")
        ahead = mean
        if mode == "nesterov":
            ahead = node.add("Add", gradient, node.add("Mul", alpha, mean, label="next"), label="ahead")
        results(node, number, (node.add("Sub", x, node.add("Mul", node.x(0), ahead, label="step")), mean))
