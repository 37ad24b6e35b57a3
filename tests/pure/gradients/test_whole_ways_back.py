"""One pass for the whole way back through a layer: what it has to make is known, and so nearly that a bug shows."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from tests.faults.models import layer, model, noise
from texelscope.pipeline.device import Limits
from texelscope.pipeline.gradients.reverse import differentiated
from texelscope.pipeline.graph import Graph
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.planning.planner import lower

UNIT = 2.0**-24


def trained(op_type: str, x: tuple[int, ...], y: tuple[int, ...], **attributes: Any) -> Graph:
    """The layer, `y` less `t`, squares, and the way back, as a plan has them."""
    weights = {name: noise(x[-1], seed=seed) for seed, name in enumerate(("w", "b"))}
    reads = ("x", *weights) if op_type == "LayerNormalization" else ("x",)
    layers = [layer(op_type, *reads, **attributes), layer("Sub", "y", "t", to="e"), layer("Mul", "e", "e", to="loss")]
    proto = model(op_type, layers, {"x": noise(*x), "t": noise(*y)}, weights if len(reads) > 1 else {}).proto
    return lower(differentiated(load(proto), "loss").graph, Limits())


def test_nodes_that_a_normalisation_is_broken_down_into_have_names_of_their_own() -> None:
    graph = trained("LayerNormalization", (4, 6), (4, 6), axis=-1)
    assert [name for name, count in Counter(node.name for node in graph.nodes).items() if count > 1] == []
    assert graph.backward <= {node.name for node in graph.nodes}
    given = {"x": noise(4, 6), "e.grad": noise(4, 6, seed=1)}
    assert GraphOracle(graph).isolated(given, "x.grad") is not None, "it follows from these"


def test_a_gradient_at_another_place_is_no_rounding() -> None:
    graph = trained("MaxPool", (1, 2, 7, 9), (1, 2, 3, 4), kernel_shape=(3, 3), strides=(2, 2))
    given = {"x": noise(1, 2, 7, 9), "e.grad": noise(1, 2, 3, 4, seed=1)}
    expected = GraphOracle(graph).isolated(given, "x.grad", unit=UNIT)
    assert expected is not None
    assert expected.bound is not None
    assert np.count_nonzero(expected.value) > 10
    assert expected.bound.max() < 1e-4


def test_the_gradient_of_one_side_of_a_difference_goes_by_its_tensors_name() -> None:
    graph = trained("MaxPool", (1, 2, 6, 6), (1, 2, 3, 3), kernel_shape=(2, 2), strides=(2, 2))
    assert graph.tensor_called("y.grad") == "e.grad"
    assert [graph.tensor_called(name) for name in ("x.grad", "y", "z.grad")] == ["x.grad", "y", "z.grad"]
