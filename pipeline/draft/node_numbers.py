"""Reads the numbers that a model's nodes give a shader: strides, pads, dilations, sides of kernels, slopes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from texelscope.pipeline.graph import Graph, Node

# By meaning, the numbers along x and y, or one number.
NodeNumbers = Mapping[str, tuple[float, ...]]

_OF_WINDOWS = {"strides": "stride", "dilations": "dilation", "kernel_shape": "kernel"}
_WITH_WINDOWS = frozenset({"Conv", "ConvTranspose", "MaxPool", "AveragePool", "LpPool"})
_SINGLE = {"alpha": "slope", "epsilon": "epsilon"}


def node_numbers(graph: Graph, output: str, read: Sequence[str]) -> NodeNumbers:
    """Returns the numbers of the nodes between the tensors that are read and `output`, as far as they agree."""
    found: dict[str, tuple[float, ...]] = {}
    disagreeing = set[str]()
    for node in _nodes(graph, output, read):
        for meaning, numbers in _of_node(graph, node):
            if found.setdefault(meaning, numbers) != numbers:
                disagreeing.add(meaning)
    return {meaning: numbers for meaning, numbers in found.items() if meaning not in disagreeing}


def _nodes(graph: Graph, output: str, read: Sequence[str]) -> Iterator[Node]:
    waiting, seen = [output], {*read, *graph.constants}
    while waiting:
        node = graph.producer(waiting.pop())
        if node is None or node.name in seen:
            continue
        seen.add(node.name)
        yield node
        waiting += [name for name in node.inputs if name and name not in seen]


def _of_node(graph: Graph, node: Node) -> Iterator[tuple[str, tuple[float, ...]]]:
    for name, meaning in _OF_WINDOWS.items():
        value = node.attributes.get(name)
        if isinstance(value, tuple | list) and len(value) == 2:
            yield meaning, (value[1], value[0])
        elif not value and meaning != "kernel" and node.op_type in _WITH_WINDOWS:
            yield meaning, (1, 1)
    if node.op_type in ("Conv", "ConvTranspose") and not node.attributes.get("kernel_shape"):
        *_, height, width = graph.tensors[node.inputs[1]].shape
        yield "kernel", (width, height)
    pads, is_automatic = node.attributes.get("pads"), node.attributes.get("auto_pad", "NOTSET") not in ("", "NOTSET")
    if isinstance(pads, tuple | list) and len(pads) == 4:
        yield "pad", (pads[1], pads[0])
    elif not pads and not is_automatic and node.op_type in _WITH_WINDOWS:
        yield "pad", (0, 0)
    for name, meaning in _SINGLE.items():
        value = node.attributes.get(name)
        if isinstance(value, float):
            yield meaning, (round(value, 9),)
