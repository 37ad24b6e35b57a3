"""Tests how other weights are named: those of other elements, and numbers of no constant."""

from __future__ import annotations

import numpy as np

from tests.pure.diagnose.divergences.passes import curved, divergent_pass, node
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.causes import Cause
from texelscope.pipeline.diagnose.divergences.literals import seen_in_counts, seen_in_gains, seen_in_weights
from texelscope.pipeline.symbolic.kinds import Divergence, Numbered

# [outputs, inputs] = [3, 3]
WEIGHTS = (0.11, 0.22, 0.33, 0.44, 0.55, 0.66, 0.77, 0.88, 0.99)
GAINS = (1.5, 2.5, 4.5, 7.0)
W = np.array(WEIGHTS, np.float32).astype(float).tolist()


def _weight(expected: float, got: float) -> Numbered:
    return Numbered(expected, got, 3, place=("x", 0))


def _seen(*elements: tuple[Divergence, ...], operator: str = "Gemm") -> Cause | None:
    found = divergent_pass(*elements, nodes=(node(operator),), constants={"w": WEIGHTS, "other": (9.1, 9.2, 9.3)})
    seen = seen_in_weights(found, found.elements)
    return seen.cause if seen is not None else None


def test_a_number_of_no_constant_is_a_wrong_literal() -> None:
    assert _seen((_weight(W[0], 0.5),), (_weight(W[0], 0.5),)) is causes.WRONG_LITERAL
    assert _seen((_weight(W[0], 0.5), _weight(W[1], 0.6))) is causes.WRONG_LITERAL


def test_one_weight_that_is_several_numbers_is_no_literal() -> None:
    assert _seen((_weight(W[0], 0.5),), (_weight(W[0], 0.6),)) is None


def test_weights_times_one_number_are_no_literals() -> None:
    assert _seen((_weight(W[0], 1.3 * W[0]), _weight(W[1], 1.3 * W[1]))) is None


def test_numbers_that_the_model_has_not_as_weights_are_no_literals() -> None:
    assert _seen((_weight(0.5, 0.7),)) is None
    assert _seen((_weight(1.0, 0.7),)) is None


def test_other_elements_of_a_constant_are_other_places() -> None:
    assert _seen((_weight(W[0], W[1]), _weight(W[1], W[2])), (_weight(W[3], W[4]),)) is causes.INDEX_MAP


def test_elements_of_another_constant_are_another_input() -> None:
    other = float(np.float32(9.1))
    assert _seen((_weight(W[0], other),)) is causes.WRONG_INPUT


def test_weights_that_stand_for_one_another_are_exchanged_axes() -> None:
    first, second = (_weight(W[1], W[3]), _weight(W[2], W[6])), (_weight(W[3], W[1]), _weight(W[5], W[7]))
    third = (_weight(W[6], W[2]), _weight(W[7], W[5]))
    assert _seen(first, second, third) is causes.FILTER_IO_SWAP


def test_weights_that_change_places_in_one_filter_are_other_places() -> None:
    turned = (_weight(W[0], W[2]), _weight(W[2], W[0]), _weight(W[3], W[5]), _weight(W[5], W[3]))
    assert _seen(turned) is causes.INDEX_MAP


def test_rectified_terms_have_weights_too() -> None:
    each = curved(lambda x: W[0] * np.maximum(x, 0.0), lambda x: W[5] * np.maximum(x, 0.0))
    assert _seen((each,)) is causes.INDEX_MAP


def test_weights_at_a_border_say_nothing() -> None:
    elements = [(_weight(W[0], W[1]),)] * 2
    for at, cause in (((0, 1), None), ((4, 13), causes.INDEX_MAP)):
        found = divergent_pass(*elements, nodes=(node("Conv"),), constants={"w": WEIGHTS}, at=at)
        seen = seen_in_weights(found, found.elements)
        assert (seen.cause if seen is not None else None) is cause


def _gained(*factors: float) -> Cause | None:
    elements = [(_weight(0.3, 0.3 * by), _weight(0.4, 0.4 * by)) for by in factors]
    found = divergent_pass(*elements, constants={"gains": GAINS}, at=[9 * at for at in range(len(factors))])
    seen = seen_in_gains(found, found.elements)
    return seen.cause if seen is not None else None


def test_factors_of_channels_are_those_of_another_channel() -> None:
    assert _gained(2.5 / 1.5, 4.5 / 2.5, 7.0 / 4.5) is causes.INDEX_MAP


def test_factors_that_no_channel_has_say_nothing() -> None:
    assert _gained(2.5 / 1.5, 4.5 / 2.5, 1.7) is None


def test_two_factors_say_nothing() -> None:
    assert _gained(2.5 / 1.5, 4.5 / 2.5) is None


def test_factors_of_channels_are_those_of_another_constant() -> None:
    gains, others = np.array(GAINS), np.array((2.0, 9.0, 0.7, 3.1))
    elements = [(_weight(0.3, 0.3 * others[at] / gains[at]),) for at in range(4)]
    found = divergent_pass(*elements, constants={"gains": GAINS, "others": others.tolist()}, at=[0, 9, 18, 27])
    seen = seen_in_gains(found, found.elements)
    assert seen is not None
    assert seen.says == "multiplies by 'others', not by 'gains'"
    assert seen.cause is causes.WRONG_INPUT


def test_weights_of_one_place_times_two_are_counted_twice() -> None:
    twice = [tuple(_weight(W[3 + n], 2.0 * W[3 + n]) for n in places) for places in (range(3), (0, 2))]
    found = divergent_pass(
        *twice, nodes=(node("MatMul", "x", "w"),), constants={"w": WEIGHTS}, shapes={"w": (3, 3)}, output=(3, 3)
    )
    seen = seen_in_counts(found, found.elements)
    assert seen is not None
    assert (seen.cause, dict(seen.parameters)) == (
        causes.DOUBLE_COUNTED, {"times": 2, "axis": "input", "places": [1]}
    )  # fmt: skip
    assert seen_in_counts(found, found.elements[:0]) is None
