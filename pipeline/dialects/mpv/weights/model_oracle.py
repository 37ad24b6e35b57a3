"""Gives the plan of an mpv user shader a model as its oracle, whatever the model calls its tensors.

Blocks that are convolutions of the model, one for one, give their names to its tensors, so that each is judged alone.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.dialects.mpv.network.of_plan import JudgedPlan, judged_by, network_of_plan
from texelscope.pipeline.dialects.mpv.passes import ShaderPlan
from texelscope.pipeline.dialects.mpv.weights.comparison import differs
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Graph, Node, TensorInfo
from texelscope.pipeline.model_file.graph_builder import graph_of
from texelscope.pipeline.model_file.message import read

# A block is a layer of the model if at least this share of its weights are the layer's: the others may be wrong.
_SHARE = 0.75


def judged_by_model(plan: ShaderPlan, model: Path) -> ShaderPlan:
    """Adds an ONNX model as the oracle of mpv's blocks. Raises TexelscopeError as `with_model_oracle`."""
    blocks = {block.target.key for block in plan.blocks if not block.is_own}
    return with_model_oracle(plan, model, blocks, lambda: network_of_plan(plan).graph())


def with_model_oracle(
    plan: JudgedPlan, model: Path, blocks: Collection[str], network: Callable[[], Graph]
) -> JudgedPlan:
    """Adds an ONNX model as the plan's oracle: tensors match by name or by layer, the only input and output by place.

    `blocks` are the tensors that the author's text makes, and `network` reads what it computes. Raises TexelscopeError
    for a file that is no model, and for other inputs or outputs.
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
    graph = _renamed(graph, names)
    files = (*plan.files, model.resolve())
    return dataclasses.replace(
        judged_by(plan, _renamed(graph, dict(_blocks(plan, graph, blocks, network)))), files=files
    )


def _blocks(
    plan: ShaderPlan, graph: Graph, blocks: Collection[str], network: Callable[[], Graph]
) -> Iterator[tuple[str, str]]:
    """Yields tensors of a model, each with the block's result that it is, where the layers are the same in order."""
    shapes = {stored.tensor: stored.shape for stored in plan.textures.values()}
    if graph.tensors.keys() & {plan.textures[key].tensor for key in {*blocks} - {*plan.outputs}}:
        return  # a model that was extracted from such a shader has its names
    try:
        own = network()
    except TexelscopeError:
        return
    ours, theirs = _convolutions(own), _convolutions(graph)
    if len(ours) != len(theirs) or not all(_is_same_layer(*pair) for pair in zip(ours, theirs, strict=True)):
        return
    for (mine, _), (other, _) in zip(ours, theirs, strict=True):
        for name, called in _alike(own, mine, graph, other):
            fits = name in shapes and shapes[name] == graph.tensors[called].shape
            if fits and name not in graph.tensors and called not in shapes:
                yield called, name


def _convolutions(graph: Graph) -> list[tuple[Node, NDArray[Any]]]:
    """Returns the convolutions of a graph with their weights, in order."""
    every = [node for node in graph.nodes if node.op_type == "Conv" and node.inputs[1] in graph.constants]
    return [(node, graph.constants[node.inputs[1]]) for node in every]


def _is_same_layer(mine: tuple[Node, NDArray[Any]], other: tuple[Node, NDArray[Any]]) -> bool:
    here, there = mine[1], other[1]
    if here.shape != there.shape:
        return False
    counts = (here != 0.0) | (there != 0.0)  # zeros are everywhere
    return float(np.mean(~differs(here, there), where=counts)) >= _SHARE if counts.any() else True


def _alike(own: Graph, mine: Node, graph: Graph, other: Node) -> Iterator[tuple[str, str]]:
    """Yields the results of two nodes, and of the same operators that follow both, as long as there is only one."""
    while True:
        yield mine.outputs[0], other.outputs[0]
        after = [node for node in own.nodes if mine.outputs[0] in node.inputs]
        following = [node for node in graph.nodes if other.outputs[0] in node.inputs]
        if not len(after) == len(following) == 1 or after[0].op_type != following[0].op_type:
            return
        mine, other = after[0], following[0]
        if _variables(own, mine) != 1 or _variables(graph, other) != 1:
            return


def _variables(graph: Graph, node: Node) -> int:
    return sum(bool(name) and name not in graph.constants for name in node.inputs)


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
