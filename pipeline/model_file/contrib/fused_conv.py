"""FusedConv: y = f(W ∗ x + b + z), a convolution with what follows it."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.activations import activated
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "FusedConv"
_OF_CONV = ("auto_pad", "dilations", "group", "kernel_shape", "pads", "strides")


def write(node: Writer) -> None:
    """X, W, B and Z, what is added before the activation."""
    inputs = [node.x(position) for position in range(3) if node.has(position)]
    y = node.add("Conv", *inputs, **{name: node.attribute(name, None) for name in _OF_CONV})
    if node.has(3):
        y = node.add("Add", y, node.x(3))
    node.result(0, activated(node, y, node.attribute("activation_params", ())))
