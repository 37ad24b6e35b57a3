"""Builds the graph of one training step: the model, its loss, the backward pass, and the next weights."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.gradients.reverse import differentiated
from texelscope.pipeline.graph import Graph, TensorInfo
from texelscope.pipeline.model_file.continued import continued, with_inputs, with_nodes
from texelscope.pipeline.model_file.contrib.writer import NodeInput, Writer
from texelscope.pipeline.training.losses import Loss
from texelscope.pipeline.training.optimisers import Optimiser, WeightUpdate
from texelscope.pipeline.training.weights import TrainableGraph
from texelscope.pipeline.unique_names import UniqueNames


@dataclass(frozen=True)
class StepGraph:
    """Holds a `graph` that makes `loss`, of shape (), and the next state; its inputs are the model's and those below.

    `following` maps each input that is carried from step to step (weights, and the optimiser's state) to the tensor
    with its next value; `values` are the initial ones. `gradients` are by weight, `numbers` the inputs of the
    optimiser's numbers by their names.
    """

    graph: Graph
    inputs: tuple[str, ...]
    prediction: str
    target: str
    loss: str
    weights: tuple[str, ...]
    gradients: Mapping[str, str]
    following: Mapping[str, str]
    numbers: Mapping[str, str]
    values: Mapping[str, NDArray[np.float32]]


def step_graph(learned: TrainableGraph, loss: Loss, optimiser: Optimiser) -> StepGraph:
    """Builds the step that brings the output for which weights are learned nearer to a target.

    Raises TexelscopeError for an output that the loss does not take, UnsupportedError for a node without a derivative.
    """
    graph = learned.graph
    names = UniqueNames()
    for name in (*graph.tensors, *(node.name for node in graph.nodes)):
        names.give(name)
    prediction = graph.tensors[learned.output]
    inputs = tuple(name for name in graph.inputs if name not in learned.values)
    target, total = names.give("target"), names.give("loss")
    graph = _with_loss(graph, loss, prediction, target, total)
    found = differentiated(graph, total, tuple(learned.values))
    numbers = {name: names.give(name) for name in optimiser.numbers(1, optimiser.rate)}
    scalars = [TensorInfo(tensor, ()) for tensor in numbers.values()]
    update = _Update(with_inputs(found.graph, scalars), optimiser, numbers, names)
    for weight in learned.values:
        update.add(weight, found.gradients[weight])
    return StepGraph(
        graph=update.joined((total, prediction.name)),
        inputs=inputs,
        prediction=prediction.name,
        target=target,
        loss=total,
        weights=tuple(learned.values),
        gradients=found.gradients,
        following=MappingProxyType(update.following),
        numbers=MappingProxyType(numbers),
        values=MappingProxyType({**learned.values, **update.zeros}),
    )


def _with_loss(graph: Graph, loss: Loss, prediction: TensorInfo, target: str, total: str) -> Graph:
    shape, dtype = loss.target(prediction)
    wanted = TensorInfo(target, shape, dtype)
    given = [NodeInput(each.name, each.shape, each.dtype) for each in (prediction, wanted)]
    writer = Writer(total, loss.name, given, (total,), {})
    writer.result(0, loss.write(writer))
    graph = with_inputs(graph, [wanted])
    return with_nodes(graph, continued(graph, writer.nodes(), (total,), f"the loss of {graph.name}"))


class _Update:
    """Builds the nodes of all weights' updates."""

    def __init__(self, graph: Graph, optimiser: Optimiser, numbers: Mapping[str, str], names: UniqueNames) -> None:
        self._graph = graph
        self._optimiser = optimiser
        self._numbers = numbers
        self._names = names
        self._writers: list[WeightUpdate] = []
        self.following: dict[str, str] = {}
        self.zeros: dict[str, NDArray[np.float32]] = {}

    def add(self, weight: str, gradient: str) -> None:
        """Adds the update of one weight."""
        info = self._graph.tensors[weight]
        kept = {name: self._names.give(f"{weight}.{name}") for name in self._optimiser.kept}
        carried = (weight, *kept.values())
        following = {tensor: self._names.give(f"{tensor}.next") for tensor in carried}
        given = [NodeInput(tensor, info.shape, info.dtype) for tensor in (weight, gradient)]
        name, kind = self._names.give(f"{weight}/update"), type(self._optimiser).__name__
        node = WeightUpdate(name, kind, given, tuple(following.values()))
        node.kept.update(kept)
        node.numbers.update(self._numbers)
        self._optimiser.write(node)
        self._writers.append(node)
        self.following |= following
        self.zeros |= {tensor: np.zeros(info.shape, np.float32) for tensor in kept.values()}

    def joined(self, outputs: Sequence[str]) -> Graph:
        """Returns the graph with the updates; its outputs are `outputs` and the next values."""
        infos = [TensorInfo(tensor, value.shape) for tensor, value in self.zeros.items()]
        graph = with_inputs(self._graph, infos)
        nodes = [each for node in self._writers for each in node.nodes()]
        update = continued(graph, nodes, tuple(self.following.values()), f"the update of {graph.name}")
        return dataclasses.replace(
            with_nodes(graph, update), outputs=(*dict.fromkeys(outputs), *self.following.values())
        )
