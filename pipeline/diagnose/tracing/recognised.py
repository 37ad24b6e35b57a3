"""Functions that have an operator of their own, found in a graph by what they make, however they are written."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Graph, Node, TensorInfo
from texelscope.pipeline.operators.families.registry import facts_of
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.oracle.reference import Reference

Array = NDArray[Any]

_OPSET = 23
_NONE: Mapping[str, Any] = MappingProxyType({})
# Of more nodes nothing is looked for.
_MOST_NODES = 48
# Functions of one value are looked at between these.
_RANGE = 8.0
_PLAIN: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("Relu", {}), ("Sigmoid", {}), ("Tanh", {}), ("HardSwish", {}), ("Softplus", {}), ("Mish", {}),
    ("Elu", {"alpha": 1.0}), ("Gelu", {"approximate": "none"}), ("Gelu", {"approximate": "tanh"}),
    ("HardSigmoid", {"alpha": 1.0 / 6.0, "beta": 0.5}),
)  # fmt: skip


def recognised(graph: Graph) -> Graph:
    """The graph with one node where several, or one of more operands, make what that makes."""
    if len(graph.nodes) > _MOST_NODES:
        return graph
    for node in reversed(graph.nodes):
        for source in _sources(graph, node):
            found = next(_made_of(graph, source, node.outputs[0]), None)
            if found is None:
                continue
            other = _with(graph, node, found)
            is_plainer = len(other.nodes) == len(graph.nodes) and len(found[0][-1].inputs) < len(node.inputs)
            if is_plainer or len(other.nodes) < len(graph.nodes):
                return recognised(other)
    return graph


def _sources(graph: Graph, node: Node) -> Iterator[str]:
    """The tensors of its output's shape that a node's output is a function of, the furthest first."""
    oracle, wanted = GraphOracle(graph), node.outputs[0]
    shape = graph.tensors[wanted].shape
    for name, info in graph.tensors.items():
        if name == wanted or name in graph.constants or info.shape != shape or info.dtype != "float32":
            continue
        try:
            nodes = oracle.between([name], wanted)
        except TexelscopeError:
            continue
        is_read = any(name in each.inputs for each in nodes)
        facts = [facts_of(each) for each in nodes]
        in_place = all(each.pointwise or not (each.moves or each.may_move or each.window) for each in facts)
        if is_read and in_place and (len(nodes) > 1 or len(nodes[0].inputs) > 1):
            yield name


def _made_of(graph: Graph, source: str, wanted: str) -> Iterator[tuple[Sequence[Node], Mapping[str, Array]]]:
    """Nodes with the constants that they read, which make one of the other."""
    shape = graph.tensors[wanted].shape
    x = np.resize(np.random.default_rng(0).permutation(np.linspace(-_RANGE, _RANGE, 97)), shape).astype(np.float32)
    try:
        y = GraphOracle(graph).values({source: x}, [wanted])[wanted]
    except TexelscopeError:
        return
    low, high = float(x.min()), float(y.reshape(-1)[x.argmin()])
    ways = [*_PLAIN, ("LeakyRelu", {"alpha": high / low}), *(("Softmax", {"axis": axis}) for axis in range(len(shape)))]
    is_held = y.min() > -_RANGE and y.max() < _RANGE
    ends = {f"{wanted}/{name}": np.asarray(end) for name, end in (("least", y.min()), ("most", y.max()))}
    for op_type, attributes, constants in (*((*way, {}) for way in ways), *([("Clip", {}, ends)] if is_held else [])):
        made = _node(op_type, (source, *constants), wanted, attributes)
        if _is(made, [x, *constants.values()], y) and not np.allclose(x, y):
            yield (made,), constants
    with np.errstate(all="ignore"):  # x · sigmoid(factor · x)
        share = np.median((np.log(y / (x - y)) / x)[np.abs(x) < 1.0])
    factor, gate, names = np.float32(share), f"{wanted}/gate", (f"{wanted}/factor", f"{wanted}/scaled")
    if np.allclose(x / (1.0 + np.exp(-factor * x)), y, 1e-4, 1e-5):
        scaled = _node("Mul", (source, names[0]), names[1])
        of = source if np.isclose(factor, 1.0) else names[1]
        last = (_node("Sigmoid", (of,), gate), _node("Mul", (source, gate), wanted))
        yield (last, {}) if of == source else ((scaled, *last), {names[0]: np.asarray(factor)})


def _node(op_type: str, inputs: tuple[str, ...], output: str, attributes: Mapping[str, Any] = _NONE) -> Node:
    return Node(output, op_type, inputs, (output,), MappingProxyType(dict(attributes)), "", _OPSET)


def _is(node: Node, inputs: Sequence[Array], y: Array) -> bool:
    try:
        made = Reference().run_node(node, inputs)[0]
    except TexelscopeError:
        return False
    return made is not None and np.allclose(made, y, 1e-5, 1e-6)


def _with(graph: Graph, old: Node, found: tuple[Sequence[Node], Mapping[str, Array]]) -> Graph:
    """The graph with others in place of a node, and without those that nothing needs any more."""
    made, more = found
    infos = {name: TensorInfo(name, graph.tensors[old.outputs[0]].shape) for node in made for name in node.outputs}
    graph = dataclasses.replace(
        graph,
        nodes=tuple(node for each in graph.nodes for node in (made if each is old else (each,))),
        tensors=MappingProxyType({**graph.tensors, **infos, **{name: TensorInfo(name, ()) for name in more}}),
        constants=MappingProxyType({**graph.constants, **more}),
    )
    nodes = GraphOracle(graph).between(graph.inputs, graph.outputs[0])
    used = {name for each in nodes for name in (*each.inputs, *each.outputs)}
    return dataclasses.replace(
        graph,
        nodes=nodes,
        tensors=MappingProxyType({name: info for name, info in graph.tensors.items() if name in used}),
        constants=MappingProxyType({name: value for name, value in graph.constants.items() if name in used}),
    )
