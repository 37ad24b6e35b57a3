"""The oracle evaluates every operator that runs as a pass at every opset that ever said something of it."""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest

from tests.conformance.cases import Array
from tests.conformance.opsets import expected, lowered, wrong_type
from tests.conformance.trials import Trial, history, trials
from texelscope.pipeline.oracle.reference import Reference

SHARES = 4
# What ONNX Runtime gives otherwise, where the specification is on our side or says nothing.
OTHERWISE = {
    # The fifth output is the variance; there it is 1 / √(variance + ε).
    ("BatchNormalization", "out4"),
    # A mask outside training.
    ("Dropout", "out1"),
    # NaN has two codes in this type.
    ("Cast", "out0"),
}


@pytest.mark.parametrize("share", range(SHARES))
def test_every_version_of_an_operator_is_evaluated(share: int) -> None:
    reference = Reference()
    tried = 0
    for operator in sorted(history())[share::SHARES]:
        newest = history()[operator][-1].since_version
        for trial in trials(operator):
            # Of the newest version ONNX's own cases are there too.
            if trial.opset != trial.version or (trial.case and trial.version == newest):
                continue
            tried += 1
            graph = lowered(trial)
            values = expected(trial, graph, reference)
            assert wrong_type(trial, graph, values) == ""
            assert _unlike(trial, {name: np.asarray(value) for name, value in values.items()}) == []
    assert tried > 150


def _unlike(trial: Trial, values: dict[str, Array]) -> list[str]:
    """Outputs for which ONNX Runtime, where it knows the operator, has other values."""
    if trial.version < 7 or trial.case:  # the first opset that it promises; one recipe of several will do
        return []
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(trial.model.SerializeToString(), options, ["CPUExecutionProvider"])
        results = session.run(None, dict(trial.inputs))
    except Exception:  # noqa: BLE001  it has no common base for what it does not know
        return []
    names = [declared.name for declared in trial.model.graph.output]
    return [
        f"{trial.name}: {name}"
        for name, result in zip(names, results, strict=True)
        if (trial.operator, name) not in OTHERWISE and not _near(values[name], result)
    ]


def _near(ours: Array, theirs: Array) -> bool:
    if ours.dtype.itemsize == 1 and ours.dtype.kind == "V":  # small floats come back as their codes
        return np.array_equal(ours.view(np.uint8), theirs)
    return ours.shape == theirs.shape and np.allclose(
        ours.astype(np.float64), theirs.astype(np.float64), rtol=1e-4, atol=1e-5, equal_nan=True
    )
