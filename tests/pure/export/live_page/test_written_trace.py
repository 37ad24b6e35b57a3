"""Executions in a page: numbers exactly, texts once, the sum as far as the steps."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import numpy as np

from texelscope.pipeline.export.live_page.written_trace import written_trace
from texelscope.pipeline.step_trace.sums import FragmentSum
from texelscope.pipeline.step_trace.terms import SumTerm
from texelscope.pipeline.step_trace.trace import Assigned, Number, TexelRead, Trace, TraceStep

TENTH = float(np.float32(0.1))


def step(number: int, *assigned: Assigned, reads: tuple[TexelRead, ...] = (), text: str = "a = b;") -> TraceStep:
    return TraceStep(number, ("a.frag", number + 10), "main", 0, 0, (number,), text, assigned, reads)


def trace(*steps: TraceStep) -> Trace:
    return Trace("y", (3, 4), 7, len(steps), steps, {"o": (TENTH, 0.0, 0.0, 1.0)})


def term(number: int, *, wrong: bool = False) -> SumTerm:
    return SumTerm(number, (), 1.0, 2.0, 2.0, 2.0, 2.0, 2.0, 1.0, wrong, "weight" if wrong else "", "said" * wrong)


def read_back(made: Trace, summed: FragmentSum | None = None, most: int = 100) -> Any:
    text = written_trace(made, summed, most, lambda path: int(path == "a.frag") - 1, lambda key: int(key == "x") - 1)
    return json.loads(zlib.decompress(base64.b64decode(text)))


def assigned(*value: Number) -> Assigned:
    return Assigned("v", "vec4", value, 1, "main")


def test_floats_read_back_as_the_same_float32_and_others_as_words() -> None:
    data = read_back(trace(step(0, assigned(TENTH, float("nan"), float("-inf"), 3, True))))
    values = data["steps"][0][7][0][2]
    assert values == [0.1, "NaN", "-Infinity", 3, True]
    assert np.float32(values[0]) == np.float32(TENTH)


def test_texts_stand_in_it_once() -> None:
    data = read_back(trace(step(0, text="x++"), step(1, text="x++"), step(2, text="y")))
    assert [data["texts"][row[0]] for row in data["steps"]] == ["x++", "x++", "y"]
    assert data["texts"].count("x++") == 1


def test_files_and_textures_are_numbers_and_unknown_ones_are_none() -> None:
    read = TexelRead("t", "x", (1, 2), (1.5, 2.5), (0,), (5,), (TENTH, 0.0, 0.0, 1.0))
    other = TexelRead("u", "elsewhere", (0, 0), (0.5, 0.5), (0,), (0,), (1.0, 0.0, 0.0, 1.0), outside=True)
    (row,) = read_back(trace(step(0, reads=(read, other))))["steps"]
    assert row[1:3] == [0, 10]
    assert [each[:3] + each[4:] for each in row[8]] == [[0, 1, 2, [0.1], 0], [-1, 0, 0, [1.0], 1]]


def test_a_long_execution_is_cut_and_its_sum_with_it() -> None:
    summed = FragmentSum((term(0), term(1), term(2, wrong=True)), 2, "said", "acc")
    data = read_back(trace(step(0), step(1), step(2)), summed, most=2)
    assert (len(data["steps"]), data["total"]) == (2, 3)
    assert (len(data["sum"]["terms"]), data["sum"]["firstWrong"]) == (2, None)
    assert read_back(trace(step(0), step(1), step(2)), summed)["sum"]["firstWrong"] == 2


def test_names_of_other_people_are_printable() -> None:
    made = trace(step(0, Assigned("v\u202e", "float", (1.0,), 1, "main"), text="a\x1b[2J"))
    assert all(text.isprintable() for text in read_back(made)["texts"])
