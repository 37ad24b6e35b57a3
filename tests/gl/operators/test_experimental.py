"""Operators that ONNX had on trial: passes against their formulas, and against ONNX Runtime where it has them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import moderngl
import numpy as np
import onnxruntime
import pytest

from tests.gl.operators.single_node import Array, NodeCase, normal
from texelscope import pipeline
from texelscope.pipeline.model_file.written import written

OPSET = 8
X = normal(2, 3, 4, 5)
# Not in ONNX Runtime, or only with inputs of its own.
NOT_THERE = ("ConstantFill", "FC", "GivenTensorFill")


@dataclass(frozen=True)
class Trial:
    """A node, and what it should make of its inputs."""

    op_type: str
    inputs: tuple[Array, ...]
    attributes: dict[str, object]
    formula: Callable[..., Array]
    constant: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.op_type}({','.join(self.attributes)})"

    @property
    def case(self) -> NodeCase:
        """The node as a model."""
        return NodeCase(self.op_type, self.inputs, self.attributes, self.constant, opset=OPSET)


def _normalised(x: Array, axes: tuple[int, ...]) -> Array:
    return np.asarray((x - x.mean(axes, keepdims=True)) / x.std(axes, keepdims=True))


TRIALS = [
    Trial("Affine", (X,), {"alpha": 2.0, "beta": 1.0}, lambda x: 2 * x + 1),
    Trial("Affine", (X,), {}, lambda x: x),
    Trial("ConstantFill", (), {"shape": [2, 3], "value": 3.0}, lambda: np.full((2, 3), 3.0)),
    Trial("ConstantFill", (X,), {"extra_shape": [2], "dtype": 7}, lambda x: np.zeros((2, 3, 4, 5, 2))),
    Trial("Crop", (X,), {"border": [1, 0, 2, 1]}, lambda x: x[:, :, 0:3, 1:3]),
    Trial("Crop", (X,), {"border": [1, 1, 0, 0], "scale": [2, 3]}, lambda x: x[:, :, 1:3, 1:4]),
    Trial("DynamicSlice", (X, np.array([1, 0]), np.array([3, 2])), {}, lambda x, *_: x[1:3, 0:2], (1, 2)),
    Trial("FC", (X, normal(6, 60, seed=1), normal(6, seed=2)), {},
          lambda x, w, b: x.reshape(2, 60) @ w.T + b, (1, 2)),
    Trial("GivenTensorFill", (), {"shape": [2, 2], "values": [1.0, 2.0, 3.0, 4.0]}, lambda: np.array([[1, 2], [3, 4]])),
    Trial("GivenTensorFill", (np.array([3, 1]),), {"input_as_shape": 1, "values": [1.0, 2.0, 3.0]},
          lambda _: np.array([[1], [2], [3]]), (0,)),
    Trial("ImageScaler", (X,), {"scale": 0.5, "bias": [1.0, 2.0, 3.0]},
          lambda x: 0.5 * x + np.array([1, 2, 3]).reshape(3, 1, 1)),
    Trial("MeanVarianceNormalization", (X,), {}, lambda x: _normalised(x, (0, 2, 3))),
    Trial("MeanVarianceNormalization", (X,), {"across_channels": 1}, lambda x: _normalised(x, (0, 1, 2, 3))),
    Trial("MeanVarianceNormalization", (X,), {"normalize_variance": 0},
          lambda x: x - x.mean((0, 2, 3), keepdims=True)),
    Trial("ParametricSoftplus", (X,), {"alpha": 2.0, "beta": 3.0}, lambda x: 2 * np.log1p(np.exp(3 * x))),
    Trial("Scale", (X,), {"scale": 3.0}, lambda x: 3 * x),
    Trial("ScaledTanh", (X,), {"alpha": 2.0, "beta": 3.0}, lambda x: 2 * np.tanh(3 * x)),
    Trial("ThresholdedRelu", (X,), {"alpha": 0.5}, lambda x: np.where(x > 0.5, x, 0)),
]  # fmt: skip


@pytest.mark.parametrize("trial", TRIALS, ids=str)
def test_passes_follow_the_formula_and_onnx_runtime(trial: Trial, gl: moderngl.Context) -> None:
    expected = trial.formula(*trial.inputs)
    model = trial.case.model()
    feeds = {f"in{i}": x for i, x in enumerate(trial.inputs) if i not in trial.constant}
    with pipeline.open(model, context=gl) as session:
        assert not session.plan.not_run, session.plan.not_run[0].reason
        for name, value in feeds.items():
            if name in session.plan.inputs:
                session.set_input(name, value)
        session.run()
        assert {each.verdict for each in session.compare().passes} <= {"match"}
        np.testing.assert_allclose(session.tensor("out0"), expected, rtol=1e-4, atol=1e-5)
    if trial.op_type not in NOT_THERE:
        runtime = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        np.testing.assert_allclose(runtime.run(None, feeds)[0], expected, rtol=1e-4, atol=1e-5)


def test_every_one_has_a_trial() -> None:
    assert {trial.op_type for trial in TRIALS} == set(written(""))


@pytest.mark.parametrize(
    ("op_type", "inputs", "attributes", "message"),
    [
        ("Crop", (X,), {"border": [3, 0, 3, 0]}, "expected a part of the picture, got 4x-1 from 0, 3 of 4x5."),
        ("ScaledTanh", (X,), {"alpha": 1.0}, "expected attribute 'beta', got none. Check the exporting script."),
        (
            "GivenTensorFill",
            (np.array([2.0]),),
            {"input_as_shape": 1, "values": [1.0]},
            "expected a shape known before",
        ),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(
    op_type: str, inputs: tuple[Array, ...], attributes: dict[str, object], message: str
) -> None:
    (missing,) = pipeline.plan_of(NodeCase(op_type, inputs, attributes, opset=OPSET).model()).not_run
    assert message in missing.reason
