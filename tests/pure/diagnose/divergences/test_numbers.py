"""Tests which causes name other factors and addends."""

from __future__ import annotations

import numpy as np
import pytest

from tests.pure.diagnose.divergences.passes import divergent_pass, node
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.causes import Cause
from texelscope.pipeline.diagnose.divergences.numbers import seen_in_added, seen_in_whole
from texelscope.pipeline.symbolic.canonical import Place
from texelscope.pipeline.symbolic.kinds import Numbered

CONSTANTS = {
    "bias": (0.5, -0.25, 2.0, 4.0),
    "gain": (3.0, 5.0, 7.0, 9.0),
    "eps": (0.01,),
    "table": (0.1, 0.2, 0.3, 0.4),
}
FOUND = divergent_pass(constants=CONSTANTS, shapes={"bias": (4,), "gain": (4,), "table": (1, 1, 2, 2)})
B0, B1, E0, G0, T0, T1 = ("bias", 0), ("bias", 1), ("eps", 0), ("gain", 0), ("table", 0), ("table", 1)


def _added(
    expected: float, got: float, right: tuple[Place, ...] = (), wrong: tuple[Place, ...] = (), inside: str = ""
) -> Numbered:
    return Numbered(expected, got, 3, is_added=True, expected_at=right, got_at=wrong, inside=inside)


@pytest.mark.parametrize(
    ("each", "cause"),
    [
        (_added(0.5, 0.0, (B0,)), causes.BIAS_MISSING),
        (_added(0.6, 0.1, (B0, T0), (T0,)), causes.BIAS_MISSING),
        (_added(0.5, 1.0, (B0,), (B0, B0)), causes.BIAS_DOUBLED),
        (_added(0.5, 1.0, (B0,)), causes.BIAS_DOUBLED),
        (_added(0.5, -0.25, (B0,), (B1,)), causes.BIAS_OFFSET),
        (_added(0.5, -0.25, (B0,)), causes.BIAS_OFFSET),
        (_added(0.05, -0.025, (B0,)), causes.BIAS_OFFSET),  # in the units of a function's argument
        (_added(0.1, 0.2, (T0,), (T1,)), causes.INDEX_MAP),
        (_added(0.5, 3.0, (B0,), (G0,)), causes.WRONG_INPUT),
        (_added(0.5, 0.7, (B0,)), causes.WRONG_LITERAL),
        (_added(0.0, 1.0), causes.AFFINE),
        (_added(0.01, 0.001, (E0,), inside="sqrt"), causes.EPSILON),
        (_added(0.01, 0.001, (E0,), inside="log"), causes.EPSILON),
    ],
)
def test_another_addend_has_a_name(each: Numbered, cause: Cause) -> None:
    seen = seen_in_added(FOUND, each)
    assert seen is not None
    assert seen.cause is cause


@pytest.mark.parametrize(
    "each",
    [
        _added(0.0, 0.01),  # an epsilon, or an offset
        _added(0.5, 0.25, (B0,)),  # a half of the bias, or another number
        _added(0.01, 0.0, (E0,)),  # an epsilon may have gone elsewhere
        _added(0.5, 0.0, (B0,), inside="sqrt"),
        _added(1.0, 2.0),
        _added(0.5, 0.001, (E0,), inside="sqrt"),  # too large for an epsilon
        _added(0.02, 0.001, (T0,), inside="sqrt"),  # one of several, so no epsilon
        _added(0.5, 1.3, (B0,), (B0, B0)),  # more than once, but not a multiple
        _added(0.6, 2.1, (B0, T0), (B0,)),  # less is there, but by another number
        _added(0.5, -0.125, (B0,), (B0,)),
        _added(0.5, 0.9, (B0,), (B0, G0, B0)),
    ],
)
def test_an_addend_that_shows_no_cause_has_no_name(each: Numbered) -> None:
    assert seen_in_added(FOUND, each) is None


@pytest.mark.parametrize(
    ("expected", "got", "operator", "cause"),
    [
        (1.0, 2.0, "Conv", causes.SCALE),
        (1.0, -1.0, "AveragePool", causes.SCALE),
        (1.0, 0.5, "AveragePool", causes.AVERAGE_COUNT),
        (1.0, 8.0 / 7.0, "Conv", causes.AVERAGE_COUNT),
        (1.0, 4.0 / 3.0, "Conv", causes.SCALE),
        (1.0 / 90.0, 1.0 / 89.0, "Conv", causes.AVERAGE_COUNT),
        (1.0, 12.0, "ReduceMean", causes.AVERAGE_COUNT),
        (1.0, 12.0 / 11.0, "ReduceMean", causes.AVERAGE_COUNT),
        (1.0, 0.9, "ReduceMean", causes.SCALE),
    ],
)
def test_another_factor_is_a_scale_or_a_count(expected: float, got: float, operator: str, cause: Cause) -> None:
    found = divergent_pass(nodes=(node(operator),), shapes={"x": (1, 4, 3, 4), "y": (1, 4, 1, 1)})
    seen = seen_in_whole(found, Numbered(expected, got, 3, is_whole=True))
    assert seen is not None
    assert seen.cause is cause


def test_a_number_in_the_margin_is_a_padding_value() -> None:
    wrong = np.zeros((1, 1, 9, 9), bool)
    wrong[..., 0, :] = True
    found = divergent_pass(nodes=(node("Pad"),), output=(1, 1, 9, 9), wrong=wrong.reshape(-1))
    seen = seen_in_added(found, _added(-1.0, 0.0))
    assert seen is not None
    assert seen.cause is causes.PADDING_MODE


def test_constants_that_are_added_again_are_known_by_their_sum() -> None:
    twice = _added(0.6, 1.1, (B0, T0), (B0, B0, T0))
    seen = seen_in_added(FOUND, twice)
    assert seen is not None
    assert seen.cause is causes.BIAS_DOUBLED
