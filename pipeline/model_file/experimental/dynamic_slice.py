"""DynamicSlice: Slice with starts, ends and axes as inputs, as opset 10 has it."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "DynamicSlice"


def write(node: Writer) -> None:
    """Data, starts, ends and maybe axes."""
    node.result(0, node.add("Slice", *(node.x(position) for position in range(4 if node.has(3) else 3))))
