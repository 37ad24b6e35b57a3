"""Gives the plan of a recording a model as its oracle: textures that hold the model's tensors get its layouts.

A pass of such a texture is compared with the model, and what the page wrote stands beside it. Any other pass keeps what
the page wrote as its reference.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import Limits
from texelscope.pipeline.dialects.recordings.recorded_graph import recorded_graph
from texelscope.pipeline.dialects.webgl.guessing import guessed
from texelscope.pipeline.dialects.webgl.model_table import TextureMeaning, check_table, read_table
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Graph, Node, Shape
from texelscope.pipeline.model_file.graph_builder import graph_of
from texelscope.pipeline.model_file.message import read
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.plan import Pass, Plan, StoredTensor
from texelscope.pipeline.planning.planner import lower

_REASON = "holds the model's tensor"
Values = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True, kw_only=True)
class ExplainedPlan(Plan):
    """Adds to the plan of a recording what its textures hold of a model."""

    meanings: tuple[TextureMeaning, ...]


def explained_by(plan: Plan, oracle: Path, shapes: Mapping[str, Shape]) -> ExplainedPlan:
    """Returns the plan with a model, or the table of textures beside one, as its oracle.

    Raises TexelscopeError for a file that is neither, and for a model that explains no draw.
    """
    if oracle.suffix.lower() == ".toml":
        table = read_table(oracle)
        graph = model_graph(table.model, shapes)
        check_table(oracle.name, table.meanings, plan, graph)
        return explained(plan, graph, table.meanings, (table.file, table.model))
    graph = model_graph(oracle, shapes)
    return explained(plan, graph, guessed(plan, graph), (oracle.resolve(),))


def explained_as(plan: Plan, former: ExplainedPlan, oracle: Path, shapes: Mapping[str, Shape]) -> ExplainedPlan:
    """Returns the plan of a recording whose shaders changed, its textures as in the `former` plan: nothing is guessed.

    `oracle` is the model that the former plan was compared with.
    """
    return explained(plan, model_graph(oracle, shapes), former.meanings, (oracle.resolve(),))


def model_graph(path: Path, shapes: Mapping[str, Shape]) -> Graph:
    """Returns a model as a graph, rewritten as for its own plan. Raises TexelscopeError for a file that is none."""
    message, name = read(path)
    return lower(graph_of(message, name, shapes), Limits())


def explained(
    plan: Plan, graph: Graph, meanings: Sequence[TextureMeaning], files: tuple[Path, ...] = ()
) -> ExplainedPlan:
    """Returns the plan of a recording with the model's graph as its oracle, and `files` watched."""
    assert plan.recorded is not None
    assert plan.graph is not None
    by_key = _whole_passes(plan, {each.texture: each for each in meanings})
    textures = {key: _meant(each, by_key.get(key), graph) for key, each in plan.textures.items()}
    values = {
        key: _read_as(plan.textures[key], textures[key], plan.recorded.values[key]) for key in plan.textures
    }  # fmt: skip
    passes = tuple(_explained_pass(each, plan, textures, graph) for each in plan.passes)
    inputs = tuple(key for key in plan.inputs if textures[key].role == "input")
    recorded = recorded_graph(
        plan.name, [each for each in passes if each.oracle == "recording"], textures, values, inputs, plan.outputs
    )
    held = {each.tensor for each in textures.values()}
    unseen = [name for name in graph.inputs if name not in held]
    warnings = [
        f"No texture holds '{name}', an input of {graph.name}: nothing is compared end to end." for name in unseen
    ]
    called = {key: each.operator for each in passes for key in each.outputs}
    changed: dict[str, Any] = {
        "textures": MappingProxyType(textures),
        "passes": passes,
        "inputs": inputs,
        "graph": _joined(graph, recorded),
        "initial_inputs": MappingProxyType({key: values[key] for key in inputs}),
        "warnings": (*plan.warnings, *warnings),
        "files": (*plan.files, *files),
        "recorded": dataclasses.replace(
            plan.recorded, values=MappingProxyType(values), called=MappingProxyType(called)
        ),
    }  # fmt: skip
    kept = {each.name: getattr(plan, each.name) for each in dataclasses.fields(plan)}
    return ExplainedPlan(**{**kept, **changed}, meanings=tuple(meanings))


def _whole_passes(plan: Plan, by_key: Mapping[str, TextureMeaning]) -> dict[str, TextureMeaning]:
    """Returns the meanings without those of draws that wrote other textures too, whose meaning is unknown."""
    partly = {key for each in plan.passes if not all(key in by_key for key in each.outputs) for key in each.outputs}
    return {key: each for key, each in by_key.items() if key not in partly}


def _meant(stored: StoredTensor, meaning: TextureMeaning | None, graph: Graph) -> StoredTensor:
    """Returns a texture as the tensor that it holds; another keeps its own name, which no tensor of the model has."""
    if meaning is None:
        name = stored.tensor
        while name in graph.tensors:
            name += "*"
        return dataclasses.replace(stored, tensor=name)
    info = graph.tensors[meaning.tensor]
    role = "constant" if stored.role == "input" and meaning.tensor in graph.constants else stored.role
    return dataclasses.replace(
        stored, tensor=meaning.tensor, shape=info.shape, layout=meaning.layout, role=role, dtype=info.dtype,
        reason=_REASON,
    )  # fmt: skip


def _read_as(before: StoredTensor, now: StoredTensor, value: NDArray[np.float32]) -> NDArray[np.float32]:
    if before.layout == now.layout and before.shape == now.shape:
        return value
    texels = before.layout.encode(value)[:, :, : now.layout.lanes]
    return now.layout.decode(np.ascontiguousarray(texels), now.shape)


def _explained_pass(each: Pass, plan: Plan, textures: Mapping[str, StoredTensor], graph: Graph) -> Pass:
    """Returns the pass with the model's nodes between what it reads and what it writes, if the model has that."""
    wanted = textures[each.output].tensor
    if wanted not in graph.tensors or wanted in graph.inputs:
        return each
    given = _upstream(each, plan, textures, graph)
    nodes = _between(graph, given, wanted)
    operator = "+".join(node.op_type for node in nodes) or each.operator
    return dataclasses.replace(each, nodes=tuple(node.name for node in nodes), operator=operator, oracle="meaning")


def _between(graph: Graph, given: Sequence[str], wanted: str) -> tuple[Node, ...]:
    """Returns the nodes from tensors that a draw depends on; from all of the model's inputs if these are too few."""
    oracle = GraphOracle(graph)
    try:
        return oracle.between(given, wanted)
    except TexelscopeError:
        return oracle.between(graph.inputs, wanted)


def _upstream(each: Pass, plan: Plan, textures: Mapping[str, StoredTensor], graph: Graph) -> list[str]:
    """Returns the model's tensors that a draw reads, or that what it reads was computed from."""
    makers = {key: maker for maker in plan.passes for key in maker.outputs}
    found: dict[str, None] = {}
    pending, seen = list(each.reads), set[str]()
    while pending:
        key = pending.pop()
        if key in seen:
            continue
        seen.add(key)
        if textures[key].tensor in graph.tensors:
            found[textures[key].tensor] = None
        elif key in makers:
            pending.extend(makers[key].reads)
    return list(found)


def _joined(graph: Graph, recorded: Graph) -> Graph:
    """Returns the model's graph with the recorded nodes among its own; one may make an input of the model."""
    made = {name for node in recorded.nodes for name in node.outputs}
    return dataclasses.replace(
        graph,
        nodes=_in_order((*graph.nodes, *recorded.nodes)),
        tensors=MappingProxyType({**recorded.tensors, **graph.tensors}),
        constants=MappingProxyType({**recorded.constants, **graph.constants}),
        inputs=tuple(name for name in dict.fromkeys((*graph.inputs, *recorded.inputs)) if name not in made),
    )


def _in_order(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """Returns nodes so that each stands behind those it reads, and otherwise in their order."""
    makers = {name: node for node in nodes for name in node.outputs if name}
    found: dict[str, Node] = {}
    for last in nodes:
        pending = [(last, False)]
        while pending:
            node, is_ready = pending.pop()
            if is_ready:
                found.setdefault(node.name, node)
            elif node.name not in found:
                pending.append((node, True))
                pending.extend((makers[name], False) for name in reversed(node.inputs) if name in makers)
    return tuple(found.values())
