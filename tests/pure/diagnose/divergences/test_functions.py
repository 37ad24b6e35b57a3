"""Tests which causes name the values of another function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.pure.diagnose.divergences.passes import curved, divergent_pass, node
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.causes import Cause
from texelscope.pipeline.diagnose.divergences.functions import (
    argument_factor_of,
    factor_of,
    is_branch,
    seen_in_curve,
    seen_in_name,
    step_of,
    weights_of,
)
from texelscope.pipeline.symbolic.kinds import Renamed

Function = Callable[[Any], Any]


def _relu(x: Any) -> Any:
    return np.maximum(x, 0.0)


def _logistic(x: Any) -> Any:
    return 1.0 / (1.0 + np.exp(-x))


def _identity(x: Any) -> Any:
    return x


def _leaky(slope: float) -> Function:
    return lambda x: np.where(x < 0.0, slope * x, x)


def _elu(alpha: float) -> Function:
    return lambda x: np.where(x < 0.0, alpha * np.expm1(x), x)


def _clip(low: float, high: float) -> Function:
    return lambda x: np.clip(x, low, high)


@pytest.mark.parametrize(
    ("expected", "got", "cause"),
    [
        (_relu, _identity, causes.ACTIVATION_MISSING),
        (np.tanh, _identity, causes.ACTIVATION_MISSING),
        (_clip(0.0, 6.0), _identity, causes.ACTIVATION_MISSING),
        (_leaky(0.1), _identity, causes.ACTIVATION_MISSING),
        (_leaky(0.1), lambda x: 0.1 * x, causes.WRONG_FUNCTION),
        (_leaky(0.1), lambda x: 0.2 * x, causes.ALPHA),
        (_relu, lambda x: 0.2 * x, causes.WRONG_FUNCTION),
        (lambda x: x * np.clip(x / 6 + 0.5, 0, 1), lambda x: 0.5 * x, causes.WRONG_FUNCTION),
        (_identity, _relu, causes.ACTIVATION_EXTRA),
        (_identity, _clip(0.0, 1.0), causes.CLAMPED_0_1),
        (_leaky(0.1), _clip(0.0, 1.0), causes.CLAMPED_0_1),
        (np.tanh, lambda x: np.maximum(np.tanh(x), 0.0), causes.CLAMPED_NONNEGATIVE),
        (np.tanh, lambda x: _logistic(np.tanh(x)), causes.ACTIVATION_EXTRA),
        (np.tanh, lambda x: 1.3 * np.tanh(x), causes.SCALE),
        (np.tanh, lambda x: 2.0 * np.tanh(x) - 1.0, causes.AFFINE),
        (_leaky(0.1), _leaky(0.2), causes.ALPHA),
        (_leaky(0.1), lambda x: np.where(x < 0.0, 0.1 * x, 1.1 * x), causes.WRONG_FUNCTION),
        (_leaky(0.1), lambda x: np.where(x < 0.0, x, 0.1 * x), causes.WRONG_FUNCTION),
        (_leaky(0.1), _leaky(0.0), causes.WRONG_FUNCTION),
        (_elu(1.0), _elu(0.5), causes.ALPHA),
        (_elu(1.0), lambda x: np.where(x < 0.0, 0.5 * np.expm1(x), 2.0 * x), causes.WRONG_FUNCTION),
        (_elu(1.0), _relu, causes.WRONG_FUNCTION),
        (_elu(1.0), _leaky(0.5), causes.WRONG_FUNCTION),
        (_clip(0.0, 6.0), _clip(0.0, 5.0), causes.ALPHA),
        (lambda x: np.clip(0.2 * x + 0.5, 0, 1), lambda x: np.clip(x / 6 + 0.5, 0, 1), causes.ALPHA),
        (_logistic, np.tanh, causes.WRONG_FUNCTION),
        (_relu, lambda x: np.maximum(-x, 0.0), causes.WRONG_FUNCTION),
    ],
)
def test_a_function_in_place_of_another_one_has_a_name(expected: Function, got: Function, cause: Cause) -> None:
    seen = seen_in_curve(curved(expected, got))
    assert seen is not None
    assert seen.cause is cause


def test_a_function_of_which_few_values_are_known_has_no_name() -> None:
    assert seen_in_curve(curved(_relu, lambda x: np.where(x > 100.0, x, np.nan))) is None


def test_values_of_one_side_alone_still_show_another_function() -> None:
    seen = seen_in_curve(curved(lambda x: 1.0 / np.sqrt(x), lambda x: 1.0 / x))
    assert seen is not None
    assert seen.cause is causes.WRONG_FUNCTION


@pytest.mark.parametrize(
    ("expected", "got", "cause"), [("sqrt", "", causes.WRONG_FUNCTION), ("", "abs", causes.ACTIVATION_EXTRA),
                                   ("max", "min", causes.WRONG_FUNCTION)]
)  # fmt: skip
def test_another_name_is_another_function(expected: str, got: str, cause: Cause) -> None:
    seen = seen_in_name(divergent_pass(nodes=(node("Max"),)), Renamed(expected, got, 3))
    assert seen is not None
    assert seen.cause is cause


def test_the_larger_for_the_smaller_has_no_name_beside_other_nodes() -> None:
    clamp = divergent_pass(nodes=(node("Min"), node("Max")))
    assert seen_in_name(clamp, Renamed("max", "min", 3)) is None  # both orders of a clamp have both


def test_a_factor_of_a_function_is_known_by_all_its_values() -> None:
    assert factor_of(curved(np.tanh, lambda x: -2.0 * np.tanh(x))) == pytest.approx(-2.0)
    assert factor_of(curved(np.tanh, _identity)) is None
    assert factor_of(curved(_relu, _leaky(0.1))) is None


def test_a_factor_inside_a_function_is_known_by_its_inverse() -> None:
    assert argument_factor_of(curved(_logistic, lambda x: _logistic(1.5 * x))) == pytest.approx(1.5, rel=1e-3)
    assert argument_factor_of(curved(np.tanh, lambda x: np.tanh(0.5 * x))) == pytest.approx(0.5, rel=1e-3)
    assert argument_factor_of(curved(_logistic, np.tanh)) is None


def test_a_number_beside_a_function_is_the_same_everywhere() -> None:
    assert step_of(curved(_relu, lambda x: _relu(x) + 0.25)) == pytest.approx(0.25)
    assert step_of(curved(_relu, _leaky(0.1))) is None


def test_rectified_terms_have_the_weights_of_their_lines() -> None:
    assert weights_of(curved(lambda x: 0.5 * _relu(x), lambda x: -2.0 * _relu(x))) == pytest.approx((0.5, -2.0))
    assert weights_of(curved(lambda x: 0.5 * _relu(-x), lambda x: 2.0 * _relu(-x))) == pytest.approx((0.5, 2.0))
    assert weights_of(curved(_leaky(0.1), _leaky(0.2))) is None


def test_a_line_is_a_branch_only_where_the_value_lies_on_its_side() -> None:
    assert is_branch(curved(_leaky(0.1), _identity), actual=2.0)
    assert not is_branch(curved(_leaky(0.1), _identity), actual=-2.0)
    assert is_branch(curved(_leaky(0.1), lambda x: 0.1 * x), actual=-2.0)
