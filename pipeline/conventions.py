"""Operators that frameworks define differently: whose definition a graph's nodes are meant to follow.

An ONNX file says LRN and four numbers; whether the numbers came from a framework that means the same by them, it
does not say. Choosing a convention rewrites the nodes; choosing ONNX's own restores them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType

from pipeline.errors import TexelscopeError, nearest
from pipeline.graph import OWN_DOMAIN, Graph, Node
from pipeline.local_response import LRN_CONVENTIONS, LrnConvention, LrnParameters, lrn_convention

# ONNX's own definition, of any operator.
DEFAULT = "onnx"


def conventions() -> Mapping[str, tuple[LrnConvention, ...]]:
    """Operator type → the conventions that there are, ONNX's first; each has a name and a formula to show."""
    return MappingProxyType({"LRN": tuple(LRN_CONVENTIONS.values())})


def convention_of(node: Node) -> str:
    """The name of the convention that a node follows; empty for one that has no choice."""
    if node.op_type not in conventions():
        return ""
    return str(node.attributes.get("convention", "" if node.domain == OWN_DOMAIN else DEFAULT))


def with_conventions(graph: Graph, chosen: Mapping[str, str]) -> Graph:
    """`graph` with its nodes following the conventions `chosen` by operator type, the others as they are.

    Raises TexelscopeError for an operator or a convention that is not known.
    """
    for op_type, name in chosen.items():
        if op_type not in conventions():
            expected, advice = "an operator that frameworks define differently", nearest(op_type, conventions())
            raise TexelscopeError("conventions", expected, f"'{op_type}'", advice)
        lrn_convention(name)
    return dataclasses.replace(graph, nodes=tuple(_following(node, chosen) for node in graph.nodes))


def _following(node: Node, chosen: Mapping[str, str]) -> Node:
    name = chosen.get(node.op_type)
    if name is None or convention_of(node) in ("", name):
        return node
    said = dict(node.attributes["said"] if node.domain == OWN_DOMAIN else node.attributes)
    if name == DEFAULT:
        return dataclasses.replace(node, domain="", attributes=MappingProxyType(said))
    parameters = LrnParameters(said["size"], said["alpha"], said["beta"], said["bias"])
    form = dataclasses.asdict(lrn_convention(name).read(parameters))
    attributes = MappingProxyType({**form, "said": MappingProxyType(said), "convention": name})
    return dataclasses.replace(node, domain=OWN_DOMAIN, attributes=attributes)
