"""Tests what two formulas of one element are said to differ in."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.pure.symbolic.fragments import W, diverging
from texelscope.pipeline.symbolic.kinds import Curved, Missed, Moved, Numbered, Renamed, UnclearError

SUM = "for (int k = 0; k < 4; ++k) y += w(k) * x(k + 2); y += w(9);"
RELU = SUM + " y = max(y, 0.0);"


def test_equal_formulas_differ_in_nothing() -> None:
    assert diverging(RELU, SUM + " if (y < 0.0) y = 0.0;") == []


def test_a_read_at_another_place_is_moved_term_by_term() -> None:
    found = diverging(RELU.replace("x(k + 2)", "x(k + 3)"), RELU)
    assert all(isinstance(each, Moved) and not each.is_weight for each in found)
    pairs = {(each.expected[1], each.got[1]) for each in found if isinstance(each, Moved)}
    assert pairs == {(2, 3), (3, 4), (4, 5), (5, 6)}
    assert {each.weight for each in found if isinstance(each, Moved)} == {("t_w", k) for k in range(4)}


def test_a_weight_at_another_place_is_moved() -> None:
    found = diverging(SUM.replace("w(k)", "w(k + 4)"), SUM)
    assert {(each.expected, each.got) for each in found if isinstance(each, Moved)} == {
        (("t_w", k), ("t_w", k + 4)) for k in range(4)
    }


def test_a_term_that_is_left_out_is_missed() -> None:
    (found,) = diverging(SUM.replace("k < 4", "k < 3"), SUM)
    assert isinstance(found, Missed)
    assert (found.place, found.is_extra, found.weight) == (("t_x", 5), False, ("t_w", 3))


def test_a_term_more_is_extra() -> None:
    (found,) = diverging(SUM.replace("k < 4", "k < 5"), SUM)
    assert isinstance(found, Missed)
    assert (found.place, found.is_extra) == (("t_x", 6), True)


@pytest.mark.parametrize(("text", "got"), [("", 0.0), ("y += w(9); y += w(9);", 2 * W[9]), ("y += w(8);", W[8])])
def test_an_addend_is_a_number_with_its_places(text: str, got: float) -> None:
    (found,) = diverging(SUM.replace("y += w(9);", text), SUM)
    assert isinstance(found, Numbered)
    assert found.is_added
    assert math.isclose(found.got, got, abs_tol=1e-6)
    assert found.expected_at == (("t_w", 9),)


def test_a_factor_of_all_terms_is_one_number() -> None:
    (found,) = diverging(SUM + " y *= 0.5;", SUM)
    assert isinstance(found, Numbered)
    assert found.is_whole
    assert math.isclose(found.got, 0.5)


def test_a_function_that_is_not_applied_has_other_values_and_nothing_else() -> None:
    (found,) = diverging(SUM, RELU)
    assert isinstance(found, Curved)
    assert np.allclose(np.array(found.got, np.float64), found.points, rtol=1e-3)


def test_two_faults_in_one_formula_are_both_seen() -> None:
    found = diverging(SUM.replace("k < 4", "k < 3").replace("y += w(9);", ""), RELU)
    assert {type(each) for each in found} == {Missed, Numbered, Curved}


def test_the_line_of_the_statement_is_known() -> None:
    (found,) = diverging(
        "y = w(0) * x(0);\n    y = y + 2.0 * w(1) * x(1);", "y = w(0) * x(0);\n    y = y + w(1) * x(1);"
    )
    (other,) = diverging(
        "y = w(0) * x(0) * 3.0;\n    y = y + w(1) * x(1);", "y = w(0) * x(0);\n    y = y + w(1) * x(1);"
    )
    assert found.row == other.row + 1


def test_what_cannot_be_paired_is_unclear() -> None:
    with pytest.raises(UnclearError):
        diverging("y = sin(x(0)) * cos(x(1)) + exp(x(2) * x(3));", "y = log(x(0) * x(2)) + sqrt(x(1)) * x(5);")


def test_a_term_that_is_left_out_has_the_row_of_its_neighbours() -> None:
    (found,) = diverging(SUM.replace("k < 4", "k < 3"), SUM)
    (extra,) = diverging(SUM.replace("k < 4", "k < 5"), SUM)
    assert found.row == extra.row >= 0


def test_a_factor_more_is_not_another_element() -> None:
    with pytest.raises(UnclearError):
        diverging("y = (x(0) + x(1)) * x(2);", "y = x(0) * x(2) + x(1);")


def test_a_minimum_for_a_maximum_has_its_name_only_with_the_same_operands() -> None:
    (found,) = diverging("y = min(x(0), x(1));", "y = max(x(0), x(1));")
    assert isinstance(found, Renamed)
    assert (found.expected, found.got) == ("max", "min")
    with pytest.raises(UnclearError):
        diverging("y = min(max(x(0), x(1)), x(2));", "y = max(min(x(0), x(2)), x(1));")


POWERS = "for (int k = 0; k < 4; ++k) y += exp(x(k) * x(9));"


def test_functions_that_a_sum_of_several_lacks_are_terms() -> None:
    found = diverging(POWERS.replace("k < 4", "k < 2"), POWERS)
    assert {(each.place, each.is_extra, each.function) for each in found if isinstance(each, Missed)} == {
        (("t_x", 2), False, ""), (("t_x", 3), False, "")
    }  # fmt: skip


def test_functions_that_a_sum_of_several_has_again_are_counted() -> None:
    (found,) = diverging(POWERS + " y += exp(x(2) * x(9));", POWERS)
    assert isinstance(found, Missed)
    assert (found.place, found.is_extra, found.times) == (("t_x", 2), True, 2.0)


def test_a_power_of_a_function_differs_once() -> None:
    cube = "float s = min(x(0) * x(1) + 0.5, 1.0); y = s * s * s * s * s * s * s;"
    (found,) = diverging(cube.replace("0.5", "0.75"), cube)
    assert isinstance(found, Numbered)
    assert (found.expected, found.got, found.is_added) == (0.5, 0.75, True)


def test_a_tensor_that_is_added_does_not_hide_which_weights_moved() -> None:
    block = SUM + " y += x(11);"
    found = diverging(block.replace("w(k)", "w(k + 4)"), block)
    assert {(each.expected, each.got) for each in found if isinstance(each, Moved)} == {
        (("t_w", k), ("t_w", k + 4)) for k in range(4)
    }
