"""What a number is to the nodes of a pass: a weight, a constant of an activation, an epsilon, a factor."""

from __future__ import annotations

from typing import Literal

import numpy as np

from texelscope.pipeline.graph import Graph, Node
from texelscope.pipeline.operators.families.registry import facts_of
from texelscope.pipeline.plan import Pass, Plan
from texelscope.pipeline.repair.model_numbers import nodes_of

Role = Literal["weight", "alpha", "epsilon", "scale"]
# A factor that changes nothing.
_OF_A_FACTOR = 1.0
# As near as somebody writes a number out.
_NEAR = 1e-4
# What keeps a division from zero is added, and is one up to this.
_SMALL = 0.1


def role_of(plan: Plan, each: Pass, number: float | None) -> Role | None:
    """The role that a number has in the model's part of a pass; None where it has none that is known.

    One that no node has is a constant of an activation that is written out, if the pass has one.
    """
    graph = plan.graph
    if graph is None or number is None:
        return None
    nodes = nodes_of(plan, each)
    for node in nodes:
        if (role := _in_attributes(node, number) or _as_scalar(graph, node, number)) is not None:
            return role
    if any(_is_among(graph, node, number) for node in nodes):
        return "weight"
    return "alpha" if any(facts_of(node).is_activation for node in nodes) else None


def _in_attributes(node: Node, number: float) -> Role | None:
    names = [name for name, value in node.attributes.items() if isinstance(value, float) and _is_near(value, number)]
    if "epsilon" in names:
        return "epsilon"
    facts = facts_of(node)
    return "alpha" if names and (facts.is_activation or {*names} & {*facts.shaped_by}) else None


def _as_scalar(graph: Graph, node: Node, number: float) -> Role | None:
    """As a constant of one element among a node's inputs."""
    values = {name: graph.constants[name] for name in node.inputs if name in graph.constants}
    if not any(value.size == 1 and _is_near(float(value.reshape(-1)[0]), number) for value in values.values()):
        return None
    facts = facts_of(node)
    if facts.is_activation:
        return "alpha"
    if facts.adds:
        users = [other for other in graph.nodes if {*node.outputs} & {*other.inputs}]
        is_below = bool(users) and not any(facts_of(other).adds for other in users)
        return "epsilon" if is_below and abs(number) <= _SMALL else None
    return "scale" if facts.pointwise and _OF_A_FACTOR in facts.neutral else None


def _is_among(graph: Graph, node: Node, number: float) -> bool:
    arrays = (graph.constants[name] for name in node.inputs if name in graph.constants)
    return any(
        value.size > 1 and value.dtype.kind == "f" and bool(np.isclose(value, number, rtol=_NEAR, atol=0.0).any())
        for value in arrays
    )


def _is_near(one: float, other: float) -> bool:
    return bool(np.isclose(one, other, rtol=_NEAR, atol=0.0))
