"""Tests the terms of a sum as rows: which element, in which turn, how far apart."""

from __future__ import annotations

from dataclasses import replace

from texelscope import layouts
from texelscope.pipeline.plan import StoredTensor
from texelscope.pipeline.step_trace.sums import SumTerm
from texelscope.pipeline.step_trace.trace import TexelRead, TraceStep
from texelscope.pipeline.stepping.sum_words import (
    elements_of,
    factors_text,
    number,
    parted,
    read_of_value,
    term_text,
    turn_text,
)

STORED = StoredTensor("image", "image", (1, 4, 2, 2), layouts.layout("channel_tiles_rgba"))
WEIGHT = TexelRead("u_w", "w", (5, 0), (5.5, 0.5), (0,), (5,), (-0.5, 0.0, 0.0, 1.0))
VALUE = TexelRead("u_x", "image", (1, 0), (1.5, 0.5), (0, 1, 2, 3), (1, 5, 9, 13), (1.0, 2.0, 3.0, 4.0))


def term(value: float | None = 3.0, reads: tuple[TexelRead, ...] = (WEIGHT, VALUE), **more: object) -> SumTerm:
    return SumTerm(7, reads, value, -0.5, -1.5, 0.0, -1.0, 0.5, 0.25, True, **more)  # type: ignore[arg-type]


def test_a_term_is_called_by_the_element_whose_value_it_has() -> None:
    assert read_of_value(term()) is VALUE
    assert elements_of((term(),)) == (9,)
    assert term_text(term(), {"image": STORED}, 9) == "image[0, 2, 0, 1]"
    assert term_text(term(), {}) == "u_x", "of a tensor that is gone its sampler"


def test_lanes_that_hold_the_same_are_taken_one_after_the_other() -> None:
    read = replace(VALUE, value=(0.0, 0.0, 3.0, 0.0))
    terms = tuple(term(value, (read, WEIGHT)) for value in (0.0, 0.0, 3.0, 0.0))
    assert elements_of(terms) == (1, 5, 9, 13)
    padding = replace(VALUE, elements=(), outside=True)
    assert elements_of((term(0.0, (padding,)), term(None, ()))) == (-1, -1)
    assert term_text(term(0.0, (padding,)), {"image": STORED}) == "image texel (1, 0): padding"


def test_a_start_and_what_was_never_added_say_so() -> None:
    assert term_text(term(None, ()), {}) == "start"
    text = "The product of image[0, 1, 0, 1] is never added."
    assert term_text(term(2.0, (), fault="missing", text=text), {}) == "missing image[0, 1, 0, 1]"


def test_numbers_of_a_term() -> None:
    assert factors_text(term()) == "3 × -0.5"
    assert factors_text(term(None)) == ""
    assert parted(term()) == -1.5
    assert [number(None), number(float("nan")), number(1 / 3, 3)] == ["–", "NaN", "0.333"]
    assert turn_text(TraceStep(0, ("a", 1), "main", 0, 0, (0, 2))) == "1 3"
