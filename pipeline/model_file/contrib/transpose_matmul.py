"""Expands TransposeMatMul: the older name of FusedMatMul."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib import fused_matmul
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "TransposeMatMul"


def write(node: Writer) -> None:
    """Takes A and B as FusedMatMul."""
    fused_matmul.write(node)
