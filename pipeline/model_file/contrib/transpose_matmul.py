"""TransposeMatMul: the older name of FusedMatMul."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib import fused_matmul
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "TransposeMatMul"


def write(node: Writer) -> None:
    """A and B as FusedMatMul has them."""
    fused_matmul.write(node)
