"""ScaledSiLU: y = z · sigmoid(z), z = scale · x."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.quantised import per_tensor
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "ScaledSiLU"


def write(node: Writer) -> None:
    """X of any shape, and a scale that stands before the attribute `alpha`."""
    scale = per_tensor(node, 1) if node.has(1) else node.constant(float(node.attribute("alpha", 1.0)), label="alpha")
    scaled = node.add("Mul", node.x(0), scale, label="scaled")
    node.result(0, node.add("Mul", scaled, node.add("Sigmoid", scaled, label="gate")))
