"""QLinearAveragePool: an average pool of a quantised tensor, quantised."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.channels import first, last
from texelscope.pipeline.model_file.contrib.quantised import codes, real
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "QLinearAveragePool"
_OF_POOL = ("auto_pad", "ceil_mode", "count_include_pad", "kernel_shape", "pads", "strides")


def write(node: Writer) -> None:
    """X with scale and zero point, then those of Y; with `channels_last` [N, spatial…, C]."""
    x, rank, turned = real(node, 0, 1, 2), node.given(0).rank, bool(node.attribute("channels_last", 0))
    said = {name: node.attribute(name, None) for name in _OF_POOL}
    mean = node.add("AveragePool", first(node, x, rank) if turned else x, label="mean", **said)
    node.result(0, codes(node, last(node, mean, rank) if turned else mean, 3, 4, node.given(0).dtype))
