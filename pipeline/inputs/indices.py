"""Inputs whose numbers are indices: how many places there are where they point."""

from __future__ import annotations

from texelscope.pipeline.graph import Graph

# What only moves numbers, or writes them otherwise.
_MOVES = frozenset({"Cast", "Expand", "Flatten", "Identity", "Reshape", "Slice", "Squeeze", "Transpose", "Unsqueeze"})
_GATHERS = frozenset({"Gather", "GatherElements"})


def places(graph: Graph, name: str) -> int | None:
    """The size of the smallest axis that elements of the tensor `name` are indices of; None if they are of none."""
    same, sizes = {name}, []
    for node in graph.nodes:  # in topological order
        if node.op_type in _MOVES and node.inputs[0] in same:
            same.update(node.outputs)
        elif node.op_type in _GATHERS and node.inputs[1] in same and node.inputs[0] in graph.tensors:
            shape = graph.tensors[node.inputs[0]].shape
            sizes.append(shape[int(node.attributes.get("axis", 0))])
    return min(sizes, default=None)
