"""Operators that frameworks define differently: whose definition a graph's nodes are meant to follow.

An ONNX file says LRN and four numbers; whether the numbers came from a framework that means the same by them, it
does not say. Choosing a convention rewrites the nodes; choosing ONNX's own restores them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.graph import OWN_DOMAIN, Graph, Node
from texelscope.pipeline.operators.local_response import (
    LRN_CONVENTIONS,
    LocalResponse,
    LrnConvention,
    LrnParameters,
    lrn_convention,
)

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

    The very same graph if that changes nothing. Raises TexelscopeError for an operator or a convention that is not
    known.
    """
    for op_type, name in chosen.items():
        check_convention(op_type, name)
    nodes = tuple(_following(node, chosen) for node in graph.nodes)
    changed = any(new is not old for new, old in zip(nodes, graph.nodes, strict=True))
    return dataclasses.replace(graph, nodes=nodes) if changed else graph


def check_convention(op_type: str, name: str) -> None:
    """Raises TexelscopeError, with the nearest name, unless both are known."""
    if op_type not in conventions():
        expected, advice = "an operator that frameworks define differently", nearest(op_type, conventions())
        raise TexelscopeError("conventions", expected, f"'{op_type}'", advice)
    lrn_convention(name)


def with_only(graph: Graph, chosen: Mapping[str, str]) -> Graph:
    """As `with_conventions`, with ONNX's own definition for every operator that is not `chosen`."""
    return with_conventions(graph, {**dict.fromkeys(conventions(), DEFAULT), **chosen})


def readings(node: Node) -> Mapping[str, LocalResponse]:
    """Convention → what it takes the node's parameters for; nothing for an operator without a choice."""
    if not convention_of(node):
        return {}
    parameters = _parameters(node.attributes["said"] if node.domain == OWN_DOMAIN else node.attributes)
    return {each.name: each.read(parameters) for each in conventions()[node.op_type]}


def _parameters(said: Mapping[str, Any]) -> LrnParameters:
    """An LRN node's attributes with ONNX's defaults (LRN 13)."""
    return LrnParameters(
        int(said["size"]), float(said.get("alpha", 1e-4)), float(said.get("beta", 0.75)), float(said.get("bias", 1.0))
    )


def _following(node: Node, chosen: Mapping[str, str]) -> Node:
    name = chosen.get(node.op_type)
    if name is None or convention_of(node) in ("", name):
        return node
    said = dict(node.attributes["said"] if node.domain == OWN_DOMAIN else node.attributes)
    if name == DEFAULT:
        return dataclasses.replace(node, domain="", attributes=MappingProxyType(said))
    form = dataclasses.asdict(lrn_convention(name).read(_parameters(said)))
    attributes = MappingProxyType({**form, "said": MappingProxyType(said), "convention": name})
    return dataclasses.replace(node, domain=OWN_DOMAIN, attributes=attributes)
