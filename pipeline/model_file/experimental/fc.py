"""FC: y = x · Wᵀ + b of what is before and after an axis."""

from __future__ import annotations

import math

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "FC"


def write(node: Writer) -> None:
    """X and W, seen as matrices by their `axis` and `axis_w` (1 if not said), b [N]."""
    matrices = []
    for position, name in ((0, "axis"), (1, "axis_w")):
        axis = int(node.attribute(name, 1))
        rows = math.prod(node.given(position).shape[:axis])
        matrices.append(node.reshape(node.x(position), rows, -1, label=f"matrix{position}"))
    node.result(0, node.add("Gemm", *matrices, node.x(2), transB=1))
