"""EmbedLayerNormalization: the sum of the rows for words, places and segments, normalised along its last axis."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "EmbedLayerNormalization"


def write(node: Writer) -> None:
    """Words [B, S], segments, the three tables, gamma, beta, mask [B, S], places; the mask's length is a result too."""
    batch, length = node.given(0).shape
    words = node.add("Gather", node.x(2), node.x(0), axis=0, label="words")
    numbers = node.x(8) if node.has(8) else node.constant([list(range(length))], "int64", "places")
    places = node.add("Gather", node.x(3), numbers, axis=0, label="positions")
    total = node.add("Add", words, places, label="sum")
    if node.has(1) and node.has(4):
        segments = node.add("Gather", node.x(4), node.x(1), axis=0, label="segments")
        total = node.add("Add", total, segments, label="sum")
    normalised = node.add(
        "LayerNormalization",
        *(total, node.x(5), node.x(6)),
        axis=-1,
        epsilon=float(node.attribute("epsilon", 1e-12)),
        label="normalised",
    )
    node.result(0, normalised)
    node.result(2, total)
    if node.wants(1) and node.has(7):
        node.result(1, node.add("ReduceSum", node.x(7), node.whole(1, label="axes"), keepdims=0, label="lengths"))
    elif node.wants(1):
        node.result(1, node.constant([0] * batch, "int32", "lengths"))
