"""ConvTransposeWithDynamicPads: ConvTranspose whose pads are an input."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "ConvTransposeWithDynamicPads"
_OF_CONV = ("auto_pad", "dilations", "group", "kernel_shape", "output_padding", "strides")


def write(node: Writer) -> None:
    """X, W, pads int64 [2 · spatial axes] or none, bias or none."""
    pads = [int(pad) for pad in node.value(2, "pads").reshape(-1)] if node.has(2) else None
    bias = (node.x(3),) if node.has(3) else ()
    said = {name: node.attribute(name, None) for name in _OF_CONV}
    node.result(0, node.add("ConvTranspose", node.x(0), node.x(1), *bias, pads=pads, **said))
