"""Steps of training that make no sense; those that do are ONNX's own cases."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import helper

from tests.pure.models import model, node, value
from texelscope import pipeline


def step(op_type: str, tensors: int, **attributes: str) -> onnx.ModelProto:
    names = [f"t{i}" for i in range(tensors)]
    made = model(
        [node(op_type, " ".join(["r", "n", *names]), "y v", "step", "ai.onnx.preview.training", **attributes)],
        [value(name, [3]) for name in names],
        [value("y", [3])],
        weights={"r": np.array(0.1, np.float32), "n": np.array(1, np.int64)},
    )
    made.opset_import.append(helper.make_opsetid("ai.onnx.preview.training", 1))
    return made


def test_a_weight_takes_its_gradient_and_its_momentum() -> None:
    attributes = {"alpha": 0.9, "beta": 1.0, "norm_coefficient": 0.0, "mode": "standard"}
    plan = pipeline.plan_of(step("Momentum", 3, **attributes))  # type: ignore[arg-type]
    assert not plan.not_run
    assert plan.outputs == ("y",)


def test_what_makes_no_sense_is_refused_by_name() -> None:
    attributes = {"alpha": 0.9, "beta": 1.0, "norm_coefficient": 0.0, "mode": "heavy"}
    (missing, *_) = pipeline.plan_of(step("Momentum", 3, **attributes)).not_run  # type: ignore[arg-type]
    expected = "Momentum 'step': expected mode standard or nesterov, got 'heavy'. Check the exporting script."
    assert missing.reason == expected
