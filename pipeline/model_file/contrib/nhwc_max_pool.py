"""NhwcMaxPool: a maximum pool of eight-bit codes with channels in the last axis."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.channels import first, last
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "NhwcMaxPool"
_OF_POOL = ("auto_pad", "ceil_mode", "dilations", "kernel_shape", "pads", "strides")


def write(node: Writer) -> None:
    """X [N, spatial…, C]."""
    rank = node.given(0).rank
    said = {name: node.attribute(name, None) for name in _OF_POOL}
    node.result(0, last(node, node.add("MaxPool", first(node, node.x(0), rank), **said), rank))
