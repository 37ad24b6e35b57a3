"""Crop: the plane without its border, or a part of a given size that begins inside the border."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "Crop"


def write(node: Writer) -> None:
    """X [N, C, H, W]; `border` is left, top, right, bottom, `scale` height and width.

    Raises UnsupportedError for a border or a size that is not within the plane.
    """
    left, top, right, bottom = (int(size) for size in node.attribute("border", (0, 0, 0, 0)))
    height, width = node.given(0).shape[-2:]
    if "scale" in node.attributes:
        rows, columns = (int(size) for size in node.attributes["scale"])
    else:
        rows, columns = height - top - bottom, width - left - right
    if min(left, top) < 0 or min(rows, columns) < 1 or top + rows > height or left + columns > width:
        raise node.refusal("a part of the picture", f"{rows}x{columns} from {top}, {left} of {height}x{width}")
    starts, ends = node.whole(top, left, label="starts"), node.whole(top + rows, left + columns, label="ends")
    node.result(0, node.add("Slice", node.x(0), starts, ends, node.whole(2, 3, label="axes")))
