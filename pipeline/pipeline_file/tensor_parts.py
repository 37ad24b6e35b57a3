"""Cuts tensors of a model into parts of their channels, as shaders hold them in several textures or targets.

A pipeline file names a part `state[0:4]`: channels 0 to 3. The model then has the part as a tensor. Where the parts of
a tensor hold all of it, whatever reads the tensor reads them joined again, so that a pass that reads all the parts has
what its oracle needs. An input of the model becomes its parts, which the file gives one by one.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Graph, Node, Shape, TensorInfo

_PART = re.compile(r"(?P<whole>.{1,500})\[(?P<first>\d{1,9}):(?P<last>\d{1,9})\]")
_AXIS, _OPSET = 1, 13


@dataclass(frozen=True, order=True)
class TensorPart:
    """Describes channels `first` to `last` - 1 of the tensor `whole`."""

    whole: str
    first: int
    last: int

    @property
    def name(self) -> str:
        """The part's name, as a tensor of the model."""
        return f"{self.whole}[{self.first}:{self.last}]"


def part_called(name: str) -> TensorPart | None:
    """Returns the part that a name in a pipeline file says; None for any other name."""
    match = _PART.fullmatch(name)
    return None if match is None else TensorPart(match["whole"], int(match["first"]), int(match["last"]))


def joined_shapes(shapes: Mapping[str, Shape]) -> dict[str, Shape]:
    """Returns shapes of tensors with those of parts put together to that of their tensor."""
    found: dict[str, Shape] = {}
    for name, shape in shapes.items():
        part = part_called(name)
        if part is None or len(shape) <= _AXIS:
            found[name] = shape
        else:
            channels = max(part.last, found.get(part.whole, (0, 0))[_AXIS])
            found[part.whole] = (shape[0], channels, *shape[2:])
    return found


def with_parts(graph: Graph, names: Collection[str]) -> Graph:
    """Returns the model with the parts among those names as tensors; parts that it has stay.

    Raises TexelscopeError for a part of no tensor, of channels that there are not, and for parts of an input that do
    not hold all of it once.
    """
    parts = sorted({each for name in names if name not in graph.tensors and (each := part_called(name)) is not None})
    for whole in dict.fromkeys(each.whole for each in parts):
        graph = _cut(graph, whole, [each for each in parts if each.whole == whole])
    return graph


def _cut(graph: Graph, whole: str, parts: list[TensorPart]) -> Graph:
    info = graph.tensors.get(whole)
    if info is None or whole in graph.constants or len(info.shape) <= _AXIS:
        got = "no such tensor" if info is None else "a weight" if whole in graph.constants else f"{list(info.shape)}"
        raise TexelscopeError(
            f"'{parts[0].name}'", "channels of an input or a result of the model", got, "Check the name."
        )
    channels = info.shape[_AXIS]
    for each in parts:
        if not each.first < each.last <= channels:
            raise TexelscopeError(
                f"'{each.name}'",
                f"channels between 0 and {channels}, the first below the last",
                each.name,
                "Correct it.",
            )
    is_whole = [each.first for each in parts] == [0, *(each.last for each in parts[:-1])] and parts[-1].last == channels
    infos = {each.name: _info(info, each) for each in parts}
    if whole in graph.inputs:
        if not is_whole:
            told = ", ".join(each.name for each in parts)
            raise TexelscopeError(f"'{whole}'", f"parts with all of its {channels} channels", told, "Add an [[input]].")
        inputs = tuple(name for each in graph.inputs for name in ([*infos] if each == whole else [each]))
        return dataclasses.replace(
            graph, nodes=(_joined(whole, parts), *graph.nodes), inputs=inputs, tensors={**graph.tensors, **infos}
        )
    return _with_slices(graph, whole, parts, infos, is_whole=is_whole)


def _with_slices(
    graph: Graph, whole: str, parts: list[TensorPart], infos: Mapping[str, TensorInfo], *, is_whole: bool
) -> Graph:
    """Returns the graph with the parts behind the node that makes the whole, and joined for those that read it."""
    numbers: dict[str, NDArray[Any]] = {}
    made = []
    for each in parts:
        places = {f"{each.name}.first": each.first, f"{each.name}.last": each.last, f"{each.name}.axis": _AXIS}
        numbers |= {name: np.array([value]) for name, value in places.items()}
        made.append(Node(each.name, "Slice", (whole, *places), (each.name,), opset=_OPSET))
    known: dict[str, TensorInfo] = {
        **infos, **{name: TensorInfo(name, value.shape, str(value.dtype)) for name, value in numbers.items()}
    }  # fmt: skip
    again = f"{whole}[:]"
    if is_whole:
        made.append(_joined(again, parts))
        known[again] = dataclasses.replace(graph.tensors[whole], name=again)
    nodes = []
    for node in graph.nodes:
        if is_whole and whole in node.inputs:
            node = dataclasses.replace(node, inputs=tuple(again if name == whole else name for name in node.inputs))
        nodes.append(node)
        if whole in node.outputs:
            nodes += made
    return dataclasses.replace(
        graph,
        nodes=tuple(nodes),
        tensors=MappingProxyType({**graph.tensors, **known}),
        constants=MappingProxyType({**graph.constants, **numbers}),
    )


def _joined(name: str, parts: list[TensorPart]) -> Node:
    attributes = MappingProxyType({"axis": _AXIS})
    return Node(f"{name}.joined", "Concat", tuple(each.name for each in parts), (name,), attributes, opset=_OPSET)


def _info(whole: TensorInfo, part: TensorPart) -> TensorInfo:
    shape = (whole.shape[0], part.last - part.first, *whole.shape[2:])
    return dataclasses.replace(whole, name=part.name, shape=shape)
