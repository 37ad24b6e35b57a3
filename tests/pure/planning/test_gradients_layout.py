"""A gradient is stored in the layout of its tensor, that of a weight in the one made for weights."""

from __future__ import annotations

import dataclasses

import pytest

from tests.small_models import one_convolution
from texelscope.pipeline.graph import Node, TensorInfo
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.planning.planner import plan_graph

GRADIENTS = {"conv1.weight": "conv1.weight.grad", "conv1": "conv1.grad"}


@pytest.mark.parametrize(("layout", "of_weight"), [("channel_tiles", "filter_tiles"), ("row_major_rgba", None)])
def test_a_gradient_is_stored_as_its_tensor(layout: str, of_weight: str | None) -> None:
    graph = load(one_convolution())
    backward = [Node(name, "Neg", (tensor,), (name,), opset=17) for tensor, name in GRADIENTS.items()]
    infos = {name: TensorInfo(name, graph.tensors[tensor].shape) for tensor, name in GRADIENTS.items()}
    graph = dataclasses.replace(
        graph,
        nodes=(*graph.nodes, *backward),
        tensors={**graph.tensors, **infos},
        outputs=(*graph.outputs, *GRADIENTS.values()),
        gradients=GRADIENTS,
        backward=frozenset(GRADIENTS.values()),
    )
    plan = plan_graph(graph, layout=layout)
    for tensor, name in GRADIENTS.items():
        assert plan.textures[name].layout == plan.textures[tensor].layout
        assert plan.textures[name].reason == f"as '{tensor}', whose gradient it is"
    assert plan.textures["conv1.weight.grad"].layout.name == (of_weight or layout)
    assert plan.backward == {*GRADIENTS.values()}
