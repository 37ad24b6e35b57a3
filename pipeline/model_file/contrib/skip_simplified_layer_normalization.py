"""SkipSimplifiedLayerNormalization: a sum with what was skipped, by the root of its mean square along the last axis."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.normalised import by_root, with_skip
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "SkipSimplifiedLayerNormalization"


def write(node: Writer) -> None:
    """X, skip, gamma, bias or none; the sum is the fourth output."""
    total = with_skip(node, 3)
    by_root(node, total, 2, epsilon=float(node.attribute("epsilon", 1e-12)), inverse=2)
    node.result(3, total)
