"""Tests what right formulas with wrong values say of the storage."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.pure.diagnose.divergences.passes import divergent_pass
from texelscope.pipeline.diagnose import causes
from texelscope.pipeline.diagnose.causes import Cause
from texelscope.pipeline.diagnose.divergences.names import named
from texelscope.pipeline.diagnose.divergences.storage import seen_in_storage

RIGHT = np.random.default_rng(3).normal(size=36).astype(np.float32)
SHARES = np.abs(RIGHT) / np.abs(RIGHT).max()


def _seen(actual: Any, expected: Any) -> Cause | None:
    seen = seen_in_storage(divergent_pass((), actual=actual), expected)
    return seen.cause if seen is not None else None


def test_values_with_the_digits_of_halves_are_named() -> None:
    assert _seen(RIGHT.astype(np.float16).astype(np.float32), RIGHT) is causes.HALF_PRECISION


def test_halves_that_are_cut_off_are_named() -> None:
    halves = RIGHT.astype(np.float16)
    cut = np.where(np.abs(halves.astype(np.float32)) > np.abs(RIGHT), np.nextafter(halves, np.float16(0)), halves)
    assert _seen(cut.astype(np.float32), RIGHT) is causes.HALF_PRECISION


def test_small_errors_of_values_that_are_no_halves_have_no_name() -> None:
    assert _seen(RIGHT * np.float32(1.0003), RIGHT) is None


def test_halves_of_other_values_have_no_name() -> None:
    assert _seen((1.1 * RIGHT).astype(np.float16).astype(np.float32), RIGHT) is None


def test_steps_of_a_byte_are_named() -> None:
    assert _seen(np.rint(SHARES * 255.0) / 255.0, SHARES) is causes.QUANTIZED_8BIT


def test_small_errors_of_values_between_the_steps_have_no_name() -> None:
    assert _seen(SHARES + 0.001, SHARES) is None


def test_steps_of_a_byte_that_cut_values_off_are_a_clamp() -> None:
    assert _seen(np.rint(np.clip(RIGHT, 0.0, 1.0) * 255.0) / 255.0, RIGHT) is causes.CLAMPED_0_1


def test_infinite_values_have_no_name() -> None:
    assert _seen(np.full(36, np.inf), RIGHT) is None


def test_a_pass_of_right_formulas_is_named_by_its_storage() -> None:
    found = divergent_pass((), (), actual=RIGHT.astype(np.float16).astype(np.float32))
    (each,) = named(found, RIGHT)
    assert each.cause is causes.HALF_PRECISION
    assert each.line is None
    assert each.elements == 2
    assert named(divergent_pass((), actual=2.0 * RIGHT), RIGHT) == ()
