"""Finds the tensors of a pass to probe: those of a sum, its weights, and those beside them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.graph import Graph, Node
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.operators.families.registry import facts_of, operator_of
from texelscope.pipeline.plan import Pass, Plan

Indices = NDArray[np.int64]

_SUMS = frozenset({"convolution", "transposed", "product", "mean"})


@dataclass(frozen=True)
class SumWiring:
    """A sum of products, or a single product, has a node and the keys of textures behind its two factors.

    `positions` are those of the factors among the node's inputs, the second None if no texture is behind it. `path` are
    the nodes from the output back to the sum, each with the position of the input on the path. `is_shared` if other
    nodes read those textures too, or if both factors are in one.
    """

    node: Node
    sources: tuple[str, ...]
    weights: tuple[str, ...]
    positions: tuple[int, int | None]
    path: tuple[tuple[Node, int], ...]
    is_shared: bool


@dataclass(frozen=True)
class Wiring:
    """The sums of products of a pass that can be probed.

    `neutral` gives by key the value for a float texture that is not probed; a missing one keeps its content.
    """

    neutral: Mapping[str, float]
    sums: tuple[SumWiring, ...] = ()

    @property
    def asked(self) -> tuple[str, ...]:
        """Returns the keys that the sums read."""
        return tuple(dict.fromkeys(key for each in self.sums for key in (*each.sources, *each.weights)))


def wiring_of(plan: Plan, shader_pass: Pass) -> Wiring | None:
    """Returns the wiring of a pass by its model; None if there is none."""
    graph = plan.graph
    if graph is None:
        return None
    keys = {plan.textures[key].tensor: key for key in shader_pass.reads}
    producers = {output: node for node in graph.nodes for output in node.outputs if output}
    covered = _covered(producers, keys, plan.textures[shader_pass.output].tensor)
    if covered is None:
        return None
    neutral: dict[str, float] = {}
    for node in covered:
        for name, value in zip(node.inputs, _neutral(node), strict=False):
            if name in keys and plan.textures[keys[name]].dtype.startswith("float"):
                neutral[keys[name]] = value
            elif (key := _moved_from(producers, keys, name)) is not None:
                neutral.setdefault(key, value)
    for node in covered:
        if facts_of(node).moves:
            neutral.update({keys[name]: 0.0 for name in node.inputs if name in keys and keys[name] not in neutral})
    wanted = plan.textures[shader_pass.output].tensor
    nodes = [node for node in covered if facts_of(node).window in _SUMS]
    if not nodes:  # products that are added one by one, such as those of a rotation
        nodes = [node for node in covered if node.op_type == "Mul" and len(set(node.inputs)) == 2]
        nodes = nodes if len(nodes) > 1 else []
    found = (_sum_of(producers, keys, wanted, node, covered) for node in nodes)
    sums = tuple(each for each in found if each is not None)
    neutral.update({key: 0.0 for each in sums[1:] or () for key in (*sums[0].weights, *each.weights)})
    return Wiring(neutral, sums)


def _sum_of(
    producers: Mapping[str, Node], keys: Mapping[str, str], wanted: str, node: Node, covered: Sequence[Node]
) -> SumWiring | None:
    """Returns the wiring of one sum; None if it cannot be probed."""
    path = _path(producers, keys, wanted, node)
    behind = [_keys_behind(producers, keys, name) for name in node.inputs[:2]]
    if facts_of(node).window == "mean":
        behind = behind[:1]
    first = 0 if behind[0] else 1
    if path is None or first >= len(behind) or not behind[first]:
        return None
    second = 1 if first == 0 and len(behind) > 1 and behind[1] else None
    sources, weights = behind[first], () if second is None else behind[second]
    asked = {*sources, *weights}
    readers = sum(keys.get(name) in asked for other in covered for name in other.inputs)
    if set(sources) & set(weights) and (sources != weights or len(sources) > 1):
        return None
    return SumWiring(node, sources, weights, (first, second), path, readers > len(asked) or sources == weights)


def reads_of(graph: Graph, node: Node, index: int) -> Mapping[int, Indices] | None:
    """By input position, the elements that element `index` of the node's first output reads, in order."""
    operator = operator_of(node)
    return None if operator is None else operator.reads_of(Call(node, graph), index, 0)


def element_of_sum(graph: Graph, wiring: SumWiring, element: int) -> int | None:
    """Returns the element of the sum's output behind an element of the pass's output; None if there are several."""
    for node, position in wiring.path:
        reads = reads_of(graph, node, element)
        if reads is None or len(reads.get(position, ())) != 1:
            return None
        element = int(reads[position][0])
    return element


def _covered(producers: Mapping[str, Node], keys: Mapping[str, str], wanted: str) -> Sequence[Node] | None:
    """Returns the nodes between the inputs and the output; None if one cannot be followed."""
    found: dict[str, Node] = {}
    pending = [producers[wanted]] if wanted in producers else []
    while pending:
        node = pending.pop()
        found[node.name] = node
        pending += [
            producers[name]
            for name in node.inputs
            if name in producers and name not in keys and producers[name].name not in found
        ]
    return list(found.values()) or None


def _neutral(node: Node) -> Iterable[float]:
    """Yields for each input the neutral value that leaves the node's result unchanged."""
    known = facts_of(node).neutral
    return itertools.chain(known, itertools.repeat(known[-1])) if known else ()


def _is_mover(node: Node) -> bool:
    facts = facts_of(node)
    return facts.moves or facts.may_move


def _moved_from(producers: Mapping[str, Node], keys: Mapping[str, str], tensor: str) -> str | None:
    while tensor not in keys:
        node = producers.get(tensor)
        if node is None or not _is_mover(node):
            return None
        tensor = node.inputs[0]
    return keys[tensor]


def _keys_behind(producers: Mapping[str, Node], keys: Mapping[str, str], tensor: str) -> tuple[str, ...]:
    """Returns textures from which a factor is read, moved or negated; none for a constant stored elsewhere."""
    if tensor in keys:
        return (keys[tensor],)
    node = producers.get(tensor)
    if node is None or not (_is_mover(node) or node.op_type == "Neg"):
        return ()
    found = [_keys_behind(producers, keys, name) for name in node.inputs if name in producers or name in keys]
    return tuple(dict.fromkeys(key for each in found for key in each))


def _path(
    producers: Mapping[str, Node], keys: Mapping[str, str], wanted: str, sum_node: Node
) -> tuple[tuple[Node, int], ...] | None:
    """Returns the path from the output back to the sum, through pointwise nodes and moves."""
    node = producers[wanted]
    if node.name == sum_node.name:
        return ()
    facts = facts_of(node)
    if not (facts.pointwise or facts.by_channel or _is_mover(node)):
        return None
    for position, name in enumerate(node.inputs):
        if name in producers and name not in keys:
            rest = _path(producers, keys, name, sum_node)
            if rest is not None:
                return ((node, position), *rest)
    return None
