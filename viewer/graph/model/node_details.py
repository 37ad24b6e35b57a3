"""Collects what a box of the graph shows of a layer beside its name: attributes of nodes, shapes of weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from texelscope.pipeline.graph import Node
from texelscope.pipeline.plan import Plan

_MOST_ITEMS = 8
# Attributes that most nodes have and nobody looks for.
_USUAL: tuple[tuple[str, object], ...] = (
    ("group", 1), ("auto_pad", "NOTSET"), ("ceil_mode", 0), ("storage_order", 0), ("count_include_pad", 0),
)  # fmt: skip
_USUAL_FILLED: tuple[tuple[str, int], ...] = (("dilations", 1), ("pads", 0), ("strides", 1))


@dataclass(frozen=True)
class NodeDetails:
    """Holds name and value of each attribute, name and shape of each weight; `unusual` ones are no defaults."""

    attributes: tuple[tuple[str, str], ...] = ()
    unusual: tuple[tuple[str, str], ...] = ()
    weights: tuple[tuple[str, str], ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """Name and value of everything, a line each."""
        return tuple(f"{name} {value}" for name, value in (*self.attributes, *self.weights))


def all_details(plan: Plan) -> Mapping[str, NodeDetails]:
    """Collects the details of all layers by name, in their order; inputs have none."""
    nodes: dict[str, list[Node]] = {}
    for node in plan.graph.nodes if plan.graph is not None else ():
        nodes.setdefault(node.name, []).append(node)
    return {name: _details_of(plan, name, nodes) for name in (*plan.given, *plan.layers)}


def _details_of(plan: Plan, name: str, nodes: Mapping[str, Sequence[Node]]) -> NodeDetails:
    found = plan.find(name)
    if found is None:
        return NodeDetails()
    attributes: dict[str, Any] = {}
    for node in (node for each in found.nodes for node in nodes.get(each, ())):
        attributes |= {key: value for key, value in node.attributes.items() if _is_plain(value)}
    weights = []
    for sampler in found.readers:
        stored = plan.textures[sampler.key]
        if stored.role == "constant":
            weights.append((stored.tensor.rpartition("/")[2], shape_text(stored.shape)))
    known = {"kernel_shape"} if weights else set()  # as the weights' shape shows it
    return NodeDetails(
        tuple((key, _text(value)) for key, value in attributes.items()),
        tuple(
            (key, _text(value)) for key, value in attributes.items() if key not in known and not _is_usual(key, value)
        ),
        tuple(dict.fromkeys(weights)),
    )


def shape_text(shape: tuple[int, ...]) -> str:
    """Formats the sizes of all axes; a scalar is named so."""
    return "×".join(map(str, shape)) or "scalar"


def _is_plain(value: Any) -> bool:
    """Returns whether the value is a number, a text or a few of them, neither empty nor a loop's body."""
    if isinstance(value, np.ndarray):
        return True
    if isinstance(value, list | tuple):
        return bool(value) and all(isinstance(each, int | float | str) for each in value)
    return isinstance(value, int | float | str) and value != ""


def _is_usual(key: str, value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(key == name and all(each == filling for each in value) for name, filling in _USUAL_FILLED)
    return not isinstance(value, np.ndarray | Mapping) and (key, value) in _USUAL


def _text(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return shape_text(value.shape)
    if isinstance(value, list | tuple):
        shown = ", ".join(_text(each) for each in value[:_MOST_ITEMS])
        return f"{shown}, …" if len(value) > _MOST_ITEMS else shown
    return f"{value:.6g}" if isinstance(value, float) else str(value)
