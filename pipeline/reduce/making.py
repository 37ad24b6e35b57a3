"""Turns a subject on smaller values back into a folder: its part of the model, and its shader for these shapes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.export.eject import shader_text
from texelscope.pipeline.glsl.lines import without_directives
from texelscope.pipeline.graph import Graph, Shape, TensorInfo
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.model_file.writing import model_of
from texelscope.pipeline.operators.conventions import with_only
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.plan import Pass, Plan
from texelscope.pipeline.planning.planner import lower, plan_graph
from texelscope.pipeline.reduce.hand_written import OfFunctions, guesses
from texelscope.pipeline.reduce.merge import carried, is_edit
from texelscope.pipeline.reduce.subject import Subject
from texelscope.pipeline.reduce.written import FolderContents, write
from texelscope.pipeline.target import AUTO


class Making(Protocol):
    """Turns the subjects of one pass into folders."""

    @property
    def keeps(self) -> str:
        """Says why its shapes may have to stay as they are."""

    def is_valid(self, subject: Subject) -> bool:
        """Whether the subject's shapes are valid for the oracle and the shader."""

    def folders(self, subject: Subject) -> Iterator[FolderContents]:
        """Yields a subject's folders, the best guess of its shader first. Raises TexelscopeError if shapes disagree."""


@dataclass(frozen=True)
class ModelPart:
    """The part of a model that a pass computes: as a message, and as the graph that opening it yields.

    `shapes` are those of the pass's textures by key; `derived` the results of other passes of the node that it reads.
    """

    message: bytes
    graph: Graph
    shapes: Mapping[str, Shape]
    derived: Mapping[str, NDArray[Any]]


def part_of(subject: Subject) -> ModelPart:
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


def _derived(subject: Subject, graph: Graph) -> dict[str, NDArray[Any]]:
    read = [subject.stored[key].tensor for key in subject.shader_pass.reads]
    missing = [name for name in read if name not in subject.values and name not in graph.constants]
    if not missing:
        return {}
    known = GraphOracle(graph).chained({name: subject.values[name] for name in subject.given})
    return {name: np.asarray(known[name].value) for name in missing if name in known}


class OfModel:
    """Turns passes with a model into folders; their shaders are generated, edited, or written by hand."""

    def __init__(self, subject: Subject) -> None:
        """Raises TexelscopeError for a pass that cannot stand alone."""
        # A shader that was replaced in the session is an edit of the compiled text, any other of the readable one.
        replaced = subject.program.fragment != subject.shader_pass.program.fragment
        self._generate = partial(_generated, as_compiled=replaced and subject.shader is None)
        self._base = self._generate(subject, part_of(subject))
        base = self._base[0] if self._base is not None else ""
        if replaced:
            self._edited = without_directives(subject.program.fragment)
        else:
            self._edited = subject.program.files[0].text if subject.shader is not None else base
        self.is_generated = bool(base) and is_edit(base, self._edited)

    @property
    def keeps(self) -> str:
        """See `Making`."""
        if self.is_generated:
            return "on no smaller one it fails in the same way."
        return "the shader was written by hand, and on no smaller shape it fails in the same way; it may hold sizes."

    def is_valid(self, subject: Subject) -> bool:
        """Whether the part of the model can be evaluated on the subject's values, and has a shader."""
        try:
            part = part_of(subject)
            given = {**{name: subject.values[name] for name in subject.given}, **part.derived}
            oracle = GraphOracle(part.graph)
            for key in subject.shader_pass.outputs:
                if oracle.isolated(given, subject.stored[key].tensor) is None:
                    return False
            return not self.is_generated or self._generate(subject, part) is not None
        except (TexelscopeError, ValueError, ArithmeticError, LookupError, TypeError, AssertionError):
            return False

    def folders(self, subject: Subject) -> Iterator[FolderContents]:
        """See `Making`."""
        part = part_of(subject)
        if not self.is_generated:
            for sized, files in guesses(subject, part.shapes):
                yield write(sized, part.shapes, files, part.message, part.graph, derived=part.derived)
            return
        assert self._base is not None
        made = self._generate(subject, part)
        if made is None:
            return
        name = _shader_name(subject)
        for text in carried(self._base[0], self._edited, made[0]):
            yield write(subject, part.shapes, {name: text}, part.message, part.graph, made[1], part.derived)


def _shader_name(subject: Subject) -> str:
    return subject.shader if subject.shader is not None else "shader.frag"


def _generated(
    subject: Subject, part: ModelPart, *, as_compiled: bool
) -> tuple[str, Mapping[str, NDArray[Any]]] | None:
    """Generates the shader of the part, with the tables that it reads; returns None if there is none."""
    if len(subject.nodes) != 1 or len(subject.shader_pass.outputs) != 1:
        return None
    output = subject.stored[subject.shader_pass.output]
    for layout in (output.layout.name, AUTO):
        try:
            plan = plan_graph(part.graph, layout=layout, precision=output.storage)
        except (TexelscopeError, AssertionError):
            continue
        each = next((each for each in plan.passes if plan.textures[each.output].tensor == output.tensor), None)
        if each is not None and _alike(subject, plan, each):
            break
    else:
        return None
    own = set(each.reads)
    tables = {
        stored.tensor: value
        for key, stored in plan.textures.items()
        if key in own and stored.tensor not in part.graph.constants and stored.role == "constant"
        and (value := plan.constant(stored.tensor)) is not None
    }  # fmt: skip
    return without_directives(each.program.fragment) if as_compiled else shader_text(each, plan), tables


def _alike(subject: Subject, plan: Plan, shader_pass: Pass) -> bool:
    """Whether the planned pass reads and writes as the subject does."""
    bound = {name: subject.stored[key] for name, key in subject.shader_pass.bound_reads}
    planned = {name: plan.textures[key] for name, key in shader_pass.bound_reads}
    return all(
        name in bound and bound[name].layout == stored.layout and bound[name].tensor == stored.tensor
        for name, stored in planned.items()
    )


def making_of(subject: Subject, plan: Plan) -> Making:
    """Returns the way to make folders of a subject of the plan. Raises TexelscopeError if it cannot stand alone."""
    if subject.oracle_file is not None and subject.shader_pass.output in subject.oracle_file.functions:
        return OfFunctions(subject, plan)
    if not subject.nodes:
        raise TexelscopeError(
            f"pass '{subject.name}'", "a part of a model that it stands for", "none", "Name its 'oracle' in the file."
        )
    return OfModel(subject)
