"""Every derivative is the slope that finite differences have, in float64."""

from __future__ import annotations

import pytest

from tests.gradient_cases import GradientCase, all_cases
from tests.pure.gradients.checked import check
from texelscope.pipeline.gradients.derivatives.registry import all_derivatives


@pytest.mark.parametrize("case", all_cases(), ids=str)
def test_a_gradient_is_the_slope(case: GradientCase) -> None:
    check(case)


def test_every_derivative_is_checked() -> None:
    checked = {case.node.op_type for case in all_cases()}
    assert checked <= all_derivatives().keys()
    assert {name for name in all_derivatives() if "." not in name} <= checked  # another domain's have tests there
