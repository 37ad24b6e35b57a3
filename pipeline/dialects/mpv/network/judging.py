"""Gives the plan of an mpv user shader an oracle: the network in the shader's own text, or a named model."""

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
    """Adds the network in the plan's own text as its oracle; unsupported parts are not judged, with a reason."""
    try:
        network = network_of_plan(plan)
    except TexelscopeError as error:
        reasons = {plan.textures[each.output].tensor: _reason(error) for each in plan.passes}
        return dataclasses.replace(plan, unjudged=MappingProxyType(reasons))
    reasons = {each.tensor: _reason(each.error) for each in network.left_out}
    return judged_by(dataclasses.replace(plan, unjudged=MappingProxyType(reasons)), network.graph())


def _reason(error: TexelscopeError) -> str:
    """Explains in one sentence why a block's text is no part of a network."""
    return f"It contains no readable network: {error.who} has {error.got}."


def judged_by_model(plan: ShaderPlan, model: Path) -> ShaderPlan:
    """Adds an ONNX model as the plan's oracle: tensors match by name, the only input and output by place.

    Raises TexelscopeError for a file that is no model, and for other inputs or outputs.
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
    """Adds a graph as the plan's oracle; each pass covers the nodes between its inputs and its output.

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


def _covering(plan: ShaderPlan, shader_pass: Pass, graph: Graph, oracle: GraphOracle) -> Pass:
    wanted = plan.textures[shader_pass.output].tensor
    if wanted not in graph.tensors:
        return shader_pass
    try:
        nodes = oracle.between([plan.textures[key].tensor for key in shader_pass.reads], wanted)
    except TexelscopeError:  # it reads other tensors than the model, and is judged only end to end
        return shader_pass
    operators = "+".join(node.op_type for node in nodes) or shader_pass.operator
    return dataclasses.replace(shader_pass, nodes=tuple(node.name for node in nodes), operator=operators)


def _renamed(graph: Graph, names: Mapping[str, str]) -> Graph:
    """Returns the graph with some tensors renamed."""

    def called(name: str) -> str:
        return names.get(name, name)

    nodes = tuple(
        dataclasses.replace(node, inputs=tuple(map(called, node.inputs)), outputs=tuple(map(called, node.outputs)))
        for node in graph.nodes
    )
    tensors = {called(name): TensorInfo(called(name), info.shape, info.dtype) for name, info in graph.tensors.items()}
    inputs, outputs = tuple(map(called, graph.inputs)), tuple(map(called, graph.outputs))
    return dataclasses.replace(graph, nodes=nodes, tensors=tensors, inputs=inputs, outputs=outputs)
