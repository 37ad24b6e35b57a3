"""The gradients of one node held against finite differences, all in float64 and in numpy."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from pipeline.gradients.reverse import Differentiated, differentiated
from pipeline.graph import Graph, TensorInfo
from pipeline.importers.onnx_model import load
from pipeline.oracle.graph_oracle import GraphOracle
from tests.gl.operators.single_node import Array, NodeCase

SEED = "seed of the gradient"
STEP, RTOL, ATOL = 1e-6, 2e-5, 2e-6
# Of a larger tensor so many elements are moved.
_MOVED = 24


def check(case: NodeCase, *, output: int = 0, rtol: float = RTOL, atol: float = ATOL) -> None:
    """Every gradient of the node's output is that of finite differences, for a random gradient that arrives there.

    The oracle is the one that a session has: onnx.reference knows little of what operators meant in early opsets.
    """
    graph, given = _in_double(case)
    of = graph.outputs[output]
    seeded, seed = _seeded(graph, of)
    found = differentiated(seeded, of, seed=SEED)
    assert found.gradients, f"{case}: nothing flows back"
    oracle = GraphOracle(found.graph)
    made = oracle.values({**given, SEED: seed}, tuple(found.gradients.values()))

    def total(values: Mapping[str, Array]) -> float:
        return float(np.sum(oracle.values({**values, SEED: seed}, (of,))[of] * seed))

    for tensor, gradient in found.gradients.items():
        actual, value = made[gradient], given[tensor]
        assert actual.shape == value.shape, f"{case}: gradient of {tensor} has shape {actual.shape}, not {value.shape}"
        places = np.random.default_rng(1).permutation(value.size)[:_MOVED]
        wanted = np.array([_slope(total, given, tensor, int(place)) for place in places])
        np.testing.assert_allclose(
            actual.reshape(-1)[places], wanted, rtol=rtol, atol=atol * max(1.0, np.abs(wanted).max(initial=0.0)),
            err_msg=f"{case}: gradient of {tensor}",
        )  # fmt: skip


def of_case(case: NodeCase, wrt: Sequence[str] = (), *, output: int = 0) -> Differentiated:
    """The forward and backward graph of a node, in float32."""
    graph = load(case.model())
    return differentiated(graph, graph.outputs[output], wrt)


def _in_double(case: NodeCase) -> tuple[Graph, dict[str, Array]]:
    """The node in float64, all of it inputs but what is constant and no real number."""
    inputs = tuple(x.astype(np.float64) if x is not None and x.dtype == np.float32 else x for x in case.inputs)
    double = dataclasses.replace(case, inputs=inputs)
    graph = load(double.model())
    given = {f"in{i}": x for i, x in enumerate(inputs) if x is not None and f"in{i}" in graph.tensors}
    return graph, given


def _seeded(graph: Graph, of: str) -> tuple[Graph, Array]:
    shape = graph.tensors[of].shape
    info = TensorInfo(SEED, shape, "float64")
    tensors = MappingProxyType({**graph.tensors, SEED: info})
    seed = np.random.default_rng(0).uniform(0.5, 1.5, shape)
    return dataclasses.replace(graph, tensors=tensors, inputs=(*graph.inputs, SEED)), seed


def _slope(total: Callable[[Mapping[str, Array]], float], given: Mapping[str, Array], tensor: str, place: int) -> float:
    ends = []
    for sign in (1.0, -1.0):
        value = given[tensor].copy()
        value.reshape(-1)[place] += sign * STEP
        ends.append(total({**given, tensor: value}))
    return (ends[0] - ends[1]) / (2 * STEP)
