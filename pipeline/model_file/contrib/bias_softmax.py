"""BiasSoftmax: softmax(x + bias) over the axes from one on."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "BiasSoftmax"


def write(node: Writer) -> None:
    """X, and a bias that lacks, or has of size 1, the axes that it is repeated along."""
    given, bias = node.given(0), node.given(1)
    axis = int(node.attribute("axis", 1)) % given.rank
    if bias.rank != given.rank:
        raise node.refusal(f"a bias of {given.rank} axes", str(list(bias.shape)))
    total = node.add("Add", given.name, bias.name, label="sum")
    if axis == given.rank - 1:
        node.result(0, node.add("Softmax", total, axis=-1))
        return
    share = node.add("Softmax", node.add("Flatten", total, axis=axis), axis=-1)
    node.result(0, node.reshape(share, *given.shape))
