"""ParametricSoftplus: y = α · ln(1 + e^(β·x))."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "ParametricSoftplus"


def write(node: Writer) -> None:
    """X of any shape. Raises UnsupportedError without α or β, for which no default was ever said."""
    alpha, beta = (node.constant(node.required(name), label=name) for name in ("alpha", "beta"))
    node.result(0, node.add("Mul", node.add("Softplus", node.add("Mul", node.x(0), beta, label="scaled")), alpha))
