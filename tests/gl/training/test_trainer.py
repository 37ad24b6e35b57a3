"""A trainer's steps are passes that match the oracle; its weights stay on the GPU, can be put back, and are saved."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import moderngl
import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

from tests.pure.training import by_hand
from tests.small_networks import perceptron, weights_of
from texelscope import pipeline
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.training.findings.registry import findings
from texelscope.pipeline.training.optimisers import SGD, Adam
from texelscope.pipeline.training.trainer import Trainer, TrainerOptions

SIZES, ROWS = (1, 6, 5, 1), 9
X = np.linspace(-2, 2, ROWS, dtype=np.float32)[:, np.newaxis]
Y = np.sin(X)


@pytest.mark.parametrize("layout", ["auto", "channel_tiles"])
def test_losses_are_those_of_the_formulas(layout: str, gl: moderngl.Context) -> None:
    model = perceptron(SIZES, ROWS)
    wanted = list(islice(by_hand.losses(by_hand.adam(0.02), weights_of(model), X, Y), 8))
    with Trainer(model, "mse", Adam(0.02), TrainerOptions(layout=layout), gl) as trainer:
        found = [trainer.step(X, Y) for _ in range(8)]
        np.testing.assert_allclose(found, wanted, rtol=1e-4)
        assert trainer.steps == 8
        trainer.session.run()  # what a fused run left out
        assert {each.verdict for each in trainer.session.compare(findings=False).passes} == {"match"}


def test_weights_change_hands_and_are_not_read(gl: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    with Trainer(perceptron(SIZES, ROWS), context=gl) as trainer:
        trainer.step(X, Y)
        read: list[str] = []
        tensor = trainer.session.tensor

        def noted(name: str) -> np.ndarray:
            read.append(name)
            return tensor(name)

        monkeypatch.setattr(trainer.session, "tensor", noted)
        trainer.step(X, Y)
        assert read == [trainer.loss]


def test_a_state_is_put_back_with_what_the_optimiser_remembers(gl: moderngl.Context) -> None:
    with Trainer(perceptron(SIZES, ROWS), context=gl) as trainer:
        trainer.step(X, Y)
        state = trainer.keep()
        first = [trainer.step(X, Y) for _ in range(3)]
        trainer.rewind(state)
        assert trainer.steps == 1
        assert [trainer.step(X, Y) for _ in range(3)] == first


def test_only_what_is_named_is_trained_and_saved(tmp_path: Path, gl: moderngl.Context) -> None:
    model = perceptron(SIZES, ROWS)
    with Trainer(model, "mse", SGD(0.1), TrainerOptions(weights=["2.*"]), gl) as trainer:
        before = trainer.predict(X)
        trainer.step(X, Y)
        after = trainer.predict({"x": X})
        assert trainer.weights().keys() == {"2.weight", "2.bias"}
        trainer.save(tmp_path / "trained.onnx")
    saved = onnx.load(tmp_path / "trained.onnx")
    onnx.checker.check_model(saved)
    old, new = weights_of(model), weights_of(saved)
    assert {name for name in old if not np.array_equal(old[name], new[name])} == {"2.weight", "2.bias"}
    with pipeline.open(tmp_path / "trained.onnx", context=gl) as session:
        session.set_input("x", X)
        session.run()
        np.testing.assert_allclose(session.tensor("y"), after, atol=1e-6)
    assert np.abs(after - before).max() > 1e-3


def test_what_breaks_the_loss_is_named_by_pass_and_element(gl: moderngl.Context) -> None:
    with Trainer(perceptron((1, 2, 1), 2), "mse", SGD(1.0), context=gl) as trainer:
        trainer.step([[1.0], [2.0]], [[0.0], [1.0]])
        with pytest.raises(TexelscopeError) as error:
            trainer.step([[1.0], [2.0]], [[0.0], [1e30]])
    assert str(error.value) == (
        "step 2 of training perceptron: expected a finite loss, got inf: inf in element [1, 0] of 'loss/square', made "
        "by Mul 'loss/square', in step 2, was the first. Lower the rate, or rewind() to a state that was kept."
    )


def test_a_weight_that_broke_in_the_step_before_is_named_there(gl: moderngl.Context) -> None:
    nodes = [helper.make_node("Mul", ["x", "w"], ["p"], "p"), helper.make_node("Sqrt", ["p"], ["y"], "root")]
    described = [helper.make_tensor_value_info(name, 1, [2]) for name in ("x", "y")]
    weights = [numpy_helper.from_array(np.array([1.0, 0.0], np.float32), "w")]
    graph = helper.make_graph(nodes, "roots", described[:1], described[1:], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    with Trainer(model, context=gl) as trainer:
        trainer.step([1.0, 1.0], [1.0, 1.0])  # the slope of the root at 0 is infinite, the loss is not
        with pytest.raises(TexelscopeError, match=r"got nan: .*inf in element \[1\] of .*, made by .*, in step 1, was"):
            trainer.step([1.0, 1.0], [1.0, 1.0])


def test_a_missing_input_is_said_in_a_line(gl: moderngl.Context) -> None:
    with Trainer(perceptron(SIZES, ROWS), context=gl) as trainer, pytest.raises(TexelscopeError) as error:
        trainer.step({"z": X}, Y)
    assert str(error.value) == (
        "training perceptron: expected inputs x, got none for 'x'. Give them by name: {'NAME': array}."
    )


def test_a_class_that_the_model_does_not_have_is_said_with_its_place(gl: moderngl.Context) -> None:
    with Trainer(perceptron((1, 3), 2), "cross_entropy", SGD(0.1), context=gl) as trainer:
        y = trainer.predict(X[:2])[0].astype(np.float64)
        assert trainer.step(X[:2], [1, -100]) == pytest.approx(np.log(np.exp(y).sum()) - y[1], rel=1e-5)
        with pytest.raises(TexelscopeError) as error:
            trainer.step(X[:2], [1, 3])
    assert str(error.value) == (
        "cross_entropy of 'y': expected classes from 0 to 2, or -100 for what counts nothing, got 3 at [1]. "
        "Correct the target."
    )


def test_a_dead_layer_is_seen_in_the_steps(gl: moderngl.Context) -> None:
    model = perceptron(SIZES, ROWS)
    for each in model.graph.initializer:
        if each.name == "1.bias":
            each.CopyFrom(numpy_helper.from_array(np.full(5, -9, np.float32), each.name))
    with Trainer(model, context=gl) as trainer:
        with pytest.raises(TexelscopeError, match="expected a step to look at"):
            trainer.look()
        steps = []
        for _ in range(5):
            trainer.step(X, Y)
            steps.append(trainer.look())
    found = findings(steps)
    assert ("dead ReLU", "a1") in {(each.cause, each.tensor) for each in found}
    assert {each.tensor for each in found if each.cause == "does not learn"} >= {"0.weight", "1.weight"}
