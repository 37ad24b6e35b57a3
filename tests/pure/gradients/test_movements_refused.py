"""What nothing flows back through, of operators that move elements, says so."""

from __future__ import annotations

import re

import numpy as np
import pytest

from pipeline.errors import UnsupportedError
from tests.gl.operators.single_node import NodeCase, ints
from tests.gradient_cases.numbers import real
from tests.pure.gradients.checked import of_case

_REFUSED = (
    (
        NodeCase("GridSample", (real(1, 1, 4, 4), real(1, 2, 2, 2)), {"mode": "cubic"}),
        "GridSample 'node/backward': expected mode nearest or linear where gradients flow back, got 'cubic'. "
        "Ask for gradients with respect to tensors after it.",
    ),
    (
        NodeCase("CumProd", (real(2, 3), np.array(1)), opset=26),
        "CumProd 'node/backward': expected an axis known before the run, got 'in1', which depends on the input. "
        "Make it an initializer.",
    ),
    (
        NodeCase("Pad", (real(3, 5), ints(1, 0, 0, 1)), {"mode": "symmetric"}, constant=(1,)),
        "Pad 'node/backward': expected a mode of constant, edge, reflect, wrap, got 'symmetric'. Re-export the model.",
    ),
)


@pytest.mark.parametrize(("case", "text"), _REFUSED, ids=str)
def test_what_has_no_derivative_here_says_why(case: NodeCase, text: str) -> None:
    with pytest.raises(UnsupportedError, match=re.escape(text)):
        of_case(case)
