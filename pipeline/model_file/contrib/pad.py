"""Pad of com.microsoft: that of ONNX, whose pads may be a row of a matrix and whose value may have an axis."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.quantised import per_tensor
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "Pad"


def write(node: Writer) -> None:
    """X, pads [2 · rank] or [1, 2 · rank], value; what negative pads take away goes first."""
    given, x = [int(pad) for pad in node.value(1, "pads").reshape(-1)], node.x(0)
    if min(given, default=0) < 0:
        shape = node.given(0).shape
        starts = (max(0, -pad) for pad in given[: len(shape)])
        ends = (size + min(0, pad) for size, pad in zip(shape, given[len(shape) :], strict=True))
        x = node.add("Slice", x, node.whole(*starts, label="starts"), node.whole(*ends, label="ends"), label="kept")
    pads = node.whole(*(max(0, pad) for pad in given), label="pads")
    value = (per_tensor(node, 2),) if node.has(2) else ()
    node.result(0, node.add("Pad", x, pads, *value, mode=str(node.attribute("mode", "constant"))))
