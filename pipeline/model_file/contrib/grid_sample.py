"""GridSample of com.microsoft: that of ONNX, before it had other names for the modes."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "GridSample"
_MODES = {"bilinear": "linear", "bicubic": "cubic"}


def write(node: Writer) -> None:
    """X [N, C, H, W] and grid [N, rows, columns, 2]."""
    mode = str(node.attribute("mode", "bilinear"))
    y = node.add(
        "GridSample",
        *(node.x(0), node.x(1)),
        align_corners=int(node.attribute("align_corners", 0)),
        mode=_MODES.get(mode, mode),
        padding_mode=str(node.attribute("padding_mode", "zeros")),
    )
    node.result(0, y)
