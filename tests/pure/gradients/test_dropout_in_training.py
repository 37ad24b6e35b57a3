"""Dropout in training: the gradient goes where the mask of the same run lets it, scaled as the values were."""

from __future__ import annotations

import numpy as np
import pytest

from tests.gl.operators.single_node import NodeCase, floats
from tests.gradient_cases import GradientCase
from tests.gradient_cases.numbers import real
from tests.pure.gradients.checked import check, of_case
from texelscope.pipeline.errors import UnsupportedError

_RATIO, _TRAINING = floats(0.4).reshape(()), np.array(True)


def test_what_was_dropped_gets_no_gradient() -> None:
    inputs = (real(3, 5), _RATIO, _TRAINING)
    check(GradientCase(NodeCase("Dropout", inputs, {"seed": 7}, constant=(1, 2), outputs=2)))


def test_without_a_mask_or_a_known_ratio_it_says_what_is_missing() -> None:
    inputs = (real(3, 5), _RATIO, _TRAINING)
    with pytest.raises(UnsupportedError) as without_mask:
        of_case(NodeCase("Dropout", inputs, constant=(1, 2)))
    assert str(without_mask.value) == (
        "Dropout 'node/backward': expected a mask as second output in training, got none. Give the node that output."
    )
    with pytest.raises(UnsupportedError) as unknown:
        of_case(NodeCase("Dropout", inputs, outputs=2, constant=(2,)))
    assert str(unknown.value) == (
        "Dropout 'node/backward': expected a ratio known before the run, got 'in1', which depends on the input. "
        "Make it an initializer."
    )
