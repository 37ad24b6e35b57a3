"""One graph makes a step: its loss, gradients and next weights are those of PyTorch's formulas."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from tests.gl.operators.single_node import NodeCase
from tests.pure.training import by_hand
from tests.small_networks import perceptron, weights_of
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.training.losses import LOSSES, loss_called
from texelscope.pipeline.training.optimisers import SGD, Adam, AdamW, Optimiser
from texelscope.pipeline.training.step_graph import StepGraph, step_graph
from texelscope.pipeline.training.weights import trainable
from texelscope.pipeline.training.weights import weights_of as weights_read

SIZES, ROWS = (2, 5, 3), 4
RULES = {
    "sgd": (SGD(0.1), by_hand.sgd(0.1)),
    "momentum": (SGD(0.1, momentum=0.9, weight_decay=0.01), by_hand.sgd(0.1, 0.9, 0.01)),
    "nesterov": (SGD(0.1, momentum=0.9, nesterov=True), by_hand.sgd(0.1, 0.9, nesterov=True)),
    "adam": (Adam(0.05, weight_decay=0.1), by_hand.adam(0.05, 0.1)),
    "adamw": (AdamW(0.05, weight_decay=0.1), by_hand.adam(0.05, 0.1, is_apart=True)),
}


def _run(step: StepGraph, optimiser: Optimiser, x: np.ndarray, target: np.ndarray, count: int) -> list[float]:
    """The losses of steps in numpy, what comes next taken over after each."""
    oracle, values, found = GraphOracle(step.graph), dict(step.values), []
    for number in range(1, count + 1):
        numbers = optimiser.numbers(number, optimiser.rate)
        given = {step.numbers[name]: np.asarray(value, np.float32) for name, value in numbers.items()}
        wanted = (step.loss, *step.following.values())
        made = oracle.values({**values, **given, "x": x, step.target: target}, wanted)
        found.append(float(made[step.loss]))
        values = {name: made[following] for name, following in step.following.items()}
    return found


def _data() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(1)
    x, target = random.normal(size=(ROWS, SIZES[0])), random.normal(size=(ROWS, SIZES[-1]))
    return x.astype(np.float32), target.astype(np.float32)


@pytest.mark.parametrize("name", RULES)
def test_steps_are_those_of_pytorchs_formulas(name: str) -> None:
    optimiser, rule = RULES[name]
    model, (x, target) = perceptron(SIZES, ROWS), _data()
    step = step_graph(trainable(load(model)), loss_called("mse"), optimiser)
    wanted = list(islice(by_hand.losses(rule, weights_of(model), x, target), 6))
    np.testing.assert_allclose(_run(step, optimiser, x, target, 6), wanted, rtol=2e-5)


def test_a_part_is_trained_and_the_rest_stays_constant() -> None:
    model, (x, target) = perceptron(SIZES, ROWS), _data()
    step = step_graph(trainable(load(model), ["1.*"]), loss_called("mse"), SGD(0.1))
    assert step.weights == ("1.weight", "1.bias")
    assert {"0.weight", "0.bias"} <= step.graph.constants.keys()
    wanted = list(islice(by_hand.losses(by_hand.sgd(0.1), weights_of(model), x, target, learned="1."), 4))
    np.testing.assert_allclose(_run(step, SGD(0.1), x, target, 4), wanted, rtol=2e-5)


@pytest.mark.parametrize("name", LOSSES)
def test_a_loss_is_what_pytorch_calls_so(name: str) -> None:
    x, target = _data()
    step = step_graph(trainable(load(perceptron(SIZES, ROWS))), LOSSES[name], SGD())
    if name == "cross_entropy":
        target = np.array([0, 2, 1, 1])
    given = {**step.values, "x": x, step.target: target}
    made = GraphOracle(step.graph).values(given, (step.loss, step.prediction))
    y = made[step.prediction].astype(np.float64)
    wanted = {
        "mse": lambda: np.mean((y - target) ** 2),
        "mae": lambda: np.mean(np.abs(y - target)),
        "cross_entropy": lambda: np.mean(np.log(np.exp(y).sum(axis=1)) - y[np.arange(ROWS), target]),
    }[name]()
    assert made[step.loss] == pytest.approx(wanted, rel=1e-5)


def test_what_says_how_an_operator_computes_is_not_learned() -> None:
    x = np.zeros((1, 2, 3, 3), np.float32)
    of_channel = np.ones(2, np.float32)
    resize = NodeCase("Resize", (x, None, np.array([1, 1, 2, 2], np.float32)), constant=(2,))
    norm = NodeCase("BatchNormalization", (x, *[of_channel] * 4), constant=(1, 2, 3, 4))
    assert weights_read(load(resize.model()), "out0") == ()
    assert weights_read(load(norm.model()), "out0") == ("in1", "in2")


def test_weights_that_the_output_does_not_hang_on_are_left_alone() -> None:
    graph = load(perceptron(SIZES, ROWS))
    assert weights_read(graph, "y") == ("0.weight", "0.bias", "1.weight", "1.bias")
    assert [*trainable(graph, output="h0").values] == ["0.weight", "0.bias"]


def test_what_cannot_be_trained_is_said_in_a_line() -> None:
    graph = load(perceptron(SIZES, ROWS))
    with pytest.raises(TexelscopeError) as error:
        trainable(graph, ["0.wieght"])
    assert str(error.value).startswith("training perceptron: expected weights of the model, got '0.wieght'.")
    assert "0.weight" in str(error.value)
    with pytest.raises(TexelscopeError) as error:
        trainable(trainable(graph).graph)
    assert str(error.value) == (
        "training perceptron: expected a model with weights of float32, got one without. Export it with its weights."
    )
    with pytest.raises(TexelscopeError, match=r"^loss: expected one of mse, mae, cross_entropy, got 'msee'\."):
        loss_called("msee")
    with pytest.raises(TexelscopeError, match=r"^training perceptron: expected an output of the model, got 'z'\."):
        trainable(graph, output="z")
