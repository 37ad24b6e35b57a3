"""The gradients of one node held against finite differences, all in float64 and in numpy."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tests.gl.operators.single_node import Array, NodeCase
from tests.gradient_cases import GradientCase
from texelscope.pipeline.gradients.reverse import Differentiated, differentiated
from texelscope.pipeline.graph import Graph, TensorInfo
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.model_file.continued import with_inputs
from texelscope.pipeline.oracle.graph_oracle import GraphOracle

SEED = "seed of the gradient"
# Of a larger tensor so many elements are moved.
_MOVED = 24


@dataclass(frozen=True)
class Taken:
    """What a node was given, the gradient `seed` that arrived, the gradients by input, the seeded sum of outputs."""

    given: Mapping[str, Array]
    seed: Array
    gradients: Mapping[str, Array]
    total: Callable[[Mapping[str, Array]], float]


def taken(case: GradientCase) -> Taken:
    """The gradients of the node's output with respect to all inputs, for a random gradient that arrives there."""
    graph, given = _in_double(case.node, case.single) if case.double else _as_it_is(case.node)
    of = graph.outputs[case.output]
    seeded, seed = _seeded(graph, of)
    found = differentiated(seeded, of, seed=SEED)
    oracle = GraphOracle(found.graph, fast=case.fast)
    made = oracle.values({**given, SEED: seed}, tuple(found.gradients.values()))

    def total(values: Mapping[str, Array]) -> float:
        return float(np.sum(oracle.values({**values, SEED: seed}, (of,))[of] * seed))

    # An operator that is opened into others brings constants of its own.
    gradients = {tensor: made[gradient] for tensor, gradient in found.gradients.items() if tensor in given}
    return Taken(given, seed, gradients, total)


def check(case: GradientCase) -> None:
    """Every gradient of the node's output is that of finite differences."""
    run = taken(case)
    assert run.gradients, f"{case}: nothing flows back"
    for tensor, actual in run.gradients.items():
        value = run.given[tensor]
        assert actual.shape == value.shape, f"{case}: gradient of {tensor} has shape {actual.shape}, not {value.shape}"
        places = np.random.default_rng(1).permutation(value.size)[:_MOVED]
        wanted = np.array([_slope(run, tensor, int(place), case.step) for place in places])
        atol = case.atol * max(1.0, np.abs(wanted).max(initial=0.0))
        message = f"{case}: gradient of {tensor}"
        np.testing.assert_allclose(actual.reshape(-1)[places], wanted, rtol=case.rtol, atol=atol, err_msg=message)


def of_case(case: NodeCase, wrt: Sequence[str] = (), *, output: int = 0) -> tuple[Differentiated, Array]:
    """The forward and backward graph of a node, in float32, and what to put into its input `SEED`.

    With a known gradient at the end the backward nodes of what is linear would be known too, and none would run.
    """
    graph = load(case.model())
    of = graph.outputs[output]
    seeded, seed = _seeded(graph, of)
    return differentiated(seeded, of, wrt, seed=SEED), seed


def _in_double(case: NodeCase, single: Sequence[int]) -> tuple[Graph, dict[str, Array]]:
    """The node in float64, but for inputs at the positions `single`, and its inputs."""
    inputs = tuple(
        x.astype(np.float64) if x is not None and x.dtype == np.float32 and position not in single else x
        for position, x in enumerate(case.inputs)
    )
    return _as_it_is(dataclasses.replace(case, inputs=inputs))


def _as_it_is(case: NodeCase) -> tuple[Graph, dict[str, Array]]:
    """The graph of the node, and its inputs."""
    graph = load(case.model())
    names = ((f"in{position}", x) for position, x in enumerate(case.inputs))
    return graph, {name: x for name, x in names if x is not None and name in graph.tensors}


def _seeded(graph: Graph, of: str) -> tuple[Graph, Array]:
    info = TensorInfo(SEED, graph.tensors[of].shape, graph.tensors[of].dtype)
    seed = np.random.default_rng(0).uniform(0.5, 1.5, info.shape).astype(info.dtype)
    return with_inputs(graph, [info]), seed


def _slope(run: Taken, tensor: str, place: int, step: float) -> float:
    ends = []
    for sign in (1.0, -1.0):
        value = run.given[tensor].copy()
        value.reshape(-1)[place] += sign * step
        ends.append(run.total({**run.given, tensor: value}))
    return (ends[0] - ends[1]) / (2 * step)
