"""Extracts the part of a model that one pass computes, for the values that a subject has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Graph, Shape, TensorInfo
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.model_file.writing import model_of
from texelscope.pipeline.operators.conventions import with_only
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.planning.planner import lower
from texelscope.pipeline.resizing.subject import PassSubject


@dataclass(frozen=True)
class ModelPart:
    """The part of a model that a pass computes: as a message, and as the graph that opening it yields.

    `shapes` are those of the pass's textures by key; `derived` the results of other passes of the node that it reads.
    """

    message: bytes
    graph: Graph
    shapes: Mapping[str, Shape]
    derived: Mapping[str, NDArray[Any]]


def part_of(subject: PassSubject) -> ModelPart:
    """Returns the subject's nodes as a model. Raises TexelscopeError where they do not fit its values."""
    needed = {name for node in subject.nodes for name in node.inputs}
    inputs = [
        TensorInfo(name, subject.shape(name), subject.values[name].dtype.name)
        for name in subject.given
        if name in needed
    ]
    constants = {name: value for name, value in subject.values.items() if name in needed and name not in subject.given}
    make = partial(model_of, subject.name, subject.nodes, inputs, constants)
    opened = load(make(dict.fromkeys(subject.wanted)))
    graph = lower(with_only(opened, subject.conventions), Limits())
    message = make({name: graph.tensors.get(name) for name in subject.wanted})
    shapes: dict[str, Shape] = {}
    for key, stored in subject.stored.items():
        if stored.tensor in subject.values:
            shapes[key] = subject.shape(stored.tensor)
        elif stored.tensor in graph.tensors:
            shapes[key] = graph.tensors[stored.tensor].shape
        else:
            raise TexelscopeError(
                f"pass '{subject.name}'", f"'{stored.tensor}' in its part of the model", "none", "Keep its shape."
            )
        if 0 in shapes[key]:
            raise TexelscopeError(f"'{stored.tensor}'", "positive sizes", str(list(shapes[key])), "Keep its shape.")
    return ModelPart(bytes(message.SerializeToString()), graph, shapes, _derived(subject, graph))


def is_valid_part(subject: PassSubject, suits: Callable[[ModelPart], bool] = lambda part: True) -> bool:
    """Whether the subject's part of the model can be evaluated on its values, and `suits`."""
    try:
        part = part_of(subject)
        given = {**{name: subject.values[name] for name in subject.given}, **part.derived}
        oracle = GraphOracle(part.graph)
        outputs = [subject.stored[key].tensor for key in subject.shader_pass.outputs]
        return all(oracle.isolated(given, name) is not None for name in outputs) and suits(part)
    except (TexelscopeError, ValueError, ArithmeticError, LookupError, TypeError, AssertionError):
        return False


def _derived(subject: PassSubject, graph: Graph) -> dict[str, NDArray[Any]]:
    read = [subject.stored[key].tensor for key in subject.shader_pass.reads]
    missing = [name for name in read if name not in subject.values and name not in graph.constants]
    if not missing:
        return {}
    known = GraphOracle(graph).chained({name: subject.values[name] for name in subject.given})
    return {name: np.asarray(known[name].value) for name in missing if name in known}
