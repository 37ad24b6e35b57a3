"""QEmbedLayerNormalization: EmbedLayerNormalization of tables that are quantised, as are gamma and beta."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.quantised import real
from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "QEmbedLayerNormalization"


def write(node: Writer) -> None:
    """Words [B, S], segments, the three tables, gamma, beta, mask [B, S], then five scales and five zero points."""
    batch, length = node.given(0).shape
    numbers = node.constant([list(range(length))], "int64", "places")
    words = node.add("Gather", real(node, 2, 8, 13), node.x(0), axis=0, label="words")
    places = node.add("Gather", real(node, 3, 9, 14), numbers, axis=0, label="positions")
    total = node.add("Add", words, places, label="sum")
    if node.has(1) and node.has(4):
        segments = node.add("Gather", real(node, 4, 10, 15), node.x(1), axis=0, label="segments")
        total = node.add("Add", total, segments, label="sum")
    inputs = (total, real(node, 5, 11, 16), real(node, 6, 12, 17))
    epsilon = float(node.attribute("epsilon", 1e-12))
    node.result(0, node.add("LayerNormalization", *inputs, axis=-1, epsilon=epsilon, label="normalised"))
    if node.wants(1) and node.has(7):
        node.result(1, node.add("ReduceSum", node.x(7), node.whole(1, label="axes"), keepdims=0, label="lengths"))
    elif node.wants(1):
        node.result(1, node.constant([0] * batch, "int32", "lengths"))
