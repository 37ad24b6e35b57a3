"""Tests what two formulas are said to differ in as they are written, where their sums are too different."""

from __future__ import annotations

import numpy as np
import pytest

from tests.pure.symbolic.fragments import diverging, diverging_as_written
from texelscope.pipeline.symbolic.canonical import NoFormulaError
from texelscope.pipeline.symbolic.kinds import Curved, Divergence, Missed, Moved, Numbered, Renamed, UnclearError

SOFTMAX = """float top = max(max(x(0), x(1)), max(x(2), x(3)));
    float sum = 0.0; for (int k = 0; k < 4; ++k) sum += exp(x(k) - top);
    y = exp(x(1) - top) / sum;"""
NORM = """float mean = 0.0; for (int k = 0; k < 12; ++k) mean += x(k) / 12.0;
    float spread = 0.0; for (int k = 0; k < 12; ++k) spread += (x(k) - mean) * (x(k) - mean);
    y = (x(3) - mean) / sqrt(spread / 12.0 + 0.01) * w(2) + w(3);"""
GATE = "float a = x(0) * w(0) + x(1) * w(1); float b = x(2) + x(3); y = tanh(a) / (1.0 + exp(-b));"


def _kinds(found: list[Divergence]) -> list[type[object]]:
    return [type(each) for each in found]


@pytest.mark.parametrize("text", [SOFTMAX, NORM, GATE])
def test_equal_formulas_differ_in_nothing_as_written(text: str) -> None:
    assert diverging_as_written(text, text) == []


def test_a_term_of_a_softmax_that_is_left_out_is_missed() -> None:
    found = diverging_as_written(SOFTMAX.replace("k < 4", "k < 3"), SOFTMAX)
    assert [(each.place, each.is_extra) for each in found if isinstance(each, Missed)] == [(("t_x", 3), False)]
    assert len(found) == 1


def test_a_softmax_with_another_function_has_another_name() -> None:
    found = diverging_as_written(SOFTMAX.replace("exp(x(k)", "exp2(x(k)"), SOFTMAX)
    assert {(each.expected, each.got) for each in found if isinstance(each, Renamed)} == {("exp", "exp2")}
    assert set(_kinds(found)) == {Renamed}


def test_a_spread_without_its_root_lacks_the_function() -> None:
    (found,) = diverging_as_written(NORM.replace("sqrt(spread / 12.0 + 0.01)", "(spread / 12.0 + 0.01)"), NORM)
    assert isinstance(found, Renamed)
    assert (found.expected, found.got) == ("sqrt", "")


def test_another_epsilon_is_an_added_number() -> None:
    (found,) = diverging_as_written(NORM.replace("0.01", "0.1"), NORM)
    assert isinstance(found, Numbered)
    assert (round(found.expected, 3), round(found.got, 3)) == (0.01, 0.1)


def test_a_gate_without_its_tanh_lacks_the_function() -> None:
    (found,) = diverging_as_written(GATE.replace("tanh(a)", "a"), GATE)
    assert isinstance(found, Curved)
    assert np.allclose(np.array(found.expected), np.tanh(found.points), rtol=1e-2)
    assert np.allclose(np.array(found.got), found.points, rtol=1e-2)


def test_swapped_operands_of_a_quotient_are_swapped() -> None:
    text = "float a = exp(x(0) * x(1)); float b = exp(x(2) * x(3)); y = a / b;"
    (found,) = diverging_as_written(text.replace("a / b", "b / a"), text)
    assert isinstance(found, Renamed)
    assert (found.got, found.is_swapped) == ("/", True)


def test_a_moved_read_inside_functions_is_moved() -> None:
    (found,) = diverging_as_written(GATE.replace("x(3)", "x(4)"), GATE)
    assert isinstance(found, Moved)
    assert (found.expected, found.got) == (("t_x", 3), ("t_x", 4))


def test_two_formulas_of_other_elements_stay_unclear() -> None:
    with pytest.raises(UnclearError):
        diverging_as_written(
            "y = sin(x(0)) * cos(x(1)) + exp(x(2) * x(3));", "y = log(x(0) * x(2)) + sqrt(x(1)) * x(5);"
        )


def test_sums_alone_do_not_tell_a_gate_without_its_tanh() -> None:
    with pytest.raises((UnclearError, NoFormulaError)):
        diverging(GATE.replace("tanh(a)", "a"), GATE)
