"""QLinearConv of com.microsoft: that of ONNX, for channels in the last axis too."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.channels import first, last
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "QLinearConv"
_OF_CONV = ("auto_pad", "dilations", "group", "kernel_shape", "pads", "strides")


def write(node: Writer) -> None:
    """The inputs of ONNX's; with `channels_last` x is [N, spatial…, C], the weights are as ever."""
    x, rank, turned = node.x(0), node.given(0).rank, bool(node.attribute("channels_last", 0))
    others = [node.x(position) for position in range(1, 9) if node.has(position)]
    said = {name: node.attribute(name, None) for name in _OF_CONV}
    y = node.add("QLinearConv", first(node, x, rank) if turned else x, *others, **said)
    node.result(0, last(node, y, rank) if turned else y)
