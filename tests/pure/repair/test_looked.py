"""Tests what helps with two faults: edits that leave an offset, a factor or fewer wrong elements."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from texelscope.pipeline.repair.harness.held_out_inputs import ExpectedOutput
from texelscope.pipeline.repair.harness.spot_check import SpotCheck, SpotCheckResult, helped

Texels = NDArray[np.float32]
AREA = (0, 0, 4, 4)
RIGHT = np.random.default_rng(3).normal(size=(4, 4, 4)).astype(np.float32)
# Of two faults in each: another order of elements, and an offset of each lane.
OFFSETS = np.array([0.5, -1.0, 2.0, 0.25], np.float32)
WRONG = RIGHT[::-1, ::-1] + OFFSETS


def wanted(right: Texels) -> ExpectedOutput:
    """Returns the contents that a texture of those texels should have, each to a millionth."""
    address = np.arange(right.size, dtype=np.int32).reshape(right.shape)
    return ExpectedOutput(right.reshape(-1).astype(np.float64), np.full(right.size, 1e-6), address)


def looked(spot: SpotCheck, texels: Texels) -> SpotCheckResult:
    told = spot.told(texels)
    close = told.close
    fitted = told.products**2 / (told.squares * spot.squares) if told.squares * spot.squares > 0.0 else 0.0
    broken = int(np.count_nonzero(spot.before & ~close))
    return SpotCheckResult(
        int(close.sum()), close.size, float(told.off.mean()), float(np.sqrt(max(1.0 - fitted, 0.0))), broken
    )


def helps(wrong: Texels, edited: Texels, right: Texels = RIGHT) -> float:
    spot = SpotCheck(wanted(right), "y", AREA, wrong)
    return helped(looked(spot, edited), looked(spot, wrong))


@pytest.mark.parametrize(
    "left",
    [
        pytest.param(lambda right: right + OFFSETS, id="an offset of each lane"),
        pytest.param(lambda right: 8.0 * right, id="a factor"),
        pytest.param(lambda right: np.where(right > 1.0, 0.0, right), id="a few elements"),
        pytest.param(lambda right: np.maximum(right, 0.0), id="a function of negative values"),
    ],
)
def test_what_mends_one_of_two_faults_helps_whatever_the_other_one_leaves(left: Callable[[Texels], Texels]) -> None:
    assert helps(WRONG, left(RIGHT).astype(np.float32)) > 0.3


@pytest.mark.parametrize("value", [0.0, np.nan, np.inf, 3.4e38])
def test_what_makes_everything_one_value_does_not_help(value: float) -> None:
    """Its errors vary as little as those of what leaves one offset."""
    assert helps(WRONG, np.full_like(RIGHT, value)) == 0.0


def test_few_huge_errors_do_not_make_zeros_a_help() -> None:
    wrong = WRONG.copy()
    wrong[0, 0] = 1e6
    assert helps(wrong, np.zeros_like(RIGHT)) < helps(wrong, RIGHT + OFFSETS)


def test_elements_that_are_right_and_far_larger_do_not_hide_what_the_others_do() -> None:
    right, wrong, mended = RIGHT.copy(), WRONG.copy(), RIGHT + OFFSETS
    for each in (right, wrong, mended):
        each[:2] = -1e4
    assert helps(wrong, mended, right) > 0.3


def test_what_breaks_more_than_it_mends_does_not_help() -> None:
    wrong = RIGHT.copy()
    wrong[:2] += 1.0
    broken = RIGHT.copy()
    broken[2:] += 0.5
    assert helps(wrong, broken) < 0.3
    broken[1:] = 9.0
    assert helps(wrong, broken) == 0.0


def test_an_element_that_was_right_by_chance_may_break() -> None:
    """Held at a bound two faults may undo each other."""
    wrong, mended = WRONG.copy(), RIGHT + OFFSETS
    wrong[3, 3, 3] = RIGHT[3, 3, 3]
    assert helps(wrong, mended) > 0.3


def test_the_same_values_are_the_same_outcome_but_for_rounding() -> None:
    spot = SpotCheck(wanted(RIGHT), "y", AREA, WRONG)
    same, other = (spot.told((RIGHT + by).astype(np.float32)).values for by in (0.0, 1e-2))
    assert np.array_equal(same, spot.told(RIGHT).values)
    assert not np.array_equal(same, other)
