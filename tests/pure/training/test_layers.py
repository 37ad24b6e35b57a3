"""Layers make the models that torch.nn's make: names, shapes, first values, and what they compute."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.training.layers import Conv2d, Flatten, Linear, ReLU, Sequential


def _made(model: onnx.ModelProto, x: np.ndarray) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    onnx.checker.check_model(model, full_check=True)
    graph = load(model)
    weights = {each.name: numpy_helper.to_array(each) for each in model.graph.initializer}
    return GraphOracle(graph).values({"input": x}, graph.outputs)[graph.outputs[0]], weights


@pytest.mark.parametrize("shape", [(5, 3), (2, 5, 3)])
def test_linear_layers_multiply_along_the_last_axis(shape: tuple[int, ...]) -> None:
    x = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    y, of = _made(Sequential(Linear(3, 4), ReLU(), Linear(4, 2, bias=False)).model(shape), x)
    assert [*of] == ["0.weight", "0.bias", "2.weight"]
    hidden = np.maximum(x @ of["0.weight"].T + of["0.bias"], 0)
    np.testing.assert_allclose(y, hidden @ of["2.weight"].T, atol=1e-6)


def test_a_small_classifier_of_pictures_has_the_shapes_that_it_says() -> None:
    layers = Sequential(
        Conv2d(1, 4, 3, padding=1), Sequential(ReLU(), Conv2d(4, 2, 3, stride=2)), Flatten(), Linear(18, 3)
    )
    y, of = _made(layers.model((2, 1, 8, 8)), np.ones((2, 1, 8, 8), np.float32))
    assert y.shape == (2, 3)
    assert of["1.1.weight"].shape == (2, 4, 3, 3)


def test_first_values_are_uniform_within_one_over_the_root_of_the_inputs() -> None:
    model = Sequential(Linear(400, 100)).model((1, 400), seed=3)
    _, of = _made(model, np.zeros((1, 400), np.float32))
    for value in of.values():
        assert 0.045 < np.abs(value).max() <= 0.05
        assert value.std() == pytest.approx(0.05 / 3**0.5, rel=0.15)
    again = Sequential(Linear(400, 100)).model((1, 400), seed=3)
    assert model.SerializeToString() == again.SerializeToString()


def test_a_layer_that_does_not_take_what_comes_is_named() -> None:
    with pytest.raises(TexelscopeError) as error:
        Sequential(Linear(3, 4), Linear(5, 2)).model((1, 3))
    assert str(error.value) == ("Linear '1': expected 5 features, got 4. Change the layer, or the one before it.")
    with pytest.raises(TexelscopeError, match=r"^Conv2d '0': expected 4 axes, N, C, H, W, got 2\."):
        Sequential(Conv2d(1, 1, 3)).model((1, 3))
    with pytest.raises(TexelscopeError, match=r"^Conv2d '0': expected pictures of 3 pixels a side, got \[2, 9\]\."):
        Sequential(Conv2d(1, 1, 3)).model((1, 1, 2, 9))
