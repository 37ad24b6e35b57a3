"""SimplifiedLayerNormalization: the axes from one on by the root of their mean square."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.normalised import by_root
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "SimplifiedLayerNormalization"


def write(node: Writer) -> None:
    """X and scale; the inverse root is the second output."""
    by_root(node, node.x(0), 1, epsilon=float(node.attribute("epsilon", 1e-5)), inverse=1)
