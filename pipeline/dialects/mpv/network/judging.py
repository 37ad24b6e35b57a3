"""A plan of an mpv user shader with an oracle: the network read out of the shader itself, or another that is named."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from texelscope.pipeline.dialects.mpv.made import ShaderPlan
from texelscope.pipeline.dialects.mpv.network.of_plan import network_of_plan
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Graph, TensorInfo
from texelscope.pipeline.model_file.graph_builder import graph_of
from texelscope.pipeline.model_file.message import read
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.plan import Pass


def judged_by_itself(plan: ShaderPlan) -> ShaderPlan:
    """The plan with the network that its own text says; what is not understood of it is not judged, and why is said."""
    try:
        network = network_of_plan(plan)
    except TexelscopeError as error:
        reasons = {plan.textures[each.output].tensor: _reason(error) for each in plan.passes}
        return dataclasses.replace(plan, unjudged=MappingProxyType(reasons))
    reasons = {each.tensor: _reason(each.error) for each in network.left_out}
    return judged_by(dataclasses.replace(plan, unjudged=MappingProxyType(reasons)), network.graph())


def _reason(error: TexelscopeError) -> str:
    """Why a block's text is not taken for part of a network, as one sentence."""
    return f"No network can be read out of it: {error.who} has {error.got}."


def judged_by_model(plan: ShaderPlan, model: Path) -> ShaderPlan:
    """The plan with an ONNX model as its oracle: tensors of the same names, and its one input and output by place.

    Raises TexelscopeError for a file that is no model, and for one that takes or makes something else.
    """
    message, name = read(model)
    source = plan.textures[plan.inputs[0]]
    inputs = [each.name for each in message.graph.input]
    weights = {each.name for each in message.graph.initializer}
    taken = [each for each in inputs if each not in weights]
    if len(taken) != 1:
        raise TexelscopeError(
            name, f"a model of one input, as '{plan.name}' has", f"{len(taken)}", "Name another with --oracle."
        )
    graph = graph_of(message, name, {taken[0]: source.shape})
    names = {taken[0]: source.tensor}
    made = plan.textures[plan.outputs[-1]].tensor
    if made not in graph.tensors and len(graph.outputs) == 1:
        names[graph.outputs[0]] = made
    files = (*plan.files, model.resolve())
    return dataclasses.replace(judged_by(plan, _renamed(graph, names)), files=files)


def judged_by(plan: ShaderPlan, graph: Graph) -> ShaderPlan:
    """The plan with a graph as its oracle; each pass covers the nodes between what it reads and what it makes.

    Raises TexelscopeError for a tensor of another shape.
    """
    oracle = GraphOracle(graph)
    for stored in plan.textures.values():
        info = graph.tensors.get(stored.tensor)
        if info is not None and info.shape != stored.shape:
            raise TexelscopeError(
                f"tensor '{stored.tensor}' ({graph.name})", f"shape {list(stored.shape)}, as {plan.name} makes it",
                f"{list(info.shape)}", "Name the model of this shader with --oracle.",
            )  # fmt: skip
    passes = tuple(_covering(plan, each, graph, oracle) for each in plan.passes)
    return dataclasses.replace(plan, graph=graph, passes=passes)


def _covering(plan: ShaderPlan, each: Pass, graph: Graph, oracle: GraphOracle) -> Pass:
    wanted = plan.textures[each.output].tensor
    if wanted not in graph.tensors:
        return each
    try:
        nodes = oracle.between([plan.textures[key].tensor for key in each.reads], wanted)
    except TexelscopeError:  # it reads other tensors than the model, and is judged end to end alone
        return each
    operators = "+".join(node.op_type for node in nodes) or each.operator
    return dataclasses.replace(each, nodes=tuple(node.name for node in nodes), operator=operators)


def _renamed(graph: Graph, names: Mapping[str, str]) -> Graph:
    """The graph with some tensors called otherwise."""

    def called(name: str) -> str:
        return names.get(name, name)

    nodes = tuple(
        dataclasses.replace(node, inputs=tuple(map(called, node.inputs)), outputs=tuple(map(called, node.outputs)))
        for node in graph.nodes
    )
    tensors = {called(name): TensorInfo(called(name), info.shape, info.dtype) for name, info in graph.tensors.items()}
    inputs, outputs = tuple(map(called, graph.inputs)), tuple(map(called, graph.outputs))
    return dataclasses.replace(graph, nodes=nodes, tensors=tensors, inputs=inputs, outputs=outputs)
