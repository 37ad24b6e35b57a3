"""Forms of recurrences, normalisations and regions that are not differentiated say so in one line."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.gl.operators.single_node import Array, NodeCase
from tests.gradient_cases.numbers import real
from tests.pure.gradients.checked import of_case
from texelscope.pipeline.errors import UnsupportedError


def lstm(steps: int = 2, *more: Array | None, **attributes: Any) -> NodeCase:
    """Of a state of 1."""
    x, w, r = real(steps, 1, 1), real(1, 4, 1), real(1, 4, 1)
    return NodeCase("LSTM", (x, w, r, *more), {"hidden_size": 1, **attributes}, (4,) if len(more) > 1 else ())


LENGTHS, STATES, PEEPHOLES = np.array([1], np.int32), real(1, 1, 1), real(1, 3)
REFUSED = (
    (lstm(129), "expected gradients through at most 128 steps, got 129. Use fewer steps with --shape"),
    (lstm(clip=2.0), "expected gradients of a plain recurrence, got clip. Re-export the model without."),
    (lstm(input_forget=1), "expected gradients of a plain recurrence, got input_forget."),
    (lstm(2, None, None, STATES, STATES, PEEPHOLES), "expected gradients of a plain recurrence, got peepholes."),
    (lstm(2, None, LENGTHS), "expected sequences of one length, got some that are shorter."),
    (
        lstm(activations=["Relu", "Tanh", "Tanh"]),
        "expected activations of Sigmoid, Tanh, Tanh, got Relu, Tanh, Tanh. Re-export the model without activations",
    ),
)


PARAMETERS = real(3, 2), real(3, 2), real(3, 2), np.abs(real(3, 2))
REFUSED_NORMALISATIONS = (
    (NodeCase("LpNormalization", (real(2, 3),), {"p": 3}), "expected p of 1 or 2, got 3. Use Abs, Pow and ReduceSum."),
    (
        NodeCase("BatchNormalization", (real(2, 3, 2), *PARAMETERS), {"spatial": 0}, (), 5, 7),
        "expected statistics of channels in training, got spatial of 0. Export the model for inference.",
    ),
)


REGIONS = real(2, 3, 5, 5), np.array([[0, 0, 3, 3]], np.float32), np.array([1], np.int64)
REFUSED_REGIONS = (
    (NodeCase("RoiAlign", REGIONS, {"mode": "max"}), "expected mode avg where gradients flow back, got max. Ask for"),
    (
        NodeCase("RoiAlign", REGIONS),
        "expected a sampling_ratio where gradients flow back, got as many as the regions' sizes say. Ask for gradients",
    ),
)


@pytest.mark.parametrize(("case", "said"), [*REFUSED_NORMALISATIONS, *REFUSED_REGIONS], ids=str)
def test_other_normalisations_and_regions_are_refused(case: NodeCase, said: str) -> None:
    with pytest.raises(UnsupportedError) as refused:
        of_case(case)
    assert said in str(refused.value)


@pytest.mark.parametrize(("case", "said"), REFUSED, ids=str)
def test_other_recurrences_are_refused(case: NodeCase, said: str) -> None:
    with pytest.raises(UnsupportedError) as refused:
        of_case(case)
    assert said in str(refused.value)
    assert "LSTM 'node" in str(refused.value)
