"""Differentiates in reverse mode: traverses a graph from its end, and adds each node's derivative as nodes.

The result is one graph, of the forward nodes and the backward ones, so that its readers need to know
nothing of gradients. (Chain rule: dL/dx = Σ over the uses of x of (dy/dx)ᵀ · dL/dy.)
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from texelscope.pipeline.errors import TexelscopeError, UnsupportedError, nearest
from texelscope.pipeline.gradients.derivatives.backward import Backward
from texelscope.pipeline.gradients.derivatives.registry import derivative, is_flat
from texelscope.pipeline.graph import GRADIENT, Graph, Node, TensorInfo
from texelscope.pipeline.model_file.continued import NodeMessage, continued, with_nodes
from texelscope.pipeline.model_file.contrib.writer import Writer
from texelscope.pipeline.unique_names import UniqueNames


@dataclass(frozen=True)
class Differentiated:
    """Holds a `graph` with its former results and the gradients; `gradients` names the requested ones by tensor."""

    graph: Graph
    gradients: Mapping[str, str]


def differentiated(graph: Graph, of: str, wrt: Sequence[str] = (), seed: str = "") -> Differentiated:
    """Returns `graph` with the gradients of `of` with respect to the tensors `wrt` among its outputs.

    Without `wrt`, of every float input and weight that `of` depends on. If `of` is no scalar, it is the
    gradient of the sum of its elements, each times that of the tensor `seed` where one is named (of its shape). Raises
    TexelscopeError for a tensor that does not exist or does not depend on a requested one, UnsupportedError for a node
    without a derivative.
    """
    info = _described(graph, of, f"gradients of '{of}'")
    wanted = tuple(wrt) or _leaves(graph, of)
    for name in wanted:
        _described(graph, name, f"gradient with respect to '{name}'")
    varied = _varied(graph, wanted)
    if of not in varied:
        raise TexelscopeError(
            f"gradients of '{of}' ({graph.name})",
            "a tensor that depends on a float input or weight",
            "one that depends on none of them" if not wrt else f"one that does not depend on {', '.join(wanted)}",
            "Name another tensor.",
        )
    walk = _Walk(graph, varied)
    walk.start(info, seed)
    for node in reversed(graph.nodes):
        walk.back_through(node)
    gradients = {name: found for name in wanted if (found := walk.total(name))}
    lost = [name for name in wrt if name not in gradients]
    if lost:
        raise TexelscopeError(
            f"gradients of '{of}' ({graph.name})",
            "tensors that it depends on smoothly",
            f"'{lost[0]}', which reaches it only through steps",
            "Leave it out.",
        )
    return walk.joined(of, gradients)


@dataclass(frozen=True)
class BackwardGraph:
    """Holds the backward nodes alone; `graph` is None if all gradients are existing tensors.

    `gradients` names by tensor its gradient, an output or an input of the graph; the others have none.
    """

    graph: Graph | None
    gradients: Mapping[str, str]


def backward_alone(graph: Graph, arriving: Mapping[str, str], wrt: Sequence[str]) -> BackwardGraph:
    """Returns what `differentiated` adds to `graph`, for callers with its tensors, which become inputs of the result.

    `arriving` names by tensor the one, of `graph.tensors`, that holds its incoming gradient. Raises
    UnsupportedError for a node without a derivative.
    """
    walk = _Walk(graph, _varied(graph, wrt))
    for name, seed in arriving.items():
        walk.start(graph.tensors[name], seed)
    for node in reversed(graph.nodes):
        walk.back_through(node)
    return walk.alone({name: found for name in wrt if (found := walk.total(name))})


def _described(graph: Graph, name: str, who: str) -> TensorInfo:
    info = graph.tensors.get(name)
    if info is None:
        raise TexelscopeError(
            f"{who} ({graph.name})", "a tensor of the graph", "another name", nearest(name, [*graph.tensors])
        )
    if not _is_real(info):
        raise TexelscopeError(f"{who} ({graph.name})", "a tensor of floats", info.dtype, "Name another tensor.")
    return info


def _is_real(info: TensorInfo | None) -> bool:
    return info is not None and np.dtype(info.dtype).kind == "f"


def _leaves(graph: Graph, of: str) -> tuple[str, ...]:
    """Returns the float inputs and weights behind `of`, in the order in which nodes read them."""
    needed = {of}
    for node in reversed(graph.nodes):
        if not needed.isdisjoint(node.outputs):
            needed.update(filter(None, node.inputs))
    read = dict.fromkeys(name for node in graph.nodes for name in node.inputs if name in needed)
    leaves = [name for name in read if name in graph.inputs or name in graph.constants]
    return tuple(name for name in leaves if _is_real(graph.tensors.get(name)))


def _varied(graph: Graph, wanted: Collection[str]) -> frozenset[str]:
    """Returns the float tensors that depend on those of `wanted` through differentiable nodes."""
    found = set(wanted)
    for node in graph.nodes:
        if not is_flat(node) and not found.isdisjoint(node.inputs):
            found.update(name for name in node.outputs if _is_real(graph.tensors.get(name)))
    return frozenset(found)


class _Walk:
    """Walks a graph from its end to its beginning, with the gradients collected so far."""

    def __init__(self, graph: Graph, varied: Collection[str]) -> None:
        self._graph = graph
        self._varied = varied
        self._arrived: dict[str, list[str]] = {}
        self._totals: dict[str, str] = {}
        self._nodes: list[NodeMessage] = []
        self._uses = Counter(name for node in graph.nodes for name in node.inputs)
        self._names = UniqueNames()
        for name in (*graph.tensors, *(node.name for node in graph.nodes)):
            self._names.give(name)

    def start(self, of: TensorInfo, seed: str) -> None:
        """Sets the gradient of the end by itself: `seed`, or ones."""
        if not seed:
            seed = self._names.give(f"{of.name}{GRADIENT}")
            self._add(seed, lambda node: node.constant(np.ones(of.shape), of.dtype))
        self._arrived[of.name] = [seed]

    def total(self, tensor: str) -> str:
        """Returns the gradient of `tensor`, from all its uses; empty if it has none."""
        arrived = self._arrived.get(tensor, [])
        if tensor not in self._totals and len(arrived) > 1:
            name = self._names.give(f"{tensor}{GRADIENT}")
            self._add(name, lambda node: node.add("Sum", *arrived))
            self._totals[tensor] = name
        return self._totals.get(tensor) or next(iter(arrived), "")

    def back_through(self, node: Node) -> None:
        """Adds the backward nodes of one node, if it has a gradient and depends on a wanted tensor."""
        wanted = [name in self._varied for name in node.inputs]
        if not any(wanted) or not any(self._arrived.get(name) for name in node.outputs):
            return
        arriving = [self.total(name) if name else "" for name in node.outputs]
        given = [
            self._names.give(self._called(name, node)) if is_wanted else ""
            for name, is_wanted in zip(node.inputs, wanted, strict=True)
        ]
        writer = Backward(self._names.give(f"{node.name}/backward"), node, self._graph, arriving, given)
        write = derivative(node)
        if write is None:
            raise UnsupportedError(
                f"{node.op_type} '{node.name}' ({self._graph.name})",
                "an operator with a derivative here",
                "one without",
                "Ask for gradients of a tensor before it, or with respect to tensors after it.",
            )
        write(writer)
        nodes = writer.nodes()
        made = {name for each in nodes for name in each.output}
        for each in nodes:
            if named := next((name for name in each.output if name in given), ""):
                each.name = named
        self._nodes.extend(nodes)
        for position, (tensor, name) in enumerate(zip(node.inputs, given, strict=True)):
            if name and (found := name if name in made else writer.passed_on.get(position, "")):
                self._arrived.setdefault(tensor, []).append(found)

    def _called(self, tensor: str, node: Node) -> str:
        """Names the gradient of one use of a tensor: after the node too where there are several uses."""
        return f"{tensor}{GRADIENT}" if self._uses[tensor] == 1 else f"{tensor}{GRADIENT}/{node.name}"

    def alone(self, gradients: Mapping[str, str]) -> BackwardGraph:
        """Returns the backward nodes that the gradients need, without the forward ones."""
        made = {name for node in self._nodes for name in node.output}
        wanted = tuple(dict.fromkeys(name for name in gradients.values() if name in made))
        return BackwardGraph(self._continued(wanted) if wanted else None, MappingProxyType(dict(gradients)))

    def joined(self, of: str, gradients: Mapping[str, str]) -> Differentiated:
        """Joins the forward graph and the backward nodes that the gradients need."""
        gradients = {name: self._named(name, found) for name, found in gradients.items()}
        backward = self._continued(tuple(gradients.values()))
        graph = dataclasses.replace(
            with_nodes(self._graph, backward),
            gradients=MappingProxyType({**self._on_the_way(backward.tensors), **gradients}),
            backward=frozenset(node.name for node in backward.nodes),
            differentiated=of,
        )
        return Differentiated(graph, MappingProxyType(dict(gradients)))

    def _continued(self, gradients: Sequence[str]) -> Graph:
        return continued(self._graph, self._nodes, gradients, f"the backward pass of {self._graph.name}")

    def _on_the_way(self, there: Collection[str]) -> Mapping[str, str]:
        """Returns by tensor its whole gradient, also of intermediate tensors that were not requested."""
        single = {tensor: arrived[0] for tensor, arrived in self._arrived.items() if len(arrived) == 1}
        return {tensor: name for tensor, name in {**single, **self._totals}.items() if name in there}

    def _named(self, tensor: str, gradient: str) -> str:
        """Gives the gradient its own name, where it is also that of another tensor."""
        wanted = f"{tensor}{GRADIENT}"
        if gradient == wanted or gradient in self._totals.values():
            return gradient
        named = self._names.give(wanted)
        self._add(named, lambda node: node.add("Identity", gradient))
        return named

    def _add(self, output: str, make: Callable[[Writer], str]) -> None:
        """Adds a node, named after its output."""
        writer = Writer(output, "gradient", (), (output,), {})
        writer.result(0, make(writer))
        self._nodes.extend(writer.nodes())
