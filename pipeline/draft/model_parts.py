"""Finds the parts of a model that the shaders of a draft compute, and the tensors that each of them reads."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from texelscope.pipeline.draft.names import words
from texelscope.pipeline.graph import Graph, Node

# Nodes that authors compute in the shader of the node before: they change each element by itself.
_JOINS_BEFORE = frozenset(
    {
        "Relu", "LeakyRelu", "PRelu", "Elu", "Selu", "Celu", "Sigmoid", "HardSigmoid", "HardSwish", "Tanh", "Softplus",
        "Softsign", "Gelu", "Mish", "Clip", "BatchNormalization", "Neg", "Exp", "Sin", "Abs", "Identity", "Erf",
    }
)  # fmt: skip
# How authors write an activation, one of these words at least.
_WRITTEN_AS = {
    "Relu": ("max(", "relu", "Relu", "ReLU", "step("), "LeakyRelu": ("max(", "?", "eaky", "if", "mix("),
    "Sigmoid": ("exp(", "sigmoid", "Sigmoid", "tanh("), "Tanh": ("tanh(", "exp("), "Clip": ("clamp(", "min("),
    "Sin": ("sin(",), "Exp": ("exp(",), "Abs": ("abs(",),
}  # fmt: skip
# Nodes that authors compute in the shader of the node behind: they only move elements.
_JOINS_BEHIND = frozenset({"Resize", "Upsample", "Pad", "Concat", "DepthToSpace", "SpaceToDepth", "Reshape", "Flatten"})
_WITH_A_CONSTANT = frozenset({"Add", "Mul", "Sub", "Div"})


@dataclass(frozen=True)
class ComputedPart:
    """The part of a model that one shader computes: its `output`, and what it reads, in the order of its nodes.

    `activations` are inputs of the model and outputs of parts before; `constants` are the model's weights.
    """

    output: str
    activations: tuple[str, ...]
    constants: tuple[str, ...]
    reason: str


def model_parts(
    graph: Graph, passes: Sequence[str], texts: Sequence[str], stated: Mapping[str, str] = MappingProxyType({})
) -> tuple[ComputedPart | None, ...]:
    """Returns the part that each pass computes, by the passes' names and texts in order; None where nothing says it.

    A pass has the tensor that is `stated` for it, or the tensor or node of its own name; else all of them together have
    the model's layers one by one, if there are as many.
    """
    ends = [_named(graph, name, text, passes) for name, text in zip(passes, texts, strict=True)]
    if None in ends and not stated:
        ends = _in_order(graph, len(passes)) or ends
    ends = [(stated[name], "") if name in stated else end for name, end in zip(passes, ends, strict=True)]
    found: list[ComputedPart | None] = []
    made = {*graph.inputs}
    for end in ends:
        if end is None:
            found.append(None)
            continue
        tensor, reason = end
        found.append(ComputedPart(tensor, *_read(graph, tensor, made), reason))
        made.add(tensor)
    return tuple(found)


def _named(graph: Graph, name: str, text: str, passes: Sequence[str]) -> tuple[str, str] | None:
    own = words(name)
    for node in graph.nodes:
        if node.outputs and own and (name == node.outputs[0] or own in (words(node.name), words(node.outputs[0]))):
            tensor = _at_the_end(graph, node.outputs[0], passes) or _finished(graph, node.outputs[0], text)
            return tensor, "" if tensor == name else f"node '{node.name}' has the shader's name"
    return None


def _at_the_end(graph: Graph, tensor: str, passes: Sequence[str]) -> str:
    """Returns the output of the model behind a tensor and activations alone, if no other pass is named after these.

    Somebody has to compute it, even if a shader's text forgets the activation. Empty if there is none.
    """
    names = {words(each) for each in passes}
    while tensor not in graph.outputs:
        readers = [node for node in graph.nodes if tensor in node.inputs]
        if len(readers) != 1 or readers[0].op_type not in _JOINS_BEFORE:
            return ""
        tensor = readers[0].outputs[0]
        if {words(readers[0].name), words(tensor)} & names:
            return ""
    return tensor


def _finished(graph: Graph, tensor: str, text: str) -> str:
    """Returns the tensor behind the activation of a node, where a shader's text computes it too."""
    readers = [node for node in graph.nodes if tensor in node.inputs]
    if tensor in graph.outputs or len(readers) != 1 or readers[0].op_type not in _JOINS_BEFORE:
        return tensor
    written = _WRITTEN_AS.get(readers[0].op_type, ())
    if written and not any(word in text for word in written):
        return tensor
    return _finished(graph, readers[0].outputs[0], text)


def _in_order(graph: Graph, count: int) -> list[tuple[str, str] | None]:
    """Returns the ends of the model's layers where there are `count` of them, however activations are counted."""
    if count == 1 and len(graph.outputs) == 1:
        return [(graph.outputs[0], "the model has one output")]
    groupings = (
        (lambda node: _joins_before(graph, node), _JOINS_BEHIND),
        (lambda node: _joins_before(graph, node), frozenset[str]()),
        (lambda node: False, frozenset[str]()),
    )
    for joins, behind in groupings:
        layers = [*_layers(graph.nodes, joins, behind)]
        if len(layers) == count:
            return [(layer, f"the model has {count} layers, as many as there are shaders") for layer in layers]
    return []


def _joins_before(graph: Graph, node: Node) -> bool:
    if node.op_type in _WITH_A_CONSTANT:
        return any(name in graph.constants for name in node.inputs)
    return node.op_type in _JOINS_BEFORE


def _layers(nodes: Sequence[Node], joins: Callable[[Node], bool], behind: Collection[str]) -> Iterator[str]:
    """Yields the last tensor of each layer."""
    last = ""
    for node in nodes:
        if last and not joins(node):
            yield last
            last = ""
        last = "" if node.op_type in behind else node.outputs[0]
    if last:
        yield last


def _read(graph: Graph, tensor: str, made: Collection[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns the tensors that the nodes between those `made` and this one read, then the constants."""
    nodes: list[Node] = []
    waiting, seen = [tensor], {tensor}
    while waiting:
        node = graph.producer(waiting.pop())
        if node is None or node in nodes:
            continue
        nodes.append(node)
        for name in node.inputs:
            if name and name not in made and name not in graph.constants and name not in seen:
                seen.add(name)
                waiting.append(name)
    order = {node.name: at for at, node in enumerate(graph.nodes)}
    inputs = [name for node in sorted(nodes, key=lambda each: order[each.name]) for name in node.inputs if name]
    read = dict.fromkeys(inputs)
    return tuple(name for name in read if name in made), tuple(name for name in read if name in graph.constants)


def is_vector(graph: Graph, tensor: str) -> bool:
    """Reports whether a constant has a number for each channel, as a bias has."""
    return sum(size > 1 for size in graph.tensors[tensor].shape) <= 1
