"""Tests what elements of a pass show together of functions and numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.pure.diagnose.divergences.passes import curved, divergent_pass, node
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.divergences.values import seen_in_values
from texelscope.pipeline.symbolic.kinds import Curved, Divergence, Numbered, Renamed
from texelscope.pipeline.symbolic.pass_divergences import PassDivergences

BIASES = (0.5, -0.25, 2.0, 4.0)
EXPECTED = np.ones(36)
BENT = curved(lambda x: np.where(x < 0.0, 0.1 * x, x), lambda x: np.where(x < 0.0, 0.2 * x, x), row=4)
LOST = Numbered(0.5, 0.0, 5, is_added=True, expected_at=(("bias", 0),), inside="curve")


def _whole(factor: float, inside: str = "") -> Numbered:
    return Numbered(1.0, factor, 3, is_whole=True, inside=inside)


def _pass(*elements: Sequence[Divergence], **more: Any) -> PassDivergences:
    return divergent_pass(*elements, constants={"bias": BIASES, "eps": (0.01,), "w": (0.3, 0.6)}, **more)


def _rectified(expected: float, got: float) -> Curved:
    return curved(lambda x: expected * np.maximum(x, 0.0), lambda x: got * np.maximum(x, 0.0))


def _names(found: PassDivergences, expected: Any = EXPECTED) -> list[str]:
    return [each.seen.cause.name for each in seen_in_values(found, found.elements, expected)]


def test_one_factor_of_all_elements_is_a_scale() -> None:
    found = _pass((_whole(2.0),), (_whole(2.0),))
    (each,) = seen_in_values(found, found.elements, EXPECTED)
    assert each.seen.cause is causes.SCALE
    assert each.elements == 2
    assert each.seen.says == "has 2 times the model's sum"


def test_factors_that_differ_are_no_scale() -> None:
    assert _names(_pass((_whole(2.0),), (_whole(3.0),))) == []


def test_means_at_a_border_may_have_other_counts() -> None:
    pooled = (node("AveragePool"),)
    assert _names(_pass((_whole(4.0 / 9.0),), (_whole(6.0 / 9.0),), nodes=pooled)) == ["average_count"]


def test_two_causes_in_every_element_are_both_named() -> None:
    assert set(_names(_pass((LOST, BENT), (LOST, BENT)))) == {"bias_missing", "alpha"}


def test_each_cause_has_the_divergences_that_show_it() -> None:
    found = _pass((LOST, BENT))
    shown = {each.seen.cause.name: each.divergences for each in seen_in_values(found, found.elements, EXPECTED)}
    assert shown == {"bias_missing": (LOST,), "alpha": (BENT,)}


def test_a_second_cause_may_show_on_some_elements_only() -> None:
    assert set(_names(_pass((LOST, BENT), (BENT,), (LOST, BENT)))) == {"bias_missing", "alpha"}


def test_a_cause_of_few_elements_is_not_named() -> None:
    assert (
        _names(_pass((LOST,), *[(Numbered(0.3, 0.7, 3, is_added=True, expected_at=(("w", 0), ("w", 1))),)] * 3)) == []
    )


def test_an_element_with_a_difference_without_name_counts_for_nothing() -> None:
    odd = Numbered(1.0, 2.5, 3, is_added=True)
    assert _names(_pass((_whole(2.0), odd), (_whole(2.0), odd))) == []


def test_a_bias_added_after_the_function_is_known_by_its_number() -> None:
    before = curved(lambda x: np.maximum(x, 0.0), lambda x: np.maximum(x, 0.0) + 0.5)
    assert _names(_pass((LOST, before))) == ["activation_before_bias"]
    elsewhere = curved(lambda x: np.maximum(x, 0.0), lambda x: np.maximum(x, 0.0) + 0.8)
    assert "activation_before_bias" not in _names(_pass((LOST, elsewhere)))


def test_an_epsilon_outside_the_root_is_one_fault() -> None:
    inner = Numbered(0.01, 0.0, 3, is_added=True, expected_at=(("eps", 0),), inside="sqrt")
    outer = Numbered(0.0, 0.01, 3, is_added=True, inside="reciprocal")
    assert _names(_pass((inner, outer))) == ["epsilon"]


def test_a_number_with_the_same_constants_inside_a_function_is_part_of_it() -> None:
    same = Numbered(0.5, 3.5, 3, is_added=True, expected_at=(("bias", 0),), got_at=(("bias", 0),), inside="curve")
    assert _names(_pass((same, BENT))) == ["alpha"]


def test_one_factor_of_a_side_of_a_choice_is_a_constant_of_the_activation() -> None:
    added = Numbered(0.3, 0.2, 3, is_added=True, expected_at=(("bias", 0),), got_at=(("bias", 0),), inside="select")
    assert _names(_pass((_whole(2.0 / 3.0), added))) == ["alpha"]


def test_a_factor_of_negative_elements_alone_is_a_slope() -> None:
    expected = np.where(np.arange(36) % 2 == 0, -1.0, 1.0)
    found = _pass((_whole(1.5),), nodes=(node("LeakyRelu"),), wrong=expected < 0.0)
    assert _names(found, expected) == ["alpha"]
    assert _names(_pass((_whole(1.5),), nodes=(node("LeakyRelu"),)), expected) == ["scale"]


def test_parts_of_another_function_are_another_function() -> None:
    line = curved(lambda x: np.where(x < 0.0, 0.1 * x, x), lambda x: x)
    side = curved(lambda x: np.where(x < 0.0, 0.1 * x, x), lambda x: 0.1 * x)
    actual = np.array([-1.0, 0.1] * 18)
    assert _names(_pass((line,), (side,), actual=actual)) == ["wrong_function"]
    assert _names(_pass((line,), actual=actual)) == ["activation_missing"]


def test_a_branch_that_the_value_takes_shows_nothing() -> None:
    line = curved(lambda x: np.where(x < 0.0, 0.1 * x, x), lambda x: x)
    lost = Numbered(0.5, 0.0, 5, is_added=True, expected_at=(("bias", 0),))
    assert _names(_pass((line, lost), actual=np.ones(36))) == ["bias_missing"]


def test_a_factor_of_a_term_that_is_a_function_is_no_scale() -> None:
    term = curved(lambda x: 0.45 * np.maximum(x, 0.0), lambda x: -0.45 * np.maximum(x, 0.0))
    assert _names(_pass((term,), nodes=(node("Relu"), node("Conv")))) == []
    assert _names(_pass((term,), nodes=(node("Conv"), node("Relu")))) == ["scale"]


def test_a_factor_of_one_side_is_the_constant_of_an_activation_that_has_one() -> None:
    term = curved(lambda x: 0.45 * np.maximum(x, 0.0), lambda x: 0.9 * np.maximum(x, 0.0))
    assert _names(_pass((term,), nodes=(node("Conv"), node("LeakyRelu")))) == ["alpha"]


def test_an_addend_that_is_multiplied_is_a_scale() -> None:
    halved = Numbered(2.0, 0.6, 3, is_added=True, expected_at=(("bias", 2),), got_at=(("bias", 2),))
    assert _names(_pass((halved,), (halved,))) == ["scale"]


def test_terms_that_are_multiplied_by_one_number_are_scaled() -> None:
    term = Numbered(1.0, 0.25, 3, place=("x", 1))
    assert _names(_pass((term,))) == ["scale"]
    assert _names(_pass((term, Numbered(1.0, 0.5, 3, place=("x", 2))))) == []


def test_a_factor_that_leaves_large_values_right_is_no_scale() -> None:
    half = np.arange(36) < 18
    assert _names(_pass((_whole(2.0),), wrong=half)) == []
    assert _names(_pass((_whole(2.0),), wrong=half), np.where(half, 1.0, 0.01)) == ["scale"]
    assert _names(_pass((_whole(2.0),), wrong=half, nodes=(node("Concat"),))) == ["scale"]


def test_a_factor_of_addends_and_of_all_else_is_one_scale() -> None:
    added = Numbered(-0.8, -1.0, 3, is_added=True)
    assert _names(_pass((Numbered(0.8, 1.0, 3, is_whole=True), added))) == ["scale"]


def test_a_mean_may_show_as_two_factors_in_every_element() -> None:
    both = (_whole(9.0, "sqrt"), _whole(1.0 / 9.0))
    mean = (node("ReduceMean"),)
    assert _names(_pass(both, both, nodes=mean)) == ["average_count"]
    assert _names(_pass(both, (_whole(7.0, "sqrt"),), nodes=mean)) == []


def test_a_bias_that_is_written_as_a_number_is_known_by_it() -> None:
    assert _names(_pass((Numbered(0.5, 0.0, 3, is_added=True),))) == ["bias_missing"]
    assert _names(_pass((Numbered(0.5, 2.0, 3, is_added=True),))) == ["bias_offset"]


def test_an_epsilon_beside_a_root_is_known_by_the_reciprocals() -> None:
    inner = Numbered(0.01, 0.0, 3, is_added=True, expected_at=(("eps", 0),), inside="curve")
    root = curved(lambda x: 1.0 / np.sqrt(x), lambda x: 1.0 / (np.sqrt(x) + 0.01))
    assert _names(_pass((inner, root))) == ["epsilon"]


def test_a_number_added_after_a_choice_is_one_fault() -> None:
    right = (("bias", 0),)
    lost = [Numbered(0.5, 0.0, 3, is_added=True, expected_at=right, inside=inside) for inside in ("select", ">")]
    outer = Numbered(0.0, 0.5, 4, is_added=True, got_at=(("bias", 0),))
    assert _names(_pass((*lost, outer))) == ["activation_before_bias"]


def test_several_terms_times_one_number_are_scaled() -> None:
    terms = [_rectified(by, -by) for by in (0.1, 0.2, 0.4)]
    assert _names(_pass(terms, nodes=(node("Relu"), node("Conv")))) == ["scale"]
    assert _names(_pass(terms[:2], nodes=(node("Relu"), node("Conv")))) == []


def test_a_coefficient_that_is_a_weight_is_no_factor_of_everything() -> None:
    weight = float(np.float32(0.3))
    assert _names(_pass((Numbered(weight, 0.9, 3, is_whole=True),), (Numbered(weight, 0.8, 3, is_whole=True),))) == []
    assert _names(_pass((Numbered(0.7, 1.4, 3, is_whole=True),))) == ["scale"]


def test_a_name_of_another_function_counts_beside_numbers() -> None:
    assert _names(_pass((Renamed("sqrt", "", -1),))) == ["wrong_function"]
    assert set(_names(_pass((Renamed("sqrt", "", -1), LOST)))) == {"wrong_function", "bias_missing"}
    clamp = (node("Min"), node("Max"))
    assert _names(_pass((Renamed("max", "min", 3), LOST), nodes=clamp)) == []


def test_other_numbers_than_one_factor_are_no_side_of_a_choice() -> None:
    added = Numbered(0.3, 0.2, 3, is_added=True, expected_at=(("bias", 0),), got_at=(("bias", 0),), inside="select")
    assert "alpha" not in _names(_pass((_whole(0.9), added)))


def test_another_number_after_a_choice_is_not_the_bias() -> None:
    lost = Numbered(0.5, 0.0, 3, is_added=True, expected_at=(("bias", 0),), inside="select")
    outer = Numbered(0.0, 0.8, 4, is_added=True)
    assert "activation_before_bias" not in _names(_pass((lost, outer)))


def test_a_multiple_of_a_function_is_a_scale_without_weighted_sums() -> None:
    assert _names(_pass((curved(np.tanh, lambda x: 1.3 * np.tanh(x)),), nodes=(node("Tanh"),))) == ["scale"]


def test_terms_of_two_factors_are_no_scale() -> None:
    terms = (Numbered(0.7, 1.4, 3, place=("x", 1)), Numbered(0.5, 1.0, 3, place=("x", 2)))
    assert _names(_pass(terms)) == []  # weights, of which each may be another one
