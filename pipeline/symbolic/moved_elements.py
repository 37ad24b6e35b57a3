"""Follows elements through nodes that only move them: a reshape, a transposition, a padding, an enlargement."""

from __future__ import annotations

from texelscope.pipeline.graph import Graph
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.operators.families.registry import facts_of, operator_of


def moved_from(graph: Graph, tensor: str, element: int) -> tuple[str, int] | None:
    """Returns the element that an element of a tensor is, as a tensor with a linear index.

    None where it is computed, where it is a constant of the node, such as padding, and where its reads are unknown.
    """
    node = graph.producer(tensor)
    if node is None:
        return None
    facts = facts_of(node)
    if not (facts.moves or facts.may_move):
        return None
    operator = operator_of(node)
    if operator is None:
        return None
    reads = operator.reads_of(Call(node, graph), element, node.outputs.index(tensor))
    found = [(node.inputs[position], int(at)) for position, indices in (reads or {}).items() for at in indices]
    return found[0] if len(found) == 1 else None
