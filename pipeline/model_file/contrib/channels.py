"""Channels as the last axis, where ONNX has them as the second."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer


def first(node: Writer, x: str, rank: int) -> str:
    """[N, spatial…, C] as [N, C, spatial…]."""
    return node.add("Transpose", x, perm=[0, rank - 1, *range(1, rank - 1)], label="channels_first")


def last(node: Writer, x: str, rank: int) -> str:
    """[N, C, spatial…] as [N, spatial…, C]."""
    return node.add("Transpose", x, perm=[0, *range(2, rank), 1], label="channels_last")
